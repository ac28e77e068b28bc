// Runs whose failure ends. Six endpoints of four cores and 20 ms answer 1,200 requests a second and get 700. While
// three are lost, requests wait for longer than a try may take. With two retries, 700 requests are then 2,100 tries a
// second, more than all six answer: requests keep failing when all are back. Without retries 700 of 1,200 leave no
// queue.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

std::string with_retries(const std::string& retries, const std::string& timeline) {
  return "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a, "
         "cores: "
         "4, service_time: 20ms }, { count: 3, zone: b, cores: 4, service_time: 20ms }] }]\nclusters: [{ name: s, "
         "lb_policy: "
         "RANDOM, circuit_breakers: { thresholds: [{ max_requests: 1000000, max_retries: 1000000 }] } }]\nroutes: [{ "
         "match: "
         "{ prefix: / }, route: { cluster: s, timeout: 60s, retry_policy: { retry_on: gateway-error, num_retries: " +
         retries +
         ", per_try_timeout: 0.5s } } }]\nclients: [{ name: c, zone: a, workload: { rate: 700rps } }]\ntimeline: " +
         timeline + "\n";
}

const std::string outage = "[{ at: 15s, zone: a, healthy: 0% }, { at: 21s, zone: a, healthy: 100% }]";

bool recovers(const std::string& text, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {"run", folder.write("failure.yaml", text)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Finished finished = run_program(arguments);
  INFO(finished.output << finished.error);
  CHECK(finished.code == 0);
  return finished.output.find("does not recover") == std::string::npos;
}

}  // namespace

TEST_CASE("a run whose requests keep failing after a failure says that it does not recover", "[unsanitized]") {
  CHECK_FALSE(recovers(with_retries("2", outage)));
  CHECK(recovers(with_retries("0", outage)));
  // A failure that does not end is none to recover from.
  CHECK(recovers(with_retries("2", "[{ at: 15s, zone: a, healthy: 0% }]")));
  CHECK(recovers(with_retries("2", outage), {"--mode", "exact"}));
}
