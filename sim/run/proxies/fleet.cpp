#include "sim/run/proxies/fleet.hpp"

#include <algorithm>

#include "models/envoy/cluster_state.hpp"
#include "sim/engine/entity.hpp"
#include "sim/engine/large_pages.hpp"
#include "sim/run/proxies/checks.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

namespace {

bool counts_active_requests(const scenario::Scenario& scenario, const std::vector<config::ServiceIndex>& members) {
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return envoy::policies::reads_active_requests(scenario.services[member.value].cluster.lb_policy);
  });
}

// Returns the request counters of hosts that change their priority; null if none does.
std::shared_ptr<const RequestCounts::OfOneHost> counters_of_one_host(const scenario::Scenario& scenario,
                                                                     const std::vector<config::ServiceIndex>& members) {
  RequestCounts::OfOneHost counters;
  std::size_t first = 0;
  for (const config::ServiceIndex member : members) {
    const scenario::Service& service = scenario.services[member.value];
    const std::size_t first_other = service.hosts.size() - service.other_places.size();
    for (std::size_t other = 0; other < service.other_places.size(); ++other) {
      const std::size_t host = first + service.other_places[other].of.value;
      std::vector<std::size_t>& of_host = counters[host];
      of_host.resize(std::max<std::size_t>(of_host.size(), 1), host);
      of_host.push_back(first + first_other + other);
    }
    first += service.hosts.size();
  }
  const RequestCounts::OfOneHost by_first = counters;
  for (const auto& [host, of_host] : by_first) {
    for (const std::size_t counter : of_host) {
      counters[counter] = of_host;
    }
  }
  return counters.empty() ? nullptr : std::make_shared<const RequestCounts::OfOneHost>(std::move(counters));
}

// Grows the heap at once, in large pages: each request looks up a proxy's state of its host.
void expect_memory_of_proxies(const scenario::Scenario& scenario, const Flows& flows) {
  std::size_t bytes = 0;
  for (const FlowIndex flow : flows.all()) {
    const scenario::Service& service = scenario.services[flows.at(flow).service.value];
    const scenario::ClientEntry& client = scenario.clients[flows.at(flow).client.value];
    constexpr std::size_t watched = 28;
    constexpr std::size_t connected = 12;
    constexpr std::size_t otherwise = 4;
    const std::size_t of_host = (ClusterWatch::needed(service.cluster) ? watched : 0) +
                                (ConnectionPool::needed(service.cluster) ? connected : 0) + otherwise;
    bytes += of_host * service.hosts.size() * client.count;
  }
  constexpr std::size_t worth_it = std::size_t{32} << 20U;
  constexpr std::size_t most = std::size_t{1} << 30U;
  if (bytes >= worth_it) {
    engine::expect_memory(std::min(bytes, most));
  }
}

// Returns the limits that apply. Over HTTP/2 connections are not counted, but the first connection to a host is opened
// by a pending request: without room for one, no request gets through.
config::CircuitBreakers effective_limits(const envoy::Cluster& cluster) {
  config::CircuitBreakers limits = cluster.circuit_breakers;
  for (config::CircuitBreakerThresholds& thresholds : limits.thresholds) {
    if (cluster.http2 && thresholds.max_pending_requests == 0U) {
      thresholds.max_requests = 0;
    }
  }
  return limits;
}

}  // namespace

Fleet::Fleet(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Upstreams& upstreams,
             Truth& truth, const world::World& world, EpochBook& book, Agenda<Event>& agenda)
    : scenario_(&scenario),
      seed_(seed),
      flows_(&flows),
      upstreams_(&upstreams),
      own_states_(upstreams),
      truth_(&truth),
      world_(&world),
      book_(&book),
      agenda_(&agenda),
      clusters_of_client_(scenario.clients.size()),
      places_of_flow_(flows.size()) {
  expect_memory_of_proxies(scenario, flows);
  for (const FlowIndex flow : flows.all()) {
    add_proxies(flow);
    ClientClusters& of = clusters_of_client_[flows.at(flow).client.value];
    for (const config::ServiceIndex member : upstreams.members(flow)) {
      const auto found = std::find(of.services.begin(), of.services.end(), member);
      places_of_flow_[flow.value].push_back(static_cast<std::uint32_t>(found - of.services.begin()));
      if (found == of.services.end()) {
        of.services.push_back(member);
      }
    }
  }
  for (std::uint32_t entry = 0; entry < scenario.clients.size(); ++entry) {
    add_clusters(config::ClientEntryIndex{entry});
  }
  for (std::uint32_t index = 0; index < proxies_.size(); ++index) {
    first_cluster_.push_back(cluster_of(index, 0));
  }
  for (const scenario::Service& service : scenario.services) {
    std::vector<health::CheckResult>& results = results_of_well_.emplace_back();
    for (const config::HealthCheck& check : service.cluster.health_checks) {
      results.push_back(result_of_well(check));
    }
  }
}

