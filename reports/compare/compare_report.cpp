#include "reports/compare/compare_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "reports/document/columns.hpp"
#include "reports/document/document.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/compare/fit.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

using compare::ClusterComparison;
using compare::Comparison;

std::string chance_text(double chance) {
  return chance == 0.0 ? "impossible" : chance >= 0.001 ? fmt::format("{:.3f}", chance) : fmt::format("{:.0e}", chance);
}

std::string words_of(const ClusterComparison& cluster) {
  switch (cluster.verdict) {
    case study::Verdict::met:
      return cluster.differences.empty() ? "fits" : "differs";
    case study::Verdict::missed:
      return "does not fit";
    case study::Verdict::undecided:
      return "too few requests";
    case study::Verdict::unknown:
      break;
  }
  return "not compared";
}

std::string tests_text(const ClusterComparison& cluster) {
  std::string text;
  for (const compare::FitTest& test : cluster.tests) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(test.level), chance_text(test.chance));
  }
  return text;
}

Sheet cluster_sheet(const Comparison& comparison) {
  Sheet sheet{"clusters", {{"cluster"}, {"verdict"}, {"requests", true}, {"chance of counts this far off"}, {"why"}}};
  for (const ClusterComparison& cluster : comparison.clusters) {
    const auto reason = std::find_if(cluster.reasons.begin(), cluster.reasons.end(),
                                     [](const compare::Reason& one) { return one.explains; });
    std::string why = cluster.why;
    if (cluster.verdict != study::Verdict::unknown && reason != cluster.reasons.end()) {
      why = std::string(compare::name_of(reason->kind));
    } else if (cluster.verdict == study::Verdict::missed) {
      why = "no reason found";
    } else if (!cluster.differences.empty()) {
      why = cluster.differences.front().what + " of " + cluster.differences.front().address;
    }
    sheet.rows.push_back({cluster.name, words_of(cluster), with_thousands(cluster.requests), tests_text(cluster), why});
  }
  return sheet;
}

std::string predicted_text(const compare::HostRow& row) {
  if (!row.priority) {
    return "not configured";
  }
  return row.predicted ? exact_percent(*row.predicted) : "(" + exact_percent(row.at_rest) + ")";
}

std::string observed_text(std::uint64_t requests, std::uint64_t all) {
  return all == 0 ? "" : simulated_percent(static_cast<double>(requests) / static_cast<double>(all));
}

std::string health_of(const compare::HostRow& row) {
  return row.health_before == row.health_after ? row.health_after : row.health_before + " -> " + row.health_after;
}

Sheet host_sheet(const ClusterComparison& cluster) {
  using Row = compare::HostRow;
  Columns<Row> columns;
  columns.text("host", [](const Row& row) { return row.address; });
  columns.text("zone", [](const Row& row) { return compare::zone_name(row.locality); });
  columns.text("priority",
               [](const Row& row) { return row.priority ? "P" + std::to_string(row.priority->value) : ""; });
  columns.number("predicted", predicted_text);
  columns.number("observed %", [&](const Row& row) { return observed_text(row.requests, cluster.requests); });
  columns.number("requests", [](const Row& row) { return with_thousands(row.requests); });
  columns.text("health", health_of);
  columns.number(
      "failed connections", [](const Row& row) { return with_thousands(row.connect_failures); },
      std::any_of(cluster.hosts.begin(), cluster.hosts.end(), [](const Row& row) { return row.connect_failures > 0; }));
  return columns.sheet("hosts", cluster.hosts);
}

Sheet group_sheet(const ClusterComparison& cluster) {
  using Row = compare::GroupRow;
  Columns<Row> columns;
  columns.text("zone or priority", [](const Row& row) { return row.name.empty() ? "(no zone)" : row.name; });
  columns.number("predicted", [](const Row& row) { return row.predicted ? exact_percent(*row.predicted) : "?"; });
  columns.number("observed %", [&](const Row& row) { return observed_text(row.requests, cluster.requests); });
  columns.number("requests", [](const Row& row) { return with_thousands(row.requests); });
  return columns.sheet("groups", cluster.groups);
}

