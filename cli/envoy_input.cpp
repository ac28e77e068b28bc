#include "cli/envoy_input.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "models/envoy/proxy/inputs.hpp"
#include "models/envoy/proxy/options.hpp"
#include "reports/text/text_table.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/read_clusters.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {

proxy::EnvoyOptions envoy_options(const Arguments& arguments) {
  proxy::EnvoyOptions options;
  options.cluster = arguments.cluster.value_or("");
  options.resolve = arguments.resolve;
  options.without = arguments.without;
  options.profile = arguments.profile;
  const bool described = arguments.listener || arguments.host || arguments.path || arguments.source ||
                         (arguments.command != &commands::explain && !arguments.headers.empty());
  if (described && !arguments.cluster) {
    options.request = proxy::RequestDescription{.listener = arguments.listener.value_or(""),
                                                .host = arguments.host.value_or(""),
                                                .path = arguments.path.value_or("/"),
                                                .headers = arguments.headers,
                                                .source = arguments.source};
  }
  return options;
}

namespace {

// Returns regular files and folders. Standard input cannot be read again after the documents.
std::vector<std::string> that_can_be_read_again(const std::vector<std::string>& paths) {
  std::vector<std::string> again;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(again), [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) || std::filesystem::is_directory(path, error);
  });
  return again;
}

}  // namespace

std::vector<config::ClusterLoadAssignment> reported_among(const std::vector<std::string>& paths,
                                                          observed::HealthOf health) {
  std::vector<config::ClusterLoadAssignment> reported;
  // Problems of the files are printed when the documents are read.
  Diagnostics problems;
  Sources sources = proxy::load_inputs(that_can_be_read_again(paths), problems).sources;
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    if (!observed::looks_like_clusters(sources[file].text)) {
      continue;
    }
    if (const auto clusters = observed::read_clusters(sources, file, problems)) {
      auto memberships = observed::memberships(*clusters, health);
      std::move(memberships.begin(), memberships.end(), std::back_inserter(reported));
    }
  }
  return reported;
}

std::string missing_weights(const Diagnostics& problems) {
  const auto found =
      std::find_if(problems.begin(), problems.end(), [](const auto& problem) { return problem.code == "SP236"; });
  return found == problems.end() ? "" : found->label;
}

void DiagnosticDeduplicator::say(Diagnostics problems, const Sources& sources, const Arguments& arguments) {
  std::erase_if(problems, [&](const Diagnostic& problem) {
    return !said_.emplace(problem.code, problem.where.file, problem.where.line, problem.where.column, problem.label)
                .second;
  });
  if (!problems.empty()) {
    say_diagnostics({std::nullopt, std::move(problems), sources}, arguments);
  }
}

scenario::ProxyConfiguration read_proxy_documents(const Arguments& arguments) {
  proxy::EnvoyOptions options = envoy_options(arguments);
  options.memberships = reported_among(arguments.paths, observed::HealthOf::everything);
  scenario::ProxyConfiguration proxy = scenario::ProxyConfiguration::read(arguments.paths, options);
  say_diagnostics({std::nullopt, proxy.diagnostics(), proxy.sources()}, arguments);
  return proxy;
}

scenario::Reading read_documents(const Arguments& arguments) {
  proxy::EnvoyOptions options = envoy_options(arguments);
  options.memberships = reported_among(arguments.paths, observed::HealthOf::everything);
  scenario::Reading reading = scenario::read_share_input(arguments.paths, options);
  use_profile(reading, arguments);
  say_diagnostics(reading, arguments);
  if (!reading.summary.empty()) {
    say(reports::printable(reading.summary) + "\n");
  }
  return reading;
}

}  // namespace spillway::cli
