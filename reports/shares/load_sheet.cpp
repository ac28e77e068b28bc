#include "reports/shares/load_sheet.hpp"

#include <fmt/format.h>

#include "reports/shares/closing_lines.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/sheet.hpp"

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

Sheet endpoint_fields_for_programs(const Report& report) {
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
  return sheet;
}

std::vector<std::string> endpoint_for_programs(const Report& report, const run::EndpointLoad& row) {
  const EndpointPlace place = place_of(report.scenario, row);
  return {fmt::format("{}", row.epoch),
          bare_seconds(row.start),
          bare_seconds(row.end),
          place.service,
          place.endpoint,
          place.zone,
          place.node,
          number_or_empty(row.utilisation),
          number_or_empty(row.queue_mean),
          number_or_empty(row.queue_max),
          requests_for_programs(report, row)};
}

Sheet endpoint_fields_for_people(const Report& report) {
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
  return sheet;
}

std::vector<std::string> endpoint_for_people(const Report& report, const run::EndpointLoad& row) {
  const EndpointPlace place = place_of(report.scenario, row);
  return {time_range(row.start, row.end),
          place.service,
          place.endpoint,
          place.zone,
          row.utilisation ? simulated_percent(*row.utilisation) + " %" : "-",
          with_two_decimals(row.queue_mean),
          row.queue_max ? with_thousands(*row.queue_max) : "-",
          requests_for_people(report, row)};
}

Sheet crossing_fields(bool for_people) {
  if (for_people) {
    return {"from zone to zone",
            {{"time", true},
             {"client"},
             {"service"},
             {"from"},
             {"to"},
             {"exact", true},
             {"requests", true},
             {"request bytes", true},
             {"response bytes", true}}};
  }
  return {"",
          {{"epoch", true},
           {"start_s", true},
           {"end_s", true},
           {"client"},
           {"service"},
           {"from"},
           {"to"},
           {"exact", true},
           {"requests", true},
           {"request_bytes", true},
           {"response_bytes", true}}};
}

// Rows of clients that were put together have no name of a client.
class CrossingRows {
 public:
  CrossingRows(const scenario::Scenario& scenario, const Grouped& grouped, bool for_people)
      : scenario_(scenario), grouped_(grouped), epochs_(grouped.results), for_people_(for_people) {}

  [[nodiscard]] std::vector<std::string> cells(const run::CrossZone& row) const {
    const run::Epoch* const epoch = epochs_.find(row.client, row.service, row.epoch);
    const std::string client = grouped_.by.has(Dimension::client) ? scenario_.clients[row.client.value].name : "";
    const std::string& service = scenario_.services[row.service.value].name;
    const std::string& from = scenario_.zones[row.from.value].name;
    const std::string& to = scenario_.zones[row.to.value].name;
    if (for_people_) {
      return {epoch == nullptr ? "" : time_range(epoch->start, epoch->end),
              client.empty() ? "all" : client,
              service,
              from,
              to,
              row.exact ? exact_percent(*row.exact) : "?",
              with_thousands(static_cast<std::uint64_t>(round_half_up(row.requests, 0))),
              bytes_text(row.request_bytes),
              bytes_text(row.response_bytes)};
    }
    return {fmt::format("{}", row.epoch),
            epoch == nullptr ? "" : bare_seconds(epoch->start),
            epoch == nullptr ? "" : bare_seconds(epoch->end),
            client,
            service,
            from,
            to,
            number_or_empty(row.exact),
            count(row.requests),
            count(row.request_bytes),
            count(row.response_bytes)};
  }

 private:
  [[nodiscard]] std::string count(double number) const {
    return grouped_.results.mode != scenario::Mode::exact ? fmt::format("{}", static_cast<std::uint64_t>(number))
                                                          : shortest(number);
  }

  const scenario::Scenario& scenario_;
  const Grouped& grouped_;
  EpochFinder epochs_;
  bool for_people_;
};

void write_rows(const Report& report, const Sheet& sheet, const SheetRows& rows, Format format, const Look& look,
                const Sink& sink) {
  switch (format) {
    case Format::csv:
      return write_sheet_csv(sheet, rows, sink);
    case Format::wide: {
      constexpr int gap = 2;
      return write_sheet_text(sheet, rows, 0, gap, sink);
    }
    case Format::markdown:
      sink(fmt::format("**{}**: {}\n\n", markdown_escaped(report.scenario.name), sheet.subject));
      write_sheet_markdown(sheet, rows, sink);
      return sink(closing_list(report));
    default:
      break;
  }
  constexpr int gap = 3;
  const std::string title = fmt::format("{}        {}", printable(report.scenario.name), sheet.subject);
  sink((look.color ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n\n");
  write_sheet_text(sheet, rows, 1, gap, sink);
  sink(closing_lines(report, look));
}

}  // namespace

void write_load(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink) {
  const bool for_people = format == Format::table || format == Format::markdown;
  if (report.show == Show::cross_zone) {
    const Grouped grouped = group_by(report.scenario, shown_rows(report), by);
    const CrossingRows crossings(report.scenario, grouped, for_people);
    const auto rows = [&](const auto& visit) {
      for (const run::CrossZone& row : grouped.results.cross_zone) {
        visit(crossings.cells(row));
      }
    };
    return write_rows(report, crossing_fields(for_people), rows, format, look, sink);
  }
  const auto& loads = report.show == Show::samples ? report.results.samples : shown_rows(report).endpoints;
  const auto rows = [&](const auto& visit) {
    for (const run::EndpointLoad& row : loads) {
      visit(for_people ? endpoint_for_people(report, row) : endpoint_for_programs(report, row));
    }
  };
  write_rows(report, for_people ? endpoint_fields_for_people(report) : endpoint_fields_for_programs(report), rows,
             format, look, sink);
}

}  // namespace spillway::reports
