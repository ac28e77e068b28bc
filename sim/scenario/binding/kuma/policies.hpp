// The policies of a mesh, and their settings for one client and one destination.
//
//   const Policies policies = policies_of(documents, "default", profile);
//   policies.retries.conf(client, destination);                     // merged of all MeshRetry that concern both
//   policies.http_routes.merged(client, destination)->origins[0];   // the item that was applied first
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "models/kuma/policy_conf.hpp"
#include "models/kuma/policy_confs.hpp"
#include "models/kuma/rules.hpp"

namespace spillway::scenario::kuma_binding {

using RuleOrigins = std::vector<kuma::RuleOrigin>;

struct Destination;  // kuma_mesh.hpp

// Returns the destination as policies name it for this client; a port without a name is called by its number. A value
// of kuma.io/service has no kind.
[[nodiscard]] kuma::Destination resource_of(const Destination& destination, const kuma::Client& client);

// Returns the values, or the origins, of the documents that are in a mesh.
template <class Document, class Part>
[[nodiscard]] std::vector<Part> of_mesh(const std::vector<Document>& documents, const std::string& mesh,
                                        Part Document::* part) {
  std::vector<Part> values;
  for (const Document& document : documents) {
    if (document.origin.mesh == mesh) {
      values.push_back(document.*part);
    }
  }
  return values;
}

// The policies of one kind in a mesh, with their documents.
template <class Conf>
class PoliciesOf {
 public:
  using Document = kuma::Document<kuma::TargetedPolicy<Conf>>;

  PoliciesOf(const std::vector<Document>& documents, const std::string& mesh, config::KumaProfile profile)
      : set_(of_mesh(documents, mesh, &Document::value)),
        documents_(of_mesh(documents, mesh, &Document::origin)),
        profile_(profile) {}

  [[nodiscard]] const std::vector<kuma::TargetedPolicy<Conf>>& policies() const noexcept { return set_.policies(); }
  [[nodiscard]] const std::vector<kuma::Origin>& documents() const noexcept { return documents_; }  // of policies()
  [[nodiscard]] const kuma::TargetedItem<Conf>& item(const kuma::RuleOrigin& origin) const {
    return (*policies()[origin.policy].to)[origin.item];
  }
  // Returns the place of a path below an item: ".default.http"; the item's own place for "".
  [[nodiscard]] Span place_of(const kuma::RuleOrigin& origin, const std::string& path) const {
    return kuma::place_of(*documents_[origin.policy].node, fmt::format("spec.to[{}]{}", origin.item, path));
  }
  // Returns the last of these items whose conf sets a field, and the field's place.
  template <class Sets>
  [[nodiscard]] std::optional<kuma::PolicyConf::Field> last_of(const RuleOrigins& items, const std::string& path,
                                                               const Sets& sets) const {
    for (std::size_t at = items.size(); at > 0; --at) {
      if (sets(item(items[at - 1]).default_)) {
        return kuma::PolicyConf::Field{at - 1, place_of(items[at - 1], ".default." + path)};
      }
    }
    return std::nullopt;
  }

  // Returns the conf for a destination, with the items that it was merged from; nullopt if no policy concerns it.
  [[nodiscard]] std::optional<kuma::MergedConf<Conf>> merged(const kuma::Client& client,
                                                             const Destination& destination) const {
    const kuma::Destination resource = resource_of(destination, client);
    return resource.kind.empty() ? set_.of_tag(client, resource.name, profile_)
                                 : set_.of_resource(client, resource, profile_);
  }
  [[nodiscard]] std::optional<Conf> conf(const kuma::Client& client, const Destination& destination) const {
    return plain(merged(client, destination));
  }
  [[nodiscard]] std::optional<Conf> conf(const kuma::Client& client, const kuma::Destination& resource) const {
    return plain(set_.of_resource(client, resource, profile_));
  }

 private:
  static std::optional<Conf> plain(std::optional<kuma::MergedConf<Conf>> merged) {
    return merged ? std::optional(std::move(merged->conf)) : std::nullopt;
  }

  kuma::PolicySet<Conf> set_;
  std::vector<kuma::Origin> documents_;
  config::KumaProfile profile_;
};

struct Policies {
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  std::vector<kuma::Policy> plain_strategies = {};  // those of `strategies`, for rules of the whole mesh
  PoliciesOf<kuma::Conf> strategies;
  PoliciesOf<kuma::HttpRouteConf> http_routes;
  PoliciesOf<kuma::TcpRouteConf> tcp_routes;
  PoliciesOf<kuma::CircuitBreakerConf> circuit_breakers;
  PoliciesOf<kuma::HealthCheckConf> health_checks;
  PoliciesOf<kuma::RetryConf> retries;
  PoliciesOf<kuma::TimeoutConf> timeouts;

  // Returns the MeshHTTPRoute that an item belongs to, as policies name it.
  [[nodiscard]] kuma::Destination resource_of_route(const kuma::RuleOrigin& item) const {
    const kuma::MeshHTTPRoute& route = http_routes.policies()[item.policy];
    return {.kind = "MeshHTTPRoute", .name = route.name, .labels = route.labels};
  }
};

// Returns the strategies, which have a type of their own, as other policies are.
[[nodiscard]] std::vector<PoliciesOf<kuma::Conf>::Document> as_targeted(
    const std::vector<kuma::Document<kuma::Policy>>& strategies);

// Returns the policies among the documents of one mesh.
[[nodiscard]] Policies policies_of(const kuma::Documents& documents, const std::string& mesh,
                                   config::KumaProfile profile);

// The confs that shape a cluster. A conf is nullopt if no policy of its kind concerns the destination, or if the client
// has no outbound for it.
struct ClusterConfs {
  std::optional<kuma::Conf> strategy = {};
  RuleOrigins strategy_origins = {};  // the items that it was merged from, in order
  std::optional<kuma::CircuitBreakerConf> circuit_breaker = {};
  RuleOrigins circuit_breaker_origins = {};  // the items that it was merged from, in order
  std::optional<kuma::HealthCheckConf> health_check = {};
  std::optional<kuma::TimeoutConf> timeout = {};
};

[[nodiscard]] ClusterConfs confs_of(const Policies& policies, const kuma::Client& client,
                                    const Destination& destination);

}  // namespace spillway::scenario::kuma_binding
