#include "sim/run/plain_player.hpp"

#include <algorithm>
#include <functional>
#include <variant>

namespace spillway::run {

using scenario::Outcome;

namespace {

namespace policies = envoy::policies;

constexpr Nanoseconds envoys_timeout = std::chrono::seconds{15};
constexpr std::uint64_t requests_between_looks = 1U << 20U;

bool is_plain(const envoy::Cluster& cluster) {
  return cluster.aggregate_clusters.empty() && !cluster.original_dst && !ClusterWatch::needed(cluster) &&
         !ConnectionPool::needed(cluster.circuit_breakers);
}

struct IsPlainChange {
  bool operator()(const scenario::TellHealth& /*change*/) const { return true; }
  bool operator()(const scenario::TellMembership& /*change*/) const { return true; }
  bool operator()(const scenario::Existence& /*change*/) const { return true; }
  bool operator()(const scenario::RateChange& /*change*/) const { return true; }
  template <class Other>
  bool operator()(const Other& /*change*/) const {
    return false;
  }
};

}  // namespace

bool PlainPlayer::plays(const scenario::Scenario& scenario, const Stations& stations) {
  const auto straight = [&](const scenario::ClientEntry& client) {
    return !client.zone_proxy && client.workload.requests.empty() &&
           is_plain(scenario.services[scenario::services_of(scenario, client).front().value].cluster);
  };
  const auto plain_change = [](const scenario::Change& change) { return std::visit(IsPlainChange{}, change.effect); };
  return stations.all_foreseen() && std::all_of(scenario.clients.begin(), scenario.clients.end(), straight) &&
         std::all_of(scenario.changes.begin(), scenario.changes.end(), plain_change);
}

PlainPlayer::PlainPlayer(const Parts& parts, Way way) : parts_(parts), way_(way) {
  for (const FlowIndex flow : parts_.flows.all()) {
    Entry& entry = entries_.emplace_back();
    entry.flow = flow;
    entry.first_client = static_cast<std::uint32_t>(clients_.size());
    entry.clients = parts_.scenario.clients[parts_.flows.at(flow).client.value].count;
    for (std::uint32_t number = 0; number < entry.clients; ++number) {
      Proxy& proxy = parts_.fleet.proxy(parts_.fleet.first_proxy(flow) + number);
      Client& client = clients_.emplace_back(Client{.draws = proxy.draws, .proxy = &proxy});
      client.active_requests = proxy.active_requests.data();
      client.hosts = static_cast<std::uint32_t>(proxy.active_requests.size());
      // Somebody looks at requests in flight: they have to be known.
      way_ = client.hosts > 0 ? Way::calendar : way_;
    }
  }
  queues_ = parts_.stations.any();
  way_ = queues_ ? Way::calendar : way_;
}

void PlainPlayer::begin() {
  longest_answer_ = Nanoseconds{0};
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    begin_entry(index);
  }
}

void PlainPlayer::begin_entry(std::uint32_t index) {
  Entry& entry = entries_[index];
  for (std::uint32_t number = 0; number < entry.clients; ++number) {
    Client& client = clients_[entry.first_client + number];
    client.draws = client.proxy->draws;
  }
  Proxy& first = *clients_[entry.first_client].proxy;
  entry.state = first.state.get();
  entry.record = &parts_.book.record(entry.flow);
  entry.most_requests = parts_.fleet.cluster(parts_.fleet.cluster_of(parts_.fleet.first_proxy(entry.flow), 0))
                            .breakers[0]
                            .max(health::Resource::requests);
  set_places(entry);
  set_picks(entry);
  entry.counts.assign(entry.places.size() * engine::availabilities, 0);
}

