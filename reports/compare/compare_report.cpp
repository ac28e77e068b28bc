#include "reports/compare/compare_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/sheet.hpp"
#include "sim/compare/fit.hpp"

namespace spillway::reports {
namespace {

using compare::ClusterComparison;
using compare::Comparison;

std::string chance_text(double chance) {
  return chance == 0.0 ? "impossible" : chance >= 0.001 ? fmt::format("{:.3f}", chance) : fmt::format("{:.0e}", chance);
}

std::string words_of(const ClusterComparison& cluster) {
  switch (cluster.verdict) {
    case compare::Verdict::fits:
      return cluster.differences.empty() ? "fits" : "differs";
    case compare::Verdict::deviates:
      return "does not fit";
    case compare::Verdict::too_few:
      return "too few requests";
    case compare::Verdict::not_compared:
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
    if (reason != cluster.reasons.end()) {
      why = std::string(compare::name_of(reason->kind));
    } else if (cluster.verdict == compare::Verdict::deviates) {
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
  Sheet sheet{
      "hosts",
      {{"host"}, {"zone"}, {"priority"}, {"predicted", true}, {"observed %", true}, {"requests", true}, {"health"}}};
  const bool failures =
      std::any_of(cluster.hosts.begin(), cluster.hosts.end(), [](const auto& row) { return row.connect_failures > 0; });
  if (failures) {
    sheet.fields.push_back({"failed connections", true});
  }
  for (const compare::HostRow& row : cluster.hosts) {
    std::vector<std::string> cells = {row.address,
                                      compare::zone_name(row.locality),
                                      row.priority ? "P" + std::to_string(row.priority->value) : "",
                                      predicted_text(row),
                                      observed_text(row.requests, cluster.requests),
                                      with_thousands(row.requests),
                                      health_of(row)};
    if (failures) {
      cells.push_back(with_thousands(row.connect_failures));
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

Sheet group_sheet(const ClusterComparison& cluster) {
  Sheet sheet{"groups", {{"zone or priority"}, {"predicted", true}, {"observed %", true}, {"requests", true}}};
  for (const compare::GroupRow& row : cluster.groups) {
    sheet.rows.push_back({row.name.empty() ? "(no zone)" : row.name,
                          row.predicted ? exact_percent(*row.predicted) : "?",
                          observed_text(row.requests, cluster.requests), with_thousands(row.requests)});
  }
  return sheet;
}

Sheet difference_sheet(const ClusterComparison& cluster) {
  Sheet sheet{"differences", {{"host"}, {"of it"}, {"configuration"}, {"proxy"}}};
  for (const compare::Difference& difference : cluster.differences) {
    sheet.rows.push_back({difference.address, difference.what, difference.configured, difference.held});
  }
  return sheet;
}

std::string reason_line(const compare::Reason& reason) {
  return fmt::format("{} {}: {} (chance {}{})",
                     reason.explains ? "explains it:" : "does not explain it:", compare::name_of(reason.kind),
                     reason.text, chance_text(reason.chance), reason.seen ? ", seen in what was read" : "");
}

// The parts of a cluster's section, each as this format writes them.
struct Writer {
  bool markdown = false;
  std::string text = {};

  [[nodiscard]] std::string plain(const std::string& line) const {
    return markdown ? markdown_escaped(line) : printable(line);
  }
  void line(const std::string& words) { text += plain(words) + "\n"; }
  void item(const std::string& words) { text += (markdown ? "- " : "  ") + plain(words) + "\n"; }
  void sheet(const Sheet& sheet) {
    if (!sheet.rows.empty()) {
      text += (markdown ? sheet_markdown(sheet) : sheet_text(sheet, 2, 3)) + "\n";
    }
  }
};

void write_cluster(Writer& writer, const ClusterComparison& cluster) {
  const std::string title = fmt::format("cluster {}: {}", cluster.name, words_of(cluster));
  writer.text += writer.markdown ? "### " + markdown_escaped(title) + "\n\n" : printable(title) + "\n";
  for (const compare::Reason& reason : cluster.reasons) {
    writer.item(reason_line(reason));
  }
  for (const std::string& note : cluster.notes) {
    writer.item(note);
  }
  if (cluster.verdict == compare::Verdict::deviates && cluster.dispersion > 1.0) {
    writer.item(
        fmt::format("the counts stray {:.1f} times as far as those of random picks", std::sqrt(cluster.dispersion)));
  }
  writer.text += writer.markdown && (!cluster.reasons.empty() || !cluster.notes.empty()) ? "\n" : "";
  writer.sheet(difference_sheet(cluster));
  writer.sheet(group_sheet(cluster));
  writer.sheet(host_sheet(cluster));
}

std::string read_by_people(const Comparison& comparison, bool markdown, bool all) {
  Writer writer{markdown};
  writer.text = (markdown ? "**" + markdown_escaped(comparison_headline(comparison)) + "**"
                          : printable(comparison_headline(comparison))) +
                "\n\n";
  writer.sheet(cluster_sheet(comparison));
  bool single_cells = true;
  for (const ClusterComparison& cluster : comparison.clusters) {
    if (cluster.verdict != compare::Verdict::not_compared &&
        (all || !cluster.agrees() || comparison.clusters.size() == 1)) {
      write_cluster(writer, cluster);
      single_cells = single_cells && std::all_of(cluster.hosts.begin(), cluster.hosts.end(), [](const auto& row) {
                       return row.predicted.has_value() || !row.priority;
                     });
    }
  }
  if (!single_cells) {
    writer.item("in brackets: shares with no request in flight; only sums over several hosts are exact");
  }
  for (const std::string& name : comparison.unknown) {
    writer.item("not in the configuration: cluster " + name);
  }
  if (!comparison.idle.empty()) {
    writer.item(fmt::format("without requests: {}", comparison.idle.size() == 1
                                                        ? "cluster " + comparison.idle.front()
                                                        : fmt::format("{} clusters", comparison.idle.size())));
  }
  for (const std::string& note : comparison.notes) {
    writer.item(note);
  }
  writer.item(fmt::format("{} tests; together they fail by accident in 1 of {} comparisons", comparison.tests,
                          with_thousands(static_cast<std::uint64_t>(1.0 / compare::false_alarm))));
  return writer.text;
}

std::string csv(const Comparison& comparison) {
  Sheet sheet{"hosts",
              {{"cluster"},
               {"verdict"},
               {"host"},
               {"region"},
               {"zone"},
               {"sub_zone"},
               {"priority"},
               {"predicted"},
               {"at_rest"},
               {"observed"},
               {"requests"},
               {"connect_failures"},
               {"health_before"},
               {"health_after"}}};
  for (const ClusterComparison& cluster : comparison.clusters) {
    for (const compare::HostRow& row : cluster.hosts) {
      sheet.rows.push_back(
          {cluster.name, std::string(name_of(cluster.verdict)), row.address, row.locality.region, row.locality.zone,
           row.locality.sub_zone, row.priority ? std::to_string(row.priority->value) : "",
           row.predicted ? fmt::format("{}", *row.predicted) : "", fmt::format("{}", row.at_rest),
           cluster.requests == 0
               ? ""
               : fmt::format("{}", static_cast<double>(row.requests) / static_cast<double>(cluster.requests)),
           std::to_string(row.requests), std::to_string(row.connect_failures), row.health_before, row.health_after});
    }
  }
  return sheet_csv(sheet);
}

}  // namespace

std::string comparison_headline(const Comparison& comparison) {
  std::vector<std::string> bad;
  std::size_t compared = 0;
  for (const ClusterComparison& cluster : comparison.clusters) {
    compared += cluster.verdict == compare::Verdict::fits || cluster.verdict == compare::Verdict::deviates ? 1 : 0;
    if (!cluster.agrees()) {
      bad.push_back(printable(cluster.name));
    }
  }
  if (bad.empty() && comparison.unknown.empty()) {
    return compared == 0 ? "nothing was compared: no cluster of the configuration has enough requests"
                         : fmt::format("{} of {} compared clusters fit their predicted shares", compared, compared);
  }
  constexpr std::size_t most = 8;
  const std::size_t more = bad.size() > most ? bad.size() - most : 0;
  bad.resize(bad.size() - more);
  std::string text =
      bad.empty()
          ? std::string()
          : fmt::format("{} not as the configuration says: {}{}",
                        bad.size() + more == 1 ? "1 cluster is" : fmt::format("{} clusters are", bad.size() + more),
                        joined(bad, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  if (!comparison.unknown.empty()) {
    text += fmt::format(
        "{}{} of the proxy not in the configuration", text.empty() ? "" : "; ",
        comparison.unknown.size() == 1 ? "1 cluster" : fmt::format("{} clusters", comparison.unknown.size()));
  }
  return text;
}

std::string_view name_of(compare::Verdict verdict) {
  constexpr std::array names = std::to_array<std::string_view>({"fits", "deviates", "too_few", "not_compared"});
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(compare::Level level) {
  constexpr std::array names = std::to_array<std::string_view>({"host", "zone", "priority"});
  return names[static_cast<std::size_t>(level)];
}

std::string format_comparison(const Comparison& comparison, Format format, const Look&) {
  switch (format) {
    case Format::json:
      return comparison_json(comparison);
    case Format::csv:
      return csv(comparison);
    case Format::markdown:
      return read_by_people(comparison, true, false);
    case Format::wide:
      return read_by_people(comparison, false, true);
    case Format::table:
      break;
  }
  return read_by_people(comparison, false, false);
}

}  // namespace spillway::reports
