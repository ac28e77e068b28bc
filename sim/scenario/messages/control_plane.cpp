#include "sim/scenario/messages/control_plane.hpp"

#include "models/kuma/messages/mesh_load_balancing_strategy.hpp"
#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

namespace {

constexpr std::uint64_t most_host_cores = 1'024;
constexpr std::uint64_t most_mesh_services = 200'000;
constexpr std::uint64_t most_service_instances = 10'000;
constexpr std::uint64_t most_mesh_zones = 1'000;
constexpr std::uint64_t most_reachable = 1'000;
constexpr std::uint64_t most_variations = 100;

void describe_mesh(Fields& fields, ControlPlaneKeys& keys, bool required) {
  using namespace grammar;
  const auto add = [&](const char* name, auto& into, const auto& shape, const char* documentation) {
    if (required) {
      fields.required(name, into, shape, documentation);
    } else {
      fields.optional(name, into, shape, documentation);
    }
  };
  add("services", keys.services, Whole{1, most_mesh_services}, "services of the mesh");
  add("instances", keys.instances, Whole{1, most_service_instances}, "of each service");
  add("reachable_services", keys.reachable_services, Whole{0, most_reachable},
      "services that an instance calls; its configuration has their load assignments");
  add("join", keys.join, Record<ControlPlaneRamp>{}, "when instances join: evenly, service after service");
  fields.optional("reach", keys.reach, Choice{{"later", "any"}, {}},
                  "which services an instance calls. later: those that join after its own, one d places later with 1/d "
                  "of the frequency of the next; any: all others with the same frequency. Default: later");
  fields.optional("zones", keys.zones, Whole{1, most_mesh_zones},
                  "over which the instances of a service are spread in turn; the control plane serves those of the "
                  "first. Default: 1");
  fields.optional("leave", keys.leave, Record<ControlPlaneRamp>{}, "when they leave, in the same order");
  fields.optional("changes", keys.changes, ListOf<Record<ControlPlaneChange>>{}, "other changes of the mesh");
  fields.optional("policies", keys.policies, ListOf<Record<ControlPlanePolicy>>{},
                  "policies that some of the clients have for all services that they call; the others have none");
}

void describe_keys(Fields& fields, ControlPlaneKeys& keys, bool required) {
  using namespace grammar;
  if (required) {
    fields.required("cores", keys.cores, Whole{1, most_host_cores}, "cores of its host");
    fields.required("cost", keys.cost, Record<ControlPlaneCost>{}, "times of work on one core of speed 1");
  } else {
    fields.optional("cores", keys.cores, Whole{1, most_host_cores}, "cores of its host");
    fields.optional("cost", keys.cost, Record<ControlPlaneCost>{}, "times of work on one core of speed 1");
  }
  fields.optional("other_work", keys.other_work, Whole{0, most_host_cores},
                  "cores that other work always keeps busy, such as garbage collection, sending and other "
                  "processes of the host; default: 0");
  fields.optional(
      "time_slice", keys.time_slice, DurationText{},
      "work is scheduled in slices of this length, as Go's scheduler does with 10ms; default: all work shares the "
      "cores evenly");
  fields.optional("speed", keys.speed, Number{0.001, 1000.0}, "work is divided by it; default: 1");
  fields.optional(
      "cla_cache", keys.cla_cache, Choice{{"reusable", "shared_object", "none"}, {}},
      "reusable: an assignment is made once for all clients with the same policies; shared_object: once for all "
      "clients, who edit one object, as in Kuma since 2.12; none: for each client. Default: reusable");
  fields.optional("xdsServer", keys.xds_server, Record<XdsServer>{}, "as in kuma-cp's configuration");
  fields.optional("store", keys.store, Record<Store>{}, "as in kuma-cp's configuration");
  describe_mesh(fields, keys, required);
  fields.optional("readings", keys.readings, Record<ControlPlaneReadings>{},
                  "readings of a document's curves, to compare with");
  fields.optional("ratios", keys.ratios, ListOf<Record<ControlPlaneRatio>>{},
                  "latency relative to another setting, in a document");
}

}  // namespace

void describe(Fields& fields, XdsServer& server) {
  fields.required("dataplaneConfigurationRefreshInterval", server.refresh_interval, grammar::DurationText{},
                  "how often each proxy is examined; default: 1s");
}

void describe(Fields& fields, StoreCache& cache) {
  fields.required("expirationTime", cache.expiration, grammar::DurationText{},
                  "how long a mesh context and a load assignment are kept; default: 1s");
}

void describe(Fields& fields, Store& store) {
  fields.required("cache", store.cache, grammar::Record<StoreCache>{}, "of what is read");
}

void describe(Fields& fields, ControlPlaneRamp& ramp) {
  fields.required("from", ramp.from, grammar::DurationText{}, "the first instance");
  fields.required("to", ramp.to, grammar::DurationText{}, "the last instance");
}

void describe(Fields& fields, ControlPlaneChange& change) {
  fields.required("at", change.at, grammar::DurationText{}, "when");
  fields.required("what", change.what, grammar::Choice{{"mesh_policy", "dataplane"}, {}},
                  "mesh_policy: every configuration becomes another; dataplane: a resource is written anew, which "
                  "changes no configuration but makes all proxies' be generated");
}

void describe(Fields& fields, ControlPlanePolicy& policy) {
  fields.required("services", policy.services, grammar::PercentText{},
                  "percentage of the services whose instances have it, spread evenly");
  fields.required("default", policy.conf, Message<kuma::Conf>{}, "that of a MeshLoadBalancingStrategy, verbatim");
}