void PlainPlayer::set_places(Entry& entry) {
  const Targets& targets = parts_.book.targets(entry.flow);
  const config::NodeIndex client = parts_.scenario.clients[parts_.flows.at(entry.flow).client.value].node;
  entry.places.resize(targets.size());
  for (std::uint32_t target = 0; target < targets.size(); ++target) {
    Place& place = entry.places[target];
    const config::EndpointIndex endpoint = targets.at(target).endpoint;
    place.foreseen = parts_.stations.foreseen(endpoint);
    const config::NodeIndex node = parts_.scenario.endpoints[endpoint.value].node;
    place.latency = parts_.world.latency(client, node);
    place.answer = 2 * place.latency;
    place.end = !parts_.world.is_on(node) || !parts_.truth.exists(endpoint) ? End::refused
                : parts_.stations.is_constant(endpoint)                     ? End::constant
                                                                            : End::foreseen;
    Nanoseconds usual = place.answer;
    if (place.end == End::constant) {
      place.answer += parts_.scenario.endpoints[endpoint.value].service_time;
      usual = place.answer;
    } else if (place.end == End::foreseen) {
      // Answers beyond it are kept one by one.
      constexpr std::int64_t many_means = 16;
      usual += many_means * parts_.scenario.endpoints[endpoint.value].service_time;
    }
    longest_answer_ = std::max(longest_answer_, std::min(usual, envoys_timeout));
  }
}

// Where every pick goes by a list of the state, which one is a matter of draw % 100.
void PlainPlayer::set_picks(Entry& entry) {
  const envoy::ClusterState& state = *entry.state;
  entry.choices.clear();
  entry.picks = Picks::any;
  if (state.subsets != nullptr || state.fallback != nullptr || !state.hash_tables.empty()) {
    return;
  }
  for (const envoy::PriorityChoice& choice : state.priority_table) {
    const envoy::PickPlan& plan = state.plan(choice.priority, choice.availability);
    if (plan.step != envoy::PickPlan::Step::list) {
      return;
    }
    const auto hosts = state.sources.hosts(plan.list);
    entry.choices.push_back({plan.list, plan.availability, hosts.empty(), hosts});
  }
  const auto take = [&]<class Policy>(Picks picks) {
    if (std::holds_alternative<typename Policy::Config>(state.lb_policy)) {
      entry.picks = picks;
      for (std::uint32_t number = 0; number < entry.clients; ++number) {
        Client& client = clients_[entry.first_client + number];
        client.policy = client.proxy->balancer.list_policy<typename Policy::PickState>();
      }
    }
  };
  take.operator()<policies::random::Policy>(Picks::random);
  take.operator()<policies::round_robin::Policy>(Picks::round_robin);
  take.operator()<policies::least_request::Policy>(Picks::least_request);
  const auto* const config = std::get_if<policies::least_request::Config>(&state.lb_policy);
  const bool unweighted = std::none_of(entry.choices.begin(), entry.choices.end(),
                                       [&](const Choice& choice) { return state.sources.weighted(choice.source); });
  if (config != nullptr && unweighted && config->choice_count == 2 && clients_[entry.first_client].hosts > 0 &&
      config->selection_method == policies::least_request::SelectionMethod::n_choices &&
      config->slow_start_config.slow_start_window <= Nanoseconds{0} && state.profile == config::EnvoyProfile::current) {
    entry.picks = Picks::best_of_two;
  }
}

void PlainPlayer::end() {
  for (Entry& entry : entries_) {
    end_entry(entry);
  }
}

void PlainPlayer::end_entry(Entry& entry) {
  for (std::uint32_t number = 0; number < entry.clients; ++number) {
    Client& client = clients_[entry.first_client + number];
    client.proxy->draws = client.draws;
    client.proxy->sent_in_state += client.sent;
    entry.record->sent += client.sent;
    client.sent = 0;
  }
  for (std::uint32_t row = 0; row < entry.counts.size(); ++row) {
    const std::uint64_t count = entry.counts[row];
    entry.record->requests[row] += count;
    entry.record->attempts[row] += count;
    const Place& place = entry.places[row / engine::availabilities];
    if (count == 0 || way_ == Way::calendar || place.end == End::foreseen) {
      continue;
    }
    const bool late = place.answer > envoys_timeout;
    const Outcome outcome = late                        ? Outcome::timeout
                            : place.end == End::refused ? Outcome::connect_failure
                                                        : Outcome::ok;
    entry.record->count(outcome) += count;
    entry.record->finished += count;
    if (outcome == Outcome::ok) {
      entry.record->latency.add(place.answer, count);
    } else {
      count_lost(entry, row / engine::availabilities, outcome, count);
    }
  }
}

