// The grammar of the keys that `spillway sweep` varies (sim/sweep/block.hpp interprets them). A run ignores them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/messages/topology.hpp"

namespace spillway::messages {

// Values of a key: a range or list as on the command line, "100..2000/20", one value, or a list of values of any kind.
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
