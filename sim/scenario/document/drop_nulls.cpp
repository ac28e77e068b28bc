#include "sim/scenario/document/drop_nulls.hpp"

#include <vector>

namespace spillway::scenario::document {

void drop_nulls(Node& node) {
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == Kind::null; });
  for (Member& member : node.members) {
    drop_nulls(member.value);
  }
  for (Node& item : node.items) {
    drop_nulls(item);
  }
}

}  // namespace spillway::scenario::document
