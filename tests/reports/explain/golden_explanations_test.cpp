// Snapshots of explanations. Those of failover, three levels and panic were held against the tables of docs/behaviour
// by hand, as each says; the others were read through only. That every number is the simulation's is tested in
// explain_test.cpp.
#include <catch2/catch.hpp>
#include <string>

#include "reports/explain/explain.hpp"
#include "reports/explain/formats.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using reports::Format;

namespace {

struct Asked {
  std::string scenario;  // below scenarios/
  std::string client = {};
  std::chrono::nanoseconds at{0};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::string> why = {};
  Format format = Format::table;
};

std::string explained(const Asked& asked) {
  const std::string file = asked.scenario.substr(asked.scenario.find_last_of('/') + 1);
  const auto reading = scenario::read_scenario_text(
      file, support::contents(std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/" + asked.scenario));
  REQUIRE(reading.scenario);
  reports::explain::Question question{.at = asked.at, .headers = asked.headers, .why = asked.why};
  for (std::uint32_t client = 0; client < reading.scenario->clients.size(); ++client) {
    if (reading.scenario->clients[client].name == asked.client) {
      question.client = {client};
    }
  }
  question.service = reports::explain::asked_services(*reading.scenario, question.client).front();
  REQUIRE_FALSE(reports::explain::refusal(*reading.scenario, question));
  const auto explanation = reports::explain::explain(*reading.scenario, reading.sources, question);
  return reports::explain::format_explanation(explanation, asked.format, {});
}

void check_golden(const std::string& name, const Asked& asked) {
  const std::string text = explained(asked);
  CHECK(support::golden("reports/golden/explain/" + name, text) == text);
}

}  // namespace

// kuma.md 9: 70 acts as 100, so P0 60 of 10 hosts is 60 and P1 gets 40; 50 is the largest threshold that acts as
// written, and at a factor of 167 (trunc(167 * 6 / 10) = 100) nothing leaves, at 166 it is 99.
TEST_CASE("the failover at seventy percent is explained, with the inputs that would keep zone-2 out") {
  check_golden(
      "failover-why-zone-2.txt",
      {.scenario = "examples/kuma/failover-at-seventy-percent.yaml", .at = std::chrono::seconds{25}, .why = "zone-2"});
  check_golden("failover.json", {.scenario = "examples/kuma/failover-at-seventy-percent.yaml",
                                 .at = std::chrono::seconds{25},
                                 .why = "zone-3",
                                 .format = Format::json});
}

// envoy-before-pick.md 15.3: 25, 25 and 100 % healthy give 35/35/30.
TEST_CASE("three priority levels are explained as the table of the documents has them") {
  check_golden("three-levels.md", {.scenario = "documented/priority-three-levels.yaml",
                                   .at = std::chrono::seconds{50},
                                   .format = Format::markdown});
}

// envoy-before-pick.md 15.5: 25 and 25 % add up to 70, every priority panics, and 100 hosts each give 50/50; 5 and 65 %
// add up to 98, and truncation leaves one for P0: 8/92.
TEST_CASE("panic is explained, of all priorities and of one") {
  check_golden("total-panic.txt", {.scenario = "documented/panic-two-levels.yaml", .at = std::chrono::seconds{40}});
  check_golden("panic-left-over.txt", {.scenario = "documented/panic-two-levels.yaml", .at = std::chrono::seconds{50}});
}

TEST_CASE("zone-aware routing is explained in its integers") {
  check_golden("zone-aware.txt", {.scenario = "documented/zone-aware.yaml", .client = "in-zone-1", .why = "zone-2"});
}

TEST_CASE("one hashed request is explained down to its point of the ring") {
  check_golden("ring.txt", {.scenario = "documented/ring-hash-keys.yaml", .headers = {{"x-user", "carol"}}});
}

TEST_CASE("an aggregate cluster is explained with its children") {
  check_golden("aggregate.txt", {.scenario = "documented/aggregate-scenario-b.yaml"});
}
