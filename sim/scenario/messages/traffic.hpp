// The grammar of services with their endpoints, and of clients, in a scenario file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/grammar/shapes.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/load_report.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/metadata.hpp"
#include "sim/scenario/messages/health_steps.hpp"
#include "sim/scenario/messages/topology.hpp"
#include "sim/scenario/messages/workload.hpp"

namespace spillway::messages {

// One endpoint, or `count` identical ones.
struct EndpointGroup {
  static constexpr const char* definition = "endpoints";
  Field<std::string> id;
  Field<std::uint64_t> count;
  Field<std::string> zone;
  Field<std::string> node;
  Field<std::uint64_t> priority;
  Field<std::uint64_t> weight;
  Field<std::string> address;
  Field<std::string> hostname;
  Field<config::Struct> metadata;
  Field<Described<HealthCheckConfig>> health_check_config;
  Field<ServiceTime> service_time;
  Field<double> capacity;
  Servers servers;
  Field<LoadReport> load_report;
  Field<std::uint64_t> request_bytes;
  Field<std::uint64_t> response_bytes;
  Field<double> price;
  Field<grammar::MapOf<grammar::Text>::Value> tags;
  Field<std::vector<HealthStep>> healthy;
  Field<std::vector<HealthStep>> degraded;
};

inline void describe(Fields& fields, EndpointGroup& group) {
  using namespace grammar;
  fields.optional("id", group.id, Text{}, "name of a single endpoint; default: <service>-<number>");
  Field<std::string> name;
  fields.optional("name", name, Text{}, "the same as id, as zones, services and clients have it");
  if (name.present && !group.id.present) {
    group.id = name;
  }
  fields.optional("count", group.count, Whole{1, most_alike},
                  "number of endpoints, named <service>-<number>; default: 1");
  fields.at_most_one({"id", "name", "count"});
  fields.optional("zone", group.zone, Text{}, "the zone that they run in: its nodes in turn");
  fields.optional("node", group.node, Text{}, "the node that they run on");
  fields.exactly_one({"zone", "node"});
  fields.optional("priority", group.priority, Whole{0, 128, envoys_priority_bound},
                  "Envoy's priority level, 0 first; default: 0");
  fields.optional("weight", group.weight, Whole{1, 4'294'967'295, "Envoy refuses a weight of 0 and one above 2^32 - 1"},
                  "load_balancing_weight of each; default: 1");
  fields.optional("address", group.address, Text{1, 1'000},
                  "address and port of a single endpoint, which hashing and sessions know it by; default: its id");
  fields.at_most_one({"address", "count"});
  fields.optional("hostname", group.hostname, Text{1, 1'000}, "its host name, for use_hostname_for_hashing");
  fields.at_most_one({"hostname", "count"});
  fields.optional("metadata", group.metadata, EndpointMetadata{},
                  "metadata that subsets select it by: the pairs of envoy.lb themselves, or Envoy's message with "
                  "filter_metadata");
  fields.optional("health_check_config", group.health_check_config, Record<Described<HealthCheckConfig>>{},
                  "how the proxies check it");
  fields.optional("service_time", group.service_time, ServiceTimeShape{}, "service time of a request; default: 0s");
  describe_servers(fields, group.servers,
                   "number of requests served at a time, others queue; default: the node's cores");
  fields.optional(
      "capacity", group.capacity, Rate{},
      "requests a second that it can serve, instead of a service_time of cores / capacity; default: cores are 1");
  fields.at_most_one({"capacity", "service_time"});
  fields.optional("load_report", group.load_report, Record<LoadReport>{},
                  "load report in each of its answers, for client_side_weighted_round_robin; default: none");
  fields.optional("healthy", group.healthy, HealthSteps{},
                  "health as reported to the proxies: how many are healthy, step by step from the start, the first "
                  "ones in the order of the file; default: all");
  fields.optional("degraded", group.degraded, HealthSteps{},
                  "how many are degraded, the first ones after the healthy; default: none");
  fields.optional("tags", group.tags, MapOf<Text>{{0, longest_label}},
                  "Kuma's tags of them, in addition to kuma.io/service, kuma.io/zone and the labels of their nodes");
  describe_bytes(fields, group.request_bytes, group.response_bytes,
                 "size of a request to it, for the bytes that cross zones; default: 0",
                 "size of its answers, likewise; default: 0");
  fields.optional("price", group.price, Price{"h"},
                  "of each endpoint, in the currency of the links: 0.10/h; `plan` adds the cheapest first");
  fields.not_simulated("fails", "on an endpoint; write it as an event of the `timeline`");
  fields.not_simulated("outage", "on an endpoint; write an outage of its node or zone in the `timeline`");
  fields.not_simulated("slow", "on an endpoint; write it as an event of the `timeline`");
}

struct Service {
  static constexpr const char* definition = "service";
  Field<std::string> name;
  FieldList<EndpointGroup> endpoints;
};

inline void describe(Fields& fields, Service& service) {
  fields.required("name", service.name, grammar::Text{}, "name of the service; also that of its Envoy cluster");
  fields.optional("endpoints", service.endpoints, grammar::ListOf<grammar::Record<EndpointGroup>>{{}, 1},
                  "its endpoints in the order in which EDS lists them; an aggregate cluster has none of its own");
  fields.not_simulated("tags", "tags are not supported yet");
  fields.not_simulated("capacity", "of a service; write it at its endpoints");
  fields.not_simulated("subsets", "subsets are in `clusters`, as lb_subset_config or a typed policy");
}

struct Client {
  static constexpr const char* definition = "client";
  Field<std::string> name;
  Field<std::string> zone;
  Field<std::string> node;
  Field<std::uint64_t> count;
  Field<std::uint64_t> concurrency;
  Field<grammar::MapOf<grammar::Text>::Value> tags;
  Field<std::string> name_space;
  Field<Workload> workload;
};

void describe(Fields& fields, Client& client);

}  // namespace spillway::messages
