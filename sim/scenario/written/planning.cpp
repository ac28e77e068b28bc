#include "sim/scenario/written/planning.hpp"

namespace spillway::scenario::written {

void describe(Fields& fields, Objective& objective) {
  using namespace grammar;
  fields.optional("service", objective.service, Text{}, "of this service; default: of every one");
  fields.optional("utilisation", objective.utilisation, PercentText{}, "no endpoint's cores are busier");
  fields.optional("p50", objective.p50, DurationText{}, "the median latency of no client is longer");
  fields.optional("p90", objective.p90, DurationText{}, "likewise of nine requests in ten");
  fields.optional("p99", objective.p99, DurationText{}, "likewise of 99 requests in a hundred");
  fields.optional("error_share", objective.error_share, PercentText{},
                  "no more of the requests fail, for whatever reason");
  fields.optional("cross_zone_share", objective.cross_zone_share, PercentText{},
                  "no more of the requests are answered in another zone");
  fields.optional("cross_zone_cost", objective.cross_zone_cost, Price{"month"},
                  "what crosses zones costs no more by the prices of `links`, in a month of 730 hours: 500/month");
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
  fields.optional("name", failure.name, Text{}, "what the plan calls it; default: what is lost");
  fields.optional("each", failure.each, Choice{{"zone", "node"}, {}},
                  "the endpoints of each zone or node, one zone or node at a time");
  fields.optional("any", failure.any, Whole{1, 1'000}, "any so many endpoints or nodes");
  fields.optional("of", failure.of, Choice{{"endpoints", "nodes"}, {}}, "what `any` counts");
  fields.optional("together", failure.together, ListOf<Record<LostPart>>{{}, 1}, "all of these at once");
  fields.optional("degraded", failure.degraded, Record<DegradedSweep>{},
                  "endpoints are told degraded instead of lost: more and more of them");
  fields.exactly_one({"each", "any", "together", "degraded"});
  fields.needs("any", "of");
  fields.needs("of", "any");
  fields.optional("service", failure.service, Text{}, "endpoints of this service only");
  fields.optional("zone", failure.zone, Text{}, "endpoints of this zone only");
  fields.optional("clients", failure.clients, Choice{{"stay", "lost"}, {}},
                  "whether the clients of a lost zone or node go on sending; default: stay");
  fields.optional("told", failure.told, Choice{{"unhealthy", "removed", "nothing"}, {}},
                  "what proxies are told of endpoints that no longer answer: that they are unhealthy, that they are no "
                  "longer in the endpoint set, or nothing, so that only checks and ejections find out; default: "
                  "unhealthy");
}

}  // namespace spillway::scenario::written
