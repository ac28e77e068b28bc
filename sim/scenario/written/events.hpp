// The timeline as a scenario file writes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/grammar/shapes.hpp"
#include "sim/scenario/written/health_steps.hpp"
#include "sim/scenario/written/topology.hpp"

namespace spillway::scenario::written {

struct Event {
  static constexpr const char* definition = "event";
  Field<grammar::Nanoseconds> at;
  // Whom it concerns.
  Field<std::string> service;
  Field<std::uint64_t> priority;
  Field<std::string> zone;
  Field<std::string> node;
  FieldList<std::string> endpoints;
  FieldList<std::string> link;
  // What happens.
  Field<Amount> healthy;
  Field<Amount> degraded;
  Field<bool> outage;
  Field<grammar::Nanoseconds> latency;
  Field<grammar::ExactPercent> fails;
};

inline void describe(Fields& fields, Event& event) {
  using namespace grammar;
  fields.required("at", event.at, DurationText{}, "when, from the start of the run");
  fields.optional("service", event.service, Text{}, "endpoints of this service; needed where there are several");
  fields.optional("priority", event.priority, Whole{0, 128, "Envoy refuses a priority above 128"},
                  "endpoints of this priority only");
  fields.optional("zone", event.zone, Text{}, "endpoints in this zone only; with an outage, the zone itself");
  fields.optional("node", event.node, Text{}, "endpoints on this node only; with an outage, the node itself");
  fields.optional("endpoints", event.endpoints, ListOf<Text>{{}, 1}, "these endpoints only");
  fields.optional("link", event.link, ListOf<Text>{{}, 2, 2}, "the link between these two zones");
  fields.optional("healthy", event.healthy, AmountShape{},
                  "what the proxies are told: so many of the endpoints that this event is about are healthy, the first "
                  "ones in the order of the file; the others are not");
  fields.optional("degraded", event.degraded, AmountShape{},
                  "so many are degraded, the first ones after the healthy; without `healthy`, the others are healthy");
  fields.optional("outage", event.outage, Flag{},
                  "true: the zone's nodes, the node or the link are gone; false: back. Nobody is told");
  fields.optional("latency", event.latency, DurationText{}, "of the link, one way");
  fields.optional("fails", event.fails, PercentText{},
                  "so much of the requests to these endpoints is answered with a 503. Nobody is told");
  fields.at_least_one({"healthy", "degraded", "outage", "latency", "fails"});
  fields.not_played("add", "adding endpoints is not played yet");
  fields.not_played("remove", "removing endpoints is not played yet");
  fields.not_played("slow", "slow endpoints are not played yet");
  fields.not_played("policies", "a change of policies is not played yet");
  fields.not_played("resources", "a change of resources is not played yet");
  fields.not_played("weight", "a change of weights is not played yet");
  fields.not_played("rate", "a rate that changes with time is not played yet");
  fields.not_played("bandwidth", "links carry any amount; their bandwidth is not played yet");
}

}  // namespace spillway::scenario::written
