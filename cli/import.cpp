#include "reports/import/import.hpp"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "reports/text/text_table.hpp"
#include "sim/compare/observation.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

// Requests a second by cluster, where two moments a known time apart tell.
std::map<std::string, double> counted_rates(const ObservedFiles& files, const Arguments& arguments) {
  std::map<std::string, double> rates;
  if (!files.clusters_before || !files.clusters_after || !arguments.apart) {
    return rates;
  }
  const double seconds = std::chrono::duration<double>(*arguments.apart).count();
  for (const observed::Cluster& cluster : files.clusters_after->clusters) {
    const auto counted = compare::observe(files.clusters_before->find(cluster.name), &cluster, cluster.name);
    rates[cluster.name] = static_cast<double>(counted.requests()) / seconds;
  }
  return rates;
}

// Names of clusters that an aggregate among them leads to: those have no client of their own.
std::set<std::string> children_of(const std::vector<scenario::Scenario>& worlds) {
  std::set<std::string> children;
  for (const scenario::Scenario& world : worlds) {
    const auto& names = world.services.front().cluster.aggregate_clusters;
    children.insert(names.begin(), names.end());
  }
  return children;
}

std::string source_names(const scenario::Sources& sources) {
  std::vector<std::string> names;
  names.reserve(sources.size());
  for (const scenario::SourceFile& source : sources) {
    names.push_back(source.name);
  }
  return reports::joined(names, ", ");
}

}  // namespace

CommandResult import_command(const Arguments& arguments) {
  const ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  if (scenario::has_errors(files.diagnostics)) {
    return {"", ExitCode::bad_input};
  }
  const scenario::ProxyConfiguration configuration = read_configuration(arguments, files);
  if (scenario::has_errors(configuration.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  std::vector<scenario::Scenario> worlds;
  bool all_read = true;
  for (const std::string& name : asked_clusters(configuration, arguments)) {
    auto reading = configuration.cluster(name);
    say_diagnostics({std::nullopt, reading.diagnostics, configuration.sources()}, arguments);
    all_read = all_read && reading.scenario.has_value();
    if (reading.scenario && name != configuration.node().local_cluster) {
      worlds.push_back(std::move(*reading.scenario));
    }
  }
  if (!all_read) {
    return {"", ExitCode::bad_input};
  }
  if (worlds.empty()) {
    return refuse({"SP136", "no cluster in the documents", "give the proxy's bootstrap or its config_dump"}, arguments);
  }
  reports::importing::Input input{.rates = counted_rates(files, arguments),
                                  .rate = arguments.rate,
                                  .apart = arguments.apart,
                                  .source = source_names(configuration.sources()),
                                  .concurrency = files.server ? files.server->concurrency : 0};
  const std::set<std::string> children = children_of(worlds);
  for (const scenario::Scenario& world : worlds) {
    if (!children.contains(world.services.front().name)) {
      input.clusters.push_back(&world);
    }
  }
  const std::string text = reports::importing::import_scenario(input);
  if (!arguments.output || *arguments.output == "-") {
    return {text, ExitCode::well};
  }
  if (const auto failure = write_file(*arguments.output, text)) {
    return refuse(*failure, arguments);
  }
  return {};
}

}  // namespace spillway::cli
