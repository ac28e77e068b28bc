#include "models/documents/node.hpp"

namespace spillway::documents {

const Member* Node::find(std::string_view key) const noexcept {
  for (const Member& member : members) {
    if (member.key == key) {
      return &member;
    }
  }
  return nullptr;
}

std::string_view describe_kind(Kind kind) noexcept {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a text";
    case Kind::array:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return "nothing";
}

}  // namespace spillway::documents
