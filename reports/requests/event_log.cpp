#include "reports/requests/event_log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "models/config/seconds.hpp"
#include "models/documents/json_writer.hpp"
#include "models/kuma/endpoint.hpp"
#include "reports/document/sheet.hpp"
#include "reports/formats.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/percent.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

using Json = documents::JsonText;
using run::EventGroup;
using run::EventKind;
using run::EventRecord;

// The importance of kinds that a summary names, below `ranks`; lower is more important.
constexpr std::size_t ranks = 6;
std::optional<int> rank_of(EventKind kind) {
  switch (kind) {
    case EventKind::ejection_prevented:
      return 0;
    case EventKind::panic_began:
      return 1;
    case EventKind::breaker_opened:
      return 2;
    case EventKind::retry_budget_empty:
      return 3;
    case EventKind::marked_unhealthy:
      return 4;
    case EventKind::ejected:
      return 5;
    default:
      return std::nullopt;
  }
}

const std::string& zone_of(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  return scenario.zones[scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value].name;
}

// Formats a period for people: "60.8 s", "60.8 s to 114 s".
std::string stretch_text(run::Nanoseconds first, run::Nanoseconds last) {
  const std::string from = duration_text(config::seconds(first));
  const std::string to = duration_text(config::seconds(last));
  return from == to ? from : from + " to " + to;
}

// A printed line, for a group or a single event.
struct Line {
  run::Nanoseconds first;
  run::Nanoseconds last;
  const EventRecord* record;
  const EventGroup* group;  // null for a single event
};

std::vector<Line> lines_of(const Report& report) {
  std::vector<Line> lines;
  if (report.each_event) {
    for (const EventRecord& record : report.results.logged_events.each) {
      lines.push_back({record.at, record.at, &record, nullptr});
    }
    return lines;
  }
  for (const EventGroup& group : report.results.logged_events.groups) {
    lines.push_back({group.first.at, group.last, &group.first, &group});
  }
  return lines;
}

bool is_about_service(const EventRecord& record) {
  switch (record.kind) {
    case EventKind::node_outage_began:
    case EventKind::node_outage_ended:
    case EventKind::link_changed:
    case EventKind::rate_changed:
    case EventKind::runtime_changed:
      return false;
    default:
      return true;
  }
}

std::size_t endpoints_in(const scenario::Scenario& scenario, const Line& line) {
  if (line.group != nullptr) {
    return line.group->endpoints;
  }
  return line.record->change     ? run::endpoints_of(scenario, scenario.changes[*line.record->change].effect).size()
         : line.record->endpoint ? 1
                                 : 0;
}

bool is_of_client(const scenario::Scenario& scenario, const EventRecord& record, const std::string& name) {
  return (!record.change || record.kind == EventKind::rate_changed) &&
         scenario.clients[record.client.value].name == name;
}

bool is_about_endpoint(const scenario::Scenario& scenario, const EventRecord& record, const std::string& id) {
  const auto is_it = [&](config::EndpointIndex endpoint) { return scenario.endpoints[endpoint.value].id == id; };
  if (!record.change) {
    return record.endpoint && is_it(*record.endpoint);
  }
  const auto endpoints = run::endpoints_of(scenario, scenario.changes[*record.change].effect);
  return std::any_of(endpoints.begin(), endpoints.end(), is_it);
}

