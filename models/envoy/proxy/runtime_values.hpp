// Substitutes values of a bootstrap's static runtime layers for the defaults of fields with a `runtime_key`.
//
//   RuntimeValues values;
//   values.add(layer);       // routing: { canary: 0 }
//   values.put_into(tree);   // runtime_fraction: { default_value: { numerator: 0 }, runtime_key: routing.canary }
//
// Applies to fractions (RuntimeFractionalPercent), numbers (RuntimeDouble) and weights of clusters
// (`runtime_key_prefix`). A value of the wrong type leaves the default unchanged, as in Envoy.
//
// Some keys are built into Envoy: `outlier_detection.max_ejection_percent` applies to every cluster with outlier
// detection, `circuit_breakers.cart.default.max_requests` to one cluster and priority. These values are written into
// the clusters too.
//
// Source: Envoy's outlier_detection_impl.cc, upstream_impl.cc (ResourceManagers), resource_manager_impl.h.
#pragma once

#include <map>
#include <set>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

class RuntimeValues {
 public:
  // Adds an object. Nested objects form keys with dots. The last value of a key counts.
  void add(const documents::Node& layer) { add(layer, ""); }

  // Writes the values into the tree. `clusters`: the objects in the tree that are Cluster messages. Linear in the tree.
  void put_into(documents::Node& tree, const std::set<const documents::Node*>& clusters = {}) const;

  // Adds SP238 for each built-in key of Envoy that affects routing in a way that is not simulated.
  void warn_of_others(Diagnostics& problems) const;

 private:
  void add(const documents::Node& values, const std::string& prefix);
  [[nodiscard]] const documents::Node* find(const std::string& key) const;
  void put_default(documents::Node& object) const;
  void put_weights(documents::Node& object) const;
  void put_outlier_detection(documents::Node& cluster) const;
  void put_circuit_breakers(documents::Node& cluster) const;

  std::map<std::string, documents::Node> values_;  // by complete key
};

}  // namespace spillway::proxy
