// The hosts of a cluster of Envoy's documents: from its load assignment, from the proxy's current hosts (/clusters), or
// from the addresses of its names.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::messages {
struct WholeLoadAssignment;  // endpoints.hpp
}  // namespace spillway::messages

namespace spillway::proxy {
class Index;          // resources.hpp
struct EnvoyOptions;  // options.hpp
}  // namespace spillway::proxy

namespace spillway::scenario::envoy_binding {

class Places;        // places.hpp
struct ReadCluster;  // read_cluster.hpp

// Fills in the service's load assignment and hosts, and adds them to the scenario.
class EndpointReader {
 public:
  EndpointReader(const proxy::Index& index, const proxy::EnvoyOptions& options, Scenario& scenario, Places& places,
                 Diagnostics& problems)
      : index_(index), options_(options), scenario_(scenario), places_(places), problems_(problems) {}

  void read(const ReadCluster& cluster, Service& service);

 private:
  using WholeLoadAssignment = messages::Described<messages::WholeLoadAssignment>;
  // True if the hosts are read from `reported`, the cluster's part of /clusters; null if there is none.
  bool read_from(const ReadCluster& cluster, const config::ClusterLoadAssignment* reported, Service& service);
  void read_written(const WholeLoadAssignment& written, const ReadCluster& cluster, bool live, Service& service);
  void read_policy(const messages::Described<messages::LoadAssignmentPolicy>& policy, const std::string& type,
                   config::ClusterLoadAssignment& assignment);
  void read_locality_weight(const messages::Source& written, config::LocalityLbEndpoints& entry,
                            std::optional<Span>& first_weight);
  void warn_of_ignored(const messages::Source& assignment);
  void resolve_names(const ReadCluster& cluster, config::ClusterLoadAssignment& assignment);
  void add_hosts(Service& service);
  [[nodiscard]] const config::ClusterLoadAssignment* membership(const std::string& cluster) const;

  const proxy::Index& index_;
  const proxy::EnvoyOptions& options_;
  Scenario& scenario_;
  Places& places_;
  Diagnostics& problems_;
};

}  // namespace spillway::scenario::envoy_binding
