#include "cli/diff_documents.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "models/documents/json_writer.hpp"
#include "models/documents/problem.hpp"
#include "reports/diff/diff_json.hpp"
#include "reports/diff/diff_report.hpp"
#include "reports/diff/diff_tables.hpp"
#include "reports/diff/upgrade_report.hpp"
#include "reports/text/json_text.hpp"
#include "sim/diff/compare.hpp"
#include "sim/diff/upgrade.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::cli {
namespace {

// The result for one cluster.
struct ClusterDiff {
  std::string name;
  std::string word;  // "changes", "is new", "is gone", "cannot be compared"; empty if nothing moves
  std::optional<diff::Difference> difference = {};
  std::string why = {};
  std::size_t situations = 0;  // compared
};

diff::Side side_of(const std::string& file, scenario::ProxyConfiguration::ClusterReading reading) {
  return {file, documents::Node(), scenario::Reading{std::move(reading.scenario), std::move(reading.diagnostics), {}}};
}

// The two readings of a cluster compared; `why` says why they are not.
struct ClusterComparison {
  std::optional<diff::Difference> difference = {};
  std::string why = {};
};

ClusterComparison compare_cluster(const std::string& name, const scenario::ProxyConfiguration& before,
                                  const scenario::ProxyConfiguration& after, const std::array<std::string, 2>& files) {
  auto old_reading = before.cluster(name);
  auto new_reading = after.cluster(name);
  if (!old_reading.scenario || !new_reading.scenario) {
    return {{}, first_error(old_reading.scenario ? new_reading.diagnostics : old_reading.diagnostics)};
  }
  diff::Side older = side_of(files[0], std::move(old_reading));
  diff::Side newer = side_of(files[1], std::move(new_reading));
  diff::match_names(older, newer);
  return {diff::compare(older, newer, {})};
}

ClusterDiff diff_of(const std::string& name, const scenario::ProxyConfiguration& before,
                    const scenario::ProxyConfiguration& after, const Arguments& arguments) {
  ClusterComparison compared = compare_cluster(name, before, after, {arguments.paths[0], arguments.paths[1]});
  if (!compared.difference) {
    return {name, "cannot be compared", {}, std::move(compared.why)};
  }
  const std::size_t situations = compared.difference->contexts.size();
  return compared.difference->changed() ? ClusterDiff{name, "changes", std::move(compared.difference), {}, situations}
                                        : ClusterDiff{name, "", {}, {}, situations};
}

// Returns the headlines. `same_text`: both sides are byte-identical.
std::vector<std::string> headlines_of(const std::vector<ClusterDiff>& clusters, bool same_text) {
  std::vector<std::string> lines;
  for (const char* const word : {"changes", "is new", "is gone", "cannot be compared"}) {
    std::string names;
    std::size_t count = 0;
    constexpr std::size_t most = 8;
    for (const ClusterDiff& cluster : clusters) {
      if (cluster.word == word && ++count <= most) {
        names += (names.empty() ? "" : ", ") + cluster.name;
      }
    }
    if (count > 0) {
      lines.push_back(fmt::format("{} of {} clusters {}: {}{}", count, clusters.size(), word, names,
                                  count > most ? fmt::format(" and {} more", count - most) : ""));
    }
  }
  if (!lines.empty()) {
    return lines;
  }
  std::size_t situations = 0;
  for (const ClusterDiff& cluster : clusters) {
    situations += cluster.situations;
  }
  return {fmt::format("no traffic moves in {} clusters{}", clusters.size(),
                      same_text ? "" : fmt::format(", in the {} situations compared", situations))};
}

void add_clusters(reports::Page& page, const std::vector<ClusterDiff>& clusters, bool same_text, bool as_records) {
  page.paragraph(headlines_of(clusters, same_text));
  for (const ClusterDiff& cluster : clusters) {
    if (cluster.difference && as_records) {
      page.section("cluster " + cluster.name);
      page.attached().records(reports::all_changes(*cluster.difference));
    } else if (cluster.difference) {
      reports::add_cluster_difference(page, cluster.name, *cluster.difference);
    } else if (!cluster.why.empty()) {
      page.paragraph({fmt::format("{} {}: {}", cluster.name, cluster.word, cluster.why)});
    }
  }
}

// Returns the changes of each cluster, with its name in the first column.
reports::Sheet records_of(const std::vector<ClusterDiff>& clusters) {
  reports::Sheet sheet;
  for (const ClusterDiff& cluster : clusters) {
    if (!cluster.difference) {
      continue;
    }
    reports::Sheet changes = reports::all_changes(*cluster.difference);
    for (reports::SheetRow& row : changes.rows) {
      row.insert(row.begin(), cluster.name);
      sheet.rows.push_back(std::move(row));
    }
    sheet.fields = std::move(changes.fields);
    sheet.fields.insert(sheet.fields.begin(), {"cluster"});
  }
  return sheet;
}

documents::JsonText cluster_json(const ClusterDiff& cluster) {
  documents::JsonText json{{"cluster", cluster.name}, {"changed", !cluster.word.empty()}, {"word", cluster.word}};
  if (cluster.difference) {
    json.add("difference", documents::JsonText::of_text(reports::diff_json(*cluster.difference)));
  }
  if (!cluster.why.empty()) {
    json.add("why", cluster.why);
  }
  return json;
}

std::string as_json(const std::vector<ClusterDiff>& clusters) {
  const documents::JsonText rows = reports::json_array(clusters, cluster_json);
  return reports::json_lines(documents::JsonText{{"schema_version", 1}, {"clusters", rows}}.text());
}

scenario::ProxyConfiguration read_by_release(const Arguments& arguments, std::uint32_t release) {
  proxy::EnvoyOptions options = envoy_options(arguments);
  options.cluster.clear();
  options.profile = config::profile_of_release(release);
  return scenario::ProxyConfiguration::read(arguments.paths, options);
}

}  // namespace

