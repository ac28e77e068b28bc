// All that one proxy's documents hold: its clusters, each for itself, and the proxy.
//
//   const auto proxy = scenario::ProxyConfiguration::read({"config_dump.json"});
//   for (const std::string& name : proxy.cluster_names()) {
//     const auto reading = proxy.cluster(name);   // one that cannot be read keeps no other from being read
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/tally.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::scenario {

struct Reading;  // read_scenario.hpp

// The proxy itself, as its bootstrap or dump tells. Empty: not told.
struct ProxyNode {
  std::string id = {};
  std::string cluster = {};
  config::Locality locality = {};
  std::string version = {};  // "1.36.2"
  std::string local_cluster = {};
  config::Runtime runtime = {};
  std::map<std::string, std::string> metadata = {};  // the texts of node.metadata; of LABELS by "LABELS/name"
};

class ProxyConfiguration {
 public:
  // Files, folders, .tar.gz and .tgz archives; "-" reads standard input.
  [[nodiscard]] static ProxyConfiguration read(const std::vector<std::string>& paths, proxy::EnvoyOptions options = {});
  [[nodiscard]] static ProxyConfiguration read(Sources sources, proxy::EnvoyOptions options = {},
                                               Diagnostics problems = {});

  ProxyConfiguration(ProxyConfiguration&& other) noexcept;
  ProxyConfiguration& operator=(ProxyConfiguration&& other) noexcept;
  ProxyConfiguration(const ProxyConfiguration&) = delete;
  ProxyConfiguration& operator=(const ProxyConfiguration&) = delete;
  ~ProxyConfiguration();

  // Places of all diagnostics point into these.
  [[nodiscard]] const Sources& sources() const noexcept;
  // Of files and of the proxy, not of single clusters.
  [[nodiscard]] const Diagnostics& diagnostics() const noexcept;
  [[nodiscard]] ProxyNode node() const;
  // Distinct, in the order of the documents. A cluster that warms up beside one of its name does not count.
  [[nodiscard]] std::vector<std::string> cluster_names() const;
  // Positions in sources() of texts that hold no configuration: what /clusters and /stats print, logs.
  [[nodiscard]] const std::vector<std::uint32_t>& others() const noexcept;
  [[nodiscard]] proxy::Tally tally() const;

  // The Cluster, the RouteConfigurations and the Listeners as they stand in the documents; null: none of this name.
  [[nodiscard]] const documents::Node* cluster_document(const std::string& name) const;
  [[nodiscard]] std::vector<const documents::Node*> route_configurations() const;
  [[nodiscard]] std::vector<const documents::Node*> listeners() const;
  // Whether load assignments stand beside the clusters.
  [[nodiscard]] bool has_load_assignments() const;

  struct ClusterReading {
    std::optional<Scenario> scenario;  // absent exactly if there is an error among the diagnostics
    Diagnostics diagnostics;
  };
  // The requests to one cluster, whatever the other clusters are like.
  [[nodiscard]] ClusterReading cluster(const std::string& name) const;
  // What the options ask for.
  [[nodiscard]] ClusterReading asked() const;
  // A request for each route that leads to a cluster, and a reading for each of them.
  [[nodiscard]] proxy::DescribedRoutes described_routes() const;
  [[nodiscard]] ClusterReading asked(const proxy::RequestDescription& request) const;
  // What is wrong with routes or not played; not needed for shares of a cluster.
  [[nodiscard]] Diagnostics route_problems() const;

  // Whether the only file is a scenario, which is none of Envoy's documents; and what it says.
  [[nodiscard]] bool is_scenario() const noexcept;
  [[nodiscard]] Reading into_scenario() &&;

  // The sources and diagnostics with them, once nothing else is asked.
  [[nodiscard]] Reading into_reading(ClusterReading cluster) &&;

 private:
  struct State;
  explicit ProxyConfiguration(std::unique_ptr<State> state);
  [[nodiscard]] ClusterReading read_with(const proxy::EnvoyOptions& options) const;
  std::unique_ptr<State> state_;
};

}  // namespace spillway::scenario
