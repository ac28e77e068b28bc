// The outputs of a live Envoy that options name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/access_log.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/server.hpp"
#include "sim/observed/stats.hpp"

namespace spillway::compare {
struct Observed;  // compare.hpp
}  // namespace spillway::compare

namespace spillway::observed {
enum class HealthOf : std::uint8_t;  // host_flags.hpp
struct NamedCluster;                 // other_names.hpp
}  // namespace spillway::observed

namespace spillway::scenario {
class ProxyConfiguration;  // proxy_configuration.hpp
struct Scenario;           // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;  // arguments.hpp

struct ObservedFiles {
  std::optional<observed::Clusters> clusters_before;
  std::optional<observed::Clusters> clusters_after;
  std::optional<observed::Stats> stats_before;
  std::optional<observed::Stats> stats_after;
  std::optional<observed::RangeAnswer> range;
  std::optional<observed::AccessLog> log;
  std::optional<observed::ServerInfo> server;
  std::optional<observed::RuntimeValues> runtime;

  Sources sources;
  Diagnostics diagnostics;  // an error: some file could not be read

  // Points into this.
  [[nodiscard]] compare::Observed view() const noexcept;
};

// The proxy's documents; endpoints that they do not hold are those of /clusters. What is wrong is said.
[[nodiscard]] scenario::ProxyConfiguration read_configuration(const Arguments& arguments, const ObservedFiles& files,
                                                              observed::HealthOf health);

// Its clusters, with what statistics and logs call them.
[[nodiscard]] std::vector<observed::NamedCluster> named_clusters(const scenario::ProxyConfiguration& configuration);

// Calls what was counted by the clusters' own names.
void use_own_names(const std::vector<observed::NamedCluster>& clusters, ObservedFiles& files);

// The final values of /runtime instead of those of the documents.
void apply_runtime(const ObservedFiles& files, scenario::Scenario& scenario);

// Names of its clusters, or the one that is asked for.
[[nodiscard]] std::vector<std::string> asked_clusters(const scenario::ProxyConfiguration& configuration,
                                                      const Arguments& arguments);

[[nodiscard]] ObservedFiles read_observed_files(const Arguments& arguments);

}  // namespace spillway::cli
