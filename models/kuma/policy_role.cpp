#include "models/kuma/policy_role.hpp"

#include <algorithm>

namespace spillway::kuma {

PolicyRole policy_role(std::span<const TargetRef> to, bool has_from, std::string_view name_space) {
  if (name_space.empty() || name_space == system_namespace) {
    return {.role = "system"};
  }
  if (has_from && !to.empty()) {
    return {.refusal = "it's not allowed to mix 'to' and 'from' arrays in the same policy"};
  }
  if (to.empty()) {
    return {.role = "workload-owner"};
  }
  // The producer of a service refers to it by name and in its own namespace.
  const auto of_producer = std::count_if(to.begin(), to.end(), [name_space](const TargetRef& target) {
    const std::string_view elsewhere = value_of(target.namespace_);
    return (target.kind == "MeshService" || target.kind == "MeshHTTPRoute") && !value_of(target.name).empty() &&
           (elsewhere.empty() || elsewhere == name_space);
  });
  if (of_producer == 0) {
    return {.role = "consumer"};
  }
  if (static_cast<std::size_t>(of_producer) == to.size()) {
    return {.role = "producer"};
  }
  return {.refusal = "it's not allowed to mix producer and consumer items in the same policy"};
}

}  // namespace spillway::kuma
