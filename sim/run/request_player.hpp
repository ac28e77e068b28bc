// Plays the requests of all clients in one calendar: who sends when, which endpoint the sender's proxy picks, what
// becomes of the request, and when the answer is back.
//
//   RequestPlayer player(scenario, seed, world, upstreams, book, agenda);
//   while (player.next_time() < agenda.next_time()) { player.play_next(); }
//
// A request holds its endpoint for the endpoint's service time; endpoints serve any number at once. Its latency is the
// link's there and back and the service time. A node that is off, or an endpoint that does not exist, refuses
// (connect_failure) after the way there and back, a link that is off at once; a node that goes off while it serves
// gives upstream_error. For ejection both count as 503. Answers come before arrivals of the same nanosecond, arrivals
// in the order of the client entries.
//
// Whether nodes are on and what links cost is asked of the World at every request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/proxy.hpp"
#include "sim/run/epoch_book.hpp"
#include "sim/run/event.hpp"
#include "sim/run/upstreams.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

class RequestPlayer {
 public:
  RequestPlayer(const scenario::Scenario& scenario, std::uint64_t seed, const world::World& world,
                const Upstreams& upstreams, EpochBook& book, Agenda<Event>& agenda);

  // Of the next arrival or answer; Calendar::never once no arrival is left before the scenario ends and every answer is
  // in.
  [[nodiscard]] Nanoseconds next_time() const noexcept;

  // Plays one arrival or answer. May put entries on the agenda, not earlier than its own time.
  void play_next();

  // Agenda entries.
  void set_failing(const scenario::Fails& change);
  void set_check_answers(const scenario::AnswersChecks& change);
  void set_existing(const scenario::Existence& change);
  void set_rate(const scenario::RateChange& change, Nanoseconds now);
  void decide_ejection(const EjectionDecision& decision, Nanoseconds now);
  void deliver_merged_update(const MergedUpdate& update, Nanoseconds now);
  void sweep(config::ServiceIndex service, Nanoseconds now);
  // The state of the entry's class has changed by a push, which takes along what waits in the merge windows.
  void take_pushed_states(config::ClientEntryIndex entry, Nanoseconds now);

  // Adds what every proxy of the entry has sent under its state to the book.
  void count_requests(config::ClientEntryIndex entry);

  [[nodiscard]] const RareEvents& events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t played() const noexcept { return played_; }

  // A hash of all draws consumed, by entity and purpose: differs if two runs drew differently anywhere.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  struct Entry {
    engine::Arrivals arrivals;
    std::uint32_t first_proxy = 0;
  };

  [[nodiscard]] Nanoseconds next_arrival() const noexcept;
  [[nodiscard]] bool arrives_later(std::uint32_t left, std::uint32_t right) const noexcept;
  void play_arrival();
  void play_answer();
  [[nodiscard]] engine::Answer answer_of(const Target& target, config::NodeIndex client, Nanoseconds now);
  [[nodiscard]] bool fails(const Target& target);
  void apply_ejections(engine::Proxy& proxy, Nanoseconds now);
  void take_state(engine::Proxy& proxy, Upstreams::State state);
  void change_waits_or_applies(std::uint32_t proxy, Nanoseconds now);

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  const world::World* world_;
  const Upstreams* upstreams_;
  EpochBook* book_;
  Agenda<Event>* agenda_;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> order_;  // a heap of entries by the time of their next arrival
  std::vector<engine::Proxy> proxies_;
  engine::Calendar calendar_;
  std::vector<std::vector<double>> failing_;                       // by service, by host: the fraction that fails
  std::vector<std::vector<std::uint8_t>> existing_;                // by service, by host
  std::vector<std::vector<scenario::CheckAnswer>> check_answers_;  // likewise
  std::vector<std::vector<std::optional<engine::RandomStream>>> failure_draws_;
  RareEvents events_;
  std::uint64_t played_ = 0;
};

}  // namespace spillway::run
