#include "reports/formats.hpp"

#include <algorithm>

#include "reports/requests/happenings.hpp"
#include "reports/requests/request_sheet.hpp"
#include "reports/shares/load_sheet.hpp"

namespace spillway::reports {

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"table", "wide", "markdown", "csv", "json"};
  return names;
}

std::optional<Format> format_of(std::string_view name) {
  const auto found = std::find(format_names().begin(), format_names().end(), name);
  if (found == format_names().end()) {
    return std::nullopt;
  }
  return static_cast<Format>(found - format_names().begin());
}

const std::vector<std::string>& show_names() {
  static const std::vector<std::string> names{"shares", "endpoints", "samples", "cross_zone", "happenings", "requests"};
  return names;
}

std::optional<Show> show_of(std::string_view name) {
  const auto found = std::find(show_names().begin(), show_names().end(), name);
  if (found == show_names().end()) {
    return std::nullopt;
  }
  return static_cast<Show>(found - show_names().begin());
}

Dimensions default_dimensions(Format format, const scenario::Scenario& scenario) {
  if (!shows_verdicts(format)) {
    return Dimensions::everything();
  }
  Dimensions by{Dimension::client, Dimension::priority, Dimension::zone};
  const bool aggregates =
      std::any_of(scenario.services.begin(), scenario.services.end(),
                  [](const scenario::Service& service) { return !service.cluster.aggregate_clusters.empty(); });
  if (aggregates) {
    by.add(Dimension::cluster);
  }
  return by;
}

bool shows_verdicts(Format format) {
  return format == Format::table || format == Format::markdown;
}

std::string format(const Report& report, Format format, const Dimensions& by, const Look& look) {
  std::string text;
  write(report, format, by, look, [&](std::string_view piece) { text += piece; });
  return text;
}

void write(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink) {
  if (report.show == Show::happenings && format != Format::json) {
    return sink(format_happenings(report, format, look));
  }
  if (report.show == Show::requests && format != Format::json) {
    return write_requests(report, format, by, look, sink);
  }
  if (report.show != Show::shares && format != Format::json) {
    return write_load(report, format, by, look, sink);
  }
  switch (format) {
    case Format::table:
      return write_table(report, by, look, sink);
    case Format::wide:
      return write_wide(report, by, sink);
    case Format::markdown:
      return write_markdown(report, by, sink);
    case Format::csv:
      return write_csv(report, by, sink);
    case Format::json:
      return write_json(report, by, sink);
  }
}

}  // namespace spillway::reports
