#include "models/envoy/proxy/locality_lints.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "models/config/cluster_load_assignment.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/hash_table_input.hpp"

namespace spillway::proxy {
namespace {

// True if several localities of one priority have endpoints. Only then can weights divide anything between them.
bool has_localities_to_weigh(const config::ClusterLoadAssignment& assignment) {
  std::map<config::Priority, std::set<config::Locality>> localities;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    if (!group.lb_endpoints.empty()) {
      localities[group.priority].insert(group.locality);
    }
  }
  return std::any_of(localities.begin(), localities.end(),
                     [](const auto& of_priority) { return of_priority.second.size() > 1; });
}

void warn_of_weights(const envoy::Cluster& cluster, const LocalityPlaces& places, Diagnostics& problems) {
  const bool weighted =
      std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier);
  const auto* const subset = std::get_if<envoy::policies::subset::Config>(&cluster.lb_policy);
  if (!weighted) {
    problems
        .warning("SP208", *places.weight, "weights of localities without effect",
                 "the policy of `{}` does not weigh localities", {cluster.name})
        .help("{}", {places.typed_policy
                         ? "write `locality_weighted_lb_config: {}` in the policy (round robin, least request and "
                           "random: within `locality_lb_config`)"
                         : "write `common_lb_config: { locality_weighted_lb_config: {} }` in its cluster"});
  } else if (subset != nullptr && !subset->locality_weight_aware) {
    problems
        .warning("SP208", *places.weight, "weights of localities without effect", "the subsets of `{}` ignore them",
                 {cluster.name})
        .help("{}", {places.typed_policy ? "write `locality_weight_aware: true` in the subset policy"
                                         : "write `locality_weight_aware: true` in `lb_subset_config`"});
  }
}

void warn_of_gaps(const config::ClusterLoadAssignment& assignment, const LocalityPlaces& places,
                  Diagnostics& problems) {
  std::set<std::uint32_t> used;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    if (!group.lb_endpoints.empty()) {
      used.insert(group.priority.value);
    }
  }
  std::uint32_t expected = 0;
  for (const std::uint32_t priority : used) {
    const auto place = places.priorities.find(config::Priority{priority});
    if (priority > expected && place != places.priorities.end()) {
      const std::string missing = expected + 1 == priority ? "priority " + std::to_string(expected) + " has"
                                                           : "priorities " + std::to_string(expected) + " to " +
                                                                 std::to_string(priority - 1) + " have";
      problems.warning("SP210", place->second, "priorities with a gap", "{} no endpoints", {missing})
          .help(
              "Envoy keeps a priority without endpoints, which gets no requests: write `priority: {}` here, or give "
              "that one endpoints",
              {expected});
    }
    expected = priority + 1;
  }
}

}  // namespace

void warn_of_idle_localities(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment,
                             const LocalityPlaces& places, Diagnostics& problems) {
  const bool any_weight = std::any_of(assignment.endpoints.begin(), assignment.endpoints.end(),
                                      [](const auto& group) { return group.load_balancing_weight.has_value(); });
  if (places.weight && any_weight && has_localities_to_weigh(assignment)) {
    warn_of_weights(cluster, places, problems);
  }
  if (places.weighting && !any_weight && !assignment.endpoints.empty()) {
    problems
        .warning("SP209", *places.weighting, "locality weighting without weights",
                 "no locality of `{}` has a weight, so all count as one", {cluster.name})
        .help("write `load_balancing_weight` of its localities in the load assignment");
  }
  warn_of_gaps(assignment, places, problems);
}

void warn_of_missing_weights(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment,
                             const LocalityPlaces& places, Diagnostics& problems) {
  if (!places.weighting || !has_localities_to_weigh(assignment)) {
    return;
  }
  problems
      .warning("SP236", *places.weighting, "weights of localities that are unknown",
               "/clusters does not say weights of localities of `{}`: none is assumed", {cluster.name})
      .help("give its ClusterLoadAssignment, or the output of curl ADMIN/config_dump?include_eds")
      .note("with weights the shares of localities are others")
      .note("the overprovisioning factor is unknown too: 140 is assumed");
}

void warn_of_equal_keys(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment, Span where,
                        Diagnostics& problems) {
  const auto* const hashing = envoy::policies::consistent_hashing(cluster.lb_policy);
  if (hashing == nullptr) {
    return;
  }
  std::map<config::Priority, std::unordered_map<std::string_view, const config::LbEndpoint*>> known;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      const std::string& key = envoy::policies::hash_key(endpoint, hashing->use_hostname_for_hashing);
      const auto [first, fresh] = known[group.priority].try_emplace(key, &endpoint);
      if (!fresh) {
        problems
            .warning("SP217", where, "hosts with equal hash keys", "`{}` and `{}` have the key `{}`",
                     {first->second->address, endpoint.address, key})
            .note("Envoy does not define which of them owns their common places: their shares are undetermined")
            .help("give each host a hostname of its own, or a `hash_key` in its metadata");
        return;
      }
    }
  }
}

}  // namespace spillway::proxy
