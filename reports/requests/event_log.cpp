#include "reports/requests/event_log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "models/kuma/endpoint.hpp"
#include "reports/document/sheet.hpp"
#include "reports/formats.hpp"
#include "reports/records/record.hpp"
#include "reports/text/times.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

using run::EventGroup;
using run::EventKind;
using run::EventRecord;

// The kinds that a summary names, the most important first.
constexpr std::array important{EventKind::ejection_prevented, EventKind::panic_began,      EventKind::breaker_opened,
                               EventKind::retry_budget_empty, EventKind::marked_unhealthy, EventKind::ejected};

const std::string& zone_of(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  return scenario.zones[scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value].name;
}

// Formats a period for people: "60.8 s", "60.8 s to 114 s".
std::string stretch_text(run::Nanoseconds first, run::Nanoseconds last, bool precise) {
  const std::string from = event_time(first, precise);
  const std::string to = event_time(last, precise);
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
  constexpr std::array others{EventKind::node_outage_began, EventKind::node_outage_ended, EventKind::link_changed,
                              EventKind::rate_changed, EventKind::runtime_changed};
  return std::find(others.begin(), others.end(), record.kind) == others.end();
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

bool is_one_proxy(const Line& line) {
  return !line.record->change && (line.group == nullptr || line.group->proxies == 1);
}

// Lifetime: the record keeps a reference to the scenario.
Record<Line> event_record(const scenario::Scenario& scenario) {
  Record<Line> record;
  record.number("start_s", [](const Line& line) { return config::seconds(line.first); });
  record.number("end_s", [](const Line& line) { return config::seconds(line.last); });
  record.text("kind", [](const Line& line) { return event_kind_names()[static_cast<std::size_t>(line.record->kind)]; });
  record.number("times", [](const Line& line) { return line.group == nullptr ? std::uint64_t{1} : line.group->times; });
  record.only_json("proxies", [](const Line& line) {
    return line.record->change ? 0 : line.group == nullptr ? 1 : line.group->proxies;
  });
  record.only_json("client", [&scenario](const Line& line) {
    return is_one_proxy(line) || line.record->kind == EventKind::rate_changed
               ? RecordValue(scenario.clients[line.record->client.value].name)
               : RecordValue();
  });
  record.only_json("instance", [](const Line& line) {
    return is_one_proxy(line) ? std::optional(line.record->instance) : std::nullopt;
  });
  record.only_json("service", [&scenario](const Line& line) {
    return is_about_service(*line.record)
               ? RecordValue(scenario.services[scenario::asked_for(scenario, line.record->service).value].name)
               : RecordValue();
  });
  record.only_json("endpoints", [&scenario](const Line& line) { return endpoints_in(scenario, line); });
  record.only_json("endpoint", [&scenario](const Line& line) {
    return line.record->endpoint && (line.group == nullptr || line.group->endpoints == 1)
               ? RecordValue(scenario.endpoints[line.record->endpoint->value].id)
               : RecordValue();
  });
  record.only_json("zone", [&scenario](const Line& line) {
    return line.record->endpoint ? RecordValue(zone_of(scenario, *line.record->endpoint)) : RecordValue();
  });
  record.only_json("priority", [](const Line& line) {
    return line.record->endpoint || is_about_priority(*line.record) ? std::optional(line.record->priority.value)
                                                                    : std::nullopt;
  });
  record.only_json("lasted_s", [](const Line& line) {
    return line.group == nullptr ? std::nullopt : std::optional(config::seconds(line.group->lasted));
  });
  record.only_json("until_s", [](const Line& line) {
    return line.group == nullptr && line.record->until ? std::optional(config::seconds(*line.record->until))
                                                       : std::nullopt;
  });
  record.text("text", [&scenario](const Line& line) {
    return line.group == nullptr ? event_text(scenario, *line.record) : group_text(scenario, *line.group);
  });
  return record;
}

}  // namespace

std::function<std::string(const EventRecord&)> event_json(const scenario::Scenario& scenario) {
  return [fields = event_record(scenario)](const EventRecord& record) {
    return fields.json({record.at, record.at, &record, nullptr}).text();
  };
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
  return std::find(important.begin(), important.end(), kind) != important.end();
}

std::vector<std::string> most_important(const scenario::Scenario& scenario, const run::Events& logged_events) {
  std::vector<std::string> lines;
  constexpr std::size_t most_lines = 3;
  for (const EventKind kind : important) {
    const EventGroup* most = nullptr;
    for (const EventGroup& group : logged_events.groups) {
      most = group.first.kind == kind && (most == nullptr || group.times > most->times) ? &group : most;
    }
    if (most != nullptr && lines.size() < most_lines) {
      lines.push_back(
          fmt::format("{}: {}", stretch_text(most->first.at, most->last, false), group_text(scenario, *most)));
    }
  }
  return lines;
}

documents::JsonText event_schema(const scenario::Scenario& scenario) {
  return event_record(scenario).schema();
}

Sheet event_sheet(const Report& report, bool for_people) {
  Columns<Line> columns;
  const Record<Line> record = event_record(report.scenario);
  columns.number("time", [](const Line& line) { return stretch_text(line.first, line.last, line.group == nullptr); });
  columns.text("what", [text = record.fields().back().value](const Line& line) { return text(line).cell(); });
  Sheet sheet = (for_people ? columns : record.columns()).sheet("events", lines_of(report));
  sheet.gap = 2;
  return sheet;
}

std::vector<std::string> events_json(const Report& report) {
  std::vector<std::string> objects;
  const Record<Line> record = event_record(report.scenario);
  for (const Line& line : lines_of(report)) {
    objects.push_back(record.json(line).text());
  }
  return objects;
}

}  // namespace spillway::reports
