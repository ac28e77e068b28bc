// The extensions of a retry policy, identified by name or by the type of their configuration.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/config/retry_policy.hpp"
#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

// The shape of envoy.config.route.v3.RetryPolicy.RetryHostPredicate.
struct HostPredicate {
  using Value = config::RetryHostPredicate;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// The shape of envoy.config.route.v3.RetryPolicy.RetryPriority. Reads the update_frequency of previous_priorities, the
// only extension that exists.
struct RetryPriority {
  using Value = std::uint32_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

}  // namespace spillway::messages
