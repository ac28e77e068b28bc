// Plays requests of scenarios in which every answer is known when its request is sent, a few times as fast as
// RequestPlayer and with the same results to the last bit.
//
//   if (PlainPlayer::plays(scenario, stations)) { PlainPlayer player({...}); player.play_until(agenda.next_time()); }
//
// Plain are workloads that ask for a service straight, without zone proxies, plain clusters without checks, ejections
// and limits of connections, stations that nothing disturbs and that requests reach in the order in which they are
// sent, and changes of what the proxies are told, of who exists, and of rates. Then a request is finished as soon as it
// is sent, and all that is left of it is that it is in flight: for least request, and for the circuit breaker.
//
// Where no policy looks at requests in flight and no endpoint queues, nothing is kept of a request at all: no calendar.
// The circuit breaker is then not counted but bounded by what was sent in this window of time and the one before; where
// that bound exceeds the limit, the run has to be played again with a calendar (`Way::calendar`).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/departures.hpp"
#include "sim/engine/remainder.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/stations.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

class PlainPlayer {
 public:
  // All must outlive this; `arrivals` by client entry.
  struct Parts {
    const scenario::Scenario& scenario;
    const Flows& flows;
    Fleet& fleet;
    const Truth& truth;
    const world::World& world;
    EpochBook& book;
    Stations& stations;
    std::vector<engine::Arrivals*> arrivals;
  };
  enum class Way { bounded, calendar };

  [[nodiscard]] static bool plays(const scenario::Scenario& scenario, const Stations& stations);

  PlainPlayer(const Parts& parts, Way way);

  // Plays all requests sent strictly before `limit`; nothing may change in between. False if a circuit breaker's bound
  // was reached: whatever was counted is worth nothing then. `look` is called now and then with the time reached.
  [[nodiscard]] bool play_until(Nanoseconds limit, const std::function<void(Nanoseconds)>& look);

 private:
  // By what a pick is made: any by the balancer of a worker, with its own draws; all others by the client's copy of the
  // only worker's draws. Cursors are round robin's, moved here; best_of_two is least request without weights.
  enum class Picks : std::uint8_t { any, random, cursors, round_robin, least_request, best_of_two };
  enum class End : std::uint8_t { constant, refused, foreseen };

  // A balancer, with what is asked of it at every request: the first cache line.
  struct alignas(64) Client {
    engine::RandomStream draws;
    std::uint64_t sent = 0;
    std::uint32_t* active_requests = nullptr;  // null: nobody looks at them, or they are sparse
    std::uint32_t in_flight = 0;
    bool counts = false;  // whether somebody looks at requests in flight

    envoy::SparseCounts* sparse = nullptr;  // in place of active_requests, where they are
    Proxy* proxy = nullptr;
    Worker* worker = nullptr;          // its first one
    void* policy = nullptr;            // its PickState
    std::uint64_t* cursors = nullptr;  // of round robin, by source
    std::uint64_t counted = 0;         // of `sent`, by the book
    // Of `sent`, when the window began and when the one before it did.
    std::uint64_t before_window = 0;
    std::uint64_t before_last_window = 0;

    [[nodiscard]] std::uint32_t active(std::uint32_t host) const noexcept {
      return active_requests != nullptr ? active_requests[host] : (*sparse)[host];
    }
    void prefetch(std::uint32_t host) const noexcept {
      if (active_requests != nullptr) {
        __builtin_prefetch(active_requests + host, 1);
      } else {
        sparse->prefetch(host);
      }
    }
  };
  // A host of a flow.
  struct alignas(64) Place {
    Stations::Foreseen foreseen = {};
    Nanoseconds latency{0};  // one way
    Nanoseconds answer{0};   // constant or refused: after so long
    End end = End::constant;
  };
  struct Choice {
    std::span<const config::HostIndex> hosts = {};
    engine::Remainder by_hosts = {};
    envoy::SourceIndex source;
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
  };
  struct Picked {
    std::uint32_t host = 0;
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
  };
  // A request to be sent whose draws are known: the better of two hosts is not yet.
  struct Ahead {
    Nanoseconds at{0};
    std::uint32_t client = 0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t likely = 0;  // of the two
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
  };
  // What the clients of one entry do until something changes.
  struct Entry {
    FlowIndex flow;
    Picks picks = Picks::any;
    bool foreseen = false;  // whether any place is
    const envoy::ClusterState* state = nullptr;
    engine::EpochRecord* record = nullptr;
    std::uint64_t most_requests = 0;
    std::uint64_t not_ok = 0;  // of those sent, how many have another outcome
    std::uint32_t first_client = 0;
    std::uint32_t clients = 0;
    std::vector<Choice> choices = {};        // by draw % 100
    std::span<Place> places = {};            // by target
    std::vector<std::uint64_t> counts = {};  // by row: requests
    // bounded: a window is at least as long as any answer that is not late.
    Nanoseconds window{0};  // when it began
    std::uint64_t in_window = 0;
    std::vector<Nanoseconds> late = {};  // ends of answers that take longer
  };
  // Those of a service as clients on one node meet them.
  struct Places {
    std::vector<Place> of_targets = {};
    bool foreseen = false;
    bool up_to_date = false;
  };
  struct InFlight {
    std::uint32_t client = 0;
    std::uint32_t host = 0;
  };

