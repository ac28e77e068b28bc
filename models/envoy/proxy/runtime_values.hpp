// Values of a bootstrap's static runtime layers in the place of the defaults that documents name a `runtime_key` for.
//
//   RuntimeValues values;
//   values.add(layer);       // routing: { canary: 0 }
//   values.put_into(tree);   // runtime_fraction: { default_value: { numerator: 0 }, runtime_key: routing.canary }
//
// Of fractions (RuntimeFractionalPercent), numbers (RuntimeDouble) and weights of clusters (`runtime_key_prefix`). A
// value that is no number, or no fraction, leaves the default, as in Envoy.
//
// Some keys are Envoy's own: `outlier_detection.max_ejection_percent` is that of every cluster that detects outliers,
// and `circuit_breakers.cart.default.max_requests` that of one cluster and priority. They stand in the clusters, too.
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
  // An object; nested ones are keys with dots. Of several layers the last value counts.
  void add(const documents::Node& layer) { add(layer, ""); }

  // `clusters`: which objects in the tree are Cluster messages. Linear in the tree.
  void put_into(documents::Node& tree, const std::set<const documents::Node*>& clusters = {}) const;

  // SP238 for each key that Envoy asks for by itself and that changes where requests go in a way that is not simulated.
  void warn_of_others(Diagnostics& problems) const;

 private:
  void add(const documents::Node& values, const std::string& prefix);
  [[nodiscard]] const documents::Node* find(const std::string& key) const;
  void put_default(documents::Node& object) const;
  void put_weights(documents::Node& object) const;
  void put_outlier_detection(documents::Node& cluster) const;
  void put_circuit_breakers(documents::Node& cluster) const;

  std::map<std::string, documents::Node> values_;  // by the whole key
};

}  // namespace spillway::proxy
