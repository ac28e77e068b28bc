#include "reports/formats.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/requests/request_sheet.hpp"
#include "reports/shares/client_parts.hpp"
#include "reports/shares/closing_lines.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/load_sheet.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

// Returns the text for an empty table; empty if the table is printed without rows.
std::string why_nothing(const Report& report) {
  const bool sends = report.results.mode != scenario::Mode::exact;
  return report.show == Show::requests        ? "Mode exact sends no requests."
         : report.show != Show::logged_events ? ""
         : sends                              ? "No events."
                                              : "No events: mode exact sends no requests, and the file has none.";
}

// True if a route divides its requests between clusters of one service with hosts in one zone, such as a canary.
bool divides_zone(const scenario::Scenario& scenario, const scenario::Route& route) {
  std::map<std::pair<config::ServiceIndex, config::ZoneIndex>, config::ServiceIndex> cluster_of;
  return std::any_of(route.clusters.begin(), route.clusters.end(), [&](config::ServiceIndex cluster) {
    const std::vector<scenario::Host>& hosts = scenario.services[cluster.value].hosts;
    return std::any_of(hosts.begin(), hosts.end(), [&](const scenario::Host& host) {
      const config::ZoneIndex zone = scenario.nodes[scenario.endpoints[host.endpoint.value].node.value].zone;
      return cluster_of.try_emplace({scenario::asked_for(scenario, cluster), zone}, cluster).first->second != cluster;
    });
  });
}

}  // namespace

const std::vector<std::string>& show_names() {
  static const std::vector<std::string> names{"shares", "endpoints", "samples", "cross_zone", "events", "requests"};
  return names;
}

std::optional<Show> show_of(std::string_view name) {
  if (name == "happenings") {
    return Show::logged_events;
  }
  const auto found = std::find(show_names().begin(), show_names().end(), name);
  if (found == show_names().end()) {
    return std::nullopt;
  }
  return static_cast<Show>(found - show_names().begin());
}

Dimensions default_dimensions(Format format, const scenario::Scenario& scenario) {
  if (!is_for_people(format)) {
    return Dimensions::everything();
  }
  Dimensions by{Dimension::client, Dimension::priority, Dimension::zone};
  // Without zones a priority has only one column, which hides its few hosts.
  constexpr std::size_t few = 12;
  const bool no_zones = std::all_of(scenario.zones.begin(), scenario.zones.end(),
                                    [](const scenario::Zone& zone) { return zone.name.empty(); });
  if (no_zones && scenario.endpoints.size() <= few) {
    by.add(Dimension::endpoint);
  }
  const bool several_clusters =
      std::any_of(scenario.services.begin(), scenario.services.end(),
                  [](const scenario::Service& service) { return !service.cluster.aggregate_clusters.empty(); }) ||
      std::any_of(scenario.routes.begin(), scenario.routes.end(),
                  [&](const scenario::Route& route) { return divides_zone(scenario, route); });
  if (several_clusters) {
    by.add(Dimension::cluster);
  }
  return by;
}

Document document_of(const Report& report, const Dimensions& by) {
  Document document;
  document.json = [&](const Sink& sink) { write_results_json(report, by, sink); };
  if (report.show == Show::shares) {
    document.page = [&](Page& page) {
      add_verdict(page, report);
      add_shares(page, report, by);
      add_closing(page, report);
    };
    document.records = [&] { return share_records(report, by); };
    document.wide = [&](Page& page) {
      page.records(share_records(report, by));
      const std::vector<std::string> parts =
          ClientParts(group_by(report.scenario, shown_rows(report), by)).lines(report.scenario);
      if (!parts.empty()) {
        page.paragraph(parts);
      }
    };
    return document;
  }
  const auto sheet_of = [&](bool for_people) {
    return report.show == Show::logged_events ? event_sheet(report, for_people)
           : report.show == Show::requests    ? request_sheet(report, by, for_people)
                                              : load_sheet(report, by, for_people);
  };
  document.records = [sheet_of] { return sheet_of(false); };
  document.page = [&, sheet_of](Page& page) {
    const Sheet sheet = sheet_of(true);
    add_verdict(page, report);
    page.title({report.scenario.name, sheet.subject});
    const std::string none = why_nothing(report);
    if (sheet.rows.empty() && !none.empty()) {
      page.paragraph({none}, 1);
    } else {
      page.sheet(sheet);
    }
    if (const std::uint64_t more = report.results.logged_events.left_out;
        more > 0 && report.show == Show::logged_events && report.each_event) {
      page.attached().paragraph(
          {fmt::format("{} later ones are left out; --events FILE has all", with_thousands(more))});
    }
    add_closing(page, report);
  };
  return document;
}

void write(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink) {
  write(document_of(report, by), format, look, sink);
}

std::string format(const Report& report, Format format, const Dimensions& by, const Look& look) {
  return reports::format(document_of(report, by), format, look);
}

}  // namespace spillway::reports
