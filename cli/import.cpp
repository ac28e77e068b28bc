#include "reports/import/import.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"
#include "sim/compare/observation.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

namespace fs = std::filesystem;

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

// The clusters of one proxy that it asks for: not its own one, and none that an aggregate leads to.
struct ReadProxy {
  std::vector<scenario::Scenario> worlds;
  std::vector<std::string> sources;
  bool read = true;
};

ReadProxy read_proxy(const Arguments& arguments, const ObservedFiles& files) {
  ReadProxy proxy;
  const scenario::ProxyConfiguration configuration =
      read_configuration(arguments, files, observed::HealthOf::everything);
  proxy.read = !scenario::has_errors(configuration.diagnostics());
  for (const scenario::SourceFile& source : configuration.sources()) {
    proxy.sources.push_back(source.name);
  }
  if (!proxy.read) {
    return proxy;
  }
  if (envoy_options(arguments).request) {
    auto reading = configuration.asked();
    say_diagnostics({std::nullopt, reading.diagnostics, configuration.sources()}, arguments);
    proxy.read = reading.scenario.has_value();
    if (reading.scenario) {
      proxy.worlds.push_back(std::move(*reading.scenario));
    }
    return proxy;
  }
  std::set<std::string> children;
  SaidOnce said;
  for (const std::string& name : asked_clusters(configuration, arguments)) {
    auto reading = configuration.cluster(name);
    said.say(reading.diagnostics, configuration.sources(), arguments);
    proxy.read = proxy.read && reading.scenario.has_value();
    if (reading.scenario && name != configuration.node().local_cluster) {
      const auto& names = reading.scenario->services.front().cluster.aggregate_clusters;
      children.insert(names.begin(), names.end());
      proxy.worlds.push_back(std::move(*reading.scenario));
    }
  }
  std::erase_if(proxy.worlds, [&](const auto& world) { return children.contains(world.services.front().name); });
  return proxy;
}

// What lies in the folder of a mesh: a file or a folder for each proxy, by name.
std::vector<std::string> proxies_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with('.')) {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

ImportedDocuments import_documents(const Arguments& arguments) {
  ImportedDocuments imported;
  const ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  if (scenario::has_errors(files.diagnostics)) {
    imported.refused = CommandResult{"", ExitCode::bad_input};
    return imported;
  }
  std::vector<std::vector<std::string>> of_proxies = {arguments.paths};
  if (arguments.mesh) {
    of_proxies.clear();
    for (std::string& path : proxies_in(*arguments.mesh)) {
      of_proxies.push_back({std::move(path)});
    }
  }
  std::deque<ReadProxy> proxies;  // what is imported points into them
  reports::importing::Input input{
      .rates = counted_rates(files, arguments), .rate = arguments.rate, .apart = arguments.apart};
  std::map<std::string, std::vector<std::string>> clusters_of;  // by address
  std::vector<std::string> sources;
  bool all_read = true;
  for (const std::vector<std::string>& paths : of_proxies) {
    Arguments own = arguments;
    own.paths = paths;
    const ReadProxy& proxy = proxies.emplace_back(read_proxy(own, files));
    all_read = all_read && proxy.read;
    sources.insert(sources.end(), proxy.sources.begin(), proxy.sources.end());
    reports::importing::Proxy& asking = input.proxies.emplace_back();
    asking.concurrency = files.server ? files.server->concurrency : 0;
    for (const scenario::Scenario& world : proxy.worlds) {
      asking.clusters.push_back(&world);
      const scenario::Service& asked = world.services.front();
      for (const scenario::Host& host : asked.hosts) {
        clusters_of[world.endpoints[host.endpoint.value].id].push_back(asked.name);
      }
    }
  }
  if (!all_read) {
    imported.refused = CommandResult{"", ExitCode::bad_input};
    return imported;
  }
  if (files.range) {
    input.phases = observed::phases_of(*files.range);
  } else if (files.log) {
    input.phases = observed::phases_of(*files.log, clusters_of);
  }
  std::erase_if(input.proxies, [](const auto& proxy) { return proxy.clusters.empty(); });
  if (input.proxies.empty()) {
    imported.refused =
        refuse({"SP136", "no cluster in the documents", "give the proxy's bootstrap or its config_dump"}, arguments);
    return imported;
  }
  constexpr std::size_t most_named = 8;
  const std::size_t more = sources.size() > most_named ? sources.size() - most_named : 0;
  sources.resize(sources.size() - more);
  input.source = reports::joined(sources, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
  reports::importing::Imported made = reports::importing::import_scenario(input);
  for (const std::string& finding : made.findings) {
    say(fmt::format("warning[SP794]: {}\n", reports::printable(finding)));
  }
  imported.name = "<import of " + input.source + ">";
  imported.text = std::move(made.text);
  return imported;
}

bool names_documents(const Arguments& arguments) {
  return arguments.rate && !scenario::ProxyConfiguration::read(arguments.paths, envoy_options(arguments)).is_scenario();
}

CommandResult import_command(const Arguments& arguments) {
  const ImportedDocuments imported = import_documents(arguments);
  if (imported.refused) {
    return *imported.refused;
  }
  if (!arguments.output || *arguments.output == "-") {
    return {imported.text, ExitCode::well};
  }
  if (const auto failure = write_file(*arguments.output, imported.text)) {
    return refuse(*failure, arguments);
  }
  return {};
}

}  // namespace spillway::cli
