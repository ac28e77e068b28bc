// The grammar of the timeline in a scenario file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/grammar/shapes.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/messages/health_steps.hpp"
#include "sim/scenario/messages/topology.hpp"
#include "sim/scenario/messages/traffic.hpp"

namespace spillway::messages {

// Endpoints that join: an amount of those that left, or new ones.
struct Addition {
  std::optional<Amount> back;
  std::vector<Field<EndpointGroup>> groups;
};

struct AdditionShape {
  using Value = Addition;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// The kind of failure: a status from 400 to 599, or `reset`, `connect_failure` or `no_answer`.
struct FailureKind {
  scenario::Failure failure = scenario::Failure::status;
  std::uint32_t status = 503;
};

struct FailureShape {
  using Value = FailureKind;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// A part of the requests: `25%`, at random, or `every 3rd`.
struct FailurePart {
  double fraction = 0.0;
  std::uint32_t every = 0;  // 0 if at random
};

struct FailurePartShape {
  using Value = FailurePart;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

// The answer of endpoints to active checks: a word, or a status from 200 to 599.
struct CheckAnswerKind {
  scenario::CheckAnswer answer = scenario::CheckAnswer::healthy;
  std::uint32_t status = 200;
};

struct CheckAnswerShape {
  using Value = CheckAnswerKind;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct Event {
  static constexpr const char* definition = "event";
  Field<grammar::Nanoseconds> at;
  // The endpoints or links concerned.
  Field<std::string> service;
  Field<std::uint64_t> priority;
  Field<std::string> zone;
  Field<std::string> node;
  FieldList<std::string> endpoints;
  FieldList<std::string> link;
  // The effect.
  Field<Amount> healthy;
  Field<Amount> degraded;
  Field<bool> outage;
  Field<grammar::Nanoseconds> latency;
  Field<std::size_t> health_status;
  Field<std::uint64_t> weight;
  Field<std::uint64_t> locality_weight;
  Field<std::uint64_t> to_priority;
  Field<FailurePart> fails;
  Field<FailureKind> fails_with;
  Field<bool> fails_checks;
  Field<CheckAnswerKind> answers_checks;
  Field<double> slow;
  Field<Addition> add;
  Field<Amount> remove;
  Field<bool> lives_on;
  Field<const documents::Node*> runtime;
  // When and where EDS reports it.
  Field<grammar::Nanoseconds> delay;
  FieldList<std::string> audience;
};

// Describes the behaviour of endpoints, which is independent of EDS.
inline void describe_behaviour(Fields& fields, Event& event) {
  using namespace grammar;
  fields.optional("fails", event.fails, FailurePartShape{},
                  "part of the requests to these endpoints that fails: at random, such as 25%, or evenly for each "
                  "endpoint, such as every 3rd; active checks too. Proxies are not informed");
  fields.optional("fails_with", event.fails_with, FailureShape{},
                  "how requests fail: an answer with this status, or reset: the connection is reset, connect_failure: "
                  "it is refused, no_answer: no answer comes. Default: 503");
  fields.needs("fails_with", "fails");
  fields.optional("fails_checks", event.fails_checks, Flag{},
                  "false: active checks are answered all the same; default: true");
  fields.needs("fails_checks", "fails");
  fields.optional("answers_checks", event.answers_checks, CheckAnswerShape{},
                  "the answer of these endpoints to active checks from now on, independent of requests: the expected "
                  "answer (healthy), with a header (degraded, immediate_health_check_fail), a 503 (unhealthy), another "
                  "status, or reset, connect_failure, no_answer. Proxies learn of it by checks only");
  fields.optional("slow", event.slow, Number{0.001, 1000.0},
                  "factor on the service time of these endpoints from now on; 1: as before. Proxies are not informed");
}

inline void describe(Fields& fields, Event& event) {
  using namespace grammar;
  fields.required("at", event.at, DurationText{}, "when, from the start of the run");
  fields.optional("service", event.service, Text{}, "endpoints of this service; needed where there are several");
  fields.optional("priority", event.priority, Whole{0, 128, envoys_priority_bound}, "endpoints of this priority only");
  fields.optional("zone", event.zone, Text{}, "endpoints in this zone only; with an outage, the zone itself");
  fields.optional("node", event.node, Text{}, "endpoints on this node only; with an outage, the node itself");
  fields.optional("endpoints", event.endpoints, ListOf<Text>{{}, 1}, "these endpoints only");
  fields.optional("link", event.link, ListOf<Text>{{}, 2, 2}, "the link between these two zones");
  fields.optional("healthy", event.healthy, AmountShape{},
                  "health as reported to the proxies: number or percentage of these endpoints that are healthy, the "
                  "first ones in the order of the file; the others are not");
  fields.optional("degraded", event.degraded, AmountShape{},
                  "number or percentage of these endpoints that are degraded, the first ones after the healthy; "
                  "without `healthy`, the others are healthy");
  fields.optional(
      "outage", event.outage, Flag{},
      "true: the link, node or zone (all its nodes) is gone, or, with service, priority or endpoints, these "
      "endpoints; false: back. Proxies are not informed");
  fields.optional("latency", event.latency, DurationText{}, "of the link, one way");
  fields.optional("health_status", event.health_status, Choice{health_statuses, {}},
                  "EDS reports this status of these endpoints to the proxies");
  fields.at_most_one({"health_status", "healthy"});
  fields.at_most_one({"health_status", "degraded"});
  fields.optional("weight", event.weight, Whole{1, largest_uint32, envoys_weight_bound},
                  "EDS reports this load_balancing_weight of each of these endpoints to the proxies");
  fields.optional("locality_weight", event.locality_weight, Whole{1, largest_uint32, envoys_weight_bound},
                  "EDS reports that the locality of each of these endpoints, at its priority, has this "
                  "load_balancing_weight");
  fields.optional(
      "to_priority", event.to_priority, Whole{0, 128, envoys_priority_bound},
      "EDS reports these endpoints at this priority from now on, each in its locality; they remain the same hosts");
  describe_behaviour(fields, event);
  fields.optional("add", event.add, AdditionShape{},
                  "new endpoints, written as in `services`; or the number or percentage of these endpoints that come "
                  "back, the first ones in the order of the file");
  fields.optional("remove", event.remove, AmountShape{},
                  "number or percentage of these endpoints to remove, the first ones in the order of the file");
  fields.optional("lives_on", event.lives_on, Flag{},
                  "true: only EDS removes them, the endpoints themselves still answer; default: false");
  fields.needs("lives_on", "remove");
  fields.optional("runtime", event.runtime, RuntimeLayerShape{},
                  "these values of every proxy's runtime change, as by its admin interface");
  fields.at_least_one({"healthy", "degraded", "health_status", "weight", "locality_weight", "to_priority", "outage",
                       "latency", "fails", "answers_checks", "slow", "add", "remove", "runtime"});
  fields.optional("delay", event.delay, DurationText{},
                  "delay until EDS reports healthy, degraded, health_status, weight, locality_weight, to_priority, add "
                  "and remove to the proxies; default: 0s");
  fields.optional("audience", event.audience, ListOf<Text>{{}, 1},
                  "EDS reports it only to clients in these zones; default: all");
  fields.not_simulated("policies", "a change of policies is not supported yet");
  fields.not_simulated("resources", "a change of resources is not supported yet");
  fields.not_simulated("rate", "in the timeline; write `phases` in the workload");
  fields.not_simulated("bandwidth", "links carry any amount; their bandwidth is not supported yet");
}

}  // namespace spillway::messages