  void begin();
  void begin_entry(std::uint32_t index);
  [[nodiscard]] Places& places_for(const Entry& entry);
  void set_picks(Entry& entry);
  void set_policies(Entry& entry);
  void end();
  void end_entry(Entry& entry);
  void count_foregone(Entry& entry, std::uint32_t row);

  [[nodiscard]] bool alone() const noexcept;
  template <class Policy>
  [[nodiscard, gnu::always_inline]] inline Picked pick_from_list(const Entry& entry, Client& client,
                                                                 Nanoseconds now) const;
  template <Picks picks>
  [[nodiscard, gnu::always_inline]] inline Picked pick(const Entry& entry, Client& client, Nanoseconds now) const;
  [[nodiscard]] Picked pick(const Entry& entry, Client& client, Nanoseconds now) const;
  template <Picks picks, bool foreseen>
  [[nodiscard]] bool play_entry(std::uint32_t index, Nanoseconds limit);
  template <Picks picks>
  [[nodiscard]] bool play_entry(std::uint32_t index, Nanoseconds limit);
  [[nodiscard]] bool play_each(Nanoseconds limit);
  [[nodiscard]] bool play_merged(Nanoseconds limit);
  void send_bounded(Entry& entry, std::span<const engine::Arrival> arrivals, const Picked* picked);
  void send_late(Entry& entry, std::uint32_t target, Nanoseconds now, Nanoseconds answer);
  [[nodiscard]] bool is_bounded(Entry& entry);
  [[nodiscard]] bool note_sent(Entry& entry, std::uint64_t requests, Nanoseconds now);

  void play_ahead(Nanoseconds limit);
  [[nodiscard, gnu::always_inline]] inline Ahead look_ahead(const Entry& entry, const engine::Arrival& arrival);
  void guess(const Entry& entry, Ahead& ahead) const noexcept;
  void end_until(Nanoseconds now) noexcept;
  [[gnu::always_inline]] inline void send(Entry& entry, std::uint32_t number, const Picked& picked, Nanoseconds now);
  [[gnu::always_inline]] inline Nanoseconds finish(Entry& entry, Place& place, Nanoseconds now);
  // `latency`: until they failed.
  static void count_not_ok(Entry& entry, scenario::Outcome outcome, std::uint64_t requests, Nanoseconds latency) {
    entry.record->count(outcome) += requests;
    entry.record->errors.add(latency, requests);
    entry.not_ok += requests;
  }
  // For the log of happenings, of a client by its place in clients_.
  void note_turned_away(const Entry& entry, std::uint32_t number, Nanoseconds now);
  void note_let_in(const Entry& entry, std::uint32_t number, Nanoseconds now);
  void count_lost(const Entry& entry, std::uint32_t target, scenario::Outcome outcome, std::uint64_t attempts);

  static constexpr Nanoseconds envoys_timeout = std::chrono::seconds{15};

  Parts parts_;
  Way way_;
  bool queues_ = false;
  Nanoseconds longest_answer_{0};  // but for late ones
  std::vector<Client> clients_;    // by proxy
  std::vector<Entry> entries_;     // by client entry
  std::map<std::pair<config::ServiceIndex, config::NodeIndex>, Places> places_;
  engine::Departures<InFlight> in_flight_;
};

// ---------------------------------------------------------------------------------------------------------------------

// Writes down what becomes of the request, and says when it is over.
inline Nanoseconds PlainPlayer::finish(Entry& entry, Place& place, Nanoseconds now) {
  Nanoseconds end = now + place.answer;
  scenario::Outcome outcome = place.end == End::refused ? scenario::Outcome::connect_failure : scenario::Outcome::ok;
  if (place.end == End::foreseen) {
    const auto answer = place.foreseen.answer(place.latency, now);
    outcome = answer ? scenario::Outcome::ok : scenario::Outcome::queue_full;
    end = answer.value_or(end);
  }
  if (end - now > envoys_timeout) {
    end = now + envoys_timeout;
    outcome = scenario::Outcome::timeout;
  }
  if (outcome == scenario::Outcome::ok) {
    entry.record->latency.add(end - now);
  } else {
    count_not_ok(entry, outcome, 1, end - now);
    count_lost(entry, static_cast<std::uint32_t>(&place - entry.places.data()), outcome, 1);
  }
  return end;
}

// Where somebody looks at requests in flight or queues: what is in flight is counted.
inline void PlainPlayer::send(Entry& entry, std::uint32_t number, const Picked& picked, Nanoseconds now) {
  if (picked.nobody) {
    count_not_ok(entry, scenario::Outcome::no_healthy_upstream, 1, Nanoseconds{0});
    return;
  }
  Client& client = clients_[number];
  ++entry.counts[engine::row_of(picked.host, picked.availability)];
  if (client.in_flight >= entry.most_requests) {
    note_turned_away(entry, number, now);
    count_not_ok(entry, scenario::Outcome::overflow, 1, Nanoseconds{0});
    count_lost(entry, picked.host, scenario::Outcome::overflow, 1);
    return;
  }
  // The one request that a breaker can have been open before.
  if (++client.in_flight == entry.most_requests) {
    note_let_in(entry, number, now);
  }
  if (client.active_requests != nullptr) {
    ++client.active_requests[picked.host];
  } else if (client.counts) {
    client.sparse->increase(picked.host);
  }
  in_flight_.push(finish(entry, entry.places[picked.host], now), {number, picked.host});
}

}  // namespace spillway::run
