#include "reports/requests/request_sheet.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <utility>
#include <vector>

#include "models/config/seconds.hpp"
#include "reports/requests/kinds_of_failure.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/sheet.hpp"

namespace spillway::reports {
namespace {

struct RequestRow {
  const run::Epoch* epoch = nullptr;
  const run::Outcomes* outcomes = nullptr;
  const run::Latency* latency = nullptr;
  std::uint64_t attempts = 0;
  std::optional<double> utilisation = {};
};

// In the order of the outcomes, which have a row each.
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

std::string name_of_client(const scenario::Scenario& scenario, const Grouped& grouped, const run::Epoch& epoch,
                           const char* all) {
  return grouped.by.has(Dimension::client) ? scenario.clients[epoch.client.value].name : all;
}

std::string number_for_programs(bool known, double value) {
  return known ? shortest(value) : "";
}

Sheet sheet_for_programs(const Report& report, const Grouped& grouped, const std::vector<RequestRow>& rows) {
  Sheet sheet{
      "", {{"row", true}, {"start_s", true}, {"end_s", true}, {"client"}, {"service"}, {"sent", true}, {"ok", true}}};
  for (const auto& [name, count, step] : kinds_of_failure) {
    sheet.fields.push_back({name, true});
  }
  for (const char* const name : {"retries", "attempts", "p50_s", "p90_s", "p99_s", "max_s", "utilisation"}) {
    sheet.fields.push_back({name, true});
  }
  for (const RequestRow& row : rows) {
    const run::Outcomes& of = *row.outcomes;
    std::vector<std::string> cells{fmt::format("{}", of.epoch),
                                   shortest(config::seconds(row.epoch->start)),
                                   shortest(config::seconds(row.epoch->end)),
                                   name_of_client(report.scenario, grouped, *row.epoch, ""),
                                   report.scenario.services[row.epoch->service.value].name,
                                   fmt::format("{}", of.sent),
                                   fmt::format("{}", of.ok)};
    for (const auto& [name, count, step] : kinds_of_failure) {
      cells.push_back(fmt::format("{}", of.*count));
    }
    cells.push_back(fmt::format("{}", of.retries));
    cells.push_back(fmt::format("{}", row.attempts));
    const bool answered = row.latency != nullptr && row.latency->answers > 0;
    for (double run::Latency::* const quantile :
         {&run::Latency::p50, &run::Latency::p90, &run::Latency::p99, &run::Latency::max}) {
      cells.push_back(number_for_programs(answered, answered ? row.latency->*quantile : 0.0));
    }
    cells.push_back(number_for_programs(row.utilisation.has_value(), row.utilisation.value_or(0.0)));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

// Columns of what there is.
Sheet sheet_for_people(const Report& report, const Grouped& grouped, const std::vector<RequestRow>& rows) {
  const auto any = [&](OutcomeCount count) {
    return std::any_of(rows.begin(), rows.end(), [&](const RequestRow& row) { return row.outcomes->*count > 0; });
  };
  const auto several = [&](auto of) {
    return std::any_of(rows.begin(), rows.end(), [&](const RequestRow& row) { return of(row) != of(rows.front()); });
  };
  const bool clients = several([](const RequestRow& row) { return row.epoch->client; });
  const bool services = several([](const RequestRow& row) { return row.epoch->service; });
  const bool loads =
      std::any_of(rows.begin(), rows.end(), [](const RequestRow& row) { return row.utilisation.has_value(); });
  Sheet sheet{"requests", {{"time", true}}};
  const auto add = [&](bool shown, const char* name, bool number) {
    if (shown) {
      sheet.fields.push_back({name, number});
    }
  };
  add(clients, "client", false);
  add(services, "service", false);
  add(true, "sent", true);
  add(true, "ok", true);
  for (const auto& [name, count, step] : kinds_of_failure) {
    add(any(count), name, true);
  }
  const bool retries = any(&run::Outcomes::retries);
  add(retries, "attempts", true);
  for (const char* const name : {"p50", "p90", "p99"}) {
    add(true, name, true);
  }
  add(loads, "utilisation", true);
  for (const RequestRow& row : rows) {
    const run::Outcomes& of = *row.outcomes;
    std::vector<std::string> cells{time_range(row.epoch->start, row.epoch->end)};
    const auto put = [&](bool shown, std::string text) {
      if (shown) {
        cells.push_back(std::move(text));
      }
    };
    put(clients, name_of_client(report.scenario, grouped, *row.epoch, "all"));
    put(services, report.scenario.services[row.epoch->service.value].name);
    put(true, with_thousands(of.sent));
    put(true, with_thousands(of.ok));
    for (const auto& [name, count, step] : kinds_of_failure) {
      put(any(count), with_thousands(of.*count));
    }
    put(retries, with_thousands(row.attempts));
    const bool answered = row.latency != nullptr && row.latency->answers > 0;
    for (double run::Latency::* const quantile : {&run::Latency::p50, &run::Latency::p90, &run::Latency::p99}) {
      put(true, answered ? duration_text(row.latency->*quantile) : "-");
    }
    put(loads, row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-");
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
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

void write_requests(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink) {
  const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
  const std::vector<RequestRow> rows = request_rows(report.scenario, grouped);
  const bool for_people = format == Format::table || format == Format::markdown;
  const Sheet sheet = for_people ? sheet_for_people(report, grouped, rows) : sheet_for_programs(report, grouped, rows);
  if (format == Format::csv) {
    return sink(sheet_csv(sheet));
  }
  if (format == Format::wide) {
    constexpr int gap = 2;
    return sink(sheet_text(sheet, 0, gap));
  }
  const std::string none = "Mode exact sends no requests.\n";
  if (format == Format::markdown) {
    return sink(fmt::format("**{}**: {}\n\n", markdown_escaped(report.scenario.name), sheet.subject) +
                (rows.empty() ? none : sheet_markdown(sheet)) + closing_list(report));
  }
  constexpr int gap = 3;
  const std::string title = fmt::format("{}        {}", printable(report.scenario.name), sheet.subject);
  sink((look.color ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n\n" +
       (rows.empty() ? ' ' + none : sheet_text(sheet, 1, gap)) + closing_lines(report, look));
}

}  // namespace spillway::reports
