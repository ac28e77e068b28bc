// Derives the states that balancers pick from, from EDS and from a proxy's own findings.
#include <algorithm>
#include <utility>

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

// Returns the proxy's own state; null if it has no findings of its own.
Upstreams::State Fleet::own_state(const ProxyCluster& cluster, FlowIndex flow, std::size_t member) {
  if (!cluster.watch || (!cluster.watch->has_flags() && cluster.watch->weights().empty())) {
    return nullptr;
  }
  const ClusterWatch& watch = *cluster.watch;
  const auto flags = watch.flags();
  if (scenario_->clients[cluster.entry.value].zone_proxy) {
    book_->note_own_state(flow);
  }
  for (std::size_t host = 0; host < flags.size(); ++host) {
    if (flags[host] != envoy::HostFlags{}) {
      book_->set_apart(scenario_->services[cluster.service.value].hosts[host].endpoint);
    }
  }
  const Upstreams::State& before = cluster.state ? cluster.state : upstreams_->member_state(flow, member);
  return own_states_.state_with(flow, member, before, {.flags = watch.flags(), .weights = watch.weights()});
}

// Updates the cluster's own state under its flags, then every flow of its client that is balanced over it.
void Fleet::take_own_state(std::uint32_t index, Nanoseconds now) {
  ProxyCluster& cluster = clusters_[index];
  const std::uint32_t client = client_of_cluster(index);
  bool made = false;
  for (const FlowIndex flow : flows_->of_client(cluster.entry)) {
    const auto& members = upstreams_->members(flow);
    const auto member = std::find(members.begin(), members.end(), cluster.service);
    if (member == members.end()) {
      continue;
    }
    const auto position = static_cast<std::size_t>(member - members.begin());
    if (!std::exchange(made, true)) {
      cluster.state = own_state(cluster, flow, position);
    }
    take_state(proxies_[first_proxy(flow) + client], state_of(flow, client), now);
    book_->count_new_state(flow, now);
  }
}

Upstreams::State Fleet::state_of(FlowIndex flow, std::uint32_t client) const {
  const std::vector<std::uint32_t>& places = places_of_flow_[flow.value];
  const auto own = [&](std::uint32_t place) -> const Upstreams::State& {
    return clusters_[cluster_at(flows_->at(flow).client, client, place)].state;
  };
  if (std::none_of(places.begin(), places.end(), own)) {
    return upstreams_->state(flow);
  }
  std::vector<Upstreams::State> members;
  for (std::size_t member = 0; member < places.size(); ++member) {
    const Upstreams::State& state = own(places[member]);
    members.push_back(state ? state : upstreams_->member_state(flow, member));
  }
  return upstreams_->state_over(flow, members);
}

// Returns the times of the last passing checks; empty if no cluster of the flow has checks.
std::vector<Nanoseconds> Fleet::last_hc_passes(FlowIndex flow, std::uint32_t client) const {
  const std::vector<std::uint32_t>& places = places_of_flow_[flow.value];
  std::vector<Nanoseconds> passes;
  bool any = false;
  std::size_t hosts = 0;
  for (auto place = places.begin(); place != places.end(); ++place) {
    if (std::find(places.begin(), place, *place) != place) {
      continue;
    }
    const ProxyCluster& cluster = clusters_[cluster_at(flows_->at(flow).client, client, *place)];
    const auto own = cluster.watch ? cluster.watch->last_hc_pass() : std::span<const Nanoseconds>{};
    any = any || !own.empty();
    if (any) {
      passes.resize(hosts, health::never);
      passes.insert(passes.end(), own.begin(), own.end());
    }
    const scenario::Service& service = scenario_->services[cluster.service.value];
    const std::size_t first_other = service.hosts.size() - service.other_places.size();
    for (std::size_t other = 0; !own.empty() && other < service.other_places.size(); ++other) {
      passes[hosts + first_other + other] = own[service.other_places[other].of.value];
    }
    hosts += scenario_->services[cluster.service.value].hosts.size();
  }
  passes.resize(any ? hosts : 0, health::never);
  return passes;
}

void Fleet::take_state(Proxy& proxy, Upstreams::State state, Nanoseconds now) {
  book_->count_requests(proxy.flow, proxy.state, proxy.sent_in_state, now);
  proxy.sent_in_state = 0;
  book_->note_newcomers(proxy.flow, *proxy.state, *state, now);
  const auto number = static_cast<std::uint32_t>(&proxy - proxies_.data());
  if (log_ != nullptr && started_) {
    if (unsettled_.empty()) {
      agenda_->push(now, EventClass::settled, StatesSettled{});
    }
    unsettled_.try_emplace(number, proxy.state);
  }
  proxy.state = std::move(state);
  const std::uint32_t client = number - first_proxy(proxy.flow);
  const std::vector<Nanoseconds> passes = last_hc_passes(proxy.flow, client);
  for (std::uint32_t worker_number = 0; worker_number < proxy.workers; ++worker_number) {
    Worker& worker = workers_[proxy.first_worker + worker_number];
    worker.balancer.update(proxy.state, worker.draws, proxy.active_requests.view(),
                           {.now = now, .last_hc_pass = passes});
  }
}

