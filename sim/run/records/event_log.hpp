// What proxies find out and do by themselves during a run: ejections and those that the settings prevent, results of
// active checks, panic, priorities that begin or stop to take traffic, held updates, breakers, sessions that move, slow
// start; and between them what the scenario's author lets happen. Results::happenings holds them;
// reports/requests/event_log.hpp has the words.
//
//   EventLog log(scenario, {.most = 10'000, .sink = write_line});
//   log.add({.at = now, .kind = EventKind::ejected, .client = entry, .instance = 3, ...});
//   results.happenings = log.take(scenario.duration);
//
// Alike ones are one group: of one kind and reason, about hosts of one zone (or one priority) of one cluster, whichever
// proxies they are of. Memory is bounded by `most`, proxies and endpoints; a happening costs O(log proxies).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/health/check_failure.hpp"
#include "models/health/detection.hpp"
#include "models/health/resource.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

enum class EventKind : std::uint8_t {
  ejected,
  ejection_prevented,     // max_ejection_percent
  ejection_not_enforced,  // enforcing_...
  returned,               // the ejection is over
  check_failed,           // and the host is healthy still
  marked_unhealthy,       // by active checks
  marked_healthy,
  panic_began,
  panic_ended,
  priority_began,  // to take traffic
  priority_stopped,
  update_held,  // by the update merge window
  breaker_opened,
  breaker_closed,
  retry_budget_empty,     // a retry is turned away
  retry_budget_refilled,  // and one is let in again
  session_moved,
  slow_start_began,
  slow_start_ended,
  // What the author lets happen; the first ones are told to proxies, the others really are.
  health_reported,
  endpoints_added,
  endpoints_removed,
  weights_reported,
  priorities_reported,
  outage_began,  // of endpoints
  outage_ended,
  node_outage_began,
  node_outage_ended,
  link_changed,
  fails,
  checks_answered,
  rate_changed,
  slow,
  runtime_changed,
};

// One of them.
struct EventRecord {
  Nanoseconds at{0};
  EventKind kind = EventKind::ejected;
  config::ClientEntryIndex client{};
  std::uint32_t instance = 0;  // of the entry's clients
  config::ServiceIndex service{};
  std::optional<config::EndpointIndex> endpoint{};
  config::Priority priority{};  // of the endpoint, or what it is about; of an aggregate cluster the level
  // Why, as far as the kind has it.
  health::Detection detection = health::Detection::consecutive_5xx;  // ejections
  std::optional<health::CheckFailure> check_failure{};               // check_failed, marked_unhealthy
  health::Resource resource = health::Resource::requests;            // breakers
  // ejected: the run or rate that counts. check_failed: failures in a row. panic: percent of the hosts that are healthy
  // or degraded. priority_began and _stopped: its load now, percent. breaker_closed and
  // retry_budget_refilled: requests turned away.
  double value = 0.0;
  // What it was held against: a threshold, a limit, max_ejection_percent, the load before.
  double limit = 0.0;
  double threshold = 0.0;              // ejections: what `value` was held against, whatever then decided
  double mean = 0.0;                   // success rates: of all hosts, percent
  double deviations = 0.0;             // success rates: the factor of the standard deviation
  std::uint32_t ejected = 0;           // ejection_prevented: hosts that are out
  std::uint32_t hosts = 0;             // ejection_prevented: of so many
  bool by_check = false;               // returned: an active check passed
  std::optional<Nanoseconds> until{};  // ejected: at least; update_held, slow_start_began
  // What the author lets happen: the position in Scenario::changes. No client and instance then, and a service and an
  // endpoint only where it is about one.
  std::optional<std::uint32_t> change{};
};

struct EventGroup {
  EventRecord first;  // stands for all of them
  Nanoseconds last{0};
  std::uint64_t times = 0;
  std::uint32_t proxies = 0;
  std::uint32_t endpoints = 0;
  double value = 0.0;  // of breaker_closed and retry_budget_refilled: the sum
  // panic_began, breaker_opened, retry_budget_empty: added up over proxies, up to the end of the run
  Nanoseconds lasted{0};
};

struct Events {
  std::vector<EventGroup> groups;  // by the time of their first
  std::vector<EventRecord> each;   // by time, the first `most`
  std::uint64_t left_out = 0;      // of `each`
};

class EventLog {
 public:
  struct Options {
    std::uint64_t most = 10'000;  // to keep one by one
    // Which of them are kept; empty: all.
    std::function<bool(const EventRecord&)> keeps = {};
    std::function<void(const EventRecord&)> sink = {};  // told of each as it happens; may be empty
  };

  // The scenario must outlive this.
  EventLog(const scenario::Scenario& scenario, Options options);

  // Times never go back.
  void add(const EventRecord& logged_event);

  // All of them; what still goes on ends at `end`. To be called once.
  [[nodiscard]] Events take(Nanoseconds end);

  // What happening_order.hpp says.
  static void order(const scenario::Scenario& scenario, std::vector<EventGroup>& groups);

 private:
  // The last one tells apart what the author lets happen.
  using GroupKey = std::tuple<EventKind, config::ServiceIndex, std::uint32_t, health::Detection,
                              std::optional<health::CheckFailure>, health::Resource, std::int64_t>;
  using ProxyKey = std::tuple<config::ClientEntryIndex, std::uint32_t>;
  struct Group {
    EventGroup sum;
    std::set<ProxyKey> proxies;
    std::set<config::EndpointIndex> endpoints;
  };
  // What began and has not ended: which group it counts for, and since when.
  using OpenKey = std::tuple<EventKind, ProxyKey, config::ServiceIndex, config::Priority, health::Resource>;

  // A proxy's slow start of a cluster that goes on.
  using SlowStart = std::tuple<config::ClientEntryIndex, std::uint32_t, config::ServiceIndex>;

  [[nodiscard]] static GroupKey key_of(const scenario::Scenario& scenario, const EventRecord& logged_event);
  void follow_slow_start(const EventRecord& began);
  void end_slow_starts(Nanoseconds now);
  void put(const EventRecord& logged_event);
  void count_time(const EventRecord& logged_event, const GroupKey& key);

  const scenario::Scenario* scenario_;
  Options options_;
  std::map<GroupKey, Group> groups_;
  std::map<OpenKey, std::pair<GroupKey, Nanoseconds>> open_;
  std::map<SlowStart, EventRecord> slow_starts_;
  std::set<std::pair<Nanoseconds, SlowStart>> slow_start_ends_;
  std::vector<EventRecord> each_;
  std::uint64_t left_out_ = 0;
};

}  // namespace spillway::run
