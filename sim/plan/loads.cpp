#include "sim/plan/loads.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "models/config/seconds.hpp"
#include "sim/run/exact_sum.hpp"
#include "sim/run/flows.hpp"
#include "sim/run/traffic.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

constexpr double bytes_of_price = 1e9;

// Requests a second of each client's flow, by entry and service.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates_of_flows(const scenario::Scenario& still) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> rates;
  const run::Flows flows(still);
  const run::Traffic traffic(still, flows);
  for (const run::FlowIndex index : flows.all()) {
    const run::Flow& flow = flows.at(index);
    const scenario::ClientEntry& client = still.clients[flow.client.value];
    rates[{flow.client.value, scenario::asked_for(still, flow.service).value}] +=
        client.workload.rate * client.count * traffic.part_of_client(index);
  }
  return rates;
}

double price_between(const scenario::Scenario& still, config::ZoneIndex from, config::ZoneIndex to) {
  const auto link = scenario::link_between(still, from, to);
  return link ? still.links[link->value].price : 0.0;
}

double weighted(const std::vector<ServiceLoad>& services, double ServiceLoad::* fraction) {
  double sum = 0.0;
  double rate = 0.0;
  for (const ServiceLoad& service : services) {
    sum += service.rate * service.*fraction;
    rate += service.rate;
  }
  return rate > 0.0 ? sum / rate : 0.0;
}

double summed(const std::vector<ServiceLoad>& services, double ServiceLoad::* amount) {
  return std::accumulate(services.begin(), services.end(), 0.0,
                         [&](double sum, const ServiceLoad& service) { return sum + service.*amount; });
}

}  // namespace

double Loads::rate() const {
  return summed(services, &ServiceLoad::rate);
}
double Loads::cost() const {
  return summed(services, &ServiceLoad::cost);
}
double Loads::bytes() const {
  return summed(services, &ServiceLoad::bytes);
}
double Loads::no_host() const {
  return weighted(services, &ServiceLoad::no_host);
}
double Loads::cross_zone() const {
  return weighted(services, &ServiceLoad::cross_zone);
}

std::vector<std::optional<Station>> stations_of(const scenario::Scenario& still) {
  std::vector<std::optional<Station>> stations(still.endpoints.size());
  std::vector<std::optional<std::uint32_t>> of_node(still.nodes.size());
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  std::uint32_t next = 0;
  for (std::size_t index = 0; index < stations.size(); ++index) {
    const scenario::Endpoint& endpoint = still.endpoints[index];
    const auto& shared = still.nodes[endpoint.node.value].servers;
    if (!endpoint.servers && !shared) {
      continue;
    }
    Station station;
    station.seconds = config::seconds(endpoint.service_time) *
                      state.of(config::EndpointIndex{static_cast<std::uint32_t>(index)}).slowness;
    station.cores = (endpoint.servers ? *endpoint.servers : *shared).cores;
    std::optional<std::uint32_t>& number = of_node[endpoint.node.value];
    if (!endpoint.servers && !number) {
      number = next++;
    }
    station.number = endpoint.servers ? next++ : *number;
    stations[index] = station;
  }
  return stations;
}

Loads loads_of(const scenario::Scenario& still, const run::Results& results) {
  Loads loads;
  loads.utilisation.resize(still.endpoints.size());
  loads.rates.resize(still.endpoints.size(), 0.0);
  loads.rates_by_service.resize(still.services.size());
  loads.services.resize(still.services.size());
  std::unordered_map<std::string_view, std::uint32_t> index_of;
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    index_of.emplace(still.endpoints[index].id, index);
  }
  const auto flow_rates = rates_of_flows(still);
  for (const auto& [flow, rate] : flow_rates) {
    if (!still.clients[flow.first].zone_proxy) {
      loads.services[flow.second].rate += rate;
      loads.services[flow.second].no_host += rate;
      loads.rates_by_service[flow.second].resize(still.endpoints.size(), 0.0);
    }
  }
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  loads.exact = run::all_exact(results);
  for (const run::Share& share : results.shares) {
    const auto flow = flow_rates.find({share.client.value, share.service.value});
    const auto endpoint = index_of.find(share.endpoint);
    if (flow == flow_rates.end() || endpoint == index_of.end() || still.clients[share.client.value].zone_proxy) {
      continue;
    }
    const double rate = flow->second * (loads.exact ? *share.exact : share.simulated.value_or(0.0));
    ServiceLoad& service = loads.services[share.service.value];
    if (!state.answers({endpoint->second})) {
      continue;
    }
    service.no_host -= rate;
    loads.rates[endpoint->second] += rate;
    loads.rates_by_service[share.service.value][endpoint->second] += rate;
    const config::ZoneIndex of_client = still.nodes[still.clients[share.client.value].node.value].zone;
    if (still.nodes[still.endpoints[endpoint->second].node.value].zone != of_client) {
      service.cross_zone += rate;
    }
  }
  const double seconds = static_cast<double>(still.duration.count()) * 1e-9;
  for (const run::CrossZone& crossing : results.cross_zone) {
    ServiceLoad& service = loads.services[crossing.service.value];
    const double bytes = (crossing.request_bytes + crossing.response_bytes) / seconds;
    service.bytes += bytes;
    service.cost += bytes / bytes_of_price * seconds_of_month * price_between(still, crossing.from, crossing.to);
  }
  for (ServiceLoad& service : loads.services) {
    service.no_host = service.rate > 0.0 ? std::max(0.0, service.no_host / service.rate) : 0.0;
    service.cross_zone = service.rate > 0.0 ? service.cross_zone / service.rate : 0.0;
    // What is left of all requests after sums of doubles is no request.
    service.no_host = service.no_host < 1e-12 ? 0.0 : service.no_host;
  }
  const std::vector<std::optional<Station>> stations = stations_of(still);
  std::unordered_map<std::uint32_t, double> busy;
  for (std::size_t index = 0; index < stations.size(); ++index) {
    if (stations[index]) {
      busy[stations[index]->number] += loads.rates[index] * stations[index]->seconds;
    }
  }
  for (std::size_t index = 0; index < stations.size(); ++index) {
    if (stations[index]) {
      loads.utilisation[index] = busy[stations[index]->number] / stations[index]->cores;
    }
  }
  for (const run::Epoch& epoch : results.epochs) {
    for (const run::PriorityHealth& priority : epoch.health->priorities) {
      if (priority.panic && !still.clients[epoch.client.value].zone_proxy && priority.load > 0) {
        loads.panics.push_back(fmt::format("{} -> {} P{}", still.clients[epoch.client.value].name,
                                           still.services[epoch.service.value].name, priority.priority.value));
      }
    }
  }
  return loads;
}

}  // namespace spillway::plan