Sheet difference_sheet(const ClusterComparison& cluster) {
  using compare::Difference;
  Columns<Difference> columns;
  columns.text("host", [](const Difference& of) { return of.address; });
  columns.text("of it", [](const Difference& of) { return of.what; });
  columns.text("configuration", [](const Difference& of) { return of.configured; });
  columns.text("proxy", [](const Difference& of) { return of.held; });
  return columns.sheet("differences", cluster.differences);
}

std::string reason_line(const compare::Reason& reason) {
  return fmt::format("{} {}: {} (chance {}{})",
                     reason.explains ? "explains it:" : "does not explain it:", compare::name_of(reason.kind),
                     reason.text, chance_text(reason.chance), reason.seen ? ", seen in what was read" : "");
}

void add_sheet(Page& page, Sheet sheet, bool is_attached = false) {
  sheet.indent = 2;
  if (!sheet.rows.empty()) {
    (is_attached ? page.attached() : page).sheet(sheet);
  }
}

void add_cluster(Page& page, const ClusterComparison& cluster) {
  page.section(fmt::format("cluster {}: {}", cluster.name, words_of(cluster)));
  std::vector<std::string> items;
  // A verdict that was not compared has no reasons.
  const bool said = cluster.verdict != study::Verdict::unknown;
  for (std::size_t reason = 0; said && reason < cluster.reasons.size(); ++reason) {
    items.push_back(reason_line(cluster.reasons[reason]));
  }
  items.insert(items.end(), cluster.notes.begin(), cluster.notes.end());
  if (cluster.verdict == study::Verdict::missed && cluster.dispersion > 1.0) {
    items.push_back(
        fmt::format("the counts deviate {:.1f} times as much as those of random picks", std::sqrt(cluster.dispersion)));
  }
  page.attached().list(items, 2);
  add_sheet(page, difference_sheet(cluster), true);
  add_sheet(page, group_sheet(cluster), cluster.differences.empty());
  add_sheet(page, host_sheet(cluster), cluster.differences.empty() && cluster.groups.empty());
}

void add_comparison(Page& page, const Comparison& comparison, bool all) {
  page.headline(comparison_headline(comparison));
  add_sheet(page, cluster_sheet(comparison));
  std::vector<std::string> items;
  bool single_cells = true;
  for (const ClusterComparison& cluster : comparison.clusters) {
    if (!cluster.hosts.empty() && (all || !cluster.agrees() || comparison.clusters.size() == 1)) {
      add_cluster(page, cluster);
      single_cells = single_cells && std::all_of(cluster.hosts.begin(), cluster.hosts.end(), [](const auto& row) {
                       return row.predicted.has_value() || !row.priority;
                     });
    }
  }
  if (!single_cells) {
    items.emplace_back("in brackets: shares with no request in flight; only sums over several hosts are exact");
  }
  for (const std::string& name : comparison.unknown) {
    items.push_back("not in the configuration: cluster " + name);
  }
  if (!comparison.idle.empty()) {
    items.push_back(fmt::format("without requests: {}", comparison.idle.size() == 1
                                                            ? "cluster " + comparison.idle.front()
                                                            : fmt::format("{} clusters", comparison.idle.size())));
  }
  items.insert(items.end(), comparison.notes.begin(), comparison.notes.end());
  items.push_back(fmt::format("{} {} by accident in 1 of {} comparisons", comparison.tests,
                              comparison.tests == 1 ? "test; it fails" : "tests; together they fail",
                              with_thousands(static_cast<std::uint64_t>(1.0 / compare::false_alarm))));
  page.list(items, 2);
}

