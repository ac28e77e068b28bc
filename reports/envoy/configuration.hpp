// What is read of a proxy's documents: how much there is, and of each cluster whether requests to it can be simulated.
#pragma once

#include <string>
#include <vector>

#include "reports/formats.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::reports {

// A cluster that is read can be asked of `spillway share`. One without endpoints is read as far as the documents go.
enum class ClusterState : std::uint8_t { read, without_endpoints, refused };

struct ReadConfiguration {
  struct Cluster {
    std::string name;
    ClusterState state = ClusterState::read;
    Diagnostics diagnostics = {};
  };
  std::vector<Cluster> clusters = {};
  proxy::Tally tally = {};
  scenario::ProxyNode node = {};
  Diagnostics diagnostics = {};        // of files and of the proxy
  Diagnostics route_diagnostics = {};  // of routes, whoever asks for one

  [[nodiscard]] std::size_t count(ClusterState state) const;
};

// Reads every cluster and route by itself. Linear.
[[nodiscard]] ReadConfiguration read_all_of(const scenario::ProxyConfiguration& proxy);

// `format`: table or json.
[[nodiscard]] std::string format_configuration(const ReadConfiguration& configuration, const Sources& sources,
                                               Format format);

}  // namespace spillway::reports
