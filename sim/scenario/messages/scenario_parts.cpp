// Describes small objects of a scenario.
#include "sim/scenario/messages/scenario.hpp"

namespace spillway::messages {

void describe(Fields& fields, Profile& profile) {
  const auto& names = config::envoy_profile_names;
  fields.optional("envoy", profile.envoy, grammar::Choice{std::vector<std::string>(names.begin(), names.end()), {}},
                  "current: Envoy 1.40; seed: the documents' text of 1.6; a release by its own rules, as far as they "
                  "are known. Default: current");
  fields.optional("kuma", profile.kuma, grammar::Choice{{"release-2.14", "head", "document"}, {}},
                  "release-2.14, head, or the design document at its word; default: release-2.14");
  fields.optional("istio", profile.istio, grammar::Choice{{"release-1.31", "release-1.30"}, {}},
                  "default: release-1.31");
}

void describe(Fields& fields, Serving& serving) {
  using namespace grammar;
  fields.required("service", serving.service, Text{}, "a service of the documents: all of its endpoints");
  fields.optional("service_time", serving.service_time, ServiceTimeShape{},
                  "service time of each endpoint for a request; default: 0s");
  describe_servers(fields, serving.servers,
                   "number of requests that an endpoint serves at a time, others queue; default: the node's cores");
  fields.optional("capacity", serving.capacity, Rate{},
                  "requests a second that each endpoint can serve, instead of a service_time of cores / capacity; "
                  "default: cores are 1");
  fields.at_most_one({"capacity", "service_time"});
  fields.optional("price", serving.price, Price{"h"}, "of each endpoint, in the currency of the links: 0.10/h");
}

void describe(Fields& fields, Client& client) {
  fields.required("name", client.name, grammar::Text{}, "name of the client");
  fields.optional("zone", client.zone, grammar::Text{},
                  "the zone that it runs in: each one on a node, one node after the other");
  fields.optional("node", client.node, grammar::Text{}, "the node that all of them run on");
  fields.exactly_one({"zone", "node"});
  fields.optional("count", client.count, grammar::Whole{1, 100'000},
                  "number of identical clients, each with its own balancer; default: 1");
  fields.optional("concurrency", client.concurrency, grammar::Whole{1, 1'024},
                  "number of workers of each proxy, as Envoy's --concurrency, each with its own balancer; default: 1");
  fields.required("workload", client.workload, grammar::Record<Workload>{}, "requests that each of them sends");
  fields.optional(
      "tags", client.tags, grammar::MapOf<grammar::Text>{{0, longest_label}},
      "Kuma's tags and labels of it, in addition to kuma.io/service, kuma.io/zone and the labels of its node");
  fields.optional("namespace", client.name_space, grammar::Text{1, 253},
                  "under documents of Istio: of its pods; default: default. Its labels are its tags");
  fields.not_simulated("workloads", "a client has one workload for now");
}

}  // namespace spillway::messages