Json json_of(const scenario::Scenario& scenario, const Line& line) {
  const EventRecord& record = *line.record;
  const bool one = line.group == nullptr;
  Json object{{"start_s", config::seconds(line.first)},
              {"end_s", config::seconds(line.last)},
              {"kind", event_kind_names()[static_cast<std::size_t>(record.kind)]},
              {"times", one ? 1 : line.group->times},
              {"proxies", record.change ? 0
                          : one         ? 1
                                        : line.group->proxies}};
  const bool by_author = record.change.has_value();
  const bool one_proxy = !by_author && (one || line.group->proxies == 1);
  const bool names_client = one_proxy || record.kind == EventKind::rate_changed;
  const bool one_endpoint = record.endpoint && (one || line.group->endpoints == 1);
  object.add("client", names_client ? Json(scenario.clients[record.client.value].name) : nullptr);
  object.add("instance", one_proxy ? Json(record.instance) : nullptr);
  object.add("service", is_about_service(record)
                            ? Json(scenario.services[scenario::asked_for(scenario, record.service).value].name)
                            : nullptr);
  object.add("endpoints", endpoints_in(scenario, line));
  object.add("endpoint", one_endpoint ? Json(scenario.endpoints[record.endpoint->value].id) : nullptr);
  object.add("zone", record.endpoint ? Json(zone_of(scenario, *record.endpoint)) : nullptr);
  object.add("priority", record.endpoint || is_about_priority(record) ? Json(record.priority.value) : nullptr);
  object.add("lasted_s", one ? nullptr : Json(config::seconds(line.group->lasted)));
  object.add("text", one ? event_text(scenario, record) : group_text(scenario, *line.group));
  return object;
}

}  // namespace

std::string event_json(const scenario::Scenario& scenario, const EventRecord& record) {
  return json_of(scenario, {record.at, record.at, &record, nullptr}).text();
}

bool passes(const scenario::Scenario& scenario, const EventFilter& filter, const EventRecord& record) {
  const auto is = [](const std::optional<std::string>& wanted, const std::string& name) {
    return !wanted || *wanted == name;
  };
  return (!filter.client || is_of_client(scenario, record, *filter.client)) &&
         (!filter.endpoint || is_about_endpoint(scenario, record, *filter.endpoint)) &&
         is(filter.kind, event_kind_names()[static_cast<std::size_t>(record.kind)]) &&
         (!filter.from || record.at >= *filter.from) && (!filter.to || record.at <= *filter.to);
}

bool is_important(EventKind kind) {
  return rank_of(kind).has_value();
}

std::vector<std::string> most_important(const scenario::Scenario& scenario, const run::Events& logged_events) {
  std::array<const EventGroup*, ranks> first_of_rank{};
  for (const EventGroup& group : logged_events.groups) {
    if (const auto rank = rank_of(group.first.kind)) {
      const EventGroup*& most = first_of_rank[static_cast<std::size_t>(*rank)];
      most = most == nullptr || group.times > most->times ? &group : most;
    }
  }
  std::vector<std::string> lines;
  constexpr std::size_t most_lines = 3;
  for (const EventGroup* const group : first_of_rank) {
    if (group != nullptr && lines.size() < most_lines) {
      lines.push_back(fmt::format("{}: {}", stretch_text(group->first.at, group->last), group_text(scenario, *group)));
    }
  }
  return lines;
}

Sheet event_sheet(const Report& report, bool for_people) {
  Sheet sheet{"happenings", {{"time", true}, {"what"}}};
  if (!for_people) {
    sheet.fields = {{"start_s", true}, {"end_s", true}, {"kind"}, {"times", true}, {"text"}};
  }
  for (const Line& line : lines_of(report)) {
    const std::string text =
        line.group == nullptr ? event_text(report.scenario, *line.record) : group_text(report.scenario, *line.group);
    if (for_people) {
      sheet.rows.push_back({stretch_text(line.first, line.last), text});
    } else {
      sheet.rows.push_back({shortest(config::seconds(line.first)), shortest(config::seconds(line.last)),
                            event_kind_names()[static_cast<std::size_t>(line.record->kind)],
                            fmt::format("{}", line.group == nullptr ? 1 : line.group->times), text});
    }
  }
  sheet.gap = 2;
  return sheet;
}

std::vector<std::string> events_json(const Report& report) {
  std::vector<std::string> objects;
  for (const Line& line : lines_of(report)) {
    objects.push_back(json_of(report.scenario, line).text());
  }
  return objects;
}

}  // namespace spillway::reports
