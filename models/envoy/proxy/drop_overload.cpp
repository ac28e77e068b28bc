#include "models/envoy/proxy/drop_overload.hpp"

#include <string>

#include "models/config/cluster_load_assignment.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/load_assignment.hpp"

namespace spillway::proxy {

config::DropOverload read_drop_overload(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                                        Diagnostics& problems) {
  const auto& drops = policy.drop_overloads;
  const auto refuse = [&](std::optional<Span> where, std::string reason) {
    problems.error("SP139", where.value_or(Span{}), "Envoy refuses this `drop_overloads`", "{}", {reason});
  };
  if (drops.size() > 1) {
    refuse(policy.source.key_of("drop_overloads"), "Cluster drop_overloads config has " + std::to_string(drops.size()) +
                                                       " categories. Envoy only support one.");
  }
  config::DropOverload drop = drops.empty() ? config::DropOverload{} : drops.front();
  if (drop.numerator > drop.denominator) {
    const messages::Source first = policy.source.items_of("drop_overloads").front();
    refuse(first.items_of("drop_percentage").front().place_of("numerator"),
           "Cluster drop_overloads config is invalid: Numerator " + std::to_string(drop.numerator) + " / Denominator " +
               std::to_string(drop.denominator) + ". The valid range is 0~1.");
  }
  return drop;
}

void take_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy,
                 config::ClusterLoadAssignment& assignment, Diagnostics& problems) {
  assignment.overprovisioning_factor = policy.overprovisioning_factor;
  assignment.weighted_priority_health = policy.weighted_priority_health;
  assignment.drop_overload = read_drop_overload(policy, problems);
}

}  // namespace spillway::proxy
