// Simulates requests of scenarios in which every response is known when its request reaches its endpoint. Several times
// as fast as RequestSimulator, with bit-identical results. plain_scenario.hpp lists those scenarios.
//
//   if (is_plain(parts, how)) { PlainSimulator plain(parts, way); plain.simulate_until(agenda.next_time(), look); }
//
// A request is finished as soon as it reaches its server. It is finished when it is sent, if all requests arrive in the
// order in which they are sent or there is no server. Afterwards it only counts as in flight, for least request and for
// the circuit breaker.
//
// Outlier detection and retries have no effect unless a request fails, and passing active checks have none while only
// rates change. So none of them is simulated. If there are any, the first failed request that they would handle ends
// the simulation; the run must then be repeated one event at a time.
//
// If users wait for responses, responses are processed one by one in the order of RequestSimulator's calendar: that
// order decides the think times drawn, and so which user sends next.
//
// If no policy reads requests in flight and no endpoint queues, nothing is stored per request: there is no calendar.
// The circuit breaker is then bounded, not counted: by the requests sent in this time window and the one before. If
// that bound exceeds the limit, the run must be repeated with a calendar (`Way::calendar`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/calendar.hpp"
#include "sim/engine/delay_lines.hpp"
#include "sim/engine/departures.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/engine/merged_arrivals.hpp"
#include "sim/run/requests/plain/plain_state.hpp"
#include "sim/run/requests/plain/way.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/users.hpp"

namespace spillway::run {

struct RequestParts;  // request_parts.hpp

class PlainSimulator {
 public:
  using Way = plain::Way;

  // Lifetime: the parts, which are those of a RequestSimulator, must outlive this object.
  PlainSimulator(const RequestParts& parts, Way way);

  // Simulates all requests sent strictly before `limit`. Precondition: nothing changes in between. Returns false, and
  // all counts are then invalid, if a circuit breaker's bound was reached or if a request with consequences failed.
  // Calls `look` from time to time with the time reached.
  [[nodiscard]] bool simulate_until(Nanoseconds limit, const std::function<void(Nanoseconds)>& look);
  // True if simulate_until() returned false because of a failure.
  [[nodiscard]] bool met_failure() const noexcept { return met_failure_; }

 private:
  static constexpr std::uint32_t given_up = UINT32_MAX;  // in place of a client

  using Ahead = plain::Ahead;
  using Answer = plain::Answer;
  using Approaching = plain::Approaching;
  using Choice = plain::Choice;
  using Client = plain::Client;
  using End = plain::End;
  using Entry = plain::Entry;
  using InFlight = plain::InFlight;
  using Leaving = plain::Leaving;
  using Picked = plain::Picked;
  using Picks = plain::Picks;
  using Place = plain::Place;
  using Places = plain::Places;

  void begin();
  void begin_entry(std::uint32_t index);
  void set_demand(Entry& entry);
  [[nodiscard]] Places& places_for(const Entry& entry);
  void set_picks(Entry& entry);
  void set_policies(Entry& entry);
  void end();
  void end_entry(Entry& entry);
  void count_foregone(Entry& entry, std::uint32_t row);

  template <class Policy>
  [[nodiscard, gnu::always_inline]] inline Picked pick_from_list(const Entry& entry, Client& client,
                                                                 Nanoseconds now) const;
  template <Picks picks>
  [[nodiscard, gnu::always_inline]] inline Picked pick(const Entry& entry, Client& client, Nanoseconds now) const;
  [[nodiscard]] Picked pick(const Entry& entry, Client& client, Nanoseconds now) const;
  template <Picks picks, bool foreseen>
  [[nodiscard]] bool simulate_entry(std::uint32_t index, Nanoseconds limit);
  template <Picks picks>
  [[nodiscard]] bool simulate_entry(std::uint32_t index, Nanoseconds limit);
  [[nodiscard]] bool simulate_each(Nanoseconds limit);
  void send_bounded(Entry& entry, std::span<const engine::Arrival> arrivals, const Picked* picked);
  void send_late(Entry& entry, std::uint32_t target, Nanoseconds now, Nanoseconds answer);
  [[nodiscard]] bool is_bounded(Entry& entry);
  [[nodiscard]] bool note_sent(Entry& entry, std::uint64_t requests, Nanoseconds now);

