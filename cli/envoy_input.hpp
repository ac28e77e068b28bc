// Reads the Envoy documents named on the command line and prints their diagnostics.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/config/forward.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::observed {
enum class HealthOf : std::uint8_t;  // host_flags.hpp
}  // namespace spillway::observed

namespace spillway::proxy {
struct EnvoyOptions;  // options.hpp
}  // namespace spillway::proxy

namespace spillway::cli {

struct Arguments;  // arguments.hpp

[[nodiscard]] proxy::EnvoyOptions envoy_options(const Arguments& arguments);

// Returns the scenario, or a scenario made from Envoy's documents. Prints what was read of a dump on standard error,
// with the diagnostics.
[[nodiscard]] scenario::Reading read_documents(const Arguments& arguments);

// Prints diagnostics of several clusters, each distinct diagnostic once.
class DiagnosticDeduplicator {
 public:
  void say(Diagnostics problems, const Sources& sources, const Arguments& arguments);

 private:
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>> said_;
};

// Returns the endpoints from /clusters output, if the files contain it, also in folders and archives.
[[nodiscard]] std::vector<config::ClusterLoadAssignment> reported_among(const std::vector<std::string>& paths,
                                                                        observed::HealthOf health);

// Returns a note on locality weights missing from /clusters output (SP236); empty if none are missing.
[[nodiscard]] std::string missing_weights(const Diagnostics& problems);

// Returns all clusters of a proxy's documents, for separate processing. Prints diagnostics of the files.
[[nodiscard]] scenario::ProxyConfiguration read_proxy_documents(const Arguments& arguments);

}  // namespace spillway::cli
