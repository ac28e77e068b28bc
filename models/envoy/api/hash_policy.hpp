// envoy.config.route.v3.RouteAction.HashPolicy: the parts of a request that are hashed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/routes/hash_policy.hpp"

namespace spillway::messages {

// The shape of envoy.type.matcher.v3.RegexMatchAndSubstitute. Reports an expression that Envoy refuses (SP139).
struct RegexMatchAndSubstitute {
  using Value = std::optional<envoy::routes::RegexRewrite>;  // nullopt if it could not be read
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// Specifies if names must have at least one character. Envoy checks no names within a typed policy (verified on Envoy
// 1.40).
enum class Names : std::uint8_t { checked, unchecked };

struct HashPolicy {
  using Value = envoy::routes::HashPolicy;
  Names names = Names::checked;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

}  // namespace spillway::messages
