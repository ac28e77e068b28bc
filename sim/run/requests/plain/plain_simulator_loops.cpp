// The loops of PlainSimulator (plain_simulator.hpp) over all entries: with a calendar, and with users who wait.
#include <algorithm>
#include <span>

#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/plain/plain_simulator.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

namespace {

constexpr std::uint64_t requests_between_looks = 1U << 20U;

}  // namespace

// Records the outcome of the request and returns when it is over.
inline Nanoseconds PlainSimulator::finish(Entry& entry, Place& place, Nanoseconds now) {
  Nanoseconds answer = ServerQueues::Foreseen::never();
  if (place.end == End::foreseen) {
    answer = place.foreseen.answer(place.latency, now);
  } else if (place.end == End::constant) {
    answer = now + place.answer;
  }
  if (answer == ServerQueues::Foreseen::never() || answer - now > entry.timeout) [[unlikely]] {
    return finish_badly(entry, place, now, answer);
  }
  entry.record->latency.add(answer - now);
  return answer;
}

// Sends a request and counts it as in flight: used if requests in flight are read, or if requests queue.
template <bool closed>
inline void PlainSimulator::send(Entry& entry, std::uint32_t number, const Picked& picked, Nanoseconds now) {
  if (picked.nobody) {
    count_not_ok(entry, entry.without_host, 1, Nanoseconds{0});
    end_at_once(entry, number, now);
    return;
  }
  Client& client = clients_[number];
  ++entry.counts[engine::row_of(picked.host, picked.availability)];
  if (client.in_flight >= entry.most_requests) {
    client.turned_away = true;
    note_turned_away(entry, number, now);
    count_not_ok(entry, scenario::Outcome::overflow, 1, Nanoseconds{0});
    count_lost(entry, picked.host, scenario::Outcome::overflow, 1);
    end_at_once(entry, number, now);
    return;
  }
  ++client.in_flight;
  if (client.turned_away) [[unlikely]] {
    client.turned_away = false;
    note_let_in(entry, number, now);
  }
  if (client.active_requests != nullptr) {
    ++client.active_requests[picked.host];
  } else if (client.counts) {
    client.sparse->increase(picked.host);
  }
  Place& place = entry.places[picked.host];
  const std::uint64_t sequence = closed ? answers_.draw_sequence() : 0;
  if (place.line == plain::straight) {
    const std::uint64_t not_ok = entry.not_ok;
    const Nanoseconds end = finish(entry, place, now);
    put_in_flight<closed>(entry, now, end, {number, picked.host}, sequence, entry.not_ok == not_ok);
    return;
  }
  if (place.latency > entry.timeout) {
    count_not_ok(entry, scenario::Outcome::timeout, 1, entry.timeout);
    count_lost(entry, picked.host, scenario::Outcome::timeout, 1);
    put_in_flight<closed>(entry, now, now + entry.timeout, {number, picked.host}, sequence, false);
    approaching_.push(place.line, now, {now, entry.number, parts_.book.epoch(entry.flow), {given_up, picked.host}});
    return;
  }
  ++entry.on_the_way;
  approaching_.push(place.line, now,
                    {now, entry.number, parts_.book.epoch(entry.flow), {number, picked.host}, sequence});
}

bool PlainSimulator::simulate_until(Nanoseconds limit, const std::function<void(Nanoseconds)>& look) {
  const Nanoseconds until = std::min(limit, parts_.scenario.duration);
  Nanoseconds reached = parts_.scenario.duration;
  double rate = 0.0;
  for (std::uint32_t index = 0; index < entries_.size(); ++index) {
    reached = std::min(reached, parts_.entries[index].arrivals.next().at);
    rate += parts_.entries[index].arrivals.rate() * entries_[index].clients;
  }
  if (closed_) {
    reached = std::min({reached, next_answer(), parts_.users.next_time()});
  }
  if (reached >= until && !closed_) {
    return limit < parts_.scenario.duration || arrive_all();
  }
  begin();
  // Simulates in pieces, so that progress can be reported in between.
  const auto piece = Nanoseconds{static_cast<std::int64_t>(
      std::clamp(1e9 * static_cast<double>(requests_between_looks) / std::max(rate, 1.0), 1.0, 1e17))};
  const bool of_two = std::all_of(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) { return entry.picks == Picks::best_of_two; });
  while (reached < until) {
    reached = until - reached > piece ? reached + piece : until;
    if (closed_) {
      simulate_users(reached);
    } else if (way_ == Way::bounded) {
      if (!simulate_each(reached)) {
        return false;
      }
    } else if (of_two) {
      entries_.size() == 1 ? simulate_in_order<true, true>(reached) : simulate_in_order<false, true>(reached);
    } else {
      simulate_in_order<false, false>(reached);
    }
    if (met_failure_) {
      return false;
    }
    look(reached);
  }
  end();
  if (limit >= parts_.scenario.duration && !arrive_all()) {
    return false;
  }
  return !met_failure_ && (way_ == Way::calendar || std::all_of(entries_.begin(), entries_.end(),
                                                                [this](Entry& entry) { return is_bounded(entry); }));
}

