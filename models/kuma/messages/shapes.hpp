// Shapes that Kuma's documents have in common. They are read straight into the structs of models/kuma
// (message_shapes.hpp), which have Kuma's keys and distinguish absent from empty.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/names.hpp"

namespace spillway::messages {

inline constexpr Uint32 port_number{1, 65'535};

// A whole number, or a text; Kuma's validator checks that the text contains a number.
struct IntOrString {
  using Value = kuma::IntOrString;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// One of a few words, kept as a text. `not_simulated` are valid words whose meaning this version does not simulate.
struct Word {
  using Value = std::string;
  std::vector<std::string> words;
  std::vector<std::string> not_simulated = {};
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Labels or tags: texts by name.
struct TagMap {
  using Value = kuma::Tags;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A duration in Go's notation: 1h30m, 250ms, 0.
struct GoDuration {
  using Value = std::chrono::nanoseconds;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// Any text, even the empty one: Kuma's validator restricts it.
inline const grammar::Text any_text{0, 10'000};

}  // namespace spillway::messages