CommandResult upgrade_command(const Arguments& arguments) {
  // Reads by the newest rules, which know every setting.
  const scenario::ProxyConfiguration proxy = read_by_release(arguments, diff::newest_release);
  say_diagnostics({std::nullopt, proxy.diagnostics(), proxy.sources()}, arguments);
  if (has_errors(proxy.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  const std::string version = proxy.node().version;
  const auto reported = diff::release_of(version);
  if (!reported && !arguments.from_release) {
    return refuse({"SP903",
                   version.empty() ? "the documents do not name their release of Envoy"
                                   : fmt::format("`{}` is not a release of Envoy", reports::printable(version)),
                   "for example --from-profile envoy=release-1.36"},
                  arguments);
  }
  diff::Upgrade upgrade{.from = arguments.from_release.value_or(reported.value_or(0)),
                        .to = *arguments.to_release,
                        .reported = !arguments.from_release};
  if (upgrade.from < diff::oldest_release) {
    return refuse({"SP904", fmt::format("the documents are of release 1.{}", upgrade.from),
                   fmt::format("changes are known since release 1.{}", diff::oldest_release)},
                  arguments);
  }
  const std::vector<std::string> names =
      arguments.cluster ? std::vector<std::string>{*arguments.cluster} : proxy.cluster_names();
  const bool simulated = upgrade.from != upgrade.to && !upgrade.same_picks();
  const auto before = simulated ? std::optional(read_by_release(arguments, upgrade.from)) : std::nullopt;
  const auto after = simulated ? std::optional(read_by_release(arguments, upgrade.to)) : std::nullopt;
  for (const std::string& name : names) {
    diff::ClusterUpgrade& cluster = upgrade.clusters.emplace_back(diff::ClusterUpgrade{.cluster = name});
    const auto reading = proxy.cluster(name);
    if (reading.scenario) {
      cluster.changes = diff::changes_for(*reading.scenario, {0}, upgrade.from, upgrade.to);
      if (simulated) {
        ClusterComparison compared = compare_cluster(name, *before, *after, {"before", "after"});
        cluster.why_not = std::move(compared.why);
        if (compared.difference && compared.difference->changed()) {
          cluster.difference = std::move(compared.difference);
        }
      }
    } else {
      cluster.why_not = first_error(reading.diagnostics);
    }
  }
  return {reports::format_upgrade(upgrade, arguments.format, look_of_output(arguments)),
          upgrade.changed() || !upgrade.same_shares() ? ExitCode::expectation_failed : ExitCode::well};
}

CommandResult diff_of_all_clusters(const Arguments& arguments) {
  if (arguments.report || arguments.github || arguments.world) {
    return refuse({"SP905", "`--all-clusters` and options for a single difference are mutually exclusive",
                   "name one cluster with --cluster, or take all without --report, --github and --scenario"},
                  arguments);
  }
  std::vector<scenario::ProxyConfiguration> sides;
  for (const std::string& path : arguments.paths) {
    Arguments own = arguments;
    own.paths = {path};
    sides.push_back(read_proxy_documents(own));
    if (has_errors(sides.back().diagnostics())) {
      return {"", ExitCode::bad_input};
    }
  }
  const std::vector<std::string> older = sides.front().cluster_names();
  const std::vector<std::string> newer = sides.back().cluster_names();
  const std::set<std::string> old_names(older.begin(), older.end());
  const std::set<std::string> new_names(newer.begin(), newer.end());
  std::vector<ClusterDiff> clusters;
  clusters.reserve(newer.size() + older.size());
  for (const std::string& name : newer) {
    clusters.push_back(old_names.contains(name) ? diff_of(name, sides.front(), sides.back(), arguments)
                                                : ClusterDiff{name, "is new"});
  }
  for (const std::string& name : older) {
    if (!new_names.contains(name)) {
      clusters.push_back({name, "is gone"});
    }
  }
  const bool changed =
      std::any_of(clusters.begin(), clusters.end(), [](const ClusterDiff& cluster) { return !cluster.word.empty(); });
  const Sources& old_texts = sides.front().sources();
  const Sources& new_texts = sides.back().sources();
  const bool same_text = std::equal(old_texts.begin(), old_texts.end(), new_texts.begin(), new_texts.end(),
                                    [](const auto& one, const auto& other) { return one.text == other.text; });
  return {reports::format({.page = [&](reports::Page& page) { add_clusters(page, clusters, same_text, false); },
                           .records = [&] { return records_of(clusters); },
                           .wide = [&](reports::Page& page) { add_clusters(page, clusters, same_text, true); },
                           .json = [&](const reports::Sink& sink) { sink(as_json(clusters)); }},
                          arguments.format, look_of_output(arguments)),
          changed ? ExitCode::expectation_failed : ExitCode::well};
}

}  // namespace spillway::cli
