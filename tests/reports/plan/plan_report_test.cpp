// How plans are told. The snapshots' numbers are worked out in docs/planning-capacity.md and checked in tests/sim/plan.
#include "reports/plan/plan_report.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_words.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "tests/support/golden.hpp"

using namespace spillway;
using support::golden;

namespace {

struct Planned {
  scenario::Scenario scenario;
  plan::Plan plan;
};

Planned planned(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  return {*base.reading().scenario, std::get<plan::Plan>(plan::make_plan(base, {}))};
}

const Planned& documented() {
  static const Planned three_zones = [] {
    const scenario::ScenarioTemplate base(std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/three-zones.yaml");
    return Planned{*base.reading().scenario, std::get<plan::Plan>(plan::make_plan(base, {}))};
  }();
  return three_zones;
}

void check_format(const std::string& name, reports::Format format) {
  const std::string text = reports::format_plan(documented().scenario, documented().plan, format, {});
  CHECK(golden("reports/golden/" + name, text) == text);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string overloaded =
    "name: \"<o> | \\\"ver\\\"\"\nduration: 1s\nzones: [{ name: a }, { name: b }]\n"
    "services: [{ name: s, endpoints: [{ count: 2, zone: a, capacity: 10rps }, { zone: b, capacity: 10rps, priority: 1 "
    "}] }]\n"
    "clients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\n"
    "objectives: [{ utilisation: 100% }]\n";

}  // namespace

// One test, since the plan takes seconds to make.
TEST_CASE("golden: the documented plan in every format, and as its page has it", "[plan][unsanitized]") {
  check_format("plan.txt", reports::Format::table);
  check_format("plan.md", reports::Format::markdown);
  check_format("plan.csv", reports::Format::csv);
  check_format("plan.json", reports::Format::json);
  std::ifstream file(std::string(SPILLWAY_SOURCE_DIR) + "/docs/planning-capacity.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string table = reports::format_plan(documented().scenario, documented().plan, reports::Format::table, {});
  CHECK(has(page, table.substr(0, table.find("\nwhere all requests are answered"))));
}

TEST_CASE("a failure that overloads says what, where and by how much", "[plan]") {
  const Planned bad = planned(overloaded);
  CHECK(!bad.plan.holds());
  // a lost: 18 of 10 requests at the only endpoint of b.
  CHECK(reports::verdict_text(bad.scenario, bad.plan, bad.plan.rows[1]) ==
        "failed: utilisation of s-3 (b) 180 %, at most 100 %");
  const std::string table = reports::format_plan(bad.scenario, bad.plan, reports::Format::table, {});
  CHECK(has(table, "10 rps (-44.4 %): at that rate, losing a endpoints, s-3 (b) is at 100 %"));
}

TEST_CASE("a plan as JUnit fails where an objective does, and escapes names", "[plan]") {
  const Planned bad = planned(overloaded);
  const std::string xml = reports::plan_junit(bad.scenario, bad.plan);
  CHECK(has(xml, "<testsuite name=\"&lt;o&gt; | &quot;ver&quot;\""));
  CHECK(has(xml,
            "name=\"losing a endpoints\"><failure message=\"failed: utilisation of s-3 (b) 180 %, at most 100 %\"/>"));
  CHECK(has(xml, "name=\"losing nothing\"/>"));
}

TEST_CASE("endpoints that say nothing of what they can do have no utilisation and no headroom", "[plan]") {
  const Planned unknown = planned(
      "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\n"
      "failures: []\n");
  CHECK(!unknown.plan.fewest);
  const std::string table = reports::format_plan(unknown.scenario, unknown.plan, reports::Format::table, {});
  CHECK(has(table, "headroom          unknown: no endpoint has a capacity"));
  CHECK(has(table, "next useful step  unknown: no endpoint has a capacity"));
}

TEST_CASE("spill of what leaves the zone anyway says so", "[plan]") {
  // Without a local cluster zones do not matter: half goes to the other zone, and 3 of 5 with one of three lost.
  const Planned even = planned(
      "duration: 1s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a }, "
      "{ count: 3, zone: b }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\n");
  const std::string table = reports::format_plan(even.scenario, even.plan, reports::Format::table, {});
  CHECK(has(table, "a for s: 50 % leaves the zone even when healthy, more once 1 of 3 is lost; no panic"));
}

TEST_CASE("JSON has null where there is no limit", "[plan]") {
  const Planned unknown = planned(
      "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\n"
      "failures: []\n");
  const auto json =
      nlohmann::json::parse(reports::format_plan(unknown.scenario, unknown.plan, reports::Format::json, {}));
  CHECK(json.at("headroom").at("rate").is_null());
  CHECK(json.at("fewest").is_null());
  CHECK(json.at("failures").at(0).at("utilisation").is_null());
}

TEST_CASE("growth and rates are told with as many digits as help", "[plan]") {
  CHECK(reports::growth_text(1.0666666) == "+6.7 %");
  CHECK(reports::growth_text(0.5) == "-50 %");
  CHECK(reports::growth_text(std::numeric_limits<double>::infinity()).empty());
  CHECK(reports::rate_text(2880.0) == "2,880 rps");
  CHECK(reports::rate_text(2.5) == "2.5 rps");
  CHECK(reports::money_text(788.4) == "788.40");
  CHECK(reports::money_text(0.001) == "<0.01");
}

TEST_CASE("what ends the headroom of the fewest endpoints is named as it is with them", "[plan]") {
  // 48 endpoints are needed and two are there: those of the fewest have numbers that the scenario lacks.
  const Planned many = planned(
      "duration: 1s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ zone: a, cores: 1, "
      "service_time: 20ms }, { zone: b, cores: 1, service_time: 20ms }] }]\nclients: [{ name: c, zone: a, workload: { "
      "service: s, rate: 1250rps } }]\nobjectives: [{ utilisation: 80% }]\nfailures: [{ each: zone }]\n");
  REQUIRE(many.plan.fewest);
  const auto json = nlohmann::json::parse(reports::format_plan(many.scenario, many.plan, reports::Format::json, {}));
  const auto& headroom = json.at("fewest").at("headroom");
  CHECK(headroom.at("growth").get<double>() >= 1.0);
  CHECK_FALSE(headroom.at("failure").get<std::string>().empty());
  CHECK(has(headroom.at("binds").at("endpoint").get<std::string>(), "s-"));
}

TEST_CASE("what is measured ends the headroom where it fails before what follows from shares", "[plan]") {
  // Losing a zone leaves half of the 800 requests a second that both can do.
  const Planned counted = planned(
      "duration: 10s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a, "
      "capacity: 100rps }, { count: 4, zone: b, capacity: 100rps }] }]\nclusters: [{ name: s, lb_policy: LEAST_REQUEST "
      "}]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 300rps } }]\nobjectives: [{ service: s, "
      "error_share: 0% }]\nfailures: [{ each: zone }]\n");
  REQUIRE(counted.plan.measured);
  const auto json =
      nlohmann::json::parse(reports::format_plan(counted.scenario, counted.plan, reports::Format::json, {}));
  CHECK(json.at("headroom").at("rate") == json.at("measured").at("holds_rate"));
  CHECK(json.at("headroom").at("rate").get<double>() < 800.0);
  CHECK(has(json.at("headroom").at("failure").get<std::string>(), "endpoints"));
  const std::string table = reports::format_plan(counted.scenario, counted.plan, reports::Format::table, {});
  CHECK_FALSE(has(table, "adds no headroom"));
  CHECK(has(table, "not measured"));
}

TEST_CASE("a plan says at which rate a month of costs is, where that is not the scenario's mean", "[plan]") {
  const auto costs = [](const std::string& workload) {
    return planned(
        "duration: 10s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 1ms, price: 0.02/GB }]\n"
        "services: [{ name: s, endpoints: [{ count: 2, zone: b, capacity: 1000rps, response_bytes: 10000 }] "
        "}]\nclients: [{ name: c, zone: a, "
        "workload: { service: s, " +
        workload + " } }]\nobjectives: [{ cross_zone_cost: 100/month }]\nfailures: []\n");
  };
  // 9 s of 10 requests a second and 1 s of 1,000.
  const Planned peak = costs("phases: \"10rps 9s, 1000rps\"");
  const std::string table = reports::format_plan(peak.scenario, peak.plan, reports::Format::table, {});
  CHECK(
      has(table,
          "a month of costs is 730 hours at the scenario's mean rate, 109 rps; while something is lost, at 1,000 rps"));
  const auto json = nlohmann::json::parse(reports::format_plan(peak.scenario, peak.plan, reports::Format::json, {}));
  CHECK(json.at("mean_rate").get<double>() == Approx(109.0));
  const Planned even = costs("rate: 1000rps");
  CHECK_FALSE(has(reports::format_plan(even.scenario, even.plan, reports::Format::table, {}), "a month of costs"));
}

namespace {

// Endpoints that answer 200 requests a second each.
std::string five_endpoints(const std::string& duration, const std::string& objectives, const std::string& failures,
                           const std::string& more = "") {
  return "duration: " + duration +
         "\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, service_time: 5ms, cores: 1 "
         "}] "
         "}]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 200rps } }]\nobjectives: [{ " +
         objectives + " }]\nfailures: [{ " + failures + " }]\n" + more;
}

std::string table_of(const Planned& made) {
  return reports::format_plan(made.scenario, made.plan, reports::Format::table, {});
}

}  // namespace

// Four endpoints answer 800 requests a second; 784 are 2 % less.
TEST_CASE("a headroom that a queue without an end limits says so, with the rate that fills it", "[plan]") {
  const Planned made = planned(five_endpoints("10s", "error_share: 1%", "any: 1, of: endpoints"));
  const std::string table = table_of(made);
  CHECK(has(table, "objective: s: error_share at most 1 %, utilisation below 100 % (default)"));
  CHECK(has(table,
            "headroom          784 rps (+292.2 %): at 800 rps, losing s-1, s-2 (a) is at 100 % and its queue "
            "grows without end"));
  CHECK(!has(table, "at most  "));
  const auto json = nlohmann::json::parse(reports::format_plan(made.scenario, made.plan, reports::Format::json, {}));
  CHECK(json.at("headroom").at("fails_rate") == Approx(800.0));
  CHECK(json.at("objectives").at(1).at("below") == true);
}

// Errors are measured, with six endpoints too: four of five serve 800 requests a second, five of six 1,000.
TEST_CASE("a step is never said to add nothing where it is unknown", "[plan]") {
  Planned made = planned(five_endpoints("5s", "error_share: 1%", "any: 1, of: endpoints"));
  CHECK(has(table_of(made), "next useful step  one more in a for +"));
  made.plan.next_step.reset();
  made.plan.no_step = plan::NoStep::unknown;
  CHECK(has(table_of(made), "next useful step  unknown: too many requests would have to be simulated"));
  made.plan.no_step = plan::NoStep::not_by_endpoints;
  CHECK(has(table_of(made), "next useful step  no set of endpoints that was tried adds headroom"));
  made.plan.no_step = plan::NoStep::no_group;
  CHECK(has(table_of(made), "next useful step  no group of endpoints has a count that may change"));
}

TEST_CASE("a plan begins with what breaks, how badly and what to buy", "[plan][unsanitized]") {
  // a lost: 18 of 10 requests at the only endpoint of b; one more there is enough for 18 of 20.
  const Planned bad = planned(overloaded);
  const std::string table = reports::format_plan(bad.scenario, bad.plan, reports::Format::table, {});
  CHECK(has(table, "FAILED: 1 of "));
  CHECK(has(table, "Worst: losing a, "));
  CHECK(has(table, "Enough: 1 more endpoint: 1 in b."));
  CHECK(
      has(reports::format_plan(documented().scenario, documented().plan, reports::Format::table, {}),
          "OK: every failure is survived. Tightest: losing zone-2 or zone-3 puts backend-1 (zone-1) at 75 %, limit "
          "80 %.\nTraffic can grow 6.7 %, to 2,880 rps. 36 endpoints cost 2,628.00 a month; 30 are enough (2,190.00 a "
          "month). Next useful step: one more in zone-1 (73.00 a month) for +219 rps.\n"));
}

TEST_CASE("a rate above which nothing was decided is not told to miss an objective", "[plan]") {
  Planned made = planned(five_endpoints("5s", "p99: 1s", "any: 1, of: endpoints"));
  plan::Plan& plan = made.plan;
  plan.measured_ends_first = true;
  plan.headroom = {.growth = 1.0, .fails = 1.38, .row = 0};
  CHECK(has(table_of(made),
            "headroom          200 rps (+0 %): the objectives are not shown to be met above, with "
            "everything up: see `measured`"));
  plan.headroom.fails = 1.02;
  CHECK(has(table_of(made),
            "headroom          200 rps (+0 %): at 204 rps an objective that is measured is missed, with "
            "everything up"));
}

// Picks by requests in flight are counted, and no endpoint says what it can do: no rate is known to be too much.
TEST_CASE("a plan of counted shares ends at once where no capacity is known", "[plan]") {
  const Planned made = planned(
      "duration: 5s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, "
      "service_time: 5ms }, { count: 5, zone: b, service_time: { mean: 5ms, distribution: exponential } }] }]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 200rps } }]\n");
  CHECK(!made.plan.rows[0].exact);
  CHECK(!made.plan.utilisation_known);
  const std::string table = table_of(made);
  CHECK(has(table, "headroom          unknown: no endpoint has a capacity"));
  CHECK(has(table, "next useful step  unknown: no endpoint has a capacity"));
  CHECK(made.plan.what_ifs.empty());
}

TEST_CASE("a headline says that traffic cannot grow only if the next rate is known to fail") {
  Planned of = planned(
      "duration: 10s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a, capacity: 100rps }] "
      "}]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\nobjectives: [{ utilisation: 80% "
      "}]\n"
      "failures: [{ any: 1, of: endpoints }]\n");
  const auto said = [&](double growth, std::optional<double> fails) {
    of.plan.headroom = {.growth = growth, .fails = fails};
    const reports::PlanHeadline headline = reports::plan_headline(of.scenario, of.plan);
    std::string text = headline.reason;
    for (const std::string& sentence : headline.sentences) {
      text += " " + sentence;
    }
    return text;
  };
  CHECK(said(1.0, std::nullopt).find("Traffic cannot grow.") != std::string::npos);
  CHECK(said(1.0, 1.01).find("Traffic cannot grow.") != std::string::npos);
  CHECK(said(1.0, 1.5).find("cannot") == std::string::npos);
  CHECK(said(1.0, 1.5).find("undecided whether traffic can grow; 150 rps fails") != std::string::npos);
  CHECK(said(1.2, 1.5).find("Traffic can grow 20 %, to 120 rps.") != std::string::npos);
}

TEST_CASE("a bound by a load that was counted is no certain one") {
  plan::Plan plan;
  plan::Row row;
  row.tightest = plan::Margin{};
  row.tightest->value = 0.5;
  row.tightest->bound.metric = study::Metric::utilisation;
  row.tightest->bound.limit = 1.0;
  row.estimates.emplace_back();
  row.exact = true;
  CHECK(reports::row_headroom_text(plan, row) == "at most +100 %");
  row.tightest->bound.below = true;  // the same limit of a queue without end
  CHECK(reports::row_headroom_text(plan, row) == "at most +100 %");
  row.exact = false;
  CHECK(reports::row_headroom_text(plan, row) == "at most about +100 %");
  // A rate at which the row was simulated and held is more than its loads of the present rate show.
  plan.headroom.growth = 2.5;
  row.estimates.clear();
  row.tightest->bound.below = false;
  CHECK(reports::row_headroom_text(plan, row) == "at least +150 %");
}
