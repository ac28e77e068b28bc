// What is lost does not answer: plans whose only way to hold would be panic that sends requests to lost endpoints.
// Every number is worked out by hand beside it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/plan/three_zones.hpp"

using namespace spillway;
using Catch::Matchers::WithinRel;
using plan::Cause;

namespace {

plan::Plan plan_without_panic(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

const plan::Row& named_row(const plan::Plan& plan, const std::string& failure) {
  const auto row = std::find_if(plan.rows.begin(), plan.rows.end(),
                                [&](const plan::Row& candidate) { return candidate.failure.name == failure; });
  REQUIRE(row != plan.rows.end());
  return *row;
}

std::string six_and_four(double rate, const std::string& rest = "") {
  return "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
         "services: [{ name: s, endpoints: [{ count: 6, zone: a, capacity: 100rps }, { count: 4, zone: b, capacity: "
         "100rps }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: " +
         std::to_string(rate) + "rps } }]\n" + rest;
}

}  // namespace

TEST_CASE("losing the only zone fails every request, though panic still picks its endpoints", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 10, zone: z, capacity: 100rps "
      "}] "
      "}]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 500rps } }]\n");
  const plan::Row& lost = named_row(plan, "z endpoints");
  CHECK_THAT(lost.failed, WithinRel(1.0, 1e-12));
  CHECK(lost.judgement() == study::Verdict::missed);
  REQUIRE(lost.failing.size() == 1);
  CHECK(lost.failing[0].first_cause() == Cause::panic);
  CHECK_FALSE(lost.utilisation);
  CHECK_FALSE(plan.holds());
  CHECK(plan.headroom.growth == 0.0);
  CHECK_FALSE(plan.fewest);
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    CHECK_FALSE(what_if.worst.holds());
  }
}

TEST_CASE("a row whose clients are all lost has no traffic, and says how much is not sent", "[plan]") {
  const plan::Plan plan = plan_without_panic(six_and_four(350));
  const plan::Row& lost = named_row(plan, "a with its clients");
  CHECK(lost.has_no_traffic());
  CHECK(lost.not_sent == 350.0);
  CHECK(lost.failed == 0.0);
}

TEST_CASE("panic of a cluster below an aggregate is the cause of what it sends to lost endpoints", "[plan]") {
  // Losing `a` leaves 2 of 5 hosts of `front`, 40 %: panic. 2 / 5 * 1.4 = 56 % of the requests go to `front`, and 3 / 5
  // of those to what is lost: 33.6 %.
  const plan::Plan plan = plan_without_panic(
      "duration: 20s\nzones: [{ name: a }, { name: b }]\nservices:\n"
      "  - { name: front, endpoints: [{ count: 3, zone: a, capacity: 100rps }, { count: 2, zone: b, capacity: 100rps "
      "}] "
      "}\n"
      "  - { name: cart, endpoints: [{ count: 6, zone: b, capacity: 200rps }] }\n  - { name: agg }\nclusters:\n"
      "  - { name: agg, lb_policy: CLUSTER_PROVIDED, cluster_type: { name: envoy.clusters.aggregate, typed_config: { "
      "'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [front, cart] } } "
      "}\n"
      "clients: [{ name: c, zone: b, workload: { service: agg, rate: 100rps } }]\n");
  const plan::Row& lost = named_row(plan, "a endpoints");
  CHECK_THAT(lost.failed, WithinRel(0.336, 1e-9));
  REQUIRE(lost.failing.size() == 1);
  CHECK(lost.failing[0].first_cause() == Cause::panic);
  CHECK(lost.panics == std::vector<std::string>{"c -> agg front P0"});
}

