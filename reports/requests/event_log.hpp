// Formats the events of proxies during a run: for `--show events`, JSON, `--events`, and a run's summary.
//
//   event_text(scenario, record);         // "shop[3] ejects cart-2: 5 consecutive 5xx, until 40 s at least"
//   group_text(scenario, group);          // "6 proxies eject 6 endpoints of cart in eu-west-1a, 70 times: ..."
//   most_important(scenario, events);     // up to three groups, for a summary
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::documents {
class JsonText;  // json_writer.hpp
}  // namespace spillway::documents

namespace spillway::health {
enum class Resource : std::uint8_t;  // detection.hpp
}  // namespace spillway::health

namespace spillway::reports {

struct Report;  // formats.hpp
struct Sheet;   // sheet.hpp

// Returns "ejected", "ejection_prevented" and so on, in the order of run::EventKind.
[[nodiscard]] const std::vector<std::string>& event_kind_names();

// Returns Envoy's name of the limit of a resource: "max_requests".
[[nodiscard]] std::string_view limit_name(health::Resource resource);

// True for panic, loads and held updates, which concern a priority. Others concern an endpoint or a whole cluster.
[[nodiscard]] bool is_about_priority(const run::EventRecord& record);

[[nodiscard]] std::string event_text(const scenario::Scenario& scenario, const run::EventRecord& record);
[[nodiscard]] std::string group_text(const scenario::Scenario& scenario, const run::EventGroup& group);

// Returns a formatter of events: one line of JSON each (docs/output.md). Lifetime: the scenario must outlive it.
[[nodiscard]] std::function<std::string(const run::EventRecord&)> event_json(const scenario::Scenario& scenario);

// Selects events. Names are those of the scenario; `kind` is one of event_kind_names().
struct EventFilter {
  std::optional<std::string> client = {};
  std::optional<std::string> endpoint = {};
  std::optional<std::string> kind = {};
  std::optional<run::Nanoseconds> from = {};
  std::optional<run::Nanoseconds> to = {};  // inclusive
};

// True if the filter accepts the event.
[[nodiscard]] bool passes(const scenario::Scenario& scenario, const EventFilter& filter,
                          const run::EventRecord& record);

// True if a summary would name this kind of event.
[[nodiscard]] bool is_important(run::EventKind kind);

// Returns the most frequent events of each important kind: prevented ejections, panic, open breakers, failed checks,
// ejections.
[[nodiscard]] std::vector<std::string> most_important(const scenario::Scenario& scenario,
                                                      const run::Events& logged_events);

// Returns the report's events for every format but JSON, merged unless `report.each_event` is set.
[[nodiscard]] Sheet event_sheet(const Report& report, bool for_people);
// Returns the JSON Schema of one object of events_json().
[[nodiscard]] documents::JsonText event_schema(const scenario::Scenario& scenario);
// Returns the report's events as JSON objects.
[[nodiscard]] std::vector<std::string> events_json(const Report& report);

}  // namespace spillway::reports
