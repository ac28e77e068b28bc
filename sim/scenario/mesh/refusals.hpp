// What Envoy refuses of the clusters that Kuma makes: Kuma admits such policies, and no proxy takes what becomes of
// them.
//
//   Refusals refusals(policies);
//   refusals.look_at(view.cluster, confs);   // error[SP139] at `tableSize` of the policy that says it
//   refusals.take();
//
// The reasons are those of Envoy's own documents (models/envoy/policies); here is only which field of a policy each of
// Envoy's fields comes from. Source: Kuma's meshloadbalancingstrategy/plugin/v1alpha1/plugin.go.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/config/refusal.hpp"
#include "models/envoy/cluster.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/mesh/policies.hpp"

namespace spillway::scenario::mesh {

class Refusals {
 public:
  explicit Refusals(const Policies& policies) : policies_(&policies) {}

  // A cluster and what it was made of.
  void look_at(const envoy::Cluster& cluster, const ClusterConfs& confs);

  [[nodiscard]] Diagnostics take() { return std::exchange(problems_, {}); }

 private:
  void add(const config::Refusal& refusal, Span where);

  const Policies* policies_;
  Diagnostics problems_;
};

}  // namespace spillway::scenario::mesh
