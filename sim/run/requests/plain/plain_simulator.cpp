#include "sim/run/requests/plain/plain_simulator.hpp"

#include <algorithm>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/host_sources.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/proxies/worker.hpp"
#include "sim/run/records/cross_zone_book.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/plain/plain_scenario.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

using scenario::Outcome;

namespace policies = envoy::policies;

PlainSimulator::PlainSimulator(const RequestParts& parts, Way way)
    : parts_(parts), way_(way), merged_(arrivals_of(parts.entries)) {
  for (const FlowIndex flow : parts_.flows.all()) {
    Entry& entry = entries_.emplace_back();
    entry.number = static_cast<std::uint32_t>(entries_.size()) - 1;
    entry.flow = flow;
    entry.leader = parts_.flows.leader(flow);
    entry.client = parts_.flows.at(flow).client;
    set_demand(entry);
    entry.first_client = static_cast<std::uint32_t>(clients_.size());
    entry.clients = parts_.scenario.clients[parts_.flows.at(flow).client.value].count;
    for (std::uint32_t number = 0; number < entry.clients; ++number) {
      Proxy& proxy = parts_.fleet.proxy(parts_.fleet.first_proxy(flow) + number);
      Worker& worker = parts_.fleet.worker(proxy.first_worker);
      Client& client = clients_.emplace_back(Client{.draws = worker.draws, .proxy = &proxy, .worker = &worker});
      client.active_requests = proxy.active_requests.dense();
      client.sparse = proxy.active_requests.sparse();
      client.counts = !proxy.active_requests.empty();
      // Requests in flight are read, so they must be counted.
      way_ = client.counts ? Way::calendar : way_;
    }
  }
  for (const scenario::ClientEntry& client : parts_.scenario.clients) {
    closed_ = closed_ || client.workload.users > 0;
  }
  way_ = closed_ ? Way::calendar : way_;
  // Entries are independent if they share no queue and no stream of service times.
  const bool independent = entries_.size() == 1 || parts_.server_queues.draws_nothing();
  way_ = parts_.server_queues.any() || !independent ? Way::calendar : way_;
}

void PlainSimulator::set_demand(Entry& entry) {
  const std::span<const Demand> demands = parts_.traffic.demands_of_client(entry.client);
  const envoy::Cluster& cluster = parts_.scenario.services[parts_.flows.at(entry.flow).service.value].cluster;
  entry.demand = demands.size() == 1 ? &demands.front() : nullptr;
  entry.timeout = timeout_of(demands.front());
  entry.without_host = demands.front().without_host;
  entry.routing_priority = demands.front().routing_priority();
  entry.failures_matter = ClusterWatch::needed(cluster) || std::any_of(demands.begin(), demands.end(), retries);
  entry.timeouts_matter = std::any_of(demands.begin(), demands.end(), timeouts_matter);
}

void PlainSimulator::begin() {
  for (auto& [whose, places] : places_) {
    places.up_to_date = false;
  }
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    begin_entry(index);
  }
}

void PlainSimulator::begin_entry(std::uint32_t index) {
  Entry& entry = entries_[index];
  for (std::uint32_t number = 0; number < entry.clients; ++number) {
    Client& client = clients_[entry.first_client + number];
    client.draws = client.worker->draws;
  }
  Proxy& first = *clients_[entry.first_client].proxy;
  entry.state = first.state.get();
  entry.record = &parts_.book.record(entry.flow);
  entry.most_requests = parts_.fleet.cluster(parts_.fleet.cluster_of(parts_.fleet.first_proxy(entry.flow), 0))
                            .breakers[entry.routing_priority]
                            .max(health::Resource::requests);
  Places& places = places_for(entry);
  entry.places = places.of_targets;
  entry.foreseen = places.foreseen;
  set_picks(entry);
  entry.counts.assign(entry.places.size() * engine::availabilities, 0);
}