  template <bool one_entry, bool of_two>
  void simulate_in_order(Nanoseconds limit);
  [[nodiscard, gnu::always_inline]] inline Ahead look_ahead(const Entry& entry, const engine::Arrival& arrival);
  void guess(const Entry& entry, Ahead& ahead) const noexcept;
  // Returns the host with fewer requests in flight; the first if both have the same number.
  [[nodiscard, gnu::always_inline]] static Picked better_of(const Client& client, const Ahead& request) noexcept {
    const bool second = !request.nobody && client.active(request.second) < client.active(request.first);
    return {second ? request.second : request.first, request.availability, request.nobody};
  }
  void reach_until(Nanoseconds now);
  [[gnu::always_inline]] inline void end_until(Nanoseconds now);
  [[nodiscard]] bool arrive_all();
  void simulate_users(Nanoseconds limit);
  void send_for_user(Entry& entry, std::uint32_t client, Nanoseconds now);
  [[nodiscard]] Nanoseconds next_answer() const noexcept {
    return std::min(answers_.next_time(), approaching_.next_time());
  }
  void meet_answer();
  // Ends a request of this client, a position in clients_, at once.
  void end_at_once(const Entry& entry, std::uint32_t number, Nanoseconds now);
  template <bool closed>
  [[gnu::always_inline]] void put_in_flight(const Entry& entry, Nanoseconds sent_at, Nanoseconds end,
                                            const InFlight& of, std::uint64_t sequence, bool success) {
    if constexpr (closed) {
      // In the order of engine::push_answer.
      const Answer answer{end, sent_at, entry.number, of};
      success ? answers_.push_first(answer, sequence) : answers_.push(answer, sequence);
    } else {
      in_flight_.push(end, {counter_of(of), of.client, of.host});
    }
  }
  void end_one(const InFlight& over) noexcept { end_one({counter_of(over), over.client, over.host}); }
  [[gnu::always_inline]] void end_one(const Leaving& over) noexcept {
    Client& client = clients_[over.client];
    --client.in_flight;
    if (over.counter != nullptr) {
      --*over.counter;
    } else if (client.counts) {
      client.sparse->decrease(over.host);
    }
  }
  [[nodiscard]] std::uint32_t* counter_of(const InFlight& of) const noexcept {
    std::uint32_t* const active = clients_[of.client].active_requests;
    return active != nullptr ? active + of.host : nullptr;
  }
  [[gnu::always_inline]] inline void reach_server(Nanoseconds now, const Approaching& request);
  void reach_badly(Entry& entry, Nanoseconds now, const Approaching& request, Nanoseconds answer);
  template <bool closed>
  [[gnu::always_inline]] inline void send(Entry& entry, std::uint32_t number, const Picked& picked, Nanoseconds now);
  [[gnu::always_inline]] inline Nanoseconds finish(Entry& entry, Place& place, Nanoseconds now);
  [[nodiscard]] Nanoseconds finish_badly(Entry& entry, const Place& place, Nanoseconds now, Nanoseconds answer);
  void note_failure(const Entry& entry, scenario::Outcome outcome) noexcept {
    const bool late = outcome == scenario::Outcome::timeout;
    const bool sent = late || outcome == scenario::Outcome::connect_failure || outcome == scenario::Outcome::queue_full;
    met_failure_ = met_failure_ || (sent && entry.failures_matter) || (late && entry.timeouts_matter);
  }
  // Counts requests with a failed outcome. `latency` is the time until they failed.
  void count_not_ok(Entry& entry, scenario::Outcome outcome, std::uint64_t requests, Nanoseconds latency) {
    note_failure(entry, outcome);
    entry.record->outcomes[outcome] += requests;
    entry.record->errors.add(latency, requests);
    entry.not_ok += requests;
  }
  // For the event log. `number` is the client's position in clients_.
  void note_turned_away(const Entry& entry, std::uint32_t number, Nanoseconds now);
  void note_let_in(const Entry& entry, std::uint32_t number, Nanoseconds now);
  void count_lost(const Entry& entry, std::uint32_t target, scenario::Outcome outcome, std::uint64_t attempts);
  void count_lost(const Entry& entry, std::uint32_t epoch, std::uint32_t target, scenario::Outcome outcome,
                  std::uint64_t attempts);

  const RequestParts& parts_;
  Way way_;
  bool met_failure_ = false;
  Nanoseconds longest_answer_{0};  // late ones excluded
  std::vector<Client> clients_;    // by proxy
  std::vector<Entry> entries_;     // by client entry
  std::map<std::pair<config::ServiceIndex, config::NodeIndex>, Places> places_;
  engine::Departures<Leaving> in_flight_;
  bool closed_ = false;                    // some users wait for responses
  engine::BasicCalendar<Answer> answers_;  // used instead of in_flight_ if closed_
  engine::DelayLines<Approaching> approaching_;
  engine::MergedArrivals merged_;
};

}  // namespace spillway::run
