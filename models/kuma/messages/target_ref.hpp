// The grammars of Kuma's references: targetRef, and backendRef with its weight and port.
#pragma once

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/backend_ref.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::messages {

template <>
struct Grammar<kuma::TargetRef> {
  static constexpr const char* definition = "kuma.TargetRef";
  static void describe(Fields& fields, kuma::TargetRef& target);
};

template <>
struct Grammar<kuma::BackendRef> {
  static constexpr const char* definition = "kuma.BackendRef";
  static void describe(Fields& fields, kuma::BackendRef& reference);
};

// The suggestion for a `to` that is an object; the design document prints it as one item.
inline constexpr const char* to_is_a_list =
    "`to` is a list: write a dash before each targetRef, with `default` next to it";

}  // namespace spillway::messages
