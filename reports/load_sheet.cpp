#include "reports/load_sheet.hpp"

#include <fmt/format.h>
#include <map>
#include <tuple>

#include "reports/closing_lines.hpp"
#include "reports/markdown_text.hpp"
#include "reports/percent.hpp"
#include "reports/share_fields.hpp"
#include "reports/share_table.hpp"
#include "reports/sheet.hpp"

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

// Expected ones in mode exact; "?" or nothing where there is no closed form.
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

struct EndpointPlace {
  const std::string& service;
  const std::string& endpoint;
  const std::string& zone;
  const std::string& node;
};

EndpointPlace place_of(const scenario::Scenario& scenario, const run::EndpointLoad& row) {
  const scenario::Endpoint& endpoint = scenario.endpoints[row.endpoint.value];
  const scenario::Node& node = scenario.nodes[endpoint.node.value];
  return {scenario.services[row.service.value].name, endpoint.id, scenario.zones[node.zone.value].name, node.name};
}

Sheet endpoints_for_programs(const Report& report) {
  const bool samples = report.show == Show::samples;
  Sheet sheet{"",
              {{samples ? "sample" : "epoch", true},
               {"start_s", true},
               {"end_s", true},
               {"service"},
               {"endpoint"},
               {"zone"},
               {"node"},
               {"utilisation", true},
               {"queue_mean", true},
               {"queue_max", true},
               {"requests", true}}};
  for (const run::EndpointLoad& row : samples ? report.results.samples : report.results.endpoints) {
    const EndpointPlace place = place_of(report.scenario, row);
    sheet.rows.push_back({fmt::format("{}", row.epoch), bare_seconds(row.start), bare_seconds(row.end), place.service,
                          place.endpoint, place.zone, place.node, number_or_empty(row.utilisation),
                          number_or_empty(row.queue_mean), number_or_empty(row.queue_max),
                          requests_for_programs(report, row)});
  }
  return sheet;
}

Sheet endpoints_for_people(const Report& report) {
  const bool samples = report.show == Show::samples;
  Sheet sheet{samples ? "endpoints by sample" : "endpoints",
              {{"time", true},
               {"service"},
               {"endpoint"},
               {"zone"},
               {"utilisation", true},
               {"queue mean", true},
               {"max", true},
               {"requests", true}}};
  for (const run::EndpointLoad& row : samples ? report.results.samples : report.results.endpoints) {
    const EndpointPlace place = place_of(report.scenario, row);
    sheet.rows.push_back({time_range(row.start, row.end), place.service, place.endpoint, place.zone,
                          row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-",
                          with_two_decimals(row.queue_mean), row.queue_max ? with_thousands(*row.queue_max) : "-",
                          requests_for_people(report, row)});
  }
  return sheet;
}

// Rows of clients that were put together have no name of a client.
Sheet crossings(const Report& report, const Grouped& grouped, bool for_people) {
  Sheet sheet{"from zone to zone", {}};
  if (for_people) {
    sheet.fields = {{"time", true},
                    {"client"},
                    {"service"},
                    {"from"},
                    {"to"},
                    {"exact", true},
                    {"requests", true},
                    {"request bytes", true},
                    {"response bytes", true}};
  } else {
    sheet.fields = {{"epoch", true},
                    {"start_s", true},
                    {"end_s", true},
                    {"client"},
                    {"service"},
                    {"from"},
                    {"to"},
                    {"exact", true},
                    {"requests", true},
                    {"request_bytes", true},
                    {"response_bytes", true}};
  }
  const scenario::Scenario& scenario = report.scenario;
  const bool counted = grouped.results.mode != scenario::Mode::exact;
  const auto count = [&](double number) {
    return counted ? fmt::format("{}", static_cast<std::uint64_t>(number)) : shortest(number);
  };
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, const run::Epoch*> epochs;
  for (const run::Epoch& epoch : grouped.results.epochs) {
    epochs.insert_or_assign({epoch.client.value, epoch.service.value, epoch.index}, &epoch);
  }
  for (const run::CrossZone& row : grouped.results.cross_zone) {
    const auto found = epochs.find({row.client.value, row.service.value, row.epoch});
    const run::Epoch* const epoch = found == epochs.end() ? nullptr : found->second;
    const std::string client = grouped.by.has(Dimension::client) ? scenario.clients[row.client.value].name : "";
    const std::string& service = scenario.services[row.service.value].name;
    const std::string& from = scenario.zones[row.from.value].name;
    const std::string& to = scenario.zones[row.to.value].name;
    if (for_people) {
      sheet.rows.push_back({epoch == nullptr ? "" : time_range(epoch->start, epoch->end),
                            client.empty() ? "all" : client, service, from, to,
                            row.exact ? exact_percent(*row.exact) : "?",
                            with_thousands(static_cast<std::uint64_t>(round_half_up(row.requests, 0))),
                            bytes_text(row.request_bytes), bytes_text(row.response_bytes)});
    } else {
      sheet.rows.push_back({fmt::format("{}", row.epoch), epoch == nullptr ? "" : bare_seconds(epoch->start),
                            epoch == nullptr ? "" : bare_seconds(epoch->end), client, service, from, to,
                            number_or_empty(row.exact), count(row.requests), count(row.request_bytes),
                            count(row.response_bytes)});
    }
  }
  return sheet;
}

}  // namespace

std::string format_load(const Report& report, Format format, const Dimensions& by, const Look& look) {
  const bool for_people = format == Format::table || format == Format::markdown;
  const Sheet sheet = report.show == Show::cross_zone
                          ? crossings(report, group_by(report.scenario, report.results, by), for_people)
                      : for_people ? endpoints_for_people(report)
                                   : endpoints_for_programs(report);
  switch (format) {
    case Format::csv:
      return sheet_csv(sheet);
    case Format::wide: {
      constexpr int gap = 2;
      return sheet_text(sheet, 0, gap);
    }
    case Format::markdown:
      return fmt::format("**{}**: {}\n\n", markdown_escaped(report.scenario.name), sheet.subject) +
             sheet_markdown(sheet) + closing_list(report);
    default:
      break;
  }
  constexpr int gap = 3;
  const std::string title = fmt::format("{}        {}", printable(report.scenario.name), sheet.subject);
  return (look.color ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n\n" + sheet_text(sheet, 1, gap) +
         closing_lines(report, look);
}

}  // namespace spillway::reports
