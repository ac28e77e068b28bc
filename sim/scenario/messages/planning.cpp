#include "sim/scenario/messages/planning.hpp"

#include <charconv>
#include <system_error>
#include <utility>

#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

bool FractionText::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  grammar::ExactPercent percent;
  const bool well = grammar::PercentText{}.read(node, percent, what, problems);
  into = percent.percent() / 100.0;
  return well;
}

grammar::Schema FractionText::schema(grammar::Definitions& definitions) const {
  return grammar::PercentText{}.schema(definitions);
}

void describe(Fields& fields, Objective& objective) {
  using namespace grammar;
  scenario::Objective& of = objective.bounds;
  fields.optional("service", objective.service, Text{}, "for this service; default: for every one");
  optional(fields, "utilisation", of.utilisation, FractionText{}, "maximum utilisation of any endpoint's cores");
  optional(fields, "p50", of.p50, DurationText{}, "maximum median latency of any client");
  optional(fields, "p90", of.p90, DurationText{}, "maximum p90 latency of any client");
  optional(fields, "p95", of.p95, DurationText{}, "maximum p95 latency of any client");
  optional(fields, "p99", of.p99, DurationText{}, "maximum p99 latency of any client");
  optional(fields, "p999", of.p999, DurationText{}, "maximum p99.9 latency of any client");
  optional(fields, "error_share", of.error_share, FractionText{},
           "maximum part of the requests that fail, for any reason");
  optional(fields, "cross_zone_share", of.cross_zone_share, FractionText{},
           "maximum part of the requests answered in another zone");
  optional(fields, "cross_zone_cost", of.cross_zone_cost, Price{"month"},
           "maximum cost of traffic between zones by the prices of `links`, in a month of 730 hours: 500/month");
  optional(fields, "machine_cost", of.machine_cost, Price{"month"},
           "maximum cost of the service's endpoints by their `price`, in a month of 730 hours: 2000/month");
  fields.at_least_one({"utilisation", "p50", "p90", "p95", "p99", "p999", "error_share", "cross_zone_share",
                       "cross_zone_cost", "machine_cost"});
}

void describe(Fields& fields, LostPart& part) {
  using namespace grammar;
  fields.optional("zone", part.zone, Text{}, "the endpoints of this zone");
  fields.optional("node", part.node, Text{}, "the endpoints of this node");
  fields.optional("endpoints", part.endpoints, ListOf<Text>{{}, 1}, "these endpoints");
  fields.exactly_one({"zone", "node", "endpoints"});
}

void describe(Fields& fields, DegradedSweep& sweep) {
  using namespace grammar;
  fields.optional("from", sweep.from, FractionText{},
                  "of the endpoints, the first ones in the order of the file; default: 0%");
  fields.optional("to", sweep.to, FractionText{}, "default: 100%");
  fields.optional("step", sweep.step, FractionText{}, "default: 10%");
}

namespace {

const grammar::Number times{1.0, 1000.0};

}  // namespace

bool TimesText::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  documents::Node number = node;
  if (node.kind == documents::Kind::string && node.text.ends_with('x')) {
    const std::string_view digits = std::string_view(node.text).substr(0, node.text.size() - 1);
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number.number);
    if (wrong == std::errc{} && end == digits.data() + digits.size() && !digits.empty()) {
      number.kind = documents::Kind::number;
    }
  }
  if (number.kind == documents::Kind::string) {
    grammar::wrong_kind(node, what, "a factor such as 5x", problems);
    return false;
  }
  return times.read(number, into, what, problems);
}

grammar::Schema TimesText::schema(grammar::Definitions& definitions) const {
  return {.any_of = {times.schema(definitions), grammar::pattern_schema("[0-9]+(\\.[0-9]+)?x")}};
}

void describe(Fields& fields, PlannedFailure& failure) {
  using namespace grammar;
  fields.optional("name", failure.name, Text{}, "its name in the plan; default: what is lost");
  fields.optional("each", failure.each, Choice{{"zone", "node"}, {}},
                  "the endpoints of each zone or node, one zone or node at a time");
  fields.optional("any", failure.any, Whole{1, 1'000}, "any combination of this many endpoints or nodes");
  fields.optional("of", failure.of, Choice{{"endpoints", "nodes"}, {}}, "what `any` counts");
  fields.optional("together", failure.together, ListOf<Record<LostPart>>{{}, 1}, "all of these at the same time");
  fields.optional("degraded", failure.degraded, Record<DegradedSweep>{},
                  "endpoints become degraded instead of lost, step by step");
  fields.optional("slow", failure.slow, TimesText{},
                  "the endpoints are not lost but take so many times as long, and nobody is told: 5x. Without each, "
                  "any or together: any one endpoint");
  fields.optional(
      "fails", failure.fails, FractionText{},
      "the endpoints are not lost but fail this part of their requests with a 503, and nobody is told: 30%. "
      "Without each, any or together: any one endpoint");
  fields.at_least_one({"each", "any", "together", "degraded", "slow", "fails"});
  fields.at_most_one({"each", "any", "together", "degraded"});
  fields.needs("any", "of");
  fields.needs("of", "any");
  fields.optional("service", failure.service, Text{}, "endpoints of this service only");
  fields.optional("zone", failure.zone, Text{}, "endpoints of this zone only");
  fields.optional("clients", failure.clients, Choice{{"stay", "lost"}, {}},
                  "whether the clients of a lost zone or node keep sending; default: stay");
  fields.optional("told", failure.reported, Choice{{"unhealthy", "removed", "nothing"}, {}},
                  "what EDS reports to proxies of endpoints that no longer answer: that they are unhealthy, that they "
                  "left the endpoint set, or nothing, so that only checks and ejections detect it; default: unhealthy");
}

}  // namespace spillway::messages