template <class Policy>
PlainPlayer::Picked PlainPlayer::pick_from_list(const Entry& entry, Client& client, Nanoseconds now) const {
  const std::uint64_t draw = client.draws();
  const Choice& choice = entry.choices[draw % 100];
  if (choice.nobody) {
    return {.nobody = true};
  }
  const policies::PickInput input{
      entry.state->sources, choice.source, draw, {client.active_requests, client.hosts}, now};
  const config::HostIndex host =
      static_cast<typename Policy::PickState*>(client.policy)
          ->pick(*std::get_if<typename Policy::Config>(&entry.state->lb_policy), input, client.draws);
  return {host.value, choice.availability, false};
}

template <PlainPlayer::Picks picks>
inline PlainPlayer::Picked PlainPlayer::pick(const Entry& entry, Client& client, Nanoseconds now) const {
  if constexpr (picks == Picks::random) {
    return pick_from_list<policies::random::Policy>(entry, client, now);
  } else if constexpr (picks == Picks::round_robin) {
    return pick_from_list<policies::round_robin::Policy>(entry, client, now);
  } else if constexpr (picks == Picks::least_request) {
    return pick_from_list<policies::least_request::Policy>(entry, client, now);
  } else {
    const auto found = client.proxy->balancer.choose(
        client.draws, {.active_requests = {client.active_requests, client.hosts}, .now = now});
    return found ? Picked{found->host.value, found->availability, false} : Picked{.nobody = true};
  }
}

bool PlainPlayer::play_until(Nanoseconds limit, const std::function<void(Nanoseconds)>& look) {
  const Nanoseconds until = std::min(limit, parts_.scenario.duration);
  bool any = false;
  double rate = 0.0;
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    any = any || parts_.arrivals[index]->next().at < until;
    rate += parts_.arrivals[index]->rate() * entries_[index].clients;
  }
  if (!any) {
    return true;
  }
  begin();
  // In pieces, so that somebody can look on.
  const auto piece = Nanoseconds{static_cast<std::int64_t>(
      std::clamp(1e9 * static_cast<double>(requests_between_looks) / std::max(rate, 1.0), 1.0, 1e17))};
  Nanoseconds reached = parts_.scenario.duration;
  for (const engine::Arrivals* const arrivals : parts_.arrivals) {
    reached = std::min(reached, arrivals->next().at);
  }
  const bool ahead = way_ == Way::calendar && entries_.size() == 1 && entries_.front().picks == Picks::best_of_two;
  while (reached < until) {
    reached = until - reached > piece ? reached + piece : until;
    if (!(alone() ? play_each(reached) : ahead ? play_ahead(reached) : play_merged(reached))) {
      return false;
    }
    look(reached);
  }
  end();
  return true;
}

// Whether entries know nothing of each other: no queue in common, and no stream of service times.
bool PlainPlayer::alone() const noexcept {
  return way_ == Way::bounded && (entries_.size() == 1 || parts_.stations.draws_nothing());
}

bool PlainPlayer::play_each(Nanoseconds limit) {
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    bool well = false;
    switch (entries_[index].picks) {
      case Picks::any:
        well = play_entry<Picks::any>(index, limit);
        break;
      case Picks::random:
        well = play_entry<Picks::random>(index, limit);
        break;
      case Picks::round_robin:
        well = play_entry<Picks::round_robin>(index, limit);
        break;
      case Picks::least_request:
      case Picks::best_of_two:
        well = play_entry<Picks::least_request>(index, limit);
        break;
    }
    if (!well) {
      return false;
    }
  }
  return true;
}

template <PlainPlayer::Picks picks>
bool PlainPlayer::play_entry(std::uint32_t index, Nanoseconds limit) {
  Entry& entry = entries_[index];
  return parts_.arrivals[index]->play_until(limit, [&](const engine::Arrival& arrival) {
    Client& client = clients_[entry.first_client + arrival.client];
    ++client.sent;
    const Picked picked = pick<picks>(entry, client, arrival.at);
    return send(entry, entry.first_client + arrival.client, picked, arrival.at);
  });
}

