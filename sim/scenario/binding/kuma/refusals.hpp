// Reports clusters and routes of Kuma that Envoy refuses: Kuma admits such policies, but no proxy accepts the resulting
// configuration.
//
//   Refusals refusals(policies);
//   refusals.look_at(view.cluster, confs);           // error[SP139] at `tableSize` of the policy that says it
//   refusals.look_at(view.load_assignment, hashing, confs);
//   refusals.look_at_routes(http->origins);          // at the `value` of a match that does not parse
//   refusals.take();
//
// The reasons are those of Envoy's own documents (models/envoy/refusals.hpp, models/envoy/policies). This file only
// maps each of Envoy's fields to a field of a policy. Fields that Kuma's validators keep within Envoy's bounds are not
// checked again: health checks, outlier detection, limits. Source: Kuma's
// meshloadbalancingstrategy/plugin/v1alpha1/plugin.go, meshhttproute/xds/configurer.go and match.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/forward.hpp"
#include "models/config/refusal.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/forward.hpp"

namespace spillway::kuma {
struct HashPolicy;  // mesh_load_balancing_strategy.hpp
struct HttpMatch;   // mesh_http_route.hpp
struct Origin;      // documents.hpp
struct RuleOrigin;  // rules.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {

struct ClusterConfs;  // policies.hpp
struct Policies;      // policies.hpp

class Refusals {
 public:
  explicit Refusals(const Policies& policies) : policies_(&policies) {}

  // Checks a cluster, or its load assignment, against the confs that it was derived from. `hashing` is true if its
  // policy hashes.
  void look_at(const envoy::Cluster& cluster, const ClusterConfs& confs);
  void look_at(const config::ClusterLoadAssignment& assignment, bool hashing, const ClusterConfs& confs);

  // Checks the items of MeshHTTPRoutes that a client's routes are derived from: they contain all matches.
  void look_at_routes(const std::vector<kuma::RuleOrigin>& origins);

  // Checks the hash policies that a route gets. Kuma 2.14 writes nothing for the
  // type SourceIP, which leaves a policy without its specifier.
  void look_at_hash_policies(const std::vector<kuma::HashPolicy>& hashes);

  // Checks the sum of the weights of a route's clusters, which are written at `where`.
  void look_at_weights(std::uint64_t sum, Span where);

  [[nodiscard]] Diagnostics take() { return std::exchange(problems_, {}); }

 private:
  void look_at(const kuma::HttpMatch& match, const std::string& path, const kuma::Origin& document);
  void look_at_text(std::string_view type, const std::optional<std::string>& value, const std::string& path,
                    const kuma::Origin& document);
  void add(const config::Refusal& refusal, Span where);

  const Policies* policies_;
  std::set<std::pair<std::size_t, std::size_t>> seen_routes_;  // policy and item
  Diagnostics problems_;
};

}  // namespace spillway::scenario::kuma_binding
