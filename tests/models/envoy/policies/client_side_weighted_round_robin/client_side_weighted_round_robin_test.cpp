#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"

#include <catch2/catch.hpp>

using namespace spillway::envoy::policies::client_side_weighted_round_robin;
using namespace std::chrono_literals;

TEST_CASE("reports count after the blackout period and until they expire") {
  const Config config;
  std::vector<HostReports> hosts(3);
  hosts[0].receive(config, {.rps_fractional = 1000, .application_utilization = 0.5}, 0s);
  hosts[1].receive(config, {.rps_fractional = 1000, .application_utilization = 0.25}, 0s);
  CHECK(weights_of(config, hosts, 9s) == std::vector<std::uint32_t>{1, 1, 1});
  CHECK(weights_of(config, hosts, 10s) == std::vector<std::uint32_t>{2000, 4000, 3000});
  CHECK(weights_of(config, hosts, 181s) == std::vector<std::uint32_t>{1, 1, 1});
  hosts[0].receive(config, {.rps_fractional = 1000, .application_utilization = 0.5}, 182s);
  CHECK(weights_of(config, hosts, 183s) == std::vector<std::uint32_t>{1, 1, 1});
  CHECK(weights_of(config, hosts, 192s) == std::vector<std::uint32_t>{2000, 2000, 2000});
}
