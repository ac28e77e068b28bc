#include "reports/diff/upgrade_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "models/documents/json_writer.hpp"
#include "reports/diff/diff_json.hpp"
#include "reports/diff/diff_report.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/text/json_text.hpp"
#include "sim/diff/upgrade.hpp"

namespace spillway::reports {
namespace {

using diff::ClusterUpgrade;
using diff::Upgrade;
using diff::VersionChange;

std::string release_text(std::uint32_t release) {
  return fmt::format("release-1.{}", release);
}

std::size_t concerned(const Upgrade& upgrade) {
  return static_cast<std::size_t>(
      std::count_if(upgrade.clusters.begin(), upgrade.clusters.end(),
                    [](const ClusterUpgrade& one) { return !one.changes.empty() || one.difference; }));
}

// Counts clusters that one of the releases cannot read and that have no known change.
std::size_t not_compared(const Upgrade& upgrade) {
  return static_cast<std::size_t>(std::count_if(
      upgrade.clusters.begin(), upgrade.clusters.end(),
      [](const ClusterUpgrade& one) { return !one.why_not.empty() && one.changes.empty() && !one.difference; }));
}

std::string headline_of(const Upgrade& upgrade) {
  const std::string way = fmt::format("from {}{} to {}", release_text(upgrade.from),
                                      upgrade.reported ? " (named by the documents)" : "", release_text(upgrade.to));
  const auto clusters = [](std::size_t count) { return fmt::format("{} cluster{}", count, count == 1 ? "" : "s"); };
  const std::size_t count = concerned(upgrade);
  const std::size_t unread = not_compared(upgrade);
  const std::size_t all = upgrade.clusters.size();
  if (unread == all && all > 0) {
    return fmt::format("Unknown: {} could not be read by both releases, so that nothing was compared {}", clusters(all),
                       way);
  }
  const std::string rest = unread == 0 ? "" : fmt::format("; {} could not be compared", clusters(unread));
  return count == 0 ? fmt::format("Nothing changes for {} {}{}", clusters(all - unread), way, rest)
                    : fmt::format("{} of {} {} affected by changes {}{}", count, clusters(all),
                                  count == 1 ? "is" : "are", way, rest);
}

std::string about_shares(const Upgrade& upgrade) {
  if (upgrade.same_picks()) {
    return "Shares and hashed keys are the same: releases 1.36 to 1.40 pick by the same rules.";
  }
  if (upgrade.moves_shares()) {
    return "What moves between the two, simulated by the rules of both:";
  }
  const bool refuses = std::any_of(upgrade.clusters.begin(), upgrade.clusters.end(), [](const ClusterUpgrade& one) {
    return std::any_of(one.changes.begin(), one.changes.end(),
                       [](const VersionChange& change) { return change.moves == diff::Moves::acceptance; });
  });
  const std::string_view what = upgrade.same_shares()
                                    ? "the shares at the start are the same"
                                    : "the shares at the start of the clusters that were read are the "
                                      "same";
  return fmt::format("By the rules of both releases {}{}.", what, refuses ? ", as far as both accept the cluster" : "");
}

Sheet sheet_of(const Upgrade& upgrade) {
  Sheet sheet{"changes", {{"cluster"}, {"since"}, {"moves"}, {"evidence"}, {"simulated"}, {"what changes"}}};
  for (const ClusterUpgrade& cluster : upgrade.clusters) {
    for (const VersionChange& change : cluster.changes) {
      sheet.rows.push_back({cluster.cluster, fmt::format("1.{}", change.since), std::string(name_of(change.moves)),
                            std::string(name_of(change.evidence)), change.simulated ? "yes" : "no", change.what});
    }
  }
  sheet.gap = 4;
  return sheet;
}

void add_upgrade(Page& page, const Upgrade& upgrade) {
  page.headline(headline_of(upgrade));
  if (const Sheet sheet = sheet_of(upgrade); !sheet.rows.empty()) {
    page.sheet(sheet);
  }
  std::vector<std::string> unread;
  for (const ClusterUpgrade& cluster : upgrade.clusters) {
    if (!cluster.why_not.empty()) {
      unread.push_back(fmt::format("not read: cluster {}: {}", cluster.cluster, cluster.why_not));
    }
  }
  page.list(unread, 2);
  if (unread.empty() || unread.size() < upgrade.clusters.size()) {
    (unread.empty() ? page : page.attached()).paragraph({about_shares(upgrade)});
  }
  for (const ClusterUpgrade& cluster : upgrade.clusters) {
    if (cluster.difference) {
      add_cluster_difference(page, cluster.cluster, *cluster.difference);
    }
  }
}

documents::JsonText change_json(const VersionChange& change) {
  return {{"since", release_text(change.since)},
          {"moves", name_of(change.moves)},
          {"evidence", name_of(change.evidence)},
          {"simulated", change.simulated},
          {"what", change.what}};
}

documents::JsonText cluster_json(const ClusterUpgrade& cluster) {
  documents::JsonText json{{"cluster", cluster.cluster}, {"changes", json_array(cluster.changes, change_json)}};
  if (cluster.difference) {
    json.add("difference", documents::JsonText::of_text(diff_json(*cluster.difference)));
  }
  if (!cluster.why_not.empty()) {
    json.add("not_read", cluster.why_not);
  }
  return json;
}

std::string upgrade_json(const Upgrade& upgrade) {
  const documents::JsonText document{{"schema_version", 1},
                                     {"from", release_text(upgrade.from)},
                                     {"to", release_text(upgrade.to)},
                                     {"told_by_documents", upgrade.reported},
                                     {"same_shares", upgrade.same_picks()},
                                     {"clusters", json_array(upgrade.clusters, cluster_json)}};
  return json_lines(document.text());
}

}  // namespace

std::string format_upgrade(const Upgrade& upgrade, Format format, const Look& look) {
  const auto page = [&](Page& whole) { add_upgrade(whole, upgrade); };
  return reports::format({.page = page,
                          .records = [&] { return sheet_of(upgrade); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(upgrade_json(upgrade)); }},
                         format, look);
}

}  // namespace spillway::reports
