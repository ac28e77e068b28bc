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
// The circuit breaker is then not counted but bounded by what was sent of late; where that bound reaches the limit, the
// run has to be played again with a calendar (`Way::calendar`).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/run/epoch_book.hpp"
#include "sim/run/fleet.hpp"
#include "sim/run/stations.hpp"
#include "sim/run/traffic.hpp"
#include "sim/run/truth.hpp"
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
  enum class Picks : std::uint8_t { any, random, round_robin, least_request, best_of_two };
  enum class End : std::uint8_t { constant, refused, foreseen };

  // A balancer, with what is asked of it at every request.
  struct Client {
    engine::RandomStream draws;
    Proxy* proxy = nullptr;
    void* policy = nullptr;  // its PickState
    std::uint32_t* active_requests = nullptr;
    std::uint32_t hosts = 0;  // of active_requests
    std::uint32_t in_flight = 0;
    // What was sent in the window that began then, and in the one before; a window is at least as long as any answer.
    Nanoseconds window{0};
    std::uint32_t in_window = 0;
    std::uint32_t in_last_window = 0;
    std::uint64_t sent = 0;
  };
  // A host of a flow.
  struct alignas(64) Place {
    Stations::Foreseen foreseen = {};
    Nanoseconds latency{0};  // one way
    Nanoseconds answer{0};   // constant or refused: after so long
    End end = End::constant;
  };
  struct Choice {
    envoy::SourceIndex source;
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
    std::span<const config::HostIndex> hosts = {};
  };
  // A request to be sent whose draws are known: the better of two hosts is not yet.
  struct Ahead {
    Nanoseconds at{0};
    std::uint32_t client = 0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
  };
  // What the clients of one entry do until something changes.
  struct Entry {
    FlowIndex flow;
    Picks picks = Picks::any;
    const envoy::ClusterState* state = nullptr;
    engine::EpochRecord* record = nullptr;
    std::uint64_t most_requests = 0;
    std::uint32_t first_client = 0;
    std::uint32_t clients = 0;
    std::vector<Choice> choices = {};        // by draw % 100
    std::vector<Place> places = {};          // by target
    std::vector<std::uint64_t> counts = {};  // by row: requests
  };
  struct InFlight {
    Nanoseconds at{0};
    std::uint32_t* active_requests = nullptr;  // of the host, if anybody looks at them
    std::uint32_t client = 0;
  };
  struct Picked {
    std::uint32_t host = 0;
    envoy::Availability availability = envoy::Availability::healthy;
    bool nobody = false;
  };

  void begin();
  void begin_entry(std::uint32_t index);
  void set_places(Entry& entry);
  void set_picks(Entry& entry);
  void end();
  void end_entry(Entry& entry);
  [[nodiscard]] bool alone() const noexcept;
  template <class Policy>
  [[nodiscard, gnu::always_inline]] inline Picked pick_from_list(const Entry& entry, Client& client,
                                                                 Nanoseconds now) const;
  template <Picks picks>
  [[nodiscard]] Picked pick(const Entry& entry, Client& client, Nanoseconds now) const;
  template <Picks picks>
  [[nodiscard]] bool play_entry(std::uint32_t index, Nanoseconds limit);
  [[nodiscard]] bool play_each(Nanoseconds limit);
  [[nodiscard]] bool play_merged(Nanoseconds limit);
  [[nodiscard]] bool play_ahead(Nanoseconds limit);
  [[nodiscard]] Ahead look_ahead(const Entry& entry, const engine::Arrival& arrival);
  void prefetch_likely(const Entry& entry, const Ahead& ahead) const noexcept;
  void end_first() noexcept;
  [[nodiscard, gnu::always_inline]] inline bool send(Entry& entry, std::uint32_t client, const Picked& picked,
                                                     Nanoseconds now);
  [[nodiscard, gnu::always_inline]] inline bool is_bounded(const Entry& entry, Client& client, Nanoseconds now);
  Nanoseconds finish(Entry& entry, Place& place, Nanoseconds now);
  void count_lost(const Entry& entry, std::uint32_t target, scenario::Outcome outcome, std::uint64_t attempts);

  Parts parts_;
  Way way_;
  bool queues_ = false;
  Nanoseconds longest_answer_{0};
  std::vector<Client> clients_;    // by proxy
  std::vector<Entry> entries_;     // by client entry
  std::vector<Nanoseconds> late_;  // bounded: ends of answers that take longer than longest_answer_, a heap
  engine::BasicCalendar<InFlight> calendar_;
};

}  // namespace spillway::run
