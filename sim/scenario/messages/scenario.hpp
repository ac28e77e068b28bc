// The grammar of a whole scenario file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/config/profile.hpp"
#include "models/documents/grammar/shapes.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/route.hpp"
#include "models/kuma/messages/document.hpp"
#include "sim/scenario/messages/control_plane.hpp"
#include "sim/scenario/messages/events.hpp"
#include "sim/scenario/messages/expectations.hpp"
#include "sim/scenario/messages/planning.hpp"
#include "sim/scenario/messages/sweep.hpp"
#include "sim/scenario/messages/topology.hpp"
#include "sim/scenario/messages/traffic.hpp"

namespace spillway::messages {

// Other numbers of pods than the documents have. replicas: { frontend: 4, cart.shop: { zone-a: 3 }, "*": 6 }
struct Replicas {
  std::optional<std::uint64_t> total = {};           // of all zones
  grammar::MapOf<grammar::Whole>::Value zones = {};  // by zone, if there is no total
};

// A number of pods in all zones, or an object with a number for each of some zones.
struct ReplicasShape {
  using Value = Replicas;
  grammar::Whole total = {1, 100'000};
  grammar::MapOf<grammar::Whole> zones = {{0, 100'000}};
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

struct Profile {
  static constexpr const char* definition = "profile";
  Field<std::size_t> envoy;
  Field<std::size_t> kuma;
  Field<std::size_t> istio;
};

void describe(Fields& fields, Profile& profile);

// The serving of requests by endpoints of a service from documents, which do not specify it.
struct Serving {
  static constexpr const char* definition = "serving";
  Field<std::string> service;
  Field<ServiceTime> service_time;
  Field<double> capacity;
  Servers servers;
  Field<double> price;
};

void describe(Fields& fields, Serving& serving);

struct Scenario {
  static constexpr const char* definition = "scenario";
  Field<std::string> schema;
  Field<std::string> name;
  Field<std::string> description;
  Field<std::string> source;
  Field<Profile> profile;
  Field<grammar::Nanoseconds> duration;
  Field<std::uint64_t> seed;
  Field<std::size_t> mode;
  FieldList<Zone> zones;
  FieldList<Link> links;
  FieldList<Service> services;
  FieldList<Cluster> clusters;
  FieldList<LoadAssignment> load_assignments;
  FieldList<Route> routes;
  Field<std::string> local_cluster;
  Field<const documents::Node*> runtime;
  KumaDocuments policies;
  KumaDocuments resources;
  FieldList<Serving> serving;
  Field<grammar::MapOf<ReplicasShape>::Value> replicas;
  Field<std::size_t> cla_cache;
  FieldList<Client> clients;
  FieldList<Event> timeline;
  FieldList<Expected> expect;
  FieldList<Objective> objectives;
  FieldList<PlannedFailure> failures;
  Field<Sweep> sweep;
  Field<ControlPlane> control_plane;
  // Numbers of pods by scenario::PodGroup::number, after `replicas`: set by variations, not by a key.
  std::map<std::uint32_t, std::uint32_t> pods;
};

inline void describe(Fields& fields, Scenario& scenario) {
  using namespace grammar;
  fields.optional("$schema", scenario.schema, Text{0, 1'000}, "this schema, for editors");
  fields.optional("name", scenario.name, Text{}, "the scenario's name; default: that of the file");
  fields.optional("description", scenario.description, Text{0, 10'000}, "the question that the scenario answers");
  fields.optional("source", scenario.source, Text{0, 1'000}, "the document that it reproduces");
  fields.optional("profile", scenario.profile, Record<Profile>{},
                  "versions of Envoy, Kuma and Istio whose behaviour is simulated");
  fields.required("duration", scenario.duration, DurationText{}, "length of the simulation");
  fields.optional("seed", scenario.seed, Whole{}, "seed of all random numbers; default: 1");
  fields.optional("mode", scenario.mode, Choice{{"exact", "requests", "platform"}},
                  "exact: shares only; requests: every request; platform: every request as transfers and work on "
                  "SimGrid, where links and cores contend. Default: requests");
  fields.optional("zones", scenario.zones, ListOf<Record<Zone>>{{}, 1},
                  "the zones with their nodes; default: those that Kuma's dataplanes name");
  fields.optional("links", scenario.links, ListOf<Record<Link>>{}, "links between zones");
  fields.optional("services", scenario.services, ListOf<Record<Service>>{{}, 1},
                  "services that clients call, in addition to those of Kuma's resources");
  fields.optional("clusters", scenario.clusters, ListOf<Record<Cluster>>{},
                  "envoy.config.cluster.v3.Cluster verbatim; a service without one has Envoy's defaults");
  fields.optional("load_assignments", scenario.load_assignments, ListOf<Record<LoadAssignment>>{},
                  "envoy.config.endpoint.v3.ClusterLoadAssignment verbatim, without its endpoints");
  fields.optional("routes", scenario.routes, ListOf<Record<Route>>{},
                  "envoy.config.route.v3.Route verbatim, in order: where requests of workloads without a service go");
  fields.optional("local_cluster", scenario.local_cluster, Text{},
                  "the service that the callers themselves belong to, which zone-aware routing needs");
  fields.optional("runtime", scenario.runtime, RuntimeLayerShape{},
                  "values of every proxy's runtime, as in a static layer: upstream.healthy_panic_threshold, "
                  "upstream.zone_routing.enabled, .min_cluster_size and .force_local_zone.min_size");
  fields.optional("policies", scenario.policies, ListOf<KumaDocumentShape>{},
                  "Kuma's policies verbatim, in Universal or Kubernetes form; a text names a file of them");
  fields.optional(
      "resources", scenario.resources, ListOf<KumaDocumentShape>{},
      "Kuma's other resources verbatim: Mesh, Dataplane, ZoneIngress, MeshService, ...; or those of Istio and "
      "Kubernetes: DestinationRule, VirtualService, Service, EndpointSlice, Pod, Node, ...; a text names a file of "
      "them");
  fields.optional("serving", scenario.serving, ListOf<Record<Serving>>{},
                  "service times, cores, capacities and prices of endpoints of the documents' services");
  fields.optional("replicas", scenario.replicas, MapOf<ReplicasShape>{},
                  "other numbers of pods than the Kubernetes documents have, by Deployment or StatefulSet, as NAME or "
                  "NAME.NAMESPACE, or * for all: of all zones together, or {ZONE: NUMBER}. New pods are copies");
  fields.optional(
      "cla_cache", scenario.cla_cache, Choice{{"reusable", "shared_object", "none"}, {}},
      "how Kuma's clients share load assignments. reusable: the documents' cache; shared_object: the clients of a zone "
      "edit one object, as in Kuma since 2.12 within a second; none: each client's is made anew. Default: reusable");
  fields.optional("clients", scenario.clients, ListOf<Record<Client>>{{}, 1},
                  "clients that send requests; default: the dataplanes with outbounds");
  fields.optional("timeline", scenario.timeline, ListOf<Record<Event>>{}, "events during the run");
  fields.optional("expect", scenario.expect, ListOf<Record<Expected>>{}, "expected results");
  fields.optional("objectives", scenario.objectives, ListOf<Record<Objective>>{{}, 1},
                  "what `plan` checks under every failure; default: no endpoint above 80 % and no failed request");
  fields.optional("failures", scenario.failures, ListOf<Record<PlannedFailure>>{},
                  "what `plan` must survive; default: each zone and each node is lost");
  fields.optional("sweep", scenario.sweep, Record<Sweep>{},
                  "what `spillway sweep` varies where its command line names no keys");
  fields.optional("control_plane", scenario.control_plane, Record<ControlPlane>{},
                  "instead of clients: a control plane that makes the configurations of its proxies");
  for (const char* const name : {"zones", "services", "clients"}) {
    fields.at_least_one({name, "resources", "control_plane"});
  }
}

}  // namespace spillway::messages