TEST_CASE("panic spreads requests over what is lost and what is left", "[plan]") {
  const plan::Plan plan = plan_without_panic(six_and_four(350));
  // 4 of 10 healthy are below 50 %: 6 of 10 requests go to the lost zone, 35 rps to each of four others.
  const plan::Row& lost = named_row(plan, "a endpoints");
  CHECK_THAT(lost.failed, WithinRel(0.6, 1e-12));
  CHECK_THAT(*lost.utilisation, WithinRel(0.35, 1e-12));
  CHECK(lost.judgement() == study::Verdict::missed);
  // b lost: six at 350 / 600.
  CHECK_THAT(*named_row(plan, "b endpoints").utilisation, WithinRel(350.0 / 600.0, 1e-12));
  CHECK(named_row(plan, "b endpoints").holds());
  // 350 rps at 80 % need 5 in each zone, and 5 of 10 healthy are no panic; 4 and 5 leave 4 at 87.5 %.
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 10);
  CHECK(plan.fewest->proved);
  CHECK(plan.fewest->parts[0].count == 5);
  CHECK(plan.fewest->parts[1].count == 5);
}

TEST_CASE("a higher panic threshold is never praised for what lost endpoints would answer", "[plan]") {
  const plan::Plan plan = plan_without_panic(six_and_four(300));
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    if (what_if.setting == "healthy_panic_threshold") {
      CAPTURE(what_if.value);
      // 300 rps on four endpoints are 75 % once panic no longer sends requests to the lost zone, below 40 %.
      CHECK(what_if.worst.holds() == (what_if.value == "0" || what_if.value == "25"));
    }
  }
}

TEST_CASE("a setting that fails requests is not praised where objectives are about latency", "[plan]") {
  // Below a threshold of 75 % half of the endpoints is panic, which fails half of the requests.
  const plan::Plan plan = plan_without_panic(
      "duration: 2s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a, cores: "
      "1, "
      "service_time: 10ms }, { count: 4, zone: b, cores: 1, service_time: 10ms }] }]\nclusters: [{ name: s, lb_policy: "
      "RANDOM }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 20rps } }]\nfailures: [{ each: zone }]\n"
      "objectives: [{ utilisation: 95%, p99: 500ms }]\n");
  bool tried = false;
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    if (what_if.setting == "healthy_panic_threshold" && what_if.value == "75") {
      tried = true;
      CHECK(what_if.worst.judgement() == study::Verdict::missed);
      CHECK_THAT(what_if.worst.failed, WithinRel(0.5, 1e-9));
      CHECK(what_if.headroom.growth == 0.0);
    }
  }
  CHECK(tried);
}

TEST_CASE("with a utilisation alone no request may fail either, and that is said to be assumed", "[plan]") {
  // Losing six of ten is panic: 60 % fail, and what is left has little to do.
  const std::string text = six_and_four(60);
  const plan::Plan plan =
      plan_without_panic(text.substr(0, text.find("objectives")) + "objectives: [{ utilisation: 80% }]\n");
  const plan::Row& lost = named_row(plan, "a endpoints");
  CHECK_THAT(lost.failed, WithinRel(0.6, 1e-9));
  CHECK(lost.judgement() == study::Verdict::missed);
  CHECK(plan.headroom.growth == 0.0);
  REQUIRE(plan.bounds.size() == 2);
  CHECK_FALSE(plan.bounds[0].assumed);
  CHECK(plan.bounds[1].metric == plan::Metric::error_share);
  CHECK(plan.bounds[1].assumed);
  // Half of them are no panic.
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->parts[0].count == plan.fewest->parts[1].count);
}

