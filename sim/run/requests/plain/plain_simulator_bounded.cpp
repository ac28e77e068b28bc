// The loop of PlainSimulator (plain_simulator.hpp) for one entry at a time, without a calendar, and its picks.
#include <algorithm>
#include <span>
#include <variant>

#include "models/envoy/host_sources.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/proxies/worker.hpp"
#include "sim/run/requests/plain/plain_simulator.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

template <class Policy>
PlainSimulator::Picked PlainSimulator::pick_from_list(const Entry& entry, Client& client, Nanoseconds now) const {
  const std::uint64_t draw = client.draws();
  const Choice& choice = entry.choices[draw % 100];
  if (choice.nobody) {
    return {.nobody = true};
  }
  const envoy::policies::PickInput input{entry.state->sources, choice.source, draw,
                                         client.proxy->active_requests.view(), now};
  const config::HostIndex host =
      static_cast<typename Policy::PickState*>(client.policy)
          ->pick(*std::get_if<typename Policy::Config>(&entry.state->lb_policy), input, client.draws);
  return {host.value, choice.availability, false};
}

template <PlainSimulator::Picks picks>
inline PlainSimulator::Picked PlainSimulator::pick(const Entry& entry, Client& client, Nanoseconds now) const {
  if constexpr (picks == Picks::random || picks == Picks::cursors) {
    const std::uint64_t draw = client.draws();
    const Choice& choice = entry.choices[draw % 100];
    if (choice.nobody) {
      return {.nobody = true};
    }
    const std::uint64_t number = picks == Picks::random ? draw : client.cursors[choice.source.value]++;
    return {choice.hosts[choice.by_hosts(number)].value, choice.availability, false};
  } else if constexpr (picks == Picks::round_robin) {
    return pick_from_list<envoy::policies::round_robin::Policy>(entry, client, now);
  } else if constexpr (picks == Picks::least_request) {
    return pick_from_list<envoy::policies::least_request::Policy>(entry, client, now);
  } else {
    const Demand& demand = entry.demand != nullptr
                               ? *entry.demand
                               : parts_.traffic.choose(entry.client, parts_.entries[entry.client.value].kinds);
    Worker& worker = parts_.fleet.worker(client.proxy->next_worker());
    const auto found = worker.balancer.choose(worker.draws, {.active_requests = client.proxy->active_requests.view(),
                                                             .now = now,
                                                             .hash = demand.hash,
                                                             .request = demand.request,
                                                             .criteria = demand.criteria});
    return found ? Picked{found->host.value, found->availability, false} : Picked{.nobody = true};
  }
}

PlainSimulator::Picked PlainSimulator::pick(const Entry& entry, Client& client, Nanoseconds now) const {
  switch (entry.picks) {
    case Picks::any:
      break;
    case Picks::random:
      return pick<Picks::random>(entry, client, now);
    case Picks::cursors:
      return pick<Picks::cursors>(entry, client, now);
    case Picks::round_robin:
      return pick<Picks::round_robin>(entry, client, now);
    case Picks::least_request:
    case Picks::best_of_two:
      return pick<Picks::least_request>(entry, client, now);
  }
  return pick<Picks::any>(entry, client, now);
}

bool PlainSimulator::simulate_each(Nanoseconds limit) {
  const auto simulate = [&](std::uint32_t index) {
    switch (entries_[index].picks) {
      case Picks::any:
        break;
      case Picks::random:
        return simulate_entry<Picks::random>(index, limit);
      case Picks::cursors:
        return simulate_entry<Picks::cursors>(index, limit);
      case Picks::round_robin:
        return simulate_entry<Picks::round_robin>(index, limit);
      case Picks::least_request:
      case Picks::best_of_two:
        return simulate_entry<Picks::least_request>(index, limit);
    }
    return simulate_entry<Picks::any>(index, limit);
  };
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    if (!simulate(index)) {
      return false;
    }
  }
  return true;
}

template <PlainSimulator::Picks picks>
bool PlainSimulator::simulate_entry(std::uint32_t index, Nanoseconds limit) {
  return entries_[index].foreseen ? simulate_entry<picks, true>(index, limit)
                                  : simulate_entry<picks, false>(index, limit);
}

