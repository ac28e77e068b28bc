#include "sim/scenario/binding/kuma/views.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unordered_set>
#include <utility>

#include "models/config/each_endpoint.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/document_egress.hpp"
#include "models/kuma/envoy_cluster.hpp"
#include "models/kuma/proxy/cluster_source.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using config::EndpointIndex;
using config::HostIndex;
using config::ServiceIndex;
using config::ZoneIndex;

std::string subset_text(const kuma::Tags& subset) {
  std::string text;
  for (const auto& [key, value] : subset) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  }
  return text.empty() ? text : "{" + text + "}";
}

// Removes repeated addresses: an EDS cluster keeps an address once, where it is listed first. Entries of one ingress
// lose all but the first (docs/behaviour/kuma.md 4). Returns nullopt if there are none.
std::optional<kuma::LoadAssignment> without_repeated(const kuma::LoadAssignment& assignment,
                                                     std::span<const kuma::Endpoint> endpoints) {
  std::unordered_set<std::string> seen;
  seen.reserve(endpoints.size());
  std::optional<kuma::LoadAssignment> result;
  for (std::size_t locality = 0; locality < assignment.localities.size(); ++locality) {
    const std::vector<kuma::AssignedEndpoint>& listed = assignment.localities[locality].endpoints;
    std::vector<bool> repeats;
    for (const kuma::AssignedEndpoint& assigned : listed) {
      repeats.push_back(!seen.insert(kuma::to_text(endpoints[assigned.endpoint])).second);
    }
    if (std::find(repeats.begin(), repeats.end(), true) == repeats.end()) {
      continue;
    }
    result = result ? std::move(result) : assignment;
    std::size_t next = 0;
    std::erase_if(result->localities[locality].endpoints, [&](const auto& /*assigned*/) { return repeats[next++]; });
  }
  return result;
}

// Adapts the limits to TCP. A TCP proxy sees connections, not requests: no response ejects a host, and max_requests has
// no effect.
void set_tcp_limits(envoy::Cluster& cluster) {
  if (cluster.outlier_detection) {
    cluster.error_statuses.emplace();
  }
  for (config::CircuitBreakerThresholds& thresholds : cluster.circuit_breakers.thresholds) {
    thresholds.max_requests = std::numeric_limits<std::uint32_t>::max();
  }
}

}  // namespace

struct Views::ClusterInput {
  kuma::ClusterSettings settings = {};
  std::optional<kuma::CircuitBreakerConf> circuit_breaker = {};
  std::optional<kuma::HealthCheckConf> health_check = {};
  std::optional<kuma::TimeoutConf> timeout = {};

  friend bool operator==(const ClusterInput&, const ClusterInput&) = default;
};

Views::Views(const KumaMesh& contents, const Policies& policies, Scenario& scenario)
    : contents_(&contents),
      policies_(&policies),
      scenario_(&scenario),
      trails_(policies),
      refusals_(policies),
      addresses_(scenario.zones.size()),
      ready_in_(scenario.zones.size(), Ready(scenario.endpoints.size(), true)),
      health_in_(scenario.zones.size(),
                 std::vector<config::HealthStatus>(scenario.endpoints.size(), config::HealthStatus::healthy)) {
  for (const ZoneProxy& ingress : contents.ingresses) {
    ingresses_.try_emplace({ingress.address, ingress.port}, &ingress);
  }
  for (const PlacedDataplane& dataplane : contents.dataplanes) {
    for (std::size_t inbound = 0; inbound < dataplane.endpoints.size(); ++inbound) {
      const kuma::Inbound& of = dataplane.value.inbounds[inbound];
      const std::string& address = of.address.empty() ? dataplane.value.address : of.address;
      addresses_[dataplane.zone.value].emplace(kuma::to_text({.address = address, .port = of.port}),
                                               dataplane.endpoints[inbound]);
    }
  }
  for (const Destination& destination : contents.destinations) {
    const Service& service = scenario.services[destination.service.value];
    config::for_each_endpoint(service.load_assignment, [&](HostIndex host, const config::LbEndpoint& endpoint) {
      const EndpointIndex index = service.hosts[host.value].endpoint;
      for (auto& health : health_in_) {
        health[index.value] = endpoint.health_status;
      }
      external_addresses_.emplace(endpoint.address, index);
    });
    for (const HostIndex absent : service.absent_at_start) {
      for (Ready& ready : ready_in_) {
        ready[service.hosts[absent.value].endpoint.value] = false;
      }
    }
  }
}

