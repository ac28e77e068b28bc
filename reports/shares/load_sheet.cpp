#include "reports/shares/load_sheet.hpp"

#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "reports/document/columns.hpp"
#include "reports/formats.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

std::string bare_seconds(run::Nanoseconds time) {
  return shortest(std::chrono::duration<double>(time).count());
}

template <class Number>
std::string number_or_empty(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string with_two_decimals(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "-";
}

// Formats requests: expected ones in mode exact, "?" without a closed form.
std::string requests_for_people(const Report& report, const run::EndpointLoad& row) {
  if (report.results.mode != scenario::Mode::exact) {
    return with_thousands(row.requests);
  }
  return row.expected ? with_thousands(static_cast<std::uint64_t>(round_half_up(*row.expected, 0))) : "?";
}

std::string requests_for_programs(const Report& report, const run::EndpointLoad& row) {
  if (report.results.mode != scenario::Mode::exact) {
    return fmt::format("{}", row.requests);
  }
  return row.expected ? shortest(*row.expected) : "";
}

Columns<run::EndpointLoad> endpoint_columns(const Report& report, bool for_people) {
  using Load = run::EndpointLoad;
  const scenario::Scenario& scenario = report.scenario;
  const auto node_of = [&scenario](const Load& row) -> const scenario::Node& {
    return scenario.nodes[scenario.endpoints[row.endpoint.value].node.value];
  };
  Columns<Load> columns;
  if (for_people) {
    columns.number("time", [](const Load& row) { return time_range(row.start, row.end); });
  } else {
    columns.number(report.show == Show::samples ? "sample" : "epoch",
                   [](const Load& row) { return fmt::format("{}", row.epoch); });
    columns.number("start_s", [](const Load& row) { return bare_seconds(row.start); });
    columns.number("end_s", [](const Load& row) { return bare_seconds(row.end); });
  }
  columns.text("service", [&scenario](const Load& row) { return scenario.services[row.service.value].name; });
  columns.text("endpoint", [&scenario](const Load& row) { return scenario.endpoints[row.endpoint.value].id; });
  columns.text("zone", [&scenario, node_of](const Load& row) { return scenario.zones[node_of(row).zone.value].name; });
  if (for_people) {
    columns.number("utilisation",
                   [](const Load& row) { return row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-"; });
    columns.number("queue mean", [](const Load& row) { return with_two_decimals(row.queue_mean); });
    columns.number("max", [](const Load& row) { return row.queue_max ? with_thousands(*row.queue_max) : "-"; });
    columns.number("requests", [&report](const Load& row) { return requests_for_people(report, row); });
  } else {
    columns.text("node", [node_of](const Load& row) { return node_of(row).name; });
    columns.number("utilisation", [](const Load& row) { return number_or_empty(row.utilisation); });
    columns.number("queue_mean", [](const Load& row) { return number_or_empty(row.queue_mean); });
    columns.number("queue_max", [](const Load& row) { return number_or_empty(row.queue_max); });
    columns.number("requests", [&report](const Load& row) { return requests_for_programs(report, row); });
  }
  return columns;
}

// Formats bytes. In mode exact they are NaN if there is no closed form.
std::string bytes_for_people(double bytes) {
  return std::isnan(bytes) ? "?" : bytes_text(bytes);
}

// Builds the columns. Rows of merged clients have no client name.
Columns<run::CrossZone> crossing_columns(const Report& report, const std::shared_ptr<const Grouped>& grouped,
                                         bool for_people) {
  using Row = run::CrossZone;
  const scenario::Scenario& scenario = report.scenario;
  const auto epochs = std::make_shared<const EpochFinder>(grouped->results);
  const auto epoch_of = [grouped, epochs](const Row& row) { return epochs->find(row.client, row.service, row.epoch); };
  const bool by_client = grouped->by.has(Dimension::client);
  const bool exact = grouped->results.mode == scenario::Mode::exact;
  Columns<Row> columns;
  if (for_people) {
    columns.number("time", [epoch_of](const Row& row) {
      const run::Epoch* const epoch = epoch_of(row);
      return epoch == nullptr ? "" : time_range(epoch->start, epoch->end);
    });
  } else {
    columns.number("epoch", [](const Row& row) { return fmt::format("{}", row.epoch); });
    for (const auto& [name, time] : {std::pair("start_s", &run::Epoch::start), {"end_s", &run::Epoch::end}}) {
      columns.number(name, [epoch_of, time](const Row& row) {
        const run::Epoch* const epoch = epoch_of(row);
        return epoch == nullptr ? "" : bare_seconds(epoch->*time);
      });
    }
  }
  columns.text("client", [&scenario, by_client, for_people](const Row& row) {
    return by_client ? scenario.clients[row.client.value].name : for_people ? "all" : "";
  });
  columns.text("service", [&scenario](const Row& row) { return scenario.services[row.service.value].name; });
  columns.text("from", [&scenario](const Row& row) { return scenario.zones[row.from.value].name; });
  columns.text("to", [&scenario](const Row& row) { return scenario.zones[row.to.value].name; });
  if (for_people) {
    columns.number("exact", [](const Row& row) { return row.exact ? exact_percent(*row.exact) : "?"; });
    columns.number("requests", [](const Row& row) {
      return std::isnan(row.requests) ? "?"
                                      : with_thousands(static_cast<std::uint64_t>(round_half_up(row.requests, 0)));
    });
    columns.number("request bytes", [](const Row& row) { return bytes_for_people(row.request_bytes); });
    columns.number("response bytes", [](const Row& row) { return bytes_for_people(row.response_bytes); });
    return columns;
  }
  columns.number("exact", [](const Row& row) { return number_or_empty(row.exact); });
  for (const auto& [name, count] : {std::pair("requests", &Row::requests),
                                    {"request_bytes", &Row::request_bytes},
                                    {"response_bytes", &Row::response_bytes}}) {
    columns.number(name, [exact, count](const Row& row) {
      return exact ? (std::isnan(row.*count) ? "" : shortest(row.*count))
                   : fmt::format("{}", static_cast<std::uint64_t>(row.*count));
    });
  }
  return columns;
}

}  // namespace

Sheet load_sheet(const Report& report, const Dimensions& by, bool for_people) {
  if (report.show == Show::cross_zone) {
    const auto grouped = std::make_shared<const Grouped>(group_by(report.scenario, shown_rows(report), by));
    return crossing_columns(report, grouped, for_people).made("from zone to zone", grouped->results.cross_zone);
  }
  return endpoint_columns(report, for_people)
      .made(report.show == Show::samples ? "endpoints by sample" : "endpoints",
            report.show == Show::samples ? report.results.samples : shown_rows(report).endpoints);
}

}  // namespace spillway::reports