void Fleet::add_proxies(FlowIndex flow) {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(flow).client.value];
  const std::string& service = scenario_->services[flows_->at(flow).service.value].name;
  const envoy::Cluster& cluster = scenario_->services[flows_->at(flow).service.value].cluster;
  const bool aggregate = !cluster.aggregate_clusters.empty();
  first_proxy_.push_back(static_cast<std::uint32_t>(proxies_.size()));
  const bool counts = counts_active_requests(*scenario_, upstreams_->members(flow));
  const std::size_t hosts = book_->targets(flow).size();
  const auto of_one_host = counters_of_one_host(*scenario_, upstreams_->members(flow));
  const bool sparse = hosts * client.count > RequestCounts::most_dense;
  for (std::uint32_t number = 0; number < client.count; ++number) {
    const std::uint64_t id = engine::entity(client.name, number, service);
    Proxy& proxy = proxies_.emplace_back(flow, upstreams_->state(flow),
                                         engine::RandomStream({seed_, engine::Purpose::connections, id}));
    proxy.first_worker = static_cast<std::uint32_t>(workers_.size());
    proxy.workers = client.concurrency;
    for (std::uint32_t worker = 0; worker < client.concurrency; ++worker) {
      workers_.emplace_back(proxy.state,
                            engine::RandomStream({seed_, engine::Purpose::balancing, engine::worker_of(id, worker)}));
    }
    if (aggregate) {
      const config::CircuitBreakers& limits = cluster.circuit_breakers;
      proxy.own_breakers = {health::CircuitBreaker(limits, config::RoutingPriority::default_priority),
                            health::CircuitBreaker(limits, config::RoutingPriority::high)};
    }
    if (counts) {
      proxy.active_requests = RequestCounts(hosts, sparse);
      proxy.active_requests.set_of_one_host(of_one_host);
    }
  }
}

void Fleet::add_clusters(config::ClientEntryIndex entry) {
  const scenario::ClientEntry& client = scenario_->clients[entry.value];
  ClientClusters& of = clusters_of_client_[entry.value];
  of.first = static_cast<std::uint32_t>(clusters_.size());
  of.count = static_cast<std::uint32_t>(of.services.size());
  for (std::uint32_t number = 0; number < client.count; ++number) {
    for (const config::ServiceIndex index : of.services) {
      const scenario::Service& service = scenario_->services[index.value];
      ProxyCluster& cluster = clusters_.emplace_back(entry, index, effective_limits(service.cluster));
      if (ConnectionPool::needed(service.cluster)) {
        cluster.pool =
            std::make_unique<ConnectionPool>(service.hosts.size(), client.concurrency, service.cluster.http2);
      }
    }
  }
}

engine::StreamIdentity Fleet::identity_of(std::uint32_t index) const {
  const ProxyCluster& cluster = clusters_[index];
  return {.seed = seed_,
          .purpose = {},
          .entity = engine::entity(scenario_->clients[cluster.entry.value].name, client_of_cluster(index),
                                   scenario_->services[cluster.service.value].name)};
}

void Fleet::watch_hosts() {
  std::vector<std::shared_ptr<const ClusterWatch::Hosts>> hosts(scenario_->services.size());
  for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
    if (!has_watch(index)) {
      continue;
    }
    ProxyCluster& cluster = clusters_[index];
    const scenario::Service& service = scenario_->services[cluster.service.value];
    auto& of_service = hosts[cluster.service.value];
    of_service = of_service ? of_service : std::make_shared<const ClusterWatch::Hosts>(service);
    const std::size_t pairs = service.hosts.size() * scenario_->clients[cluster.entry.value].count;
    cluster.watch = std::make_unique<ClusterWatch>(service, of_service, scenario_->profile.envoy, identity_of(index),
                                                   pairs > RequestCounts::most_dense);
  }
}