Views::~Views() = default;

ServiceIndex Views::of_client(const kuma::Client& client, ZoneIndex zone, const Destination& destination,
                              const kuma::Tags& subset) {
  const std::size_t list = list_of(zone, Of::sidecar, destination, subset);
  const ClusterConfs confs = confs_of(*policies_, client, destination);
  const auto& endpoints = lists_[list].endpoints;
  const bool in_mesh = std::none_of(endpoints.begin(), endpoints.end(), [](const auto& each) { return each.external; });
  const bool aggregate = contents_->profile == config::KumaProfile::document && contents_->mesh.zoneEgress && in_mesh;
  const ServiceIndex made = aggregate ? aggregate_view(list, client, confs) : view(list, client, confs);
  policy_trails_.push_back(trails_.of(confs, made, client));
  return made;
}

std::size_t Views::list_of(ZoneIndex zone, Of of, const Destination& destination, const kuma::Tags& subset) {
  const auto known = list_positions_.find(std::tie(zone.value, of, destination.service.value, subset));
  if (known != list_positions_.end()) {
    return known->second;
  }
  list_positions_.try_emplace({zone.value, of, destination.service.value, subset}, lists_.size());
  List& list = lists_.emplace_back(List{zone, of, &destination, subset});
  find_endpoints(list, true);
  return lists_.size() - 1;
}

std::string Views::key_of(const kuma::ClusterSettings& settings, const ClusterConfs& confs) {
  const ClusterInput input{settings, confs.circuit_breaker, confs.health_check, confs.timeout};
  const auto known = std::find(cluster_inputs_.begin(), cluster_inputs_.end(), input);
  const auto position = known - cluster_inputs_.begin();
  if (known == cluster_inputs_.end()) {
    cluster_inputs_.push_back(input);
  }
  return "|" + std::to_string(position);
}

kuma::AssignInput Views::input_of(const List& list, const kuma::Client& client, const ClusterConfs& confs) {
  return {.endpoints = list.endpoints,
          .client = &client,
          .destination = list.destination->model,
          .conf = confs.strategy,
          .zone_egress_enabled = contents_->mesh.zoneEgress,
          .profile = contents_->profile};
}

std::pair<std::shared_ptr<const kuma::LoadAssignment>, std::string> Views::assignment_of(
    std::size_t index, const kuma::AssignInput& input) {
  List& list = lists_[index];
  if (contents_->sharing == ClaSharing::none) {
    ++misses_;
    return {std::make_shared<const kuma::LoadAssignment>(kuma::assign(input)), "client " + std::to_string(misses_)};
  }
  if (contents_->sharing == ClaSharing::shared_object && list.of == Of::sidecar) {
    ++(list.shared ? hits_ : misses_);
    if (!list.shared) {
      list.shared = kuma::group(list.endpoints);
    }
    kuma::assign_in_place(*list.shared, input);
    return {nullptr, ""};
  }
  return {cache_.get(index, input), kuma::cla_key(index, input)};
}

