#include "sim/scenario/messages/sweep.hpp"

namespace spillway::messages {

bool SweptValuesShape::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  if (node.kind == documents::Kind::object || node.kind == documents::Kind::null) {
    grammar::wrong_kind(node, what, "a range such as 100..2000/20 or a list", problems);
    return false;
  }
  into = &node;
  return node.kind != documents::Kind::array || grammar::check_length(node, 1, grammar::any_number, what, problems);
}

grammar::Schema SweptValuesShape::schema(grammar::Definitions& definitions) const {
  grammar::Schema number;
  number.type = "number";
  return {.any_of = {grammar::Text{1, 100'000}.schema(definitions), number, grammar::Flag{}.schema(definitions),
                     grammar::list_schema({}, 1, grammar::any_number)}};
}

void describe(Fields& fields, SweptKey& key) {
  using namespace grammar;
  fields.required("key", key.key, Text{1, 1'000}, "a key of this file by its path: clients[shop].workload.rate");
  fields.required("values", key.values, SweptValuesShape{},
                  "a range (50..90, 50..90+10, 100..2000/20, 1ms..1s/7log), or a list of values");
}

void describe(Fields& fields, Sweep& sweep) {
  using namespace grammar;
  fields.required("over", sweep.over, ListOf<Record<SweptKey>>{{}, 1},
                  "the keys that are varied; in a grid all combinations of their values");
  fields.optional("design", sweep.design, Choice{{"grid", "latin", "sobol", "morris", "saltelli"}},
                  "grid: every combination; latin and sobol: points spread over ranges of many keys; morris and "
                  "saltelli: for `spillway sweep sensitivity`. Default: grid");
  fields.optional("samples", sweep.samples, Whole{1, 1'000'000}, "points of a design other than grid");
  fields.optional("replications", sweep.replications, Whole{1, 1'000'000},
                  "replications of each point with draws of their own, the same for all points; default: 1");
}

}  // namespace spillway::messages
