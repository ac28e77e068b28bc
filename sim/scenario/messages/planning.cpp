#include "sim/scenario/messages/planning.hpp"

namespace spillway::messages {

void describe(Fields& fields, Objective& objective) {
  using namespace grammar;
  fields.optional("service", objective.service, Text{}, "for this service; default: for every one");
  fields.optional("utilisation", objective.utilisation, PercentText{}, "maximum utilisation of any endpoint's cores");
  fields.optional("p50", objective.p50, DurationText{}, "maximum median latency of any client");
  fields.optional("p90", objective.p90, DurationText{}, "maximum p90 latency of any client");
  fields.optional("p99", objective.p99, DurationText{}, "maximum p99 latency of any client");
  fields.optional("error_share", objective.error_share, PercentText{},
                  "maximum part of the requests that fail, for any reason");
  fields.optional("cross_zone_share", objective.cross_zone_share, PercentText{},
                  "maximum part of the requests answered in another zone");
  fields.optional("cross_zone_cost", objective.cross_zone_cost, Price{"month"},
                  "maximum cost of traffic between zones by the prices of `links`, in a month of 730 hours: 500/month");
  fields.at_least_one({"utilisation", "p50", "p90", "p99", "error_share", "cross_zone_share", "cross_zone_cost"});
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
  fields.optional("from", sweep.from, PercentText{},
                  "of the endpoints, the first ones in the order of the file; default: 0%");
  fields.optional("to", sweep.to, PercentText{}, "default: 100%");
  fields.optional("step", sweep.step, PercentText{}, "default: 10%");
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
  fields.exactly_one({"each", "any", "together", "degraded"});
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
