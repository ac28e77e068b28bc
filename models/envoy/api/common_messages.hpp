// Small messages that many others contain.
#pragma once

#include "models/config/health_check.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::Percent> {
  static constexpr const char* definition = "envoy.type.v3.Percent";
  static void describe(Fields& fields, config::Percent& percent);
};

// A range: start <= x < end.
template <>
struct Grammar<config::StatusRange> {
  static constexpr const char* definition = "envoy.type.v3.Int64Range";
  static void describe(Fields& fields, config::StatusRange& range);
};

// Any practical number, exact in JSON.
inline const grammar::Number any_double{-1e15, 1e15};

// A Percent without bounds, which depend on the enclosing message: Envoy does not check messages of typed policies.
struct UncheckedPercent {
  using Value = config::Percent;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// Reads and writes envoy.config.core.v3.RuntimeDouble. The runtime value at its key is not looked up; the key written
// does not exist in any runtime.
struct RuntimeDouble {
  using Value = double;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

}  // namespace spillway::messages