bool PlainPlayer::play_merged(Nanoseconds limit) {
  while (true) {
    std::uint32_t index = 0;
    for (std::uint32_t other = 1; other < entries_.size(); ++other) {
      index = parts_.arrivals[other]->next().at < parts_.arrivals[index]->next().at ? other : index;
    }
    const engine::Arrival arrival = parts_.arrivals[index]->next();
    if (std::min(arrival.at, calendar_.next_time()) >= limit) {
      return true;
    }
    if (calendar_.next_time() <= arrival.at) {
      end_first();
      continue;
    }
    parts_.arrivals[index]->advance();
    Entry& entry = entries_[index];
    const std::uint32_t number = entry.first_client + arrival.client;
    Client& client = clients_[number];
    ++client.sent;
    const Picked picked = entry.picks >= Picks::least_request ? pick<Picks::least_request>(entry, client, arrival.at)
                          : entry.picks == Picks::round_robin ? pick<Picks::round_robin>(entry, client, arrival.at)
                          : entry.picks == Picks::random      ? pick<Picks::random>(entry, client, arrival.at)
                                                              : pick<Picks::any>(entry, client, arrival.at);
    if (!send(entry, number, picked, arrival.at)) {
      return false;
    }
  }
}

// The first request in flight is over.
void PlainPlayer::end_first() noexcept {
  const InFlight over = calendar_.pop();
  --clients_[over.client].in_flight;
  if (over.active_requests != nullptr) {
    --*over.active_requests;
  }
  // What the next one will touch is on its way meanwhile.
  if (calendar_.size() > 0) {
    const InFlight& next = calendar_.next();
    __builtin_prefetch(next.active_requests, 1);
    __builtin_prefetch(&clients_[next.client].in_flight, 1);
  }
}

// The draws of a request that is sent for sure; the memory that choosing needs is on its way afterwards.
PlainPlayer::Ahead PlainPlayer::look_ahead(const Entry& entry, const engine::Arrival& arrival) {
  Ahead ahead{.at = arrival.at, .client = entry.first_client + arrival.client};
  Client& client = clients_[ahead.client];
  const Choice& choice = entry.choices[client.draws() % 100];
  ahead.nobody = choice.nobody;
  ahead.availability = choice.availability;
  if (!choice.nobody) {
    ahead.first = choice.hosts[client.draws() % choice.hosts.size()].value;
    ahead.second = choice.hosts[client.draws() % choice.hosts.size()].value;
    __builtin_prefetch(client.active_requests + ahead.first, 1);
    __builtin_prefetch(client.active_requests + ahead.second, 1);
    __builtin_prefetch(&entry.places[ahead.first]);
    __builtin_prefetch(&entry.places[ahead.second]);
  }
  return ahead;
}

// What the host will touch that would be chosen now, and probably will be.
void PlainPlayer::prefetch_likely(const Entry& entry, const Ahead& ahead) const noexcept {
  if (ahead.nobody) {
    return;
  }
  const std::uint32_t* const active = clients_[ahead.client].active_requests;
  const std::uint32_t host = active[ahead.second] < active[ahead.first] ? ahead.second : ahead.first;
  entry.places[host].foreseen.prefetch();
  __builtin_prefetch(&entry.counts[engine::row_of(host, ahead.availability)], 1);
}