Sheet host_records(const Comparison& comparison) {
  struct Row {
    const ClusterComparison& cluster;
    const compare::HostRow& host;
  };
  std::vector<Row> rows;
  for (const ClusterComparison& cluster : comparison.clusters) {
    for (const compare::HostRow& host : cluster.hosts) {
      rows.push_back({cluster, host});
    }
  }
  Columns<Row> columns;
  columns.text("cluster", [](const Row& row) { return row.cluster.name; });
  columns.text("verdict", [](const Row& row) { return std::string(fit_word(row.cluster.verdict)); });
  columns.text("host", [](const Row& row) { return row.host.address; });
  columns.text("region", [](const Row& row) { return row.host.locality.region; });
  columns.text("zone", [](const Row& row) { return row.host.locality.zone; });
  columns.text("sub_zone", [](const Row& row) { return row.host.locality.sub_zone; });
  columns.text("priority",
               [](const Row& row) { return row.host.priority ? std::to_string(row.host.priority->value) : ""; });
  columns.text("predicted",
               [](const Row& row) { return row.host.predicted ? fmt::format("{}", *row.host.predicted) : ""; });
  columns.text("at_rest", [](const Row& row) { return fmt::format("{}", row.host.at_rest); });
  columns.text("observed", [](const Row& row) {
    return row.cluster.requests == 0
               ? ""
               : fmt::format("{}", static_cast<double>(row.host.requests) / static_cast<double>(row.cluster.requests));
  });
  columns.text("requests", [](const Row& row) { return std::to_string(row.host.requests); });
  columns.text("connect_failures", [](const Row& row) { return std::to_string(row.host.connect_failures); });
  columns.text("health_before", [](const Row& row) { return row.host.health_before; });
  columns.text("health_after", [](const Row& row) { return row.host.health_after; });
  return columns.sheet("hosts", rows);
}

}  // namespace

std::string comparison_headline(const Comparison& comparison) {
  std::vector<std::string> bad;
  std::size_t compared = 0;
  for (const ClusterComparison& cluster : comparison.clusters) {
    compared += cluster.verdict == study::Verdict::met || cluster.verdict == study::Verdict::missed ? 1 : 0;
    if (!cluster.agrees()) {
      bad.push_back(printable(cluster.name));
    }
  }
  if (bad.empty() && comparison.unknown.empty()) {
    const std::size_t others = comparison.clusters.size() - compared;
    return compared == 0
               ? "nothing was compared: no cluster of the configuration has enough requests and shares to test"
               : fmt::format("{} of {} compared clusters fit their predicted shares{}", compared, compared,
                             others > 0 ? fmt::format("; {} could not be compared", others) : "");
  }
  constexpr std::size_t most = 8;
  const std::size_t more = bad.size() > most ? bad.size() - most : 0;
  bad.resize(bad.size() - more);
  std::string text =
      bad.empty()
          ? std::string()
          : fmt::format("{} not as configured: {}{}",
                        bad.size() + more == 1 ? "1 cluster is" : fmt::format("{} clusters are", bad.size() + more),
                        joined(bad, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  if (!comparison.unknown.empty()) {
    text += fmt::format(
        "{}{} of the proxy not in the configuration", text.empty() ? "" : "; ",
        comparison.unknown.size() == 1 ? "1 cluster" : fmt::format("{} clusters", comparison.unknown.size()));
  }
  return text;
}

std::string_view fit_word(study::Verdict verdict) {
  return name_in({"fits", "not_compared", "too_few", "deviates"}, verdict);
}

std::string_view name_of(compare::Level level) {
  constexpr std::array names = std::to_array<std::string_view>({"host", "zone", "priority"});
  return names[static_cast<std::size_t>(level)];
}

std::string format_comparison(const Comparison& comparison, Format format, const Look& look) {
  return reports::format({.page = [&](Page& page) { add_comparison(page, comparison, false); },
                          .records = [&] { return host_records(comparison); },
                          .wide = [&](Page& page) { add_comparison(page, comparison, true); },
                          .json = [&](const Sink& sink) { sink(comparison_json(comparison)); }},
                         format, look);
}

}  // namespace spillway::reports
