#include "sim/scenario/written/events.hpp"

namespace spillway::scenario::written {

bool AdditionShape::read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == document::Kind::array) {
    return grammar::ListOf<grammar::Record<EndpointGroup>>{{}, 1}.read(node, into.groups, what, problems);
  }
  if (node.kind != document::Kind::integer && node.kind != document::Kind::string) {
    grammar::wrong_kind(node, what, "a list of endpoints, a percentage or a number", problems);
    return false;
  }
  Amount back;
  if (!AmountShape{}.read(node, back, what, problems)) {
    return false;
  }
  into.back = back;
  return true;
}

grammar::Schema AdditionShape::schema(grammar::Definitions& definitions) const {
  grammar::Schema schema = AmountShape{}.schema(definitions);
  schema.any_of.push_back(grammar::ListOf<grammar::Record<EndpointGroup>>{{}, 1}.schema(definitions));
  return schema;
}

}  // namespace spillway::scenario::written