void Fleet::start() {
  for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
    if (clusters_[index].watch) {
      warm_up(index);
    } else if (has_watch(index)) {
      take_own_state(index, Nanoseconds{0});
    }
  }
  for (const Proxy& proxy : proxies_) {
    log_priorities(proxy, nullptr, Nanoseconds{0});
  }
  started_ = true;
  for (std::uint32_t service = 0; service < scenario_->services.size(); ++service) {
    const bool watched = std::any_of(clusters_.begin(), clusters_.end(), [&](const ProxyCluster& cluster) {
      return cluster.service.value == service && cluster.watch;
    });
    if (!watched) {
      continue;
    }
    if (const auto& detection = scenario_->services[service].cluster.outlier_detection) {
      agenda_->push(detection->interval, EventClass::sweep, OutlierSweep{config::ServiceIndex{service}});
    }
    if (const auto* const weights = ClusterWatch::reads_load_reports(scenario_->services[service].cluster)) {
      agenda_->push(weights->weight_update_period, EventClass::weights, WeightUpdate{config::ServiceIndex{service}});
    }
  }
}

Fleet::SessionPick Fleet::pick_of_session(std::uint32_t index, std::optional<config::HostIndex> host,
                                          bool strict) const {
  using envoy::stateful_session::SessionChoice;
  const Proxy& proxy = proxies_[index];
  const ProxyCluster& cluster = clusters_[cluster_of(index, 0)];
  const scenario::EdsHosts& reported = upstreams_->reported(proxy.flow, cluster.service);
  const config::HostIndex same =
      host ? scenario::same_host(scenario_->services[cluster.service.value], *host) : config::HostIndex{};
  host = host ? std::optional(reported.place_of(same)) : std::nullopt;
  // A host that has left, but is kept while its checks pass, can still be requested by name.
  const bool kept = host && cluster.watch && cluster.watch->is_member(same);
  const bool known = host && !proxy.state->aggregate && (kept || reported.absent[host->value] == 0);
  std::optional<config::HealthStatus> status;
  if (known) {
    status = envoy::detailed_health(reported.health[host->value],
                                    cluster.watch ? cluster.watch->current_flags(same) : envoy::HostFlags{});
  }
  SessionPick result{envoy::stateful_session::select_host(
      status, strict, scenario_->services[cluster.service.value].cluster.common_lb_config.override_host_status)};
  if (known && result.choice == SessionChoice::override_host) {
    const envoy::Host& entry = proxy.state->hosts.hosts[host->value];
    result.pick = envoy::Pick{*host, entry.priority, envoy::availability_of(entry.flags), 0};
  }
  return result;
}

const config::Struct* Fleet::metadata_of(std::uint32_t index, const envoy::Pick& pick) const {
  const envoy::ClusterState& whole = *proxies_[index].state;
  const envoy::ClusterState& state = whole.aggregate ? *whole.children[pick.child] : whole;
  return state.hosts.endpoints == nullptr ? nullptr : &(*state.hosts.endpoints)[pick.host.value].metadata;
}

void Fleet::connected(std::uint32_t index, config::HostIndex host) {
  clusters_[index].watch->connected(known_as(index, host));
}

void Fleet::report(std::uint32_t index, config::HostIndex host, health::OutlierResult result,
                   std::optional<std::uint32_t> status, Nanoseconds now) {
  const config::HostIndex same = known_as(index, host);
  for (const health::Detection run : clusters_[index].watch->report(same, result, status)) {
    agenda_->push(now, EventClass::ejection, EjectionDecision{index, same, run});
  }
}

void Fleet::fail_immediately(std::uint32_t index, config::HostIndex host, Nanoseconds now) {
  ClusterWatch& watch = *clusters_[index].watch;
  host = known_as(index, host);
  const bool failed = watch.current_flags(host).has(envoy::HostFlag::failed_active_hc);
  const ClusterWatch::Effect effect = watch.fail_immediately(host, now);
  if (!failed && watch.current_flags(host).has(envoy::HostFlag::failed_active_hc)) {
    record_health(index, host, envoy::Health::unhealthy, now);
    log_failed_by_answer(index, host, now);
  }
  follow(index, effect, now);
}