// One entry whose clients choose the better of two hosts: draws are made a few requests ahead, since no happening
// changes them, and processors wait for memory no longer.
bool PlainPlayer::play_ahead(Nanoseconds limit) {
  constexpr std::size_t few = 16;
  constexpr std::size_t fewer = 6;
  Entry& entry = entries_.front();
  Ahead line[few];
  std::size_t first = 0;
  std::size_t count = 0;
  const auto send_first = [&] {
    const Ahead& request = line[first % few];
    while (calendar_.next_time() <= request.at) {
      end_first();
    }
    if (count > fewer) {
      prefetch_likely(entry, line[(first + fewer) % few]);
    }
    Client& client = clients_[request.client];
    ++client.sent;
    const bool second =
        !request.nobody && client.active_requests[request.second] < client.active_requests[request.first];
    const Picked picked{second ? request.second : request.first, request.availability, request.nobody};
    ++first;
    --count;
    return send(entry, request.client, picked, request.at);
  };
  bool well = parts_.arrivals.front()->play_until(limit, [&](const engine::Arrival& arrival) {
    line[(first + count) % few] = look_ahead(entry, arrival);
    return ++count < few || send_first();
  });
  while (well && count > 0) {
    well = send_first();
  }
  while (calendar_.next_time() < limit) {
    end_first();
  }
  return well;
}

inline bool PlainPlayer::send(Entry& entry, std::uint32_t number, const Picked& picked, Nanoseconds now) {
  if (picked.nobody) {
    ++entry.record->count(Outcome::no_healthy_upstream);
    ++entry.record->finished;
    return true;
  }
  Client& client = clients_[number];
  const std::uint32_t row = engine::row_of(picked.host, picked.availability);
  ++entry.counts[row];
  Place& place = entry.places[picked.host];
  if (way_ == Way::bounded) {
    if (place.end == End::foreseen) {
      const Nanoseconds end = finish(entry, place, now);
      if (end - now > longest_answer_) {
        late_.push_back(end);
        std::push_heap(late_.begin(), late_.end(), std::greater<>());
      }
    }
    return is_bounded(entry, client, now);
  }
  if (client.in_flight >= entry.most_requests) {
    count_lost(entry, picked.host, Outcome::overflow, 1);
    ++entry.record->count(Outcome::overflow);
    ++entry.record->finished;
    return true;
  }
  ++client.in_flight;
  std::uint32_t* const active = client.hosts > 0 ? client.active_requests + picked.host : nullptr;
  if (active != nullptr) {
    ++*active;
  }
  calendar_.push({finish(entry, place, now), active, number});
  return true;
}

// Whether the circuit breaker lets this request pass for sure.
inline bool PlainPlayer::is_bounded(const Entry& entry, Client& client, Nanoseconds now) {
  if (const Nanoseconds passed = now - client.window; passed > longest_answer_) {
    client.in_last_window = passed > 2 * longest_answer_ ? 0 : client.in_window;
    client.in_window = 0;
    client.window = now;
  }
  ++client.in_window;
  while (!late_.empty() && late_.front() <= now) {
    std::pop_heap(late_.begin(), late_.end(), std::greater<>());
    late_.pop_back();
  }
  return client.in_window + client.in_last_window + late_.size() <= entry.most_requests;
}

// Writes down what becomes of the request, and says when it is over.
Nanoseconds PlainPlayer::finish(Entry& entry, Place& place, Nanoseconds now) {
  Nanoseconds end = now + place.answer;
  Outcome outcome = place.end == End::refused ? Outcome::connect_failure : Outcome::ok;
  if (place.end == End::foreseen) {
    const auto answer = place.foreseen.answer(place.latency, now);
    outcome = answer ? Outcome::ok : Outcome::queue_full;
    end = answer.value_or(end);
  }
  if (end - now > envoys_timeout) {
    end = now + envoys_timeout;
    outcome = Outcome::timeout;
  }
  ++entry.record->count(outcome);
  ++entry.record->finished;
  if (outcome == Outcome::ok) {
    entry.record->latency.add(end - now);
  } else {
    count_lost(entry, static_cast<std::uint32_t>(&place - entry.places.data()), outcome, 1);
  }
  return end;
}

void PlainPlayer::count_lost(const Entry& entry, std::uint32_t target, Outcome outcome, std::uint64_t attempts) {
  using Lost = CrossZoneBook::Lost;
  const bool sent = outcome != Outcome::overflow && outcome != Outcome::connect_failure;
  parts_.book.count_lost(entry.flow, parts_.book.epoch(entry.flow), target, sent ? Lost::answer : Lost::everything,
                         attempts);
}

}  // namespace spillway::run
