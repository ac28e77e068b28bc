// Compares two inputs of istiod field by field; equal inputs have equal results.
//
//   same(before.services[3], after.services[3]);
//
// A field added to one of these structs keeps the body from compiling until it is compared here.
#pragma once

#include "models/istio/destination_rule.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

// True if all fields are equal. Linear in the size of the contents.
[[nodiscard]] bool same(const Service& left, const Service& right);
[[nodiscard]] bool same(const DestinationRule& left, const DestinationRule& right);
[[nodiscard]] bool same(const MeshConfig& left, const MeshConfig& right);
[[nodiscard]] bool same(const Network& left, const Network& right);
[[nodiscard]] bool same(const Switches& left, const Switches& right);

}  // namespace spillway::istio