void Fleet::take_membership(FlowIndex flow, const scenario::EdsMembership& push, Nanoseconds now) {
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  const ClientClusters& of = clusters_of_client_[entry.value];
  const auto found = std::find(of.services.begin(), of.services.end(), push.service);
  if (found == of.services.end()) {
    return;
  }
  const auto place = static_cast<std::uint32_t>(found - of.services.begin());
  for (std::uint32_t client = 0; client < scenario_->clients[entry.value].count; ++client) {
    const std::uint32_t index = cluster_at(entry, client, place);
    ClusterWatch* const watch = clusters_[index].watch.get();
    for (const config::HostIndex host : push.hosts) {
      if (watch == nullptr) {
        continue;
      }
      if (!push.member) {
        const config::HealthStatus reported = upstreams_->reported(flow, push.service).health[host.value];
        watch->leave(host, reported == config::HealthStatus::unhealthy || reported == config::HealthStatus::timeout);
      } else if (watch->join(host)) {
        for (std::uint32_t check = 0; check < watch->checks_of(host); ++check) {
          push_checks({index, host, check, watch->generation(host)}, now + watch->first_delay(host, check));
        }
      }
    }
  }
}

void Fleet::take_priorities(FlowIndex flow, const scenario::EdsPriority& push) {
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  const ClientClusters& of = clusters_of_client_[entry.value];
  const auto found = std::find(of.services.begin(), of.services.end(), push.service);
  for (std::uint32_t client = 0; found != of.services.end() && client < scenario_->clients[entry.value].count;
       ++client) {
    ProxyCluster& cluster =
        clusters_[cluster_at(entry, client, static_cast<std::uint32_t>(found - of.services.begin()))];
    for (const config::HostIndex host : push.hosts) {
      if (cluster.watch) {
        cluster.watch->move(host, push.priority);
      }
    }
  }
}

void Fleet::take_pushed_states(FlowIndex flow, config::ServiceIndex service, Nanoseconds now) {
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  for (std::uint32_t client = 0; client < scenario_->clients[entry.value].count; ++client) {
    for (std::size_t member = 0; member < upstreams_->members(flow).size(); ++member) {
      ProxyCluster& cluster = clusters_[cluster_at(entry, client, places_of_flow_[flow.value][member])];
      if (!cluster.watch) {
        continue;
      }
      if (cluster.service == service) {
        cluster.watch->overtaken(now);
        if (cluster.watch->reads_load_reports()) {
          (void)cluster.watch->update_weights(now);
        }
      }
      cluster.state = own_state(cluster, flow, member);
    }
    take_state(proxies_[first_proxy(flow) + client], state_of(flow, client), now);
  }
}

void Fleet::take_runtime(FlowIndex flow, Nanoseconds now) {
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  for (std::uint32_t client = 0; client < scenario_->clients[entry.value].count; ++client) {
    std::vector<Upstreams::State> members;
    bool own = false;
    for (std::size_t member = 0; member < upstreams_->members(flow).size(); ++member) {
      ProxyCluster& cluster = clusters_[cluster_at(entry, client, places_of_flow_[flow.value][member])];
      own = own || cluster.state;
      if (cluster.state) {
        cluster.state = upstreams_->under_runtime(flow, member, cluster.state);
      }
      members.push_back(cluster.state ? cluster.state : upstreams_->member_state(flow, member));
    }
    Proxy& proxy = proxies_[first_proxy(flow) + client];
    take_state(proxy, own ? upstreams_->under_runtime(flow, proxy.state, members) : upstreams_->state(flow), now);
  }
}

void Fleet::count_requests(FlowIndex flow, Nanoseconds now) {
  const std::uint32_t begin = first_proxy(flow);
  for (std::uint32_t index = begin; index < begin + scenario_->clients[flows_->at(flow).client.value].count; ++index) {
    Proxy& proxy = proxies_[index];
    if (proxy.sent_in_state > 0) {
      book_->count_requests(flow, proxy.state, proxy.sent_in_state, now);
      proxy.sent_in_state = 0;
    }
  }
}

}  // namespace spillway::run
