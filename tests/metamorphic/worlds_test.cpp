// The scenarios that relations are tried on: valid, and with every feature that they are to be about.
#include "tests/metamorphic/worlds.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "tests/metamorphic/answers.hpp"
#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"

using namespace spillway;
using metamorphic::Answers;
using metamorphic::Json;

TEST_CASE("every drawn world is a scenario that is read without an error") {
  const metamorphic::Trials trials = metamorphic::trials_of("drawn worlds are read");
  for (std::uint64_t number = trials.first; number < trials.first + 5 * trials.count; ++number) {
    const Json world = metamorphic::drawn_world(number);
    INFO("drawn world " << number << ": " << world.dump());
    CHECK(metamorphic::answers_of(world).refused == "");
  }
}

TEST_CASE("drawn worlds use every feature that relations are to be about") {
  const std::vector<std::string> features = {"ROUND_ROBIN",
                                             "RANDOM",
                                             "LEAST_REQUEST",
                                             "RING_HASH",
                                             "MAGLEV",
                                             "priority",
                                             "zone_aware_lb_config",
                                             "locality_weighted_lb_config",
                                             "lb_subset_config",
                                             "healthy_panic_threshold",
                                             "degraded",
                                             "health_checks",
                                             "outlier_detection",
                                             "slow_start_config",
                                             "retry_policy",
                                             "circuit_breakers",
                                             "timeout",
                                             "weighted_clusters",
                                             "hash_balance_factor",
                                             "overprovisioning_factor",
                                             "outage",
                                             "remove",
                                             "MeshLoadBalancingStrategy",
                                             "failoverThreshold",
                                             "affinityTags",
                                             "MeshCircuitBreaker",
                                             "MeshHealthCheck",
                                             "MeshHTTPRoute",
                                             "zoneEgress",
                                             "DestinationRule",
                                             "VirtualService",
                                             "distribute",
                                             "failover",
                                             "phases",
                                             "concurrency"};
  std::map<std::string, int> found;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Json world = metamorphic::drawn_world(number);
    for (const std::string& feature : features) {
      found[feature] += metamorphic::mentions(world, "\"" + feature + "\"") ? 1 : 0;
    }
  }
  for (const std::string& feature : features) {
    INFO(feature);
    CHECK(found[feature] >= 5);
  }
}
