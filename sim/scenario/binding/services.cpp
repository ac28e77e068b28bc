#include <algorithm>
#include <string>

#include "models/documents/problem.hpp"
#include "models/envoy/api/load_report.hpp"
#include "models/envoy/routes/address.hpp"
#include "sim/scenario/binding/serving.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

envoy::policies::client_side_weighted_round_robin::LoadReport load_report(const messages::LoadReport& written) {
  envoy::policies::client_side_weighted_round_robin::LoadReport report;
  report.rps_fractional = written.rps_fractional.value_or(0.0);
  report.eps = written.eps.value_or(0.0);
  report.application_utilization = written.application_utilization.value_or(0.0);
  report.cpu_utilization = written.cpu_utilization.value_or(0.0);
  for (const auto& metric : written.named_metrics.value) {
    report.named_metrics.emplace(metric.name, metric.value.value_or(0.0));
  }
  return report;
}

// Returns the nodes that a group's endpoints run on, in turn; empty if they are unknown (reported).
std::vector<std::uint32_t> nodes_of(const Topology& so_far, const messages::EndpointGroup& group) {
  if (group.node) {
    const auto node = so_far.nodes.resolve(group.node, so_far.problems);
    return node ? std::vector{*node} : std::vector<std::uint32_t>{};
  }
  const auto zone = so_far.zones.resolve(group.zone, so_far.problems);
  return zone ? so_far.nodes_of_zone[*zone] : std::vector<std::uint32_t>{};
}

// Adds endpoints without a check of their number.
std::vector<config::HostIndex> add_endpoints(Services& so_far, std::uint32_t index,
                                             const messages::EndpointGroup& group,
                                             const std::vector<std::uint32_t>& nodes) {
  Service& service = so_far.scenario.services[index];
  std::vector<config::HostIndex> hosts;
  const std::uint64_t count = group.id ? 1 : group.count.value_or(1);
  const config::Priority priority{static_cast<std::uint32_t>(group.priority.value_or(0))};
  Endpoint alike;
  read_serving(group, alike, so_far.problems);
  alike.tags = plain_map(*group.tags);
  if (group.load_report) {
    alike.load_report = load_report(*group.load_report);
  }
  std::map<double, Endpoint> by_speed;
  // Only for large groups: reserving for each of many small ones would reallocate every time.
  if (std::vector<Endpoint>& endpoints = so_far.scenario.endpoints; count > endpoints.size()) {
    endpoints.reserve(endpoints.size() + count);
    service.hosts.reserve(service.hosts.size() + count);
    hosts.reserve(count);
    so_far.endpoints.expect(count);
  }
  bool fresh = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t node = nodes.empty() ? 0 : nodes[i % nodes.size()];
    const auto host = static_cast<std::uint32_t>(service.hosts.size());
    const std::string id = group.id ? *group.id : service.name + "-" + std::to_string(host + 1);
    so_far.name_endpoint(id, index, {host},
                         group.id      ? group.id.where
                         : group.count ? group.count.where
                         : group.node  ? group.node.where
                                       : group.zone.where);
    const config::Locality locality = nodes.empty() ? config::Locality{} : locality_of(so_far.scenario, {node});
    auto& localities = service.load_assignment.endpoints;
    if (fresh || localities.back().locality != locality) {
      localities.push_back({locality, priority, std::nullopt, {}});
      fresh = false;
    }
    localities.back().lb_endpoints.push_back(
        {.address = group.address.value_or(id),
         .hostname = group.hostname.value_or(""),
         .health_status = config::HealthStatus::healthy,
         .load_balancing_weight = static_cast<std::uint32_t>(group.weight.value_or(1)),
         .metadata = group.metadata.value,
         .disable_active_health_check = group.health_check_config->disable_active_health_check});
    std::vector<Endpoint>& endpoints = so_far.scenario.endpoints;
    service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(endpoints.size())}});
    const double speed = nodes.empty() ? 1.0 : so_far.speeds[node];
    endpoints.push_back(by_speed.try_emplace(speed, at_speed(alike, speed)).first->second);
    endpoints.back().id = id;
    endpoints.back().node = config::NodeIndex{node};
    hosts.push_back(config::HostIndex{host});
  }
  return hosts;
}

// Notes the address of the endpoint that is added next.
void note_address(Services& so_far, std::uint32_t index, const messages::EndpointGroup& group) {
  if (!group.address) {
    return;
  }
  if (!envoy::routes::parse_ip_address(*group.address)) {
    so_far.problems.error("SP024", group.address.where, "cannot read `address`",
                          "must be an IP address with a port, such as 10.0.0.1:80 or [2001:db8::1]:80");
    return;
  }
  const auto next = static_cast<std::uint32_t>(so_far.scenario.services[index].hosts.size());
  so_far.addresses[{index, *group.address}].emplace_back(config::HostIndex{next}, group.address.where);
}

void read_service(Services& so_far, std::uint32_t index, const messages::Service& written) {
  for (const auto& field : written.endpoints.value) {
    const auto hosts = add_group(so_far, index, field.value, field.where);
    read_health_steps(so_far, config::ServiceIndex{index}, field.value, hosts);
  }
  if (written.endpoints.present && !written.endpoints) {
    so_far.endpoints.mark_incomplete();
  }
}

}  // namespace

std::vector<config::HostIndex> add_group(Services& so_far, std::uint32_t index, const messages::EndpointGroup& group,
                                         Span where) {
  if ((group.id.present && !group.id) || (group.count.present && !group.count) ||
      (group.priority.present && !group.priority)) {
    so_far.endpoints.mark_incomplete();
  }
  const std::vector<std::uint32_t> nodes = nodes_of(so_far, group);
  if (so_far.endpoints.count() + group.count.value_or(1) > messages::most_alike) {
    so_far.problems.error("SP122", where, "too many endpoints", "more than 1,000,000 in all");
    so_far.endpoints.mark_incomplete();
    return {};
  }
  note_address(so_far, index, group);
  auto hosts = add_endpoints(so_far, index, group, nodes);
  return hosts;
}

Service& Services::add_service(const std::string& name, Span where) {
  services.add(name, where, problems);
  Service& service = scenario.services.emplace_back();
  service.name = service.cluster.name = service.load_assignment.cluster_name = name;
  return service;
}

void Services::name_endpoint(const std::string& id, std::uint32_t service, config::HostIndex host, Span where) {
  endpoints.add(id, where, problems);
  host_of_endpoint.emplace_back(service, host);
}

Services read_services(Topology topology) {
  Services so_far{std::move(topology)};
  if (!so_far.file.services.given) {
    so_far.services.mark_incomplete();
    so_far.endpoints.mark_incomplete();
  }
  for (const auto& field : so_far.file.services.value) {
    const std::uint32_t index = so_far.services.count();
    if (!field.value.name) {
      so_far.services.mark_incomplete();
      so_far.endpoints.mark_incomplete();
    }
    so_far.add_service(field.value.name.value_or(""), field.value.name ? field.value.name.where : field.where);
    read_service(so_far, index, field.value);
  }
  return so_far;
}

}  // namespace spillway::scenario::binding