ServiceIndex Views::view(std::size_t index, const kuma::Client& client, const ClusterConfs& confs) {
  const kuma::ClusterSettings settings =
      kuma::cluster_settings(confs.strategy, client, lists_[index].destination->model);
  const auto [assignment, name] = assignment_of(index, input_of(lists_[index], client, confs));
  const auto [known, is_new] = views_.try_emplace({index, name + key_of(settings, confs)});
  if (is_new) {
    known->second = add_view(index, confs, settings);
    if (assignment) {
      const ServiceIndex made = known->second;
      fill(made, index, *assignment);
      const Service& view = scenario_->services[made.value];
      refusals_.look_at(view.load_assignment, envoy::policies::consistent_hashing(view.cluster.lb_policy) != nullptr,
                        confs);
      return made;
    }
  }
  return known->second;
}

ServiceIndex Views::aggregate_view(std::size_t index, const kuma::Client& client, const ClusterConfs& confs) {
  const List& list = lists_[index];
  const Destination& destination = *list.destination;
  const std::string service = scenario_->services[destination.service.value].name;
  const kuma::AssignInput input = input_of(list, client, confs);
  egress_designs_.add(input, destination.service, whole_mesh_conf(destination));
  Service aggregate;
  View as_view{.of = destination.service, .subset = list.subset};
  for (const kuma::AggregateMember& member : kuma::aggregate_members(input, service, contents_->mesh.name)) {
    kuma::Tags subset = list.subset;
    subset[std::string(kuma::zone_tag)] = member.zone.empty() ? client.zone : member.zone;
    const std::size_t part = list_of(list.zone, Of::sidecar, destination, subset);
    // Another zone's cluster has neither localities nor priorities; the order of the aggregate replaces them.
    const ServiceIndex cluster =
        member.zone.empty() ? view(part, client, confs)
                            : base_view(part, confs, kuma::cluster_settings(confs.strategy, client, destination.model));
    scenario_->services[cluster.value].name = member.cluster;
    scenario_->services[cluster.value].cluster.name = member.cluster;
    scenario_->services[cluster.value].load_assignment.cluster_name = member.cluster;
    as_view.members.push_back(cluster);
    aggregate.cluster.aggregate_clusters.push_back(member.cluster);
  }
  for (const ServiceIndex known : list.aggregates) {
    if (scenario_->services[known.value].as_view->members == as_view.members) {
      return known;
    }
  }
  aggregate.name = service + subset_text(list.subset);
  aggregate.cluster.name = aggregate.name;
  aggregate.as_view = std::move(as_view);
  const ServiceIndex made = binding::add_cluster(*scenario_, std::move(aggregate));
  lists_[index].aggregates.push_back(made);
  return made;
}

ServiceIndex Views::base_view(std::size_t index, const ClusterConfs& confs, const kuma::ClusterSettings& settings) {
  const auto [known, is_new] = views_.try_emplace({index, "base" + key_of(settings, confs)});
  if (is_new) {
    const ServiceIndex made = known->second = add_view(index, confs, settings);
    fill(made, index, kuma::group(lists_[index].endpoints));
    return made;
  }
  return known->second;
}

std::shared_ptr<const kuma::ClusterSource> Views::source_of(const List& list, const ClusterConfs& confs,
                                                            const kuma::ClusterSettings& settings, bool leaves) const {
  const std::string& protocol = list.destination->protocol;
  return std::make_shared<const kuma::ClusterSource>(
      kuma::ClusterSource{.protocol = protocol,
                          .http2 = !leaves || protocol == "http2" || protocol == "grpc",
                          .opaque = leaves && !list.destination->speaks_http(),
                          .settings = settings,
                          .circuit_breaker = confs.circuit_breaker.value_or(kuma::CircuitBreakerConf{}),
                          .health_check = confs.health_check,
                          .timeout = confs.timeout.value_or(kuma::TimeoutConf{}),
                          .head = contents_->profile == config::KumaProfile::head});
}

