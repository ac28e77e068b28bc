#include "reports/shares/load_sheet.hpp"

#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "reports/document/columns.hpp"
#include "reports/formats.hpp"
#include "reports/records/run_records.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

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

Columns<run::EndpointLoad> endpoint_columns(const Report& report) {
  using Load = run::EndpointLoad;
  const scenario::Scenario& scenario = report.scenario;
  const auto node_of = [&scenario](const Load& row) -> const scenario::Node& {
    return scenario.nodes[scenario.endpoints[row.endpoint.value].node.value];
  };
  Columns<Load> columns;
  columns.number("time", [](const Load& row) { return time_range(row.start, row.end); });
  columns.text("service", [&scenario](const Load& row) { return scenario.services[row.service.value].name; });
  columns.text("endpoint", [&scenario](const Load& row) { return scenario.endpoints[row.endpoint.value].id; });
  columns.text("zone", [&scenario, node_of](const Load& row) { return scenario.zones[node_of(row).zone.value].name; });
  columns.number("utilisation",
                 [](const Load& row) { return row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-"; });
  columns.number("queue mean", [](const Load& row) { return with_two_decimals(row.queue_mean); });
  columns.number("max", [](const Load& row) { return row.queue_max ? with_thousands(*row.queue_max) : "-"; });
  columns.number("requests", [&report](const Load& row) { return requests_for_people(report, row); });
  return columns;
}

// Formats bytes. In mode exact they are NaN if there is no closed form.
std::string bytes_for_people(double bytes) {
  return std::isnan(bytes) ? "?" : bytes_text(bytes);
}

// Builds the columns. Rows of merged clients have no client name.
Columns<run::CrossZone> crossing_columns(const Report& report, const std::shared_ptr<const Grouped>& grouped,
                                         const std::shared_ptr<const EpochFinder>& epochs) {
  using Row = run::CrossZone;
  const scenario::Scenario& scenario = report.scenario;
  const auto epoch_of = [grouped, epochs](const Row& row) { return epochs->find(row.client, row.service, row.epoch); };
  const bool by_client = grouped->by.has(Dimension::client);
  Columns<Row> columns;
  columns.number("time", [epoch_of](const Row& row) {
    const run::Epoch* const epoch = epoch_of(row);
    return epoch == nullptr ? "" : time_range(epoch->start, epoch->end);
  });
  columns.text("client", [&scenario, by_client](const Row& row) {
    return by_client ? scenario.clients[row.client.value].name : "all";
  });
  columns.text("service", [&scenario](const Row& row) { return scenario.services[row.service.value].name; });
  columns.text("from", [&scenario](const Row& row) { return scenario.zones[row.from.value].name; });
  columns.text("to", [&scenario](const Row& row) { return scenario.zones[row.to.value].name; });
  columns.number("exact", [](const Row& row) { return row.exact ? exact_percent(*row.exact) : "?"; });
  columns.number("requests", [](const Row& row) {
    return std::isnan(row.requests) ? "?" : with_thousands(static_cast<std::uint64_t>(round_half_up(row.requests, 0)));
  });
  columns.number("request bytes", [](const Row& row) { return bytes_for_people(row.request_bytes); });
  columns.number("response bytes", [](const Row& row) { return bytes_for_people(row.response_bytes); });
  return columns;
}

}  // namespace

Sheet load_sheet(const Report& report, const Dimensions& by, bool for_people) {
  if (report.show == Show::cross_zone) {
    const auto grouped = std::make_shared<const Grouped>(group_by(report.scenario, shown_rows(report), by));
    const auto epochs = std::make_shared<const EpochFinder>(grouped->results);
    Sheet sheet = (for_people ? crossing_columns(report, grouped, epochs)
                              : crossing_record(report.scenario, grouped->results, grouped->by, *epochs).columns())
                      .made("from zone to zone", grouped->results.cross_zone);
    sheet.made = [grouped, epochs, made = std::move(sheet.made)](const auto& visit) { made(visit); };
    return sheet;
  }
  const bool samples = report.show == Show::samples;
  return (for_people ? endpoint_columns(report)
                     : load_record(report.scenario, report.results.mode, samples ? "sample" : "epoch").columns())
      .made(samples ? "endpoints by sample" : "endpoints",
            samples ? report.results.samples : shown_rows(report).endpoints);
}

}  // namespace spillway::reports
