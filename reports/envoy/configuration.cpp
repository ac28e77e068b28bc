#include "reports/envoy/configuration.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::reports {
namespace {

using Json = documents::JsonText;

constexpr std::array state_names = {"read", "endpoints not in the documents", "refused"};

const char* name_of(ClusterState state) {
  return state_names[static_cast<std::size_t>(state)];
}

ClusterState state_of(const Diagnostics& diagnostics) {
  ClusterState state = ClusterState::read;
  for (const Diagnostic& problem : diagnostics) {
    if (problem.severity == Severity::error) {
      state = problem.code == "SP136" ? std::max(state, ClusterState::without_endpoints) : ClusterState::refused;
    }
  }
  return state;
}

const Diagnostic& first_error(const ReadConfiguration::Cluster& cluster) {
  return *std::find_if(cluster.diagnostics.begin(), cluster.diagnostics.end(), [](const auto& problem) {
    return problem.severity == Severity::error && problem.code != "SP136";
  });
}

std::string table(const ReadConfiguration& configuration, const Sources& sources) {
  std::string text = proxy::describe(configuration.tally) + "\n";
  const std::size_t without = configuration.count(ClusterState::without_endpoints);
  const std::size_t refused = configuration.count(ClusterState::refused);
  text +=
      fmt::format("{} of {} clusters are read", configuration.clusters.size() - refused, configuration.clusters.size());
  text += without == 0 ? "\n" : fmt::format("; of {} of them the endpoints are not in the documents\n", without);
  for (const ReadConfiguration::Cluster& cluster : configuration.clusters) {
    if (cluster.state != ClusterState::refused) {
      continue;
    }
    const Diagnostic& problem = first_error(cluster);
    text += fmt::format("not read: `{}`: {} ({}:{}, {}){}\n", printable(cluster.name), printable(problem.message),
                        printable(sources[problem.where.file].name), problem.where.line, problem.code,
                        problem.label.empty() ? "" : ": " + printable(problem.label));
  }
  if (!configuration.route_diagnostics.empty()) {
    const auto errors = std::count_if(configuration.route_diagnostics.begin(), configuration.route_diagnostics.end(),
                                      [](const auto& problem) { return problem.severity == Severity::error; });
    text += fmt::format("of routes {} {} not simulated; requests that take these routes get an error\n", errors,
                        errors == 1 ? "setting is" : "settings are");
  }
  return text;
}

std::string json(const ReadConfiguration& configuration, const Sources& sources) {
  const auto list = [&](const Diagnostics& diagnostics) {
    return Json::of_text(documents::diagnostics_json(diagnostics, sources));
  };
  Json root;
  root.add("node", {{"id", configuration.node.id},
                    {"cluster", configuration.node.cluster},
                    {"region", configuration.node.locality.region},
                    {"zone", configuration.node.locality.zone},
                    {"sub_zone", configuration.node.locality.sub_zone},
                    {"version", configuration.node.version},
                    {"local_cluster", configuration.node.local_cluster}});
  Json clusters = Json::array();
  for (const ReadConfiguration::Cluster& cluster : configuration.clusters) {
    clusters.push_back(
        {{"name", cluster.name}, {"state", name_of(cluster.state)}, {"diagnostics", list(cluster.diagnostics)}});
  }
  root.add("clusters", clusters);
  root.add("endpoints", configuration.tally.endpoints);
  root.add("routes", configuration.tally.routes);
  root.add("listeners", configuration.tally.listeners);
  Json passed_over = Json::object();
  for (const auto& [kind, count] : configuration.tally.passed_over) {
    passed_over.add(kind, count);
  }
  root.add("passed_over", passed_over);
  root.add("diagnostics", list(configuration.diagnostics));
  root.add("route_diagnostics", list(configuration.route_diagnostics));
  return documents::indented(root, 2) + "\n";
}

}  // namespace

std::size_t ReadConfiguration::count(ClusterState state) const {
  return static_cast<std::size_t>(
      std::count_if(clusters.begin(), clusters.end(), [&](const Cluster& cluster) { return cluster.state == state; }));
}

ReadConfiguration read_all_of(const scenario::ProxyConfiguration& proxy) {
  ReadConfiguration all;
  for (std::string& name : proxy.cluster_names()) {
    auto reading = proxy.cluster(name);
    const ClusterState state = state_of(reading.diagnostics);
    all.clusters.push_back({std::move(name), state, std::move(reading.diagnostics)});
  }
  all.tally = proxy.tally();
  all.node = proxy.node();
  all.diagnostics = proxy.diagnostics();
  all.route_diagnostics = proxy.route_problems();
  return all;
}

std::string format_configuration(const ReadConfiguration& configuration, const Sources& sources, Format format) {
  return format == Format::json ? json(configuration, sources) : table(configuration, sources);
}

}  // namespace spillway::reports
