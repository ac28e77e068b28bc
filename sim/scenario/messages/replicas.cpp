#include "sim/scenario/messages/scenario.hpp"

namespace spillway::messages {

bool ReplicasShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == documents::Kind::object) {
    return zones.read(node, into.zones, what, problems);
  }
  std::uint64_t number = 0;
  const bool is_read = total.read(node, number, what, problems);
  into.total = number;
  return is_read;
}

grammar::Schema ReplicasShape::schema(grammar::Definitions& definitions) const {
  return {.any_of = {total.schema(definitions), zones.schema(definitions)}};
}

}  // namespace spillway::messages