void Fleet::record(std::uint32_t cluster, const health::OutlierEvent& event, bool by_check, Nanoseconds now) {
  using Action = health::OutlierEvent::Action;
  if (event.action == Action::eject || event.action == Action::uneject) {
    const bool ejected = event.action == Action::eject;
    ++(ejected ? events_.ejections : events_.unejections);
    const ProxyCluster& of = clusters_[cluster];
    const config::EndpointIndex endpoint = scenario::endpoint_index(*scenario_, of.service, event.host);
    ejections_.push_back({now, of.entry, of.service, endpoint, ejected, client_of_cluster(cluster)});
  }
  log_outlier(cluster, event, by_check, now);
}

void Fleet::record_health(std::uint32_t cluster, config::HostIndex host, envoy::Health health, Nanoseconds now) {
  const ProxyCluster& of = clusters_[cluster];
  checked_.push_back({now, of.entry, of.service, scenario::endpoint_index(*scenario_, of.service, host), health,
                      client_of_cluster(cluster)});
}

void Fleet::apply(const EjectionDecision& event, Nanoseconds now) {
  ClusterWatch& watch = *clusters_[event.cluster].watch;
  std::optional<health::OutlierEvent> decided;
  const ClusterWatch::Effect effect = watch.decide(event.host, event.run, now, decided);
  if (decided) {
    record(event.cluster, *decided, false, now);
  }
  follow(event.cluster, effect, now);
}

void Fleet::apply(const MergedUpdate& event, Nanoseconds now) {
  if (clusters_[event.cluster].watch->deliver(now)) {
    take_own_state(event.cluster, now);
  }
}

void Fleet::apply(const OutlierSweep& event, Nanoseconds now) {
  for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
    if (clusters_[index].service != event.service || !clusters_[index].watch) {
      continue;
    }
    ClusterWatch& watch = *clusters_[index].watch;
    for (const ClusterWatch::Swept& swept : watch.sweep(now)) {
      record(index, swept.event, false, now);
      follow(index, swept.effect, now);
    }
  }
  const auto& detection = scenario_->services[event.service.value].cluster.outlier_detection;
  agenda_->push(now + detection->interval, EventClass::sweep, event);
}

void Fleet::take_report(std::uint32_t index, config::HostIndex host, Nanoseconds now) {
  ProxyCluster& cluster = clusters_[index];
  if (!cluster.watch->reads_load_reports()) {
    return;
  }
  const auto& report = scenario::endpoint_at(*scenario_, cluster.service, host).load_report;
  if (report) {
    cluster.watch->take_report(known_as(index, host), *report, now);
  }
}

void Fleet::apply(const WeightUpdate& event, Nanoseconds now) {
  for (std::uint32_t index = 0; index < clusters_.size(); ++index) {
    if (clusters_[index].service == event.service && clusters_[index].watch->update_weights(now)) {
      take_own_state(index, now);
    }
  }
  const auto& config = *ClusterWatch::reads_load_reports(scenario_->services[event.service.value].cluster);
  agenda_->push(now + config.weight_update_period, EventClass::weights, event);
}

void Fleet::follow(std::uint32_t cluster, ClusterWatch::Effect effect, Nanoseconds now) {
  if (effect == ClusterWatch::Effect::applied) {
    take_own_state(cluster, now);
  } else if (effect == ClusterWatch::Effect::waits) {
    const Nanoseconds until = now + clusters_[cluster].watch->window();
    agenda_->push(until, EventClass::merged_update, MergedUpdate{cluster});
    if (log_ != nullptr) {
      EventRecord held = event_record(EventKind::update_held, cluster, std::nullopt, now);
      held.until = until;
      log_->add(held);
    }
  }
}

std::uint32_t Fleet::client_of_cluster(std::uint32_t cluster) const noexcept {
  const ClientClusters& of = clusters_of_client_[clusters_[cluster].entry.value];
  return (cluster - of.first) / of.count;
}

}  // namespace spillway::run