TEST_CASE("in platform mode no link carries more than its bandwidth", "[plan]") {
  // Half of 100 requests a second, of 500 bytes with answers of 10,000: 4 Mbps one way, of a link of 3.2.
  const auto planned_on = [](const std::string& bandwidth) {
    return plan_without_panic(
        "mode: platform\nduration: 2s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 1ms, "
        "bandwidth: " +
        bandwidth +
        " }]\nservices: [{ name: s, endpoints: [{ zone: a, capacity: 500rps }, { zone: b, capacity: 500rps, "
        "request_bytes: 500, response_bytes: 10000 }] }]\nclusters: [{ name: s, lb_policy: RANDOM }]\n"
        "clients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\nfailures: []\n");
  };
  const plan::Plan full = planned_on("3.2Mbps");
  CHECK(full.judgement() == study::Verdict::missed);
  REQUIRE(full.headroom.margin);
  CHECK(full.headroom.margin->bound.metric == plan::Metric::link_utilisation);
  CHECK_THAT(full.headroom.margin->value, WithinRel(4.0 / 3.2, 1e-9));
  CHECK_THAT(full.headroom.growth, WithinRel(0.8, 1e-9));
  const plan::Plan wide = planned_on("8Mbps");
  CHECK(wide.holds());
  CHECK_THAT(wide.headroom.growth, WithinRel(2.0, 1e-9));
}

TEST_CASE("requests that no link carries to their endpoint are not said to go to a lost one", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 5s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 1ms }]\n"
      "services: [{ name: s, endpoints: [{ zone: a, capacity: 500rps }, { zone: b, capacity: 500rps }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\nfailures: []\n"
      "timeline: [{ at: 0s, link: [a, b], outage: true }]\n");
  REQUIRE(plan.rows.front().failing.size() == 1);
  CHECK(plan.rows.front().failing.front().first_cause() == Cause::link);
  CHECK_THAT(plan.rows.front().failing.front().share, WithinRel(0.5, 1e-9));
}

TEST_CASE("fewest endpoints survive the loss of each zone", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 20s\nzones: [{ name: a }, { name: b }, { name: c }]\nservices:\n  - name: web\n    endpoints:\n"
      "      - { count: 6, zone: a, capacity: 100rps }\n      - { count: 6, zone: b, capacity: 100rps }\n"
      "      - { count: 6, zone: c, capacity: 100rps }\n"
      "clients: [{ name: gw, zone: a, workload: { service: web, rate: 960rps } }]\n");
  // 960 rps at 80 % need 12 in any two zones.
  CHECK(plan.holds());
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 18);
  CHECK(plan.fewest->proved);
}