// Handles requests that are rejected, time out, or belong to closed-loop users.
void PlainSimulator::reach_badly(Entry& entry, Nanoseconds now, const Approaching& request, Nanoseconds answer) {
  const bool full = answer == ServerQueues::Foreseen::never();
  scenario::Outcome outcome = full ? scenario::Outcome::queue_full : scenario::Outcome::ok;
  Nanoseconds end = full ? now + entry.places[request.of.host].latency : answer;
  if (end - request.sent_at > entry.timeout) {
    end = request.sent_at + entry.timeout;
    outcome = scenario::Outcome::timeout;
  }
  if (outcome != scenario::Outcome::ok) {
    note_failure(entry, outcome);
    count_lost(entry, request.epoch, request.of.host, outcome, 1);
  }
  parts_.book.finish(entry.flow, request.epoch, outcome, end - request.sent_at);
  if (closed_) {
    put_in_flight<true>(entry, request.sent_at, end, request.of, request.sequence, outcome == scenario::Outcome::ok);
  } else {
    put_in_flight<false>(entry, request.sent_at, end, request.of, request.sequence, false);
  }
}

inline void PlainSimulator::reach_server(Nanoseconds now, const Approaching& request) {
  Entry& entry = entries_[request.entry];
  Place& place = entry.places[request.of.host];
  const Nanoseconds answer = place.foreseen.answer_reached(place.latency, now);
  if (request.of.client == given_up) {
    return;
  }
  if (closed_ || answer == ServerQueues::Foreseen::never() || answer - request.sent_at > entry.timeout) {
    reach_badly(entry, now, request, answer);
    return;
  }
  parts_.book.succeed(entry.leader, request.epoch, answer - request.sent_at);
  put_in_flight<false>(entry, request.sent_at, answer, request.of, request.sequence, true);
}

// Simulates requests that are on their way at the end to their end.
bool PlainSimulator::arrive_all() {
  while (closed_ && next_answer() != engine::Calendar::never) {
    meet_answer();
  }
  while (approaching_.next_time() != engine::DelayLines<Approaching>::never) {
    const auto [at, request] = approaching_.pop();
    reach_server(at, request);
  }
  return !met_failure_;
}

void PlainSimulator::reach_until(Nanoseconds now) {
  while (approaching_.next_time() <= now) {
    const auto [at, request] = approaching_.pop();
    approaching_.look_ahead([this](const Approaching& soon) {
      Place& place = entries_[soon.entry].places[soon.of.host];
      place.foreseen.prefetch();
    });
    reach_server(at, request);
  }
}

inline void PlainSimulator::end_until(Nanoseconds now) {
  if (approaching_.next_time() <= now) {
    reach_until(now);
  }
  in_flight_.end_until(
      now, [this](const Leaving& over) { end_one(over); },
      [this](const Leaving& next) {
        if (next.counter != nullptr) {
          __builtin_prefetch(next.counter, 1);
        } else if (const Client& client = clients_[next.client]; client.counts) {
          client.sparse->prefetch(next.host);
        }
      });
}

// Makes the draws of a request that is certain to be sent, and prefetches the memory that choosing needs.
inline PlainSimulator::Ahead PlainSimulator::look_ahead(const Entry& entry, const engine::Arrival& arrival) {
  Ahead ahead{.at = arrival.at, .entry = entry.number, .client = entry.first_client + arrival.client};
  Client& client = clients_[ahead.client];
  engine::RandomStream draws = client.draws;
  const std::uint64_t draw = draws();
  const Choice& choice = entry.only_choice != nullptr ? *entry.only_choice : entry.choices[draw % 100];
  ahead.nobody = choice.nobody;
  ahead.availability = choice.availability;
  if (!choice.nobody) {
    ahead.first = choice.hosts[choice.by_hosts(draws())].value;
    ahead.second = choice.hosts[choice.by_hosts(draws())].value;
    client.prefetch(ahead.first);
    client.prefetch(ahead.second);
  }
  client.draws = draws;
  return ahead;
}

// Guesses the host that will be chosen: the one that would be chosen now.
inline void PlainSimulator::guess(const Entry& entry, Ahead& ahead) const noexcept {
  if (!ahead.nobody) {
    const Client& client = clients_[ahead.client];
    ahead.likely = client.active(ahead.second) < client.active(ahead.first) ? ahead.second : ahead.first;
    __builtin_prefetch(&entry.places[ahead.likely]);
    __builtin_prefetch(&entry.counts[engine::row_of(ahead.likely, ahead.availability)], 1);
  }
}

