#include <algorithm>
#include <map>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

constexpr std::uint64_t largest_weight_sum = 4'294'967'295;

// The nodes that a group's endpoints run on, in turn; empty if that could not be told (reported).
std::vector<std::uint32_t> nodes_of(Context& context, const written::EndpointGroup& group) {
  if (group.node) {
    const auto node = context.nodes.resolve(group.node, context.problems);
    return node ? std::vector{*node} : std::vector<std::uint32_t>{};
  }
  const auto zone = context.zones.resolve(group.zone, context.problems);
  return zone ? context.nodes_of_zone[*zone] : std::vector<std::uint32_t>{};
}

config::Locality locality_of(const Scenario& scenario, std::uint32_t node) {
  const Node& where = scenario.nodes[node];
  const Zone& zone = scenario.zones[where.zone.value];
  return {zone.region, zone.name, where.sub_zone};
}

// Adds the endpoints of a group and returns their places in the service.
std::vector<config::HostIndex> add_endpoints(Context& context, std::uint32_t index, Service& service,
                                             const written::EndpointGroup& group,
                                             const std::vector<std::uint32_t>& nodes) {
  std::vector<config::HostIndex> hosts;
  const std::uint64_t count = group.count.value_or(1);
  const config::Priority priority{static_cast<std::uint32_t>(group.priority.value_or(0))};
  bool fresh = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t node = nodes.empty() ? 0 : nodes[i % nodes.size()];
    const auto host = static_cast<std::uint32_t>(service.endpoints.size());
    const std::string id = group.id ? *group.id : service.name + "-" + std::to_string(host + 1);
    context.endpoints.add(id,
                          group.id      ? group.id.where
                          : group.count ? group.count.where
                                        : group.zone.where,
                          context.problems);
    context.host_of_endpoint.emplace_back(index, config::HostIndex{host});
    const config::Locality locality = nodes.empty() ? config::Locality{} : locality_of(context.scenario, node);
    auto& localities = service.load_assignment.endpoints;
    if (fresh || localities.back().locality != locality) {
      localities.push_back({locality, priority, std::nullopt, {}});
      fresh = false;
    }
    localities.back().lb_endpoints.push_back(
        {id, "", config::HealthStatus::healthy, static_cast<std::uint32_t>(group.weight.value_or(1))});
    service.endpoints.push_back({id, config::NodeIndex{node}, group.service_time.value_or(Nanoseconds{0})});
    hosts.push_back(config::HostIndex{host});
  }
  return hosts;
}

class WeightSums {
 public:
  // Envoy adds up the weights of a priority in 32 bits.
  void add(const written::EndpointGroup& group, Diagnostics& problems) {
    std::uint64_t& sum = sums_[group.priority.value_or(0)];
    const bool was_fine = sum <= largest_weight_sum;
    sum += group.weight.value_or(1) * group.count.value_or(1);
    if (was_fine && sum > largest_weight_sum) {
      const Span where = group.weight ? group.weight.where : group.count ? group.count.where : group.zone.where;
      problems.push_back(with_note(
          error("SP117", "the weights of priority " + std::to_string(group.priority.value_or(0)) + " are too large",
                where, "they add up to " + std::to_string(sum) + " here"),
          "Envoy refuses a sum of more than 4294967295 in one priority"));
    }
  }

 private:
  std::map<std::uint64_t, std::uint64_t> sums_;
};

void read_service(Context& context, std::uint32_t index, const written::Service& written) {
  // Copied back at the end: health timelines look the service up by its index.
  context.scenario.services.emplace_back();
  context.scenario.services[index].name = written.name.value_or("");
  context.scenario.services[index].cluster.name = written.name.value_or("");
  context.scenario.services[index].load_assignment.cluster_name = written.name.value_or("");
  WeightSums sums;
  for (const auto& field : written.endpoints.value) {
    const written::EndpointGroup& group = field.value;
    if ((group.id.present && !group.id) || (group.count.present && !group.count) ||
        (group.priority.present && !group.priority)) {
      context.endpoints.mark_incomplete();
    }
    const std::vector<std::uint32_t> nodes = nodes_of(context, group);
    if (context.endpoints.count() + group.count.value_or(1) > written::most_alike) {
      context.problems.push_back(error("SP122", "too many endpoints", field.where, "more than 1,000,000 in all"));
      context.endpoints.mark_incomplete();
      return;
    }
    const auto hosts = add_endpoints(context, index, context.scenario.services[index], group, nodes);
    sums.add(group, context.problems);
    read_health_steps(context, config::ServiceIndex{index}, group, hosts);
  }
  if (!written.endpoints) {
    context.endpoints.mark_incomplete();
  }
}

}  // namespace

void read_services(Context& context) {
  if (!context.file.services.given) {
    context.services.mark_incomplete();
    context.endpoints.mark_incomplete();
  }
  for (const auto& field : context.file.services.value) {
    const std::uint32_t index = context.services.count();
    if (!field.value.name) {
      context.services.mark_incomplete();
      context.endpoints.mark_incomplete();
    }
    context.services.add(field.value.name.value_or(""), field.value.name ? field.value.name.where : field.where,
                         context.problems);
    read_service(context, index, field.value);
  }
}

void read_clients(Context& context) {
  if (!context.file.clients.given) {
    context.clients.mark_incomplete();
  }
  for (const auto& field : context.file.clients.value) {
    const written::Client& client = field.value;
    const written::Workload& workload = client.workload.value;
    if (!client.name) {
      context.clients.mark_incomplete();
    }
    context.clients.add(client.name.value_or(""), client.name ? client.name.where : field.where, context.problems);
    ClientEntry entry;
    entry.name = client.name.value_or("");
    entry.count = static_cast<std::uint32_t>(client.count.value_or(1));
    if (client.node) {
      entry.node.value = context.nodes.resolve(client.node, context.problems).value_or(0);
    } else if (const auto zone = context.zones.resolve(client.zone, context.problems);
               zone && !context.nodes_of_zone[*zone].empty()) {
      entry.node.value = context.nodes_of_zone[*zone].front();
    }
    entry.workload.service.value = context.services.resolve(workload.service, context.problems).value_or(0);
    entry.workload.rate = workload.rate.value_or(0.0);
    entry.workload.arrivals = workload.arrivals.value_or(0) == 0 ? Arrivals::poisson : Arrivals::periodic;
    if (workload.rate && entry.workload.rate <= 0.0) {
      context.problems.push_back(
          error("SP116", "a client that asks for nothing", workload.rate.where, "must be above 0"));
    }
    context.scenario.clients.push_back(std::move(entry));
  }
}

}  // namespace spillway::scenario::meaning