TEST_CASE("the share of errors counts endpoints that fail, whoever wrote the objective", "[plan]") {
  const std::string text =
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: web, endpoints: [{ count: 2, zone: a, capacity: 100rps "
      "}] "
      "}]\nclients: [{ name: gw, zone: a, workload: { service: web, rate: 50rps } }]\n"
      "timeline: [{ at: 0s, service: web, fails: 50% }]\nfailures: []\n";
  for (const std::string objectives : {"", "objectives: [{ utilisation: 80%, error_share: 0% }]\n"}) {
    const plan::Plan plan = plan_without_panic(text + objectives);
    CHECK_THAT(plan.rows[0].failed, WithinRel(0.5, 1e-12));
    CHECK(plan.rows[0].failing.at(0).first_cause() == Cause::failing);
    CHECK(plan.judgement() == study::Verdict::missed);
    CHECK(plan.headroom.growth == 0.0);
  }
  CHECK(plan_without_panic(text + "objectives: [{ utilisation: 80%, error_share: 50% }]\n").holds());
}

TEST_CASE("without objectives no endpoint may be above 80 % and no request may fail", "[plan]") {
  const auto judged = [](double rate) { return plan_without_panic(six_and_four(rate, "failures: []\n")).judgement(); };
  CHECK(judged(800) == study::Verdict::met);
  CHECK(judged(801) == study::Verdict::missed);
}

TEST_CASE("where no capacity is known the verdict is undecided, and so is no pass", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\nfailures: []\n");
  CHECK(plan.judgement() == study::Verdict::undecided);
  CHECK_FALSE(plan.holds());
  REQUIRE(plan.rows[0].unknown.size() == 1);
}

TEST_CASE("proxies that are told nothing send on to what is lost", "[plan]") {
  const plan::Plan plan = plan_without_panic(six_and_four(350, "failures: [{ each: zone, zone: b, told: nothing }]\n"));
  // 4 of 10 picks go to the lost zone.
  CHECK_THAT(plan.rows[1].failed, WithinRel(0.4, 1e-12));
  CHECK(plan.rows[1].failing.at(0).first_cause() == Cause::lost);
}

TEST_CASE("removed endpoints leave the set and no request fails", "[plan]") {
  const plan::Plan plan = plan_without_panic(six_and_four(300, "failures: [{ each: zone, told: removed }]\n"));
  CHECK(plan.rows[1].failed == 0.0);
  CHECK_THAT(*plan.rows[1].utilisation, WithinRel(0.75, 1e-12));
  CHECK(plan.holds());
}

TEST_CASE("retries move what fails at lost endpoints to others: counted, not computed", "[plan][unsanitized]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
      "services: [{ name: s, endpoints: [{ count: 6, zone: a, capacity: 100rps }, { count: 4, zone: b, capacity: "
      "100rps "
      "}] }]\nclusters: [{ name: s, lb_policy: RANDOM, circuit_breakers: { thresholds: [{ max_retries: 1000 }] } }]\n"
      "routes:\n  - match: { prefix: / }\n    route:\n      cluster: s\n      retry_policy: { retry_on: "
      "connect-failure, num_retries: 1 }\n"
      "clients: [{ name: c, zone: a, workload: { requests: [{ path: / }], rate: 200rps } }]\n"
      "failures: [{ each: zone, zone: a }]\n");
  const plan::Row& lost = plan.rows[1];
  CHECK_FALSE(lost.exact);
  // Both attempts pick a lost endpoint: 0.6 * 0.6; 200 * (0.4 + 0.6 * 0.4) requests reach four endpoints.
  CHECK(lost.failed == Approx(0.36).margin(0.01));
  CHECK(*lost.utilisation == Approx(200.0 * 0.64 / 400.0).margin(0.01));
  const auto errors = std::find_if(lost.margins.begin(), lost.margins.end(), [](const plan::Margin& margin) {
    return margin.bound.metric == plan::Metric::error_share;
  });
  REQUIRE(errors != lost.margins.end());
  CHECK(errors->half_width > 0.0);
  CHECK(lost.judgement() == study::Verdict::missed);
}

TEST_CASE("a counted failure reaches the views of a mesh, also where the file tells the same of them later", "[plan]") {
  const std::string objectives = "objectives: [{ utilisation: 80%, error_share: 0% }]\n";
  const std::string later = "timeline:\n  - { at: 8s, zone: zone-1, healthy: 0% }\n";
  for (const std::string& rest : {objectives, objectives + later}) {
    const scenario::ScenarioTemplate base("plan.yaml", support::three_zones({2, 1, 1}, {300.0, 10.0, 10.0}, rest));
    REQUIRE(base.reading().scenario);
    const plan::Variants variants(base, std::chrono::nanoseconds{0}, 1.0);
    const auto mesh = variants.with({});
    const auto lost = std::find_if(mesh->failures.begin(), mesh->failures.end(),
                                   [](const plan::Failure& failure) { return failure.name == "zone-1 endpoints"; });
    REQUIRE(lost != mesh->failures.end());
    const plan::Simulated simulated = variants.simulated(*mesh, *lost);
    const auto tells_a_view = [&](const scenario::Change& change) {
      const auto* const reported = std::get_if<scenario::EdsHealth>(&change.effect);
      return reported != nullptr && simulated.scenario.services[reported->service.value].as_view.has_value() &&
             change.at == simulated.measured_from && reported->hosts.size() == 2;
    };
    CHECK(std::any_of(simulated.scenario.changes.begin(), simulated.scenario.changes.end(), tells_a_view));
  }
}

TEST_CASE("requests that are never answered are named so where nothing times out", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ id: s-1, zone: a, capacity: 100rps }, "
      "{ id: s-2, zone: a, capacity: 100rps }] }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0s } }]\n"
      "clients: [{ name: c, zone: a, workload: { rate: 20rps, requests: [{ path: / }] } }]\nfailures: []\n"
      "timeline: [{ at: 0s, endpoints: [s-2], fails: 100%, fails_with: no_answer }]\n");
  REQUIRE(plan.rows[0].failing.size() == 1);
  CHECK(plan.rows[0].failing[0].share == Approx(0.5).margin(0.01));
  REQUIRE(plan.rows[0].failing[0].causes.size() == 1);
  CHECK(plan.rows[0].failing[0].first_cause() == Cause::unfinished);
}

