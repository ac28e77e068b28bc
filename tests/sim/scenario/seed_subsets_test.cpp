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

TEST_CASE("Profile seed refuses an overprovisioning factor, which its document hard-codes", "[meaning]") {
  const auto with_factor = [](const std::string& profile, const std::string& factor) {
    return scenario_with(
        "profile: { envoy: " + profile +
        " }\nload_assignments: [{ cluster_name: backend, policy: { overprovisioning_factor: " + factor + " } }]\n");
  };
  the_only_diagnostic(with_factor("seed", "«200»"), "SP168");
  the_only_diagnostic(with_factor("seed", "«100»"), "SP168");
  accepted(with_factor("seed", "140"));
  accepted(with_factor("current", "200"));
}

TEST_CASE("Profile seed refuses to hash what is no header, which its document excludes", "[meaning]") {
  const auto with_hash = [](const std::string& profile, const std::string& policy) {
    return scenario_with("profile: { envoy: " + profile +
                         " }\nclusters: [{ name: backend, lb_policy: RING_HASH }]\n"
                         "routes: [{ match: { prefix: / }, route: { cluster: backend, hash_policy: [" +
                         policy + "] } }]\n");
  };
  the_only_diagnostic(with_hash("seed", "«{» cookie: { name: c } }"), "SP168");
  accepted(with_hash("seed", "{ header: { header_name: x-user } }"));
  accepted(with_hash("current", "{ cookie: { name: c } }"));
}
