// The documents of one proxy: its clusters, each readable separately, and the proxy itself.
//
//   const auto proxy = scenario::ProxyConfiguration::read({"config_dump.json"});
//   for (const std::string& name : proxy.cluster_names()) {
//     const auto reading = proxy.cluster(name);   // one that cannot be read keeps no other from being read
//   }
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/forward.hpp"
#include "models/documents/source.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/tally.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

struct Reading;  // read_scenario.hpp

// The proxy itself, as described by its bootstrap or dump. Empty fields are unknown.
struct ProxyNode {
  std::string id = {};
  std::string cluster = {};
  config::Locality locality = {};
  std::string version = {};  // "1.36.2"
  std::string local_cluster = {};
  config::Runtime runtime = {};
  std::map<std::string, std::string> metadata = {};  // the texts of node.metadata; those of LABELS under "LABELS/name"
};

class ProxyConfiguration {
 public:
  // Reads files, folders, .tar.gz and .tgz archives; "-" reads standard input.
  [[nodiscard]] static ProxyConfiguration read(const std::vector<std::string>& paths, proxy::EnvoyOptions options = {});
  [[nodiscard]] static ProxyConfiguration read(Sources sources, proxy::EnvoyOptions options = {},
                                               Diagnostics problems = {});

  ProxyConfiguration(ProxyConfiguration&& other) noexcept;
  ProxyConfiguration& operator=(ProxyConfiguration&& other) noexcept;
  ProxyConfiguration(const ProxyConfiguration&) = delete;
  ProxyConfiguration& operator=(const ProxyConfiguration&) = delete;
  ~ProxyConfiguration();

  // Returns the texts that the places of all diagnostics refer to.
  [[nodiscard]] const Sources& sources() const noexcept;
  // Returns diagnostics of files and of the proxy, not of single clusters.
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept;
  [[nodiscard]] ProxyNode node() const;
  // Returns distinct names in the order of the documents. A warming cluster next to an active one of its name does not
  // count.
  [[nodiscard]] std::vector<std::string> cluster_names() const;
  // Returns positions in sources() of texts without configuration: /clusters and /stats output, logs.
  [[nodiscard]] const std::vector<std::uint32_t>& others() const noexcept;
  [[nodiscard]] proxy::Tally tally() const;

  // Returns the Cluster, the RouteConfigurations and the Listeners as in the documents; the Cluster is null if none has
  // this name.
  [[nodiscard]] const documents::Node* cluster_document(const std::string& name) const;
  [[nodiscard]] std::vector<const documents::Node*> route_configurations() const;
  [[nodiscard]] std::vector<const documents::Node*> listeners() const;
  // True if the documents contain load assignments in addition to clusters.
  [[nodiscard]] bool has_load_assignments() const;

  struct ClusterReading {
    std::optional<Scenario> scenario;  // absent exactly if there is an error among the diagnostics
    Diagnostics diagnostics;
  };
  // Reads the requests to one cluster. Errors in other clusters do not matter.
  [[nodiscard]] ClusterReading cluster(const std::string& name) const;
  // Reads the cluster or request that the options select.
  [[nodiscard]] ClusterReading asked() const;
  // Returns one request for each route with a cluster as destination; asked(request) then reads it.
  [[nodiscard]] proxy::DescribedRoutes described_routes() const;
  [[nodiscard]] ClusterReading asked(const proxy::RequestDescription& request) const;
  // Returns diagnostics of routes: errors, and features that are not simulated. Not needed for shares of a cluster.
  [[nodiscard]] Diagnostics route_problems() const;

  // True if the only file is a scenario, which is not one of Envoy's documents; into_scenario() then reads it.
  [[nodiscard]] bool is_scenario() const noexcept;
  [[nodiscard]] Reading into_scenario() &&;

  // Returns the result with the sources and diagnostics. This object cannot be used afterwards.
  [[nodiscard]] Reading into_reading(ClusterReading cluster) &&;

 private:
  struct State;
  explicit ProxyConfiguration(std::unique_ptr<State> state);
  [[nodiscard]] ClusterReading read_with(const proxy::EnvoyOptions& options) const;
  std::unique_ptr<State> state_;
};

}  // namespace spillway::scenario