PlainSimulator::Places& PlainSimulator::places_for(const Entry& entry) {
  const Targets& targets = parts_.book.targets(entry.flow);
  const config::NodeIndex client = parts_.scenario.clients[parts_.flows.at(entry.flow).client.value].node;
  Places& places = places_[{parts_.flows.at(entry.flow).service, client}];
  if (places.up_to_date) {
    return places;
  }
  places.up_to_date = true;
  places.of_targets.resize(targets.size());
  places.foreseen = false;
  for (std::uint32_t target = 0; target < targets.size(); ++target) {
    Place& place = places.of_targets[target];
    const config::EndpointIndex endpoint = targets.at(target).endpoint;
    place.foreseen = parts_.server_queues.foreseen(endpoint);
    const config::NodeIndex node = parts_.scenario.endpoints[endpoint.value].node;
    place.latency = parts_.world.latency(client, node);
    place.answer = 2 * place.latency;
    place.end = !parts_.world.is_on(node) || !parts_.truth.exists(endpoint) ? End::refused
                : parts_.server_queues.is_constant(endpoint)                ? End::constant
                                                                            : End::foreseen;
    if (place.end == End::foreseen && place.latency > Nanoseconds{0} && !parts_.server_queues.in_order(endpoint)) {
      place.line = approaching_.line_of(place.latency);
    } else {
      place.line = plain::straight;
    }
    Nanoseconds usual = place.answer;
    if (place.end == End::constant) {
      place.answer += parts_.scenario.endpoints[endpoint.value].service_time;
      usual = place.answer;
    } else if (place.end == End::foreseen) {
      places.foreseen = true;
      // Longer responses are stored one by one.
      constexpr std::int64_t many_means = 16;
      usual += many_means * parts_.scenario.endpoints[endpoint.value].service_time;
    }
    longest_answer_ = std::max(longest_answer_, usual);
  }
  return places;
}

// Sets how picks are made. If every pick uses one list of the state, draw % 100 decides which.
void PlainSimulator::set_picks(Entry& entry) {
  const envoy::ClusterState& state = *entry.state;
  entry.choices.clear();
  entry.only_choice = nullptr;
  entry.picks = Picks::any;
  const bool several_workers = clients_[entry.first_client].proxy->workers > 1;
  if (several_workers || entry.demand == nullptr || state.subsets != nullptr || state.fallback != nullptr ||
      !state.hash_tables.empty()) {
    return;
  }
  for (const envoy::PriorityChoice& choice : state.priority_table) {
    const envoy::PickPlan& plan = state.plan(choice.priority, choice.availability);
    if (plan.step != envoy::PickPlan::Step::list) {
      return;
    }
    const auto hosts = state.sources.hosts(plan.list);
    entry.choices.push_back({hosts, numeric::Remainder(std::max<std::size_t>(hosts.size(), 1)), plan.list,
                             plan.availability, hosts.empty()});
  }
  const Choice& first = entry.choices.front();
  const bool only = std::all_of(entry.choices.begin(), entry.choices.end(), [&](const Choice& choice) {
    return choice.source == first.source && choice.availability == first.availability && choice.nobody == first.nobody;
  });
  entry.only_choice = only ? &first : nullptr;
  set_policies(entry);
}

void PlainSimulator::set_policies(Entry& entry) {
  const envoy::ClusterState& state = *entry.state;
  const std::span<Client> clients(clients_.data() + entry.first_client, entry.clients);
  const auto take = [&]<class Policy>(Picks picks) {
    if (std::holds_alternative<typename Policy::Config>(state.lb_policy)) {
      entry.picks = picks;
      for (Client& client : clients) {
        client.policy = client.worker->balancer.list_policy<typename Policy::PickState>();
      }
    }
  };
  take.operator()<policies::random::Policy>(Picks::random);
  take.operator()<policies::round_robin::Policy>(Picks::round_robin);
  take.operator()<policies::least_request::Policy>(Picks::least_request);
  if (entry.picks == Picks::round_robin) {
    bool all = true;
    for (Client& client : clients) {
      const auto cursors = static_cast<policies::round_robin::PickState*>(client.policy)->cursors();
      client.cursors = cursors.data();
      all = all && !cursors.empty();
    }
    entry.picks = all ? Picks::cursors : Picks::round_robin;
  }
  const auto* const config = std::get_if<policies::least_request::Config>(&state.lb_policy);
  const bool unweighted = std::none_of(entry.choices.begin(), entry.choices.end(),
                                       [&](const Choice& choice) { return state.sources.weighted(choice.source); });
  if (config != nullptr && unweighted && config->choice_count == 2 && clients.front().counts &&
      config->selection_method == policies::least_request::SelectionMethod::n_choices &&
      config->slow_start_config.slow_start_window <= Nanoseconds{0} && state.profile != config::EnvoyProfile::seed) {
    entry.picks = Picks::best_of_two;
  }
}

