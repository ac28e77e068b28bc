#include "sim/scenario/messages/serving.hpp"

namespace spillway::messages {

using grammar::Choice;
using grammar::DurationText;
using grammar::ListOf;
using grammar::Number;
using grammar::Whole;

namespace {

constexpr std::uint64_t most_cores = 10'000;
constexpr std::uint64_t longest_queue = 1'000'000;

}  // namespace

void describe(Fields& fields, ServiceTime& time) {
  fields.optional("mean", time.mean, DurationText{}, "how long a request takes on average");
  fields.optional("empirical", time.empirical, ListOf<DurationText>{{}, 1, 100'000},
                  "or times that were measured, one of which each request takes");
  fields.exactly_one({"mean", "empirical"});
  fields.optional(
      "distribution", time.distribution, Choice{{"constant", "exponential", "lognormal", "gamma", "hyperexponential"}},
      "how the times vary; default: constant. hyperexponential: two exponential phases with balanced means");
  fields.at_most_one({"distribution", "empirical"});
  fields.optional("coefficient_of_variation", time.coefficient_of_variation, Number{0.0, 100.0},
                  "standard deviation over mean, of lognormal, gamma and hyperexponential");
  fields.needs("coefficient_of_variation", "distribution");
  fields.optional("weights", time.weights, ListOf<Number>{Number{1e-6, 1e9}, 1, 100'000},
                  "how often each of the measured times occurs; default: equally often");
  fields.needs("weights", "empirical");
}

bool ServiceTimeShape::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  if (node.kind == documents::Kind::object) {
    return grammar::Record<ServiceTime>{}.read(node, into, what, problems);
  }
  into.mean.present = true;
  into.mean.where = into.mean.key = node.span;
  into.mean.given = DurationText{}.read(node, into.mean.value, what, problems);
  return into.mean.given;
}

grammar::Schema ServiceTimeShape::schema(grammar::Definitions& definitions) const {
  return {.any_of = {DurationText{}.schema(definitions), grammar::Record<ServiceTime>{}.schema(definitions)}};
}

void describe_servers(Fields& fields, Servers& servers, const char* cores) {
  fields.optional("cores", servers.cores, Whole{1, most_cores}, cores);
  fields.optional("queue", servers.queue, Whole{0, longest_queue},
                  "number of requests that may wait for a core, others are rejected (queue_full); default: unlimited");
  fields.optional("discipline", servers.discipline, Choice{{"fifo", "processor_sharing"}},
                  "fifo: a free core takes the request that has waited longest; processor_sharing: all requests are "
                  "served at the same time and share the cores, each on one core at most. Default: fifo");
}

}  // namespace spillway::messages
