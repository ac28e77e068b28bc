// The grammar of `replicas`: other numbers of pods than the documents have.
//
//   replicas: { frontend: 4, cart.shop: { zone-a: 3 }, "*": 6 }
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/documents/grammar/shapes.hpp"

namespace spillway::messages {

struct Replicas {
  std::optional<std::uint64_t> total = {};           // of all zones
  grammar::MapOf<grammar::Whole>::Value zones = {};  // by zone, if there is no total
};

// A number of pods in all zones, or an object with a number for each of some zones.
struct ReplicasShape {
  using Value = Replicas;
  grammar::Whole total = {1, 100'000};
  grammar::MapOf<grammar::Whole> zones = {{0, 100'000}};
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::messages
