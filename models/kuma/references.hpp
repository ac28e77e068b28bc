// Resolves references to resources, by name or by labels.
//
//   refers_to({.name = "backend"}, {.labels = policy.labels}, "backend", service.labels);
//
// A name is a display name. Without a namespace it means the namespace that contains the reference, and the zone in
// which the reference was made. A resource without a namespace or zone is in any of them; a reference whose own
// namespace or zone is unknown matches any. Source: Kuma 2.14's policies/core/rules/resolve (TargetRefToKRI), head's
// api/common (realResourceSelector).
#pragma once

#include <string>
#include <string_view>

#include "models/kuma/names.hpp"

namespace spillway::kuma {

struct Reference {
  std::string_view name = {};
  std::string_view name_space = {};  // as written
  const Tags* labels = nullptr;      // instead of a name; null or empty if there are none
};

// The namespace and zone of the document that contains a reference.
struct ReferenceOrigin {
  std::string name_space = {};
  std::string zone = {};

  friend bool operator==(const ReferenceOrigin&, const ReferenceOrigin&) = default;
};

[[nodiscard]] inline ReferenceOrigin reference_origin(const Tags& labels) {
  return {std::string(value_of(labels, namespace_label)), std::string(value_of(labels, zone_tag))};
}

[[nodiscard]] inline bool is_in(std::string_view where, std::string_view resource) {
  return where.empty() || resource.empty() || where == resource;
}

// True if the reference means a resource of this name and these labels.
[[nodiscard]] inline bool refers_to(const Reference& reference, const ReferenceOrigin& origin, std::string_view name,
                                    const Tags& labels) {
  const std::string_view name_space = value_of(labels, namespace_label);
  if (reference.labels != nullptr && !reference.labels->empty()) {
    return has_all(labels, *reference.labels);
  }
  const std::string_view display_name = value_of(labels, display_name_label);
  return reference.name == (display_name.empty() ? name : display_name) &&
         (reference.name_space.empty() ? is_in(origin.name_space, name_space) : reference.name_space == name_space) &&
         is_in(origin.zone, value_of(labels, zone_tag));
}

// Head: True if the namespace matches. A backendRef with a display name but without a namespace means its own
// namespace.
[[nodiscard]] inline bool backend_is_in_namespace(const Tags& wanted, const ReferenceOrigin& origin,
                                                  const Tags& labels) {
  return value_of(wanted, display_name_label).empty() || wanted.contains(std::string(namespace_label)) ||
         is_in(origin.name_space, value_of(labels, namespace_label));
}

}  // namespace spillway::kuma
