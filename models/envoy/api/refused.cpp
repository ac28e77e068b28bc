#include "models/envoy/api/refused.hpp"

#include <charconv>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {
namespace {

// Follows one step of a path: a field, or a position in a list. A single message counts as a list of one.
RefusedField step_into(const documents::Node& node, std::string_view part) {
  std::size_t position = 0;
  if (std::from_chars(part.data(), part.data() + part.size(), position).ec == std::errc{}) {
    const bool list = node.kind == documents::Kind::array;
    const documents::Node* const item = !list ? &node : position < node.items.size() ? &node.items[position] : nullptr;
    return {item, item == nullptr ? Span{} : item->span};
  }
  const documents::Member* const member = messages::Source{&node}.member(part);
  return member == nullptr ? RefusedField{} : RefusedField{&member->value, member->key_span};
}

// Follows a path as far as it is written. Returns true if the end is reached.
bool follow(std::string_view way, const documents::Node& object, RefusedField& found) {
  const documents::Node* node = &object;
  while (!way.empty()) {
    const std::size_t dot = std::min(way.find('.'), way.size());
    const RefusedField next = step_into(*node, way.substr(0, dot));
    if (next.value == nullptr) {
      return false;
    }
    found = next;
    node = next.value;
    way.remove_prefix(std::min(dot + 1, way.size()));
  }
  return true;
}

}  // namespace

RefusedField field_of(const config::Reason& reason, const documents::Node& object) {
  RefusedField first;
  for (const std::string& way : reason.fields) {
    RefusedField found;
    if (follow(way, object, found)) {
      return found;
    }
    first = first.value == nullptr ? found : first;
  }
  return first;
}

bool refuse(const config::Refusal& refusal, const Refused& refused, Diagnostics& problems) {
  if (!refusal) {
    return false;
  }
  const RefusedField field = refused.object == nullptr ? RefusedField{} : field_of(*refusal, *refused.object);
  problems.error("SP139", field.value == nullptr ? refused.otherwise : field.value->span, "Envoy refuses {}", "{}",
                 {refused.what, refusal->text});
  return true;
}

void refuse(const config::Refusal& refusal, const char* what, grammar::Fields& fields) {
  if (fields.object() != nullptr) {
    refuse(refusal, {what, fields.object(), fields.object()->span}, fields.reported());
  }
}

}  // namespace spillway::messages
