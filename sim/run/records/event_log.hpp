// Events of a run. Proxies cause: ejections and prevented ejections, results of active checks, panic, priorities that
// begin or stop to get traffic, held updates, breakers, moved sessions, slow start. The scenario's timeline causes the
// others. Results::happenings contains them; reports/requests/event_log.hpp has the words.
//
//   EventLog log(scenario, {.most = 10'000, .sink = write_line});
//   log.add({.at = now, .kind = EventKind::ejected, .client = entry, .instance = 3, ...});
//   results.happenings = log.take(scenario.duration);
//
// Similar events form one group: of one kind and reason, about hosts of one zone (or one priority) of one cluster,
// whatever proxies they are of. Memory is bounded by `most`, proxies and endpoints. O(log proxies) per event.
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
#include "models/health/detection.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

enum class EventKind : std::uint8_t {
  ejected,
  ejection_prevented,     // max_ejection_percent
  ejection_not_enforced,  // enforcing_...
  returned,               // the ejection is over
  check_failed,           // and the host is still healthy
  marked_unhealthy,       // by active checks
  marked_healthy,
  panic_began,
  panic_ended,
  priority_began,  // to get traffic
  priority_stopped,
  update_held,  // by the update merge window
  breaker_opened,
  breaker_closed,
  retry_budget_empty,     // a retry is rejected
  retry_budget_refilled,  // and one is admitted again
  session_moved,
  slow_start_began,
  slow_start_ended,
  // Changes of the timeline: first EDS reports, then actual changes.
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

// One event.
struct EventRecord {
  Nanoseconds at{0};
  EventKind kind = EventKind::ejected;
  config::ClientEntryIndex client{};
  std::uint32_t instance = 0;  // of the entry's clients
  config::ServiceIndex service{};
  std::optional<config::EndpointIndex> endpoint{};
  config::Priority priority{};  // of the endpoint, or of the event; of an aggregate cluster the level
  // The reason, if the kind has one.
  health::Detection detection = health::Detection::consecutive_5xx;  // ejections
  std::optional<health::CheckFailure> check_failure{};               // check_failed, marked_unhealthy
  health::Resource resource = health::Resource::requests;            // breakers
  // ejected: the count or rate that triggered it. check_failed: consecutive failures. panic: percent of hosts that are
  // healthy or degraded. priority_began and _stopped: its load now, percent. breaker_closed and retry_budget_refilled:
  // rejected requests.
  double value = 0.0;
  // The value that `value` was compared with: a threshold, a limit, max_ejection_percent, the load before.
  double limit = 0.0;
  double threshold = 0.0;              // ejections: compared with `value`, whatever decided in the end
  double mean = 0.0;                   // success rates: of all hosts, percent
  double deviations = 0.0;             // success rates: the factor of the standard deviation
  std::uint32_t hosts = 0;             // ejection_prevented: all hosts
  bool by_check = false;               // returned: an active check passed
  std::optional<Nanoseconds> until{};  // ejected: at least; update_held, slow_start_began
  // Timeline changes: the position in Scenario::changes. Client and instance are then unset; service and endpoint are
  // set only if the change is about one.
  std::optional<std::uint32_t> change{};
};

struct EventGroup {
  EventRecord first;  // represents all events of the group
  Nanoseconds last{0};
  std::uint64_t times = 0;
  std::uint32_t proxies = 0;
  std::uint32_t endpoints = 0;
  double value = 0.0;  // of breaker_closed and retry_budget_refilled: the sum
  // panic_began, breaker_opened, retry_budget_empty: summed over proxies, up to the end of the run
  Nanoseconds lasted{0};
};

struct Events {
  std::vector<EventGroup> groups;  // by the time of their first event
  std::vector<EventRecord> each;   // by time, the first `most`
  std::uint64_t left_out = 0;      // of `each`
};

class EventLog {
 public:
  struct Options {
    std::uint64_t most = 10'000;  // events kept individually
    // Selects the events to keep; empty if all.
    std::function<bool(const EventRecord&)> keeps = {};
    std::function<void(const EventRecord&)> sink = {};  // called with each event as it happens; may be empty
  };

  // Lifetime: the scenario must outlive this object.
  EventLog(const scenario::Scenario& scenario, Options options);

  // Adds an event. Precondition: times are not descending.
  void add(const EventRecord& event);

  // Returns all events. Events still in progress end at `end`. Call it once.
  [[nodiscard]] Events take(Nanoseconds end);

  // Sorts groups by the time of their first event; at equal times by their subject. This order, and that of records,
  // does not depend on how many parts of the scenario were simulated separately (run/parts).
  static void order(const scenario::Scenario& scenario, std::vector<EventGroup>& groups);

 private:
  // The last element distinguishes timeline changes.
  using GroupKey = std::tuple<EventKind, config::ServiceIndex, std::uint32_t, health::Detection,
                              std::optional<health::CheckFailure>, health::Resource, std::int64_t>;
  using ProxyKey = std::tuple<config::ClientEntryIndex, std::uint32_t>;
  struct Group {
    EventGroup sum;
    std::set<ProxyKey> proxies;
    std::set<config::EndpointIndex> endpoints;
  };
  // An event that began and has not ended: its group, and since when.
  using OpenKey = std::tuple<EventKind, ProxyKey, config::ServiceIndex, config::Priority, health::Resource>;

  // A proxy's slow start of a cluster that is going on.
  using SlowStart = std::tuple<config::ClientEntryIndex, std::uint32_t, config::ServiceIndex>;

  [[nodiscard]] static GroupKey key_of(const scenario::Scenario& scenario, const EventRecord& event);
  void follow_slow_start(const EventRecord& began);
  void end_slow_starts(Nanoseconds now);
  void put(const EventRecord& event);
  void count_time(const EventRecord& event, const GroupKey& key);

  const scenario::Scenario* scenario_;
  Options options_;
  std::map<GroupKey, Group> groups_;
  std::map<OpenKey, std::pair<GroupKey, Nanoseconds>> open_;
  std::map<SlowStart, EventRecord> slow_starts_;
  std::set<std::pair<Nanoseconds, SlowStart>> slow_start_ends_;
  std::vector<EventRecord> each_;
  std::uint64_t left_out_ = 0;
};

// Sorts by time; at equal times timeline changes first, then by component (run/parts/components.hpp), and within one
// component as they happened. Precondition: `records` of one component, and of the timeline, are in the order in which
// they happened.
void order_records(const scenario::Scenario& scenario, std::vector<EventRecord>& records);

}  // namespace spillway::run
