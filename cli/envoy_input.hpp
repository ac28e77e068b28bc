// What the command line says of Envoy's documents.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::observed {
enum class HealthOf : std::uint8_t;  // host_flags.hpp
}  // namespace spillway::observed

namespace spillway::proxy {
struct EnvoyOptions;  // options.hpp
}  // namespace spillway::proxy

namespace spillway::scenario {
class ProxyConfiguration;  // proxy_configuration.hpp
struct Reading;            // read_scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;  // arguments.hpp

[[nodiscard]] proxy::EnvoyOptions envoy_options(const Arguments& arguments);

// The scenario, or Envoy's documents as one; what was read of a dump is said on standard error, beside diagnostics.
[[nodiscard]] scenario::Reading read_documents(const Arguments& arguments);

// What is wrong with one cluster after another: of what several share, each thing is said once.
class DiagnosticDeduplicator {
 public:
  void say(Diagnostics problems, const Sources& sources, const Arguments& arguments);

 private:
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>> said_;
};

// The endpoints that /clusters told, where its output is among the files, also in folders and archives.
[[nodiscard]] std::vector<config::ClusterLoadAssignment> reported_among(const std::vector<std::string>& paths,
                                                                        observed::HealthOf health);

// What is assumed of weights of localities that /clusters does not say (SP236); empty: nothing.
[[nodiscard]] std::string missing_weights(const Diagnostics& problems);

// All clusters of a proxy's documents, for one after another; diagnostics of the files are said.
[[nodiscard]] scenario::ProxyConfiguration read_proxy_documents(const Arguments& arguments);

}  // namespace spillway::cli
