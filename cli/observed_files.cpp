#include "cli/observed_files.hpp"

#include <cstdint>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "models/documents/parse.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "sim/compare/compare.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/lines.hpp"
#include "sim/observed/other_names.hpp"
#include "sim/observed/read_clusters.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/releases.hpp"

namespace spillway::cli {
namespace {

class Reader {
 public:
  explicit Reader(ObservedFiles& files) : files_(files) {}

  template <class Read>
  auto operator()(const std::string& path, Read read)
      -> decltype(read(std::declval<Sources&>(), 0U, std::declval<Diagnostics&>())) {
    const auto file = static_cast<std::uint32_t>(files_.sources.size());
    auto source = documents::load_source(path, file, files_.diagnostics);
    const bool loaded = source.has_value();
    files_.sources.push_back(loaded ? std::move(*source) : SourceFile{path, ""});
    if (!loaded) {
      return std::nullopt;
    }
    return read(files_.sources, file, files_.diagnostics);
  }

 private:
  ObservedFiles& files_;
};

template <class Value>
const Value* pointer_to(const std::optional<Value>& value) noexcept {
  return value ? &*value : nullptr;
}

}  // namespace

compare::Observed ObservedFiles::view() const noexcept {
  return {.clusters_before = pointer_to(clusters_before),
          .clusters_after = pointer_to(clusters_after),
          .stats_before = pointer_to(stats_before),
          .stats_after = pointer_to(stats_after),
          .range = pointer_to(range),
          .log = pointer_to(log),
          .server = pointer_to(server)};
}

scenario::ProxyConfiguration read_configuration(const Arguments& arguments, const ObservedFiles& files,
                                                observed::HealthOf health) {
  proxy::EnvoyOptions options = envoy_options(arguments);
  options.cluster.clear();
  if (arguments.command == &commands::compare) {
    options.request.reset();
  }
  if (files.clusters_after) {
    options.memberships = observed::memberships(*files.clusters_after, health);
  } else {
    options.memberships = reported_among(arguments.paths, health);
  }
  if (files.server && !options.profile) {
    options.profile = scenario::profile_of_version(files.server->version);
  }
  scenario::ProxyConfiguration configuration = scenario::ProxyConfiguration::read(arguments.paths, options);
  say_diagnostics({std::nullopt, configuration.diagnostics(), configuration.sources()}, arguments);
  return configuration;
}

std::vector<observed::NamedCluster> named_clusters(const scenario::ProxyConfiguration& configuration) {
  std::vector<observed::NamedCluster> clusters;
  for (std::string& name : configuration.cluster_names()) {
    const documents::Node* const document = configuration.cluster_document(name);
    std::string other = document == nullptr ? "" : proxy::text_at(*document, "alt_stat_name");
    clusters.push_back({std::move(name), std::move(other)});
  }
  return clusters;
}

void use_own_names(const std::vector<observed::NamedCluster>& clusters, ObservedFiles& files) {
  const observed::OtherNames names = observed::own_names(clusters);
  const auto use = [&](auto& file) {
    if (file && !names.empty()) {
      observed::use_own_names(names, *file);
    }
  };
  use(files.stats_before);
  use(files.stats_after);
  use(files.range);
  use(files.log);
}

void apply_runtime(const ObservedFiles& files, scenario::Scenario& scenario) {
  if (!files.runtime) {
    return;
  }
  for (const config::RuntimeKey& key : config::runtime_keys) {
    const auto found = files.runtime->find(key.name);
    scenario.runtime.*key.value = found == files.runtime->end() ? std::nullopt : observed::whole_number(found->second);
  }
}

std::vector<std::string> asked_clusters(const scenario::ProxyConfiguration& configuration, const Arguments& arguments) {
  return arguments.cluster ? std::vector<std::string>{*arguments.cluster} : configuration.cluster_names();
}

ObservedFiles read_observed_files(const Arguments& arguments) {
  ObservedFiles files;
  Reader read(files);
  if (arguments.clusters.size() > 1) {
    files.clusters_before = read(arguments.clusters.front(), observed::read_clusters);
  }
  if (!arguments.clusters.empty()) {
    files.clusters_after = read(arguments.clusters.back(), observed::read_clusters);
  }
  if (arguments.stats.size() > 1) {
    files.stats_before = read(arguments.stats.front(), observed::read_stats);
  }
  if (!arguments.stats.empty()) {
    files.stats_after = read(arguments.stats.back(), observed::read_stats);
  }
  if (arguments.prometheus) {
    files.range = read(*arguments.prometheus, observed::read_range_answer);
  }
  if (arguments.access_log) {
    files.log = read(*arguments.access_log, observed::read_access_log);
  }
  if (arguments.runtime) {
    files.runtime = read(*arguments.runtime, observed::read_runtime_values);
  }
  if (arguments.server_info) {
    files.server = read(*arguments.server_info, observed::read_server_info);
  }
  return files;
}

}  // namespace spillway::cli