ServiceIndex Views::add_view(std::size_t index, const ClusterConfs& confs, const kuma::ClusterSettings& settings) {
  const List& list = lists_[index];
  const Service& asked = scenario_->services[list.destination->service.value];
  Service view;
  view.name = asked.name + subset_text(list.subset);
  view.cluster = asked.cluster;
  view.cluster.name = view.name;
  view.as_view = View{.of = list.destination->service, .subset = list.subset};
  view.connection_per_request = !list.destination->speaks_http();
  // External services use their own protocol, all others HTTP/2. Source: meshroute/clusters.go.
  const bool leaves = list.destination->model == kuma::DestinationModel::mesh_external_service ||
                      std::any_of(list.endpoints.begin(), list.endpoints.end(),
                                  [](const kuma::Endpoint& endpoint) { return endpoint.external; });
  view.cluster.http2 = list.destination->speaks_http() && (!leaves || list.destination->protocol != "http");
  kuma::apply(settings, view.cluster);
  if (confs.health_check) {
    kuma::apply(*confs.health_check, list.destination->protocol, contents_->profile,
                {view.cluster.health_checks, view.cluster.common_lb_config});
  }
  if (confs.circuit_breaker) {
    kuma::apply(*confs.circuit_breaker,
                {view.cluster.circuit_breakers, view.cluster.outlier_detection, view.cluster.common_lb_config});
  }
  if (!list.destination->speaks_http()) {
    set_tcp_limits(view.cluster);
  }
  // Envoy applies maxStreamDuration to each attempt. Kuma writes it only for clusters of http and http2.
  if (confs.timeout && confs.timeout->http &&
      (list.destination->protocol == "http" || list.destination->protocol == "http2")) {
    view.cluster.max_stream_duration =
        confs.timeout->http->maxStreamDuration.value_or(view.cluster.max_stream_duration);
  }
  view.as_view->kuma_source = source_of(list, confs, settings, leaves);
  refusals_.look_at(view.cluster, confs);
  const ServiceIndex result = binding::add_cluster(*scenario_, std::move(view));
  lists_[index].views.push_back(result);
  note_settings(result, confs);
  return result;
}

void Views::fill(ServiceIndex index, std::size_t list_index, const kuma::LoadAssignment& whole) {
  const List& list = lists_[list_index];
  const std::optional<kuma::LoadAssignment> fewer = without_repeated(whole, list.endpoints);
  const kuma::LoadAssignment& assignment = fewer ? *fewer : whole;
  // Hosts that forward add views of their own, which invalidates references into the services.
  std::vector<Host> hosts;
  for (const kuma::AssignedLocality& locality : assignment.localities) {
    for (const kuma::AssignedEndpoint& assigned : locality.endpoints) {
      hosts.push_back(host_of(list, list.endpoints[assigned.endpoint]));
      hosts.back().placement = assigned.placement;
    }
  }
  std::vector<DroppedEndpoint> dropped;
  for (const kuma::AssignedEndpoint& assigned : assignment.dropped) {
    const kuma::Endpoint& endpoint = list.endpoints[assigned.endpoint];
    dropped.push_back({kuma::to_text(endpoint), endpoint_of(list, endpoint), assigned.placement});
  }
  Service& view = scenario_->services[index.value];
  view.load_assignment = kuma::to_envoy(assignment, list.endpoints, view.name);
  view.hosts = std::move(hosts);
  view.as_view->dropped = std::move(dropped);
  start(index, list_index);
}

// Gives the final state of the shared object to all clients that have edited it.
void Views::fill_shared() {
  for (std::size_t list = 0; list < lists_.size(); ++list) {
    for (std::size_t view = 0; lists_[list].shared && view < lists_[list].views.size(); ++view) {
      fill(lists_[list].views[view], list, *lists_[list].shared);
    }
  }
}

void Views::count_alike(std::size_t clients, std::size_t lookups) noexcept {
  (contents_->sharing == ClaSharing::none ? misses_ : hits_) += clients * lookups;
}

}  // namespace spillway::scenario::kuma_binding
