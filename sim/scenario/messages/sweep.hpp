// What `spillway sweep` varies, as a scenario file writes it; sim/sweep/block.hpp says what it means. A run does not
// look at it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/topology.hpp"

namespace spillway::messages {

// A range or list as the command line writes it, "100..2000/20", one value, or a list of values of any kind.
struct SweptValuesShape {
  using Value = const documents::Node*;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct SweptKey {
  static constexpr const char* definition = "swept_key";
  Field<std::string> key;
  Field<const documents::Node*> values;
};
void describe(Fields& fields, SweptKey& key);

struct Sweep {
  static constexpr const char* definition = "sweep";
  FieldList<SweptKey> over;
  Field<std::size_t> design;
  Field<std::uint64_t> samples;
  Field<std::uint64_t> replications;
};
void describe(Fields& fields, Sweep& sweep);

}  // namespace spillway::messages
