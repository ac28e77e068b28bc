#include "reports/import/import.hpp"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "cli/proxy_documents.hpp"
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

// Whether an aggregate among them leads to it: then it has no client of its own.
bool is_child(const std::string& name, const std::vector<scenario::Reading>& readings) {
  for (const scenario::Reading& reading : readings) {
    const auto& services = reading.scenario->services;
    for (const std::string& child : services.front().cluster.aggregate_clusters) {
      if (child == name) {
        return true;
      }
    }
  }
  return false;
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
  const ProxyDocuments documents(arguments.paths);
  say_diagnostics({std::nullopt, documents.problems(), documents.sources()}, arguments);
  if (scenario::has_errors(files.diagnostics) || scenario::has_errors(documents.problems())) {
    return {"", ExitCode::bad_input};
  }
  std::vector<std::string> names = documents.names(arguments.cluster, files.clusters_after);
  if (names.empty()) {
    names.emplace_back();
  }
  std::vector<scenario::Reading> readings;
  bool all_read = true;
  for (const std::string& name : names) {
    readings.push_back(documents.read(name));
    say_diagnostics(readings.back(), arguments);
    all_read = all_read && readings.back().scenario.has_value();
  }
  if (!all_read) {
    return {"", ExitCode::bad_input};
  }
  reports::importing::Input input{.rates = counted_rates(files, arguments),
                                  .rate = arguments.rate,
                                  .apart = arguments.apart,
                                  .source = source_names(documents.sources()),
                                  .concurrency = files.server ? files.server->concurrency : 0};
  for (const scenario::Reading& reading : readings) {
    if (!is_child(reading.scenario->services.front().name, readings)) {
      input.clusters.push_back(&*reading.scenario);
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
