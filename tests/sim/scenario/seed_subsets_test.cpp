// What the documents of the seed profile refuse, and today's Envoy takes.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace spillway::scenario::test;

namespace {

std::string weighted_subsets(const std::string& profile, const std::string& weighted) {
  return scenario_with("profile: { envoy: " + profile +
                       " }\n"
                       "clusters:\n"
                       "  - name: backend\n"
                       "    common_lb_config: { " +
                       weighted +
                       ": {} }\n"
                       "    lb_subset_config: { subset_selectors: [{ keys: [stage] }] }\n");
}

}  // namespace

TEST_CASE("Profile seed refuses locality weights of a cluster with subsets", "[meaning]") {
  the_only_diagnostic(weighted_subsets("seed", "«locality_weighted_lb_config»"), "SP143");
}

TEST_CASE("Profile current plays locality weights of a cluster with subsets", "[meaning]") {
  accepted(weighted_subsets("current", "locality_weighted_lb_config"));
}

TEST_CASE("Profile seed plays subsets with zone-aware routing", "[meaning]") {
  accepted(weighted_subsets("seed", "zone_aware_lb_config"));
}
