#include "reports/requests/request_sheet.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <vector>

#include "models/config/refusal.hpp"
#include "models/config/seconds.hpp"
#include "reports/document/columns.hpp"
#include "reports/formats.hpp"
#include "reports/records/run_records.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

struct RequestRow {
  const run::Epoch* epoch = nullptr;
  const run::Outcomes* outcomes = nullptr;
  const run::Latency* latency = nullptr;
  std::uint64_t attempts = 0;
  std::optional<double> utilisation = {};
};

// Returns the rows in the order of the outcomes; each outcome has one row.
std::vector<RequestRow> request_rows(const scenario::Scenario& scenario, const Grouped& grouped) {
  const run::Results& results = grouped.results;
  const EpochFinder epochs(results);
  std::vector<RequestRow> rows(results.epochs.size());
  const auto row_of = [&](const auto& of) -> RequestRow* {
    const auto position = epochs.position(of.client, of.service, of.epoch);
    return position ? &rows[*position] : nullptr;
  };
  for (const run::Outcomes& outcomes : results.outcomes) {
    if (RequestRow* const row = row_of(outcomes)) {
      row->outcomes = &outcomes;
    }
  }
  for (const run::Latency& latency : results.latency) {
    if (RequestRow* const row = row_of(latency)) {
      row->latency = &latency;
    }
  }
  for (const run::Share& share : results.shares) {
    if (RequestRow* const row = row_of(share)) {
      row->attempts += share.attempts.value_or(0);
    }
  }
  for (std::size_t number = 0; number < rows.size(); ++number) {
    const run::Epoch& epoch = results.epochs[number];
    rows[number].epoch = &epoch;
    rows[number].utilisation = utilisation_of(scenario, results, epoch.service, epoch.start, epoch.end);
  }
  std::erase_if(rows, [](const RequestRow& row) { return row.outcomes == nullptr; });
  return rows;
}

std::string name_of_client(const Report& report, const Grouped& grouped, const RequestRow& row, const char* all) {
  return grouped.by.has(Dimension::client) ? report.scenario.clients[row.epoch->client.value].name : all;
}

// Formats a latency; returns "-" for a row without responses.
auto latency_of(double run::Latency::* quantile) {
  return [=](const RequestRow& row) {
    return row.latency != nullptr && row.latency->answers > 0 ? duration_text(row.latency->*quantile) : "-";
  };
}

Sheet sheet_for_programs(const Report& report, const Grouped& grouped, const std::vector<RequestRow>& rows) {
  Columns<RequestRow> columns;
  const auto count = [&](const char* name, auto of) {
    columns.number(name, [of](const RequestRow& row) { return fmt::format("{}", of(row)); });
  };
  count("row", [](const RequestRow& row) { return row.outcomes->epoch; });
  columns.number("start_s", [](const RequestRow& row) { return shortest(config::seconds(row.epoch->start)); });
  columns.number("end_s", [](const RequestRow& row) { return shortest(config::seconds(row.epoch->end)); });
  columns.text("client", [&](const RequestRow& row) { return name_of_client(report, grouped, row, ""); });
  columns.text("service",
               [&](const RequestRow& row) { return report.scenario.services[row.epoch->service.value].name; });
  for (const RecordField<run::Outcomes>& field : outcome_counts().fields()) {
    columns.number(field.name, [&field](const RequestRow& row) { return field.value(*row.outcomes).cell(); });
  }
  count("attempts", [](const RequestRow& row) { return row.attempts; });
  for (const RecordField<run::Latency>& field : latency_quantiles().fields()) {
    columns.number(field.name + "_s", [&field](const RequestRow& row) {
      return row.latency == nullptr ? "" : field.value(*row.latency).cell();
    });
  }
  columns.number("utilisation",
                 [](const RequestRow& row) { return row.utilisation ? shortest(*row.utilisation) : ""; });
  return columns.sheet("", rows);
}

// Returns only columns that have values.
Sheet sheet_for_people(const Report& report, const Grouped& grouped, const std::vector<RequestRow>& rows) {
  const auto any = [&](auto of) { return std::any_of(rows.begin(), rows.end(), of); };
  const auto several = [&](auto of) { return any([&](const RequestRow& row) { return of(row) != of(rows.front()); }); };
  Columns<RequestRow> columns;
  columns.number("time", [](const RequestRow& row) { return time_range(row.epoch->start, row.epoch->end); });
  columns.text(
      "client", [&](const RequestRow& row) { return name_of_client(report, grouped, row, "all"); },
      several([](const RequestRow& row) { return row.epoch->client; }));
  columns.text(
      "service", [&](const RequestRow& row) { return report.scenario.services[row.epoch->service.value].name; },
      several([](const RequestRow& row) { return row.epoch->service; }));
  columns.number("sent", [](const RequestRow& row) { return with_thousands(row.outcomes->sent); });
  columns.number("ok", [](const RequestRow& row) { return with_thousands(row.outcomes->ok()); });
  for (const scenario::Outcome failure : scenario::failures) {
    columns.number(
        outcome_name(failure), [failure](const RequestRow& row) { return with_thousands((*row.outcomes)[failure]); },
        any([failure](const RequestRow& row) { return (*row.outcomes)[failure] > 0; }));
  }
  columns.number(
      "attempts", [](const RequestRow& row) { return with_thousands(row.attempts); },
      any([](const RequestRow& row) { return row.outcomes->retries > 0; }));
  columns.number("p50", latency_of(&run::Latency::p50));
  columns.number("p90", latency_of(&run::Latency::p90));
  columns.number("p95", latency_of(&run::Latency::p95));
  columns.number("p99", latency_of(&run::Latency::p99));
  columns.number(
      "utilisation",
      [](const RequestRow& row) { return row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-"; },
      any([](const RequestRow& row) { return row.utilisation.has_value(); }));
  return columns.sheet("requests", rows);
}

}  // namespace

std::optional<double> utilisation_of(const scenario::Scenario& scenario, const run::Results& results,
                                     config::ServiceIndex service, run::Nanoseconds start, run::Nanoseconds end) {
  double busy = 0.0;
  bool known = false;
  for (const run::EndpointLoad& load : results.endpoints) {
    const run::Nanoseconds common = std::min(load.end, end) - std::max(load.start, start);
    if (load.service == service && load.utilisation && common > run::Nanoseconds{0}) {
      busy += *load.utilisation * config::seconds(common);
      known = true;
    }
  }
  std::set<config::EndpointIndex> endpoints;
  for (std::uint32_t number = 0; number < scenario.services.size(); ++number) {
    const scenario::Service& of = scenario.services[number];
    if (scenario::asked_for(scenario, config::ServiceIndex{number}) != service) {
      continue;
    }
    for (const scenario::Host& host : of.hosts) {
      const scenario::Endpoint& endpoint = scenario.endpoints[host.endpoint.value];
      if (!host.forwards_to && (endpoint.servers || scenario.nodes[endpoint.node.value].servers)) {
        endpoints.insert(host.endpoint);
      }
    }
  }
  return known && !endpoints.empty()
             ? std::optional(busy / config::seconds(end - start) / static_cast<double>(endpoints.size()))
             : std::nullopt;
}

Sheet request_sheet(const Report& report, const Dimensions& by, bool for_people) {
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  const std::vector<RequestRow> rows = request_rows(report.scenario, grouped);
  return for_people ? sheet_for_people(report, grouped, rows) : sheet_for_programs(report, grouped, rows);
}

}  // namespace spillway::reports
