// Summarizes a proxy's documents: their size, and for each cluster if requests to it can be simulated.
#pragma once

#include <string>
#include <vector>

#include "reports/formats.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::reports {

// The parse result of a cluster. `spillway share` works for a cluster that is `read`; for one without endpoints only
// the settings in the documents are known.
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
  Diagnostics route_diagnostics = {};  // of routes, whichever request they are for

  [[nodiscard]] std::size_t count(ClusterState state) const;
};

// Reads every cluster and route separately. Linear.
[[nodiscard]] ReadConfiguration read_all_of(const scenario::ProxyConfiguration& proxy);

// Formats as table or JSON, by `format`.
[[nodiscard]] std::string format_configuration(const ReadConfiguration& configuration, const Sources& sources,
                                               Format format);

}  // namespace spillway::reports
