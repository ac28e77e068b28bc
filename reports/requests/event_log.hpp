// What proxies did and found out during a run, in words: `--show happenings`, `happenings` in JSON, lines of `--events`
// and of a run's summary.
//
//   event_text(scenario, record);    // "shop[3] ejects cart-2: 5 consecutive 5xx, until 40 s at least"
//   group_text(scenario, group);         // "6 proxies eject 6 endpoints of cart in eu-west-1a, 70 times: 5
//   consecutive..." most_important(scenario, happenings) // up to three of those, for a summary
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/nanoseconds.hpp"

namespace spillway::health {
enum class Resource : std::uint8_t;  // resource.hpp
}  // namespace spillway::health

namespace spillway::run {
enum class EventKind : std::uint8_t;  // event_log.hpp
struct EventGroup;                    // event_log.hpp
struct EventRecord;                   // event_log.hpp
struct Events;                        // event_log.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

struct Report;  // formats.hpp
struct Sheet;   // sheet.hpp

// "ejected", "ejection_prevented" and so on: run::EventKind in its order.
[[nodiscard]] const std::vector<std::string>& event_kind_names();

// "max_requests": Envoy's name of what limits a resource.
[[nodiscard]] std::string_view limit_name(health::Resource resource);

// Panic, loads and held updates are of a priority, the others of an endpoint or a whole cluster.
[[nodiscard]] bool is_about_priority(const run::EventRecord& record);

[[nodiscard]] std::string event_text(const scenario::Scenario& scenario, const run::EventRecord& record);
[[nodiscard]] std::string group_text(const scenario::Scenario& scenario, const run::EventGroup& group);

// One JSON object without a line break, by the names of docs/output.md.
[[nodiscard]] std::string event_json(const scenario::Scenario& scenario, const run::EventRecord& record);

// Which happenings are kept. Names are those of the scenario; `kind` is one of event_kind_names().
struct EventFilter {
  std::optional<std::string> client = {};
  std::optional<std::string> endpoint = {};
  std::optional<std::string> kind = {};
  std::optional<run::Nanoseconds> from = {};
  std::optional<run::Nanoseconds> to = {};  // inclusive
};

// Whether the filter lets it through.
[[nodiscard]] bool passes(const scenario::Scenario& scenario, const EventFilter& filter,
                          const run::EventRecord& record);

// Whether a summary would name it.
[[nodiscard]] bool is_important(run::EventKind kind);

// What an engineer should know first: ejections that are prevented, panic, open breakers, failed checks, ejections; of
// each kind what happened most often.
[[nodiscard]] std::vector<std::string> most_important(const scenario::Scenario& scenario,
                                                      const run::Events& logged_events);

// Those of the report in every format but JSON, by `report.each_event`.
[[nodiscard]] Sheet event_sheet(const Report& report, bool for_people);
// And the objects of JSON.
[[nodiscard]] std::vector<std::string> events_json(const Report& report);

}  // namespace spillway::reports