// Simulates all entries in the order of their arrivals; requests are in flight until their responses. Where clients
// choose the better of two hosts (`of_two`), draws are made some requests ahead, since no event changes them, and
// memory that a step needs is prefetched some requests before.
template <bool one_entry, bool of_two>
void PlainSimulator::simulate_in_order(Nanoseconds limit) {
  constexpr std::size_t ring = of_two ? 32 : 1;
  constexpr std::size_t guessed = 20;
  constexpr std::size_t fetched = 10;
  constexpr std::size_t made = 4;
  const bool far = parts_.scenario.endpoints.size() >= ServerQueues::many_endpoints;
  Ahead line[ring];
  std::uint64_t drawn = 0;
  std::uint64_t sent = 0;
  const auto entry_of = [this](const Ahead& request) -> Entry& {
    return one_entry ? entries_.front() : entries_[request.entry];
  };
  const auto send_first = [&]() __attribute__((always_inline)) {
    if constexpr (of_two) {
      Ahead& guess_now = line[(sent + guessed) % ring];
      guess(entry_of(guess_now), guess_now);
      const Ahead& fetch_now = line[(sent + fetched) % ring];
      entry_of(fetch_now).places[fetch_now.likely].foreseen.prefetch();
      if (far) {
        const Ahead& make_now = line[(sent + made) % ring];
        entry_of(make_now).places[make_now.likely].foreseen.prefetch_making();
      }
    }
    const Ahead& request = line[sent++ % ring];
    end_until(request.at);
    Entry& entry = entry_of(request);
    Client& client = clients_[request.client];
    ++client.sent;
    send<false>(entry, request.client, of_two ? better_of(client, request) : pick(entry, client, request.at),
                request.at);
  };
  std::span<const engine::Arrival> batch;  // of the only entry
  const auto draw_next = [&]() __attribute__((always_inline)) {
    if constexpr (one_entry) {
      if (batch.empty()) {
        batch = parts_.entries.front().arrivals.take(limit);
      }
      if (batch.empty()) {
        return false;
      }
      line[drawn++ % ring] = look_ahead(entries_.front(), batch.front());
      batch = batch.subspan(1);
    } else {
      if (merged_.empty()) {
        return false;
      }
      const auto [index, arrival] = merged_.pop();
      const Entry& entry = entries_[index];
      line[drawn++ % ring] =
          of_two ? look_ahead(entry, arrival)
                 : Ahead{.at = arrival.at, .entry = index, .client = entry.first_client + arrival.client};
    }
    return true;
  };
  if constexpr (!one_entry) {
    merged_.begin(limit);
  }
  for (bool more = true; more || sent < drawn;) {
    more = more && draw_next();
    if (!more || drawn - sent == ring) {
      if (sent < drawn) {
        send_first();
      }
    }
  }
  end_until(limit - Nanoseconds{1});
}

// Simulates the earlier of the next arrival at a server and the next response.
void PlainSimulator::meet_answer() {
  if (approaching_.next_time() <= answers_.next_time()) {
    const auto [at, request] = approaching_.pop();
    reach_server(at, request);
    return;
  }
  const Answer answer = answers_.pop();
  end_one(answer.of);
  const Entry& entry = entries_[answer.entry];
  parts_.users.answered(entry.client, answer.of.client - entry.first_client, answer.at, answer.at - answer.sent_at);
}

void PlainSimulator::send_for_user(Entry& entry, std::uint32_t client, Nanoseconds now) {
  const std::uint32_t number = entry.first_client + client;
  ++clients_[number].sent;
  const Picked picked = entry.picks == Picks::best_of_two
                            ? better_of(clients_[number], look_ahead(entry, {now, client}))
                            : pick(entry, clients_[number], now);
  send<true>(entry, number, picked, now);
}

// Simulates users. At equal times, responses come before requests, and requests of open loops before those of users.
void PlainSimulator::simulate_users(Nanoseconds limit) {
  merged_.begin(limit);
  while (true) {
    const Nanoseconds open = merged_.empty() ? engine::Calendar::never : merged_.next_time();
    const Nanoseconds sending = std::min(open, parts_.users.next_time());
    const Nanoseconds answer = next_answer();
    if (std::min(answer, sending) >= limit) {
      return;
    }
    if (answer <= sending) {
      meet_answer();
    } else if (parts_.users.next_time() < open) {
      const Users::Sending user = parts_.users.pop();
      send_for_user(entries_[user.entry.value], user.client, user.at);
    } else {
      const auto [index, arrival] = merged_.pop();
      send_for_user(entries_[index], arrival.client, arrival.at);
    }
  }
}

}  // namespace spillway::run
