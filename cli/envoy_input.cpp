#include "cli/envoy_input.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"
#include "sim/observed/read_clusters.hpp"
#include "sim/scenario/document/parse.hpp"

namespace spillway::cli {

scenario::EnvoyOptions envoy_options(const Arguments& arguments) {
  scenario::EnvoyOptions options;
  options.cluster = arguments.cluster.value_or("");
  options.resolve = arguments.resolve;
  options.without = arguments.without;
  options.profile = arguments.profile;
  const bool described = arguments.listener || arguments.host || arguments.path ||
                         (arguments.command != Command::explain && !arguments.headers.empty());
  if (described && !arguments.cluster) {
    options.request = scenario::RequestDescription{.listener = arguments.listener.value_or(""),
                                                   .host = arguments.host.value_or(""),
                                                   .path = arguments.path.value_or("/"),
                                                   .headers = arguments.headers};
  }
  return options;
}

namespace {

// What /clusters told, where its output is among the files.
std::vector<config::ClusterLoadAssignment> told_among(const std::vector<std::string>& paths) {
  std::vector<config::ClusterLoadAssignment> told;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      continue;
    }
    // What is wrong with the file is said where the documents are read.
    scenario::Diagnostics problems;
    auto source = scenario::document::load_source(path, 0, problems);
    if (!source || !observed::looks_like_clusters(source->text)) {
      continue;
    }
    scenario::Sources sources = {std::move(*source)};
    if (const auto clusters = observed::read_clusters(sources, 0, problems)) {
      auto memberships = observed::memberships(*clusters, observed::HealthOf::everything);
      std::move(memberships.begin(), memberships.end(), std::back_inserter(told));
    }
  }
  return told;
}

}  // namespace

void SaidOnce::say(scenario::Diagnostics problems, const scenario::Sources& sources, const Arguments& arguments) {
  std::erase_if(problems, [&](const scenario::Diagnostic& problem) {
    return !said_.emplace(problem.code, problem.where.file, problem.where.line, problem.where.column, problem.label)
                .second;
  });
  if (!problems.empty()) {
    say_diagnostics({std::nullopt, std::move(problems), sources}, arguments);
  }
}

scenario::ProxyConfiguration read_proxy_documents(const Arguments& arguments) {
  scenario::EnvoyOptions options = envoy_options(arguments);
  options.memberships = told_among(arguments.paths);
  scenario::ProxyConfiguration proxy = scenario::ProxyConfiguration::read(arguments.paths, options);
  say_diagnostics({std::nullopt, proxy.diagnostics(), proxy.sources()}, arguments);
  return proxy;
}

scenario::Reading read_documents(const Arguments& arguments) {
  scenario::EnvoyOptions options = envoy_options(arguments);
  options.memberships = told_among(arguments.paths);
  scenario::Reading reading = scenario::read_share_input(arguments.paths, options);
  play_profile(reading, arguments);
  say_diagnostics(reading, arguments);
  if (!reading.summary.empty()) {
    say(reports::printable(reading.summary) + "\n");
  }
  return reading;
}

}  // namespace spillway::cli