void describe(Fields& fields, ControlPlaneCost& cost) {
  using grammar::DurationText;
  fields.optional("mesh_context", cost.mesh_context, DurationText{},
                  "each resource of the mesh, whenever the mesh is read and hashed; default: 0s");
  fields.optional("generation", cost.generation, DurationText{}, "each configuration; default: 0s");
  fields.optional("service", cost.service, DurationText{},
                  "each service of the mesh, in each configuration; default: 0s");
  fields.optional("assignment", cost.assignment, DurationText{},
                  "each load assignment that has to be made; default: 0s");
  fields.optional("lookup", cost.lookup, DurationText{}, "each load assignment that is requested; default: 0s");
  fields.optional("proxy_certificate", cost.proxy_certificate, DurationText{},
                  "the key of a proxy's first configuration, which is found by chance: the mean; default: 0s");
  fields.optional("join", cost.join, DurationText{},
                  "each proxy that joins, in addition to its configurations, with nothing waiting for it: its pod "
                  "becomes a dataplane, webhooks, its bootstrap, its status; default: 0s");
}

void describe(Fields& fields, ControlPlaneReading& reading) {
  using grammar::DurationText;
  fields.required("at", reading.at, DurationText{}, "when");
  fields.optional("p50", reading.p50, DurationText{}, "the median");
  fields.optional("p90", reading.p90, DurationText{}, "nine in ten are not above it");
  fields.optional("p99", reading.p99, DurationText{}, "99 in a hundred are not above it");
  fields.at_least_one({"p50", "p90", "p99"});
}

namespace {

constexpr std::size_t longest_reason = 1'000;

grammar::Number times_shape() {
  constexpr double most = 1'000.0;
  return {0.001, most};
}

}  // namespace

void describe(Fields& fields, ControlPlaneFigures& figures) {
  fields.required("documented", figures.documented, grammar::DurationText{}, "what the document shows, as in `rows`");
  fields.required("ours", figures.ours, grammar::DurationText{}, "what is simulated");
}

void describe(Fields& fields, ControlPlaneDifference& difference) {
  const grammar::Record<ControlPlaneFigures> figures;
  fields.required("at", difference.at, grammar::DurationText{}, "when, as in `rows`");
  fields.optional("p50", difference.p50, figures, "both medians");
  fields.optional("p90", difference.p90, figures, "both ninetieth percentiles");
  fields.optional("p99", difference.p99, figures, "both ninety-ninth percentiles");
  fields.at_least_one({"p50", "p90", "p99"});
}

void describe(Fields& fields, ControlPlaneDifferences& differences) {
  fields.required("reason", differences.reason, grammar::Text{1, longest_reason}, "why the two differ");
  fields.required("rows", differences.rows, grammar::ListOf<grammar::Record<ControlPlaneDifference>>{{}, 1},
                  "both figures, by time");
}

void describe(Fields& fields, ControlPlaneReadings& readings) {
  fields.required("precision", readings.precision, grammar::DurationText{},
                  "precision of a reading; `check` compares to half of it");
  fields.required("rows", readings.rows, grammar::ListOf<grammar::Record<ControlPlaneReading>>{{}, 1},
                  "quantiles of the latency of configurations, by time");
  fields.optional("known_differences", readings.differences,
                  grammar::ListOf<grammar::Record<ControlPlaneDifferences>>{},
                  "readings that the simulation misses, with both figures and the reason");
}

void describe(Fields& fields, ControlPlaneOwnRatios& ratios) {
  fields.optional("p50", ratios.p50, times_shape(), "of the medians");
  fields.optional("p90", ratios.p90, times_shape(), "of the ninetieth percentiles");
  fields.optional("p99", ratios.p99, times_shape(), "of the ninety-ninth percentiles");
  fields.at_least_one({"p50", "p90", "p99"});
}

void describe(Fields& fields, ControlPlaneRatio& ratio) {
  const grammar::Number times = times_shape();
  fields.required("to", ratio.to, grammar::Text{}, "the other setting, by name");
  fields.required("at", ratio.at, grammar::DurationText{}, "when, of this setting");
  fields.required("to_at", ratio.to_at, grammar::DurationText{}, "when, of the other setting");
  fields.optional("p50", ratio.p50, times, "of the medians, in the document");
  fields.optional("p90", ratio.p90, times, "of the ninetieth percentiles");
  fields.optional("p99", ratio.p99, times, "of the ninety-ninth percentiles");
  fields.optional("ours", ratio.ours, grammar::Record<ControlPlaneOwnRatios>{},
                  "known differences: the simulated ratio, where it differs from the document");
  fields.optional("reason", ratio.reason, grammar::Text{1, longest_reason}, "why the two differ");
  fields.needs("ours", "reason");
  fields.needs("reason", "ours");
}

void describe(Fields& fields, ControlPlaneVariation& variation) {
  fields.required("name", variation.name, grammar::Text{}, "its name in the output");
  describe_keys(fields, variation, false);
}

void describe(Fields& fields, ControlPlane& plane) {
  fields.optional("name", plane.name, grammar::Text{}, "name of this setting in the output; default: `as written`");
  describe_keys(fields, plane, true);
  fields.optional("variations", plane.variations,
                  grammar::ListOf<grammar::Record<ControlPlaneVariation>>{{}, 0, most_variations},
                  "the same with other values; keys that are left out keep their values, except readings and ratios");
}

}  // namespace spillway::messages