TEST_CASE("the first cause is what fails first, not what fails most", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a, capacity: 100rps }] "
      "}]\nclusters: [{ name: s, common_lb_config: { healthy_panic_threshold: { value: 0 } }, health_checks: [{ "
      "timeout: 1s, interval: 1s, unhealthy_threshold: 2, healthy_threshold: 1, tcp_health_check: {} }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n"
      "failures: [{ each: zone, told: nothing }]\n");
  // Checks need at most 2 s to find out; from then on there is no host to send requests to.
  const std::vector<plan::FailedRequests>& failing = plan.rows[1].failing;
  REQUIRE(failing.size() == 1);
  CHECK(failing[0].share == 1.0);
  REQUIRE(failing[0].causes.size() == 2);
  CHECK(failing[0].causes[0].cause == Cause::lost);
  CHECK(failing[0].causes[0].share < 2.5 / 60.0);
  CHECK(failing[0].causes[1].cause == Cause::no_host);
  CHECK(failing[0].causes[1].share > 0.95);
}

TEST_CASE("clients that are lost send nothing where requests are counted too", "[plan]") {
  // Two nodes with an endpoint of 100 requests a second and a client of 40 each, and least request, which has no closed
  // form. What is left of both once a node is lost: 40 a second on one endpoint.
  const plan::Plan plan = plan_without_panic(
      "duration: 20s\nzones: [{ name: z, nodes: [{ name: n1 }, { name: n2 }] }]\nservices: [{ name: s, endpoints: [{ "
      "count: 2, zone: z, cores: 1, service_time: 10ms }] }]\nclusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
      "clients: [{ name: c, zone: z, count: 2, workload: { service: s, rate: 40rps } }]\n"
      "failures: [{ each: node, clients: lost }, { each: zone, clients: lost }]\nobjectives: [{ utilisation: 80% }]\n");
  const auto lost =
      std::find_if(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return row.failure.ways == 2; });
  REQUIRE(lost != plan.rows.end());
  CHECK(lost->rate == 40.0);
  CHECK(lost->not_sent == 40.0);
  CHECK(std::abs(*lost->utilisation - 0.4) < 0.04);
  CHECK(named_row(plan, "z with its clients").has_no_traffic());
  CHECK(named_row(plan, "z with its clients").not_sent == 80.0);
}

TEST_CASE("no zone answers requests that end at an egress without endpoints", "[plan]") {
  const plan::Plan plan = plan_without_panic(
      "duration: 10s\nzones: [{ name: z1 }, { name: z2 }]\n"
      "services: [{ name: be, endpoints: [{ zone: z2, count: 2, capacity: 100rps }] }]\n"
      "resources:\n"
      "  - { type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }, "
      "routing: "
      "{ zoneEgress: true } }\n"
      "policies:\n  - { type: MeshLoadBalancingStrategy, mesh: default, name: a, spec: { to: [{ targetRef: { kind: "
      "Mesh }, default: { localityAwareness: { localZone: {} } } }] } }\n"
      "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  REQUIRE_FALSE(plan.rows.empty());
  for (const plan::Row& row : plan.rows) {
    CHECK_THAT(row.failed, WithinRel(1.0, 1e-9));
    for (const double share : row.zone_shares) {
      CHECK(share == 0.0);
    }
  }
}
