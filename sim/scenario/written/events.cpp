#include "sim/scenario/written/events.hpp"

namespace spillway::scenario::written {

namespace {

const grammar::Whole failing_status{400, 599, "an answer with another status is no failure"};
const grammar::Choice failures{{"reset", "connect_failure", "no_answer"}, {}};

}  // namespace

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

bool FailureShape::read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind == document::Kind::integer) {
    std::uint64_t status = 0;
    const bool well = failing_status.read(node, status, what, problems);
    into = {Failure::status, static_cast<std::uint32_t>(status)};
    return well;
  }
  std::size_t word = 0;
  if (node.kind != document::Kind::string) {
    grammar::wrong_kind(node, what, "a status from 400 to 599, or " + grammar::listed(failures.words), problems);
    return false;
  }
  const bool well = failures.read(node, word, what, problems);
  // The words are Failure's, from its second one on.
  into = {static_cast<Failure>(word + 1), 0};
  return well;
}

grammar::Schema FailureShape::schema(grammar::Definitions& definitions) const {
  grammar::Schema schema;
  schema.any_of = {failing_status.schema(definitions), failures.schema(definitions)};
  return schema;
}

}  // namespace spillway::scenario::written