void PlainSimulator::end() {
  for (Entry& entry : entries_) {
    end_entry(entry);
  }
}

void PlainSimulator::end_entry(Entry& entry) {
  std::uint64_t sent = 0;
  for (std::uint32_t number = 0; number < entry.clients; ++number) {
    Client& client = clients_[entry.first_client + number];
    if (entry.picks != Picks::any) {
      client.worker->draws = client.draws;
    }
    client.proxy->sent_in_state += client.sent - client.counted;
    sent += client.sent - client.counted;
    client.counted = client.sent;
  }
  for (std::uint32_t row = 0; row < entry.counts.size(); ++row) {
    entry.record->requests[row] += entry.counts[row];
    if (entry.counts[row] > 0 && way_ == Way::bounded) {
      count_foregone(entry, row);
    }
  }
  entry.record->sent += sent;
  entry.record->finished += sent - entry.on_the_way;
  entry.record->outcomes[Outcome::ok] += sent - entry.on_the_way - entry.not_ok;
  entry.not_ok = 0;
  entry.on_the_way = 0;
}

// Counts the outcomes of requests that were not recorded one by one, since all have the same outcome.
void PlainSimulator::count_foregone(Entry& entry, std::uint32_t row) {
  const Place& place = entry.places[row / engine::availabilities];
  if (place.end == End::foreseen) {
    return;
  }
  const std::uint64_t count = entry.counts[row];
  if (place.answer <= entry.timeout && place.end != End::refused) {
    entry.record->latency.add(place.answer, count);
    return;
  }
  const Outcome outcome = place.answer > entry.timeout ? Outcome::timeout : Outcome::connect_failure;
  count_not_ok(entry, outcome, count, std::min(place.answer, entry.timeout));
  count_lost(entry, row / engine::availabilities, outcome, count);
}

// Finishes a request that gets no response, or gets it too late.
Nanoseconds PlainSimulator::finish_badly(Entry& entry, const Place& place, Nanoseconds now, Nanoseconds answer) {
  Nanoseconds end = answer == ServerQueues::Foreseen::never() ? now + place.answer : answer;
  Outcome outcome = place.end == End::refused ? Outcome::connect_failure : Outcome::queue_full;
  if (end - now > entry.timeout) {
    end = now + entry.timeout;
    outcome = Outcome::timeout;
  }
  count_not_ok(entry, outcome, 1, end - now);
  count_lost(entry, static_cast<std::uint32_t>(&place - entry.places.data()), outcome, 1);
  return end;
}

void PlainSimulator::note_turned_away(const Entry& entry, std::uint32_t number, Nanoseconds now) {
  const std::uint32_t proxy = parts_.fleet.first_proxy(entry.flow) + number - entry.first_client;
  parts_.fleet.turned_away(parts_.fleet.cluster_of(proxy, 0), health::Resource::requests, entry.most_requests, now);
}

void PlainSimulator::note_let_in(const Entry& entry, std::uint32_t number, Nanoseconds now) {
  const std::uint32_t proxy = parts_.fleet.first_proxy(entry.flow) + number - entry.first_client;
  const std::uint32_t cluster = parts_.fleet.cluster_of(proxy, 0);
  if (parts_.fleet.cluster(cluster).turns_away) {
    parts_.fleet.let_in(cluster, health::Resource::requests, now);
  }
}

void PlainSimulator::end_at_once(const Entry& entry, std::uint32_t number, Nanoseconds now) {
  if (closed_) {
    parts_.users.answered(entry.client, number - entry.first_client, now, Nanoseconds{0});
  }
}

void PlainSimulator::count_lost(const Entry& entry, std::uint32_t target, Outcome outcome, std::uint64_t attempts) {
  count_lost(entry, parts_.book.epoch(entry.flow), target, outcome, attempts);
}

void PlainSimulator::count_lost(const Entry& entry, std::uint32_t epoch, std::uint32_t target, Outcome outcome,
                                std::uint64_t attempts) {
  using Lost = CrossZoneBook::Lost;
  const bool sent = outcome != Outcome::overflow && outcome != Outcome::connect_failure;
  parts_.book.count_lost(entry.flow, epoch, target, sent ? Lost::answer : Lost::everything, attempts);
}

}  // namespace spillway::run