template <PlainSimulator::Picks picks, bool foreseen>
bool PlainSimulator::simulate_entry(std::uint32_t index, Nanoseconds limit) {
  Entry& entry = entries_[index];
  Client* const clients = clients_.data() + entry.first_client;
  std::uint64_t* const counts = entry.counts.data();
  engine::Arrivals& arrivals = parts_.entries[index].arrivals;
  while (true) {
    const std::span<const engine::Arrival> batch = arrivals.take(limit);
    if (batch.empty()) {
      return true;
    }
    // Loops with few branches each, so that the processor can execute far ahead.
    Picked all[engine::Arrivals::batch];
    for (std::size_t number = 0; number < batch.size(); ++number) {
      Client& client = clients[batch[number].client];
      ++client.sent;
      const Picked picked = pick<picks>(entry, client, batch[number].at);
      if (foreseen) {
        all[number] = picked;
      } else if (picked.nobody) {
        count_not_ok(entry, entry.without_host, 1, Nanoseconds{0});
      } else {
        ++counts[engine::row_of(picked.host, picked.availability)];
      }
    }
    if (foreseen) {
      send_bounded(entry, batch, all);
    }
    if (!note_sent(entry, batch.size(), batch.back().at) || met_failure_) {
      return false;
    }
  }
}

// Sends at most one batch. If no endpoint queues, the response time is known.
void PlainSimulator::send_bounded(Entry& entry, std::span<const engine::Arrival> arrivals, const Picked* picked) {
  Nanoseconds answers[engine::Arrivals::batch];
  std::size_t answered = 0;
  Place* const places = entry.places.data();
  std::uint64_t* const counts = entry.counts.data();
  for (const engine::Arrival& arrival : arrivals) {
    const Picked to = *picked++;
    if (to.nobody) {
      count_not_ok(entry, entry.without_host, 1, Nanoseconds{0});
      continue;
    }
    ++counts[engine::row_of(to.host, to.availability)];
    Place& place = places[to.host];
    if (place.end != End::foreseen) {
      continue;
    }
    const Nanoseconds answer = 2 * place.latency + place.foreseen.time();
    if (answer <= longest_answer_ && answer <= entry.timeout) {
      answers[answered++] = answer;
    } else {
      send_late(entry, to.host, arrival.at, answer);
    }
  }
  entry.record->latency.add(std::span<const Nanoseconds>(answers, answered));
}

void PlainSimulator::send_late(Entry& entry, std::uint32_t target, Nanoseconds now, Nanoseconds answer) {
  entry.late.push_back(now + std::min(answer, entry.timeout));
  if (answer <= entry.timeout) {
    entry.record->latency.add(answer);
  } else {
    count_not_ok(entry, scenario::Outcome::timeout, 1, entry.timeout);
    count_lost(entry, target, scenario::Outcome::timeout, 1);
  }
}

// True if no client's circuit breaker can have been reached in this window. A client's requests in flight were sent in
// this window or the one before, or take longer than a window.
bool PlainSimulator::is_bounded(Entry& entry) {
  const std::span<const Client> clients(clients_.data() + entry.first_client, entry.clients);
  return std::all_of(clients.begin(), clients.end(), [&](const Client& client) {
    return client.sent - client.before_last_window + entry.late.size() <= entry.most_requests;
  });
}

// Counts sent requests; returns false if the breaker's bound was reached. Checks all clients only after several
// requests per client, because the check is O(clients).
bool PlainSimulator::note_sent(Entry& entry, std::uint64_t requests, Nanoseconds now) {
  constexpr std::uint64_t for_each_client = 4;
  entry.in_window += requests;
  if (now - entry.window < longest_answer_ || entry.in_window < for_each_client * entry.clients) {
    return true;
  }
  if (!is_bounded(entry)) {
    return false;
  }
  for (std::uint32_t number = 0; number < entry.clients; ++number) {
    Client& client = clients_[entry.first_client + number];
    client.before_last_window = client.before_window;
    client.before_window = client.sent;
  }
  std::erase_if(entry.late, [now](Nanoseconds end) { return end <= now; });
  entry.window = now;
  entry.in_window = 0;
  return true;
}

}  // namespace spillway::run
