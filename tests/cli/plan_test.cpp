#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string examples = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/";

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("plan ends with 0 where every objective holds and with 1 where one fails", "[unsanitized]") {
  const Finished well = run_program({"plan", examples + "three-zones.yaml", "--color", "never"});
  CHECK(well.code == 0);
  CHECK(tells(well.output, "headroom          2,880 rps (+6.7 %)"));
  const Finished more = run_program({"plan", examples + "three-zones.yaml", "--growth", "1.1x"});
  CHECK(more.code == 1);
  CHECK(tells(more.output, "utilisation of backend-1 (zone-1) 82.5 %, at most 80 %"));
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--rate", "2880rps"}).code == 0);
}

TEST_CASE("plan writes JUnit beside its results", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.path("plan.xml");
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--growth", "1.1x", "--junit", file}).code == 1);
  CHECK(tells(contents(file), "tests=\"7\" failures=\"2\""));
  CHECK(run_program({"plan", examples + "three-zones.yaml", "--junit", folder.path("no/such/plan.xml")}).code == 2);
}

TEST_CASE("plan refuses what it cannot plan for, with a code") {
  const std::string file = examples + "three-zones.yaml";
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& code) {
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CHECK(tells(finished.error, "error[" + code + "]"));
  };
  refused({"plan"}, "SP903");
  refused({"plan", file, "--growth", "twice"}, "SP904");
  refused({"plan", file, "--growth", "0x"}, "SP904");
  refused({"plan", file, "--rate", "fast"}, "SP904");
  refused({"plan", file, "--rate", "1rps", "--growth", "2x"}, "SP905");
  refused({"plan", file, "--at", "20s"}, "SP904");
  refused({"plan", file, file}, "SP905");
  refused({"plan", examples + "closed-loop.yaml"}, "SP703");
}

namespace {

std::string three_of_100(const std::string& more = "") {
  return "duration: 10s\nzones: [{ name: z1 }, { name: z2 }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: z1, "
         "capacity: 100rps }] }]\nclients: [{ name: c, zone: z1, workload: { service: s, rate: 10rps } }]\n" +
         more;
}

}  // namespace

// Nearly a billion requests a second of which endpoints may have 80 each: 12.5 million endpoints.
TEST_CASE("a plan of a rate that no search can serve is answered at once, or refused in words") {
  const TemporaryFolder folder;
  const std::string shares = folder.write("shares.yaml", three_of_100());
  const Finished more = run_program({"plan", shares, "--rate", "999999999rps"});
  CHECK(more.code == 1);
  CHECK(tells(more.output,
              "fewest endpoints  not searched: the load needs at least 12,500,000 endpoints even while "
              "nothing is lost"));
  CHECK(run_program({"plan", shares, "--growth", "1000000x"}).code == 1);
  const std::string measured = folder.write("measured.yaml", three_of_100("objectives: [{ p99: 1s }]\n"));
  const Finished refused = run_program({"plan", measured, "--rate", "999999999rps"});
  CHECK(refused.code == 2);
  CHECK(refused.output.empty());
  CHECK(tells(refused.error, "error[SP706]"));
}

// M/M/1 at half its capacity: times are exponential with a mean of 20 ms, so that the p90 is 20 ms * ln 10 = 46 ms.
TEST_CASE("verdicts of counted objectives in JSON are those of their intervals", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "three.yaml",
      "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a, cores: 1, "
      "service_time: { mean: 10ms, distribution: exponential } }] }]\nclusters: [{ name: s, lb_policy: RANDOM }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\n"
      "objectives: [{ p50: 1s, p90: 46ms, p99: 20ms }]\nfailures: []\n");
  const Finished planned = run_program({"plan", file, "-o", "json"});
  REQUIRE(planned.code == 1);
  const auto plan = nlohmann::json::parse(planned.output);
  std::set<std::string> verdicts;
  for (const auto& estimate : plan.at("failures").at(0).at("estimates")) {
    const double allowed = estimate.at("missed_allowed").get<double>();
    const std::string expected = estimate.at("missed_low").get<double>() > allowed     ? "fails"
                                 : estimate.at("missed_high").get<double>() <= allowed ? "holds"
                                                                                       : "undecided";
    CHECK(estimate.at("verdict") == expected);
    verdicts.insert(expected);
  }
  CHECK(verdicts == std::set<std::string>{"fails", "holds", "undecided"});
}
