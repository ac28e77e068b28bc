// Small messages that many others hold.
#pragma once

#include "models/config/health_check.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/api/described.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::Percent> {
  static constexpr const char* definition = "envoy.type.v3.Percent";
  static void describe(Fields& fields, config::Percent& percent);
};

// start <= x < end.
template <>
struct Grammar<config::StatusRange> {
  static constexpr const char* definition = "envoy.type.v3.Int64Range";
  static void describe(Fields& fields, config::StatusRange& range);
};

// Wider than anybody means, and exact in JSON.
inline const grammar::Number any_double{-1e15, 1e15};

// A Percent whose bounds depend on what holds it: Envoy does not check messages of typed policies.
struct UncheckedPercent {
  using Value = config::Percent;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// envoy.config.core.v3.RuntimeDouble. The value at its key is not looked up, and it is written with a key that no
// runtime has.
struct RuntimeDouble {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

}  // namespace spillway::messages
