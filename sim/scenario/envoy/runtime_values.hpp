// Values of a bootstrap's static runtime layers in the place of the defaults that documents name a `runtime_key` for.
//
//   RuntimeValues values;
//   values.add(layer);       // routing: { canary: 0 }
//   values.put_into(tree);   // runtime_fraction: { default_value: { numerator: 0 }, runtime_key: routing.canary }
//
// Of fractions (RuntimeFractionalPercent), numbers (RuntimeDouble) and weights of clusters (`runtime_key_prefix`). A
// value that is no number, or no fraction, leaves the default, as in Envoy.
#pragma once

#include <map>
#include <string>

#include "sim/scenario/document/node.hpp"

namespace spillway::scenario::envoy_documents {

class RuntimeValues {
 public:
  // An object; nested ones are keys with dots. Of several layers the last value counts.
  void add(const document::Node& layer) { add(layer, ""); }

  // Linear in the tree.
  void put_into(document::Node& tree) const;

 private:
  void add(const document::Node& values, const std::string& prefix);
  [[nodiscard]] const document::Node* find(const std::string& key) const;
  void put_default(document::Node& object) const;
  void put_weights(document::Node& object) const;

  std::map<std::string, document::Node> values_;  // by the whole key
};

}  // namespace spillway::scenario::envoy_documents
