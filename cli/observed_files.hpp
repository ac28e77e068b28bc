// Reads the outputs of a live Envoy that options name.
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
#include "sim/scenario/forward.hpp"

namespace spillway::compare {
struct Observed;  // compare.hpp
}  // namespace spillway::compare

namespace spillway::observed {
enum class HealthOf : std::uint8_t;  // host_flags.hpp
struct NamedCluster;                 // other_names.hpp
}  // namespace spillway::observed

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
  Diagnostics diagnostics;  // has an error if a file could not be read

  // Returns a view. Lifetime: it points into this object.
  [[nodiscard]] compare::Observed view() const noexcept;
};

// Reads the proxy's documents and prints their problems. Endpoints missing from them come from /clusters.
[[nodiscard]] scenario::ProxyConfiguration read_configuration(const Arguments& arguments, const ObservedFiles& files,
                                                              observed::HealthOf health);

// Returns the configuration's clusters, with their names in statistics and logs.
[[nodiscard]] std::vector<observed::NamedCluster> named_clusters(const scenario::ProxyConfiguration& configuration);

// Replaces these names in the counts by the clusters' own names.
void use_own_names(const std::vector<observed::NamedCluster>& clusters, ObservedFiles& files);

// Applies the final values of /runtime instead of those of the documents.
void apply_runtime(const ObservedFiles& files, scenario::Scenario& scenario);

// Returns the names of the configuration's clusters, or only the selected one.
[[nodiscard]] std::vector<std::string> asked_clusters(const scenario::ProxyConfiguration& configuration,
                                                      const Arguments& arguments);

[[nodiscard]] ObservedFiles read_observed_files(const Arguments& arguments);

}  // namespace spillway::cli
