// Adds the pods, nodes, slices and services that documents of a mesh lack, as documents.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {

class AssumedPods {
 public:
  // Precondition: there is a zone. `resources` receives the documents. Lifetime: both must outlive this object.
  AssumedPods(MeshInventory& inventory, std::vector<AssumedZone>& zones, std::vector<Json>& resources,
              std::vector<std::string>& assumed)
      : inventory_(inventory), zones_(zones), resources_(resources), assumed_(assumed) {}

  // Assigns zones to nodes that have none, and nodes to pods with unknown nodes, in turn.
  void add_nodes();
  // Adds pods to workloads without pods, and slices to services without slices.
  void add_endpoints();

  // Returns the number of pods of a service in each zone, by its host.
  [[nodiscard]] const std::map<std::string, std::map<std::string, std::size_t>>& counts() const { return counts_; }

 private:
  void take_endpoints_objects();
  void add_pods_of_slices();
  void add_pods_of_workloads();
  void add_pods_by_default(const PastedService& service);
  void add_slice(const PastedService& service);
  PastedPod& add_pod(const std::string& name, const std::string& name_space, const Labels& labels,
                     const std::string& node, std::string address = "");
  [[nodiscard]] std::vector<Labels> subsets_of(const PastedService& service) const;
  [[nodiscard]] std::size_t zone_in_turn(std::size_t pod) const;
  [[nodiscard]] std::string zone_of(const std::string& node) const;

  MeshInventory& inventory_;
  std::vector<AssumedZone>& zones_;
  std::vector<Json>& resources_;
  std::vector<std::string>& assumed_;
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
  std::map<std::string, std::size_t> turn_;  // number of the next pod for a service
  std::size_t addresses_ = 0;
};

}  // namespace spillway::scenario::pasted
