// Where the requests of one client go under MeshHTTPRoute, MeshTCPRoute and the hash policies of
// MeshLoadBalancingStrategy.
//
//   ClientRoutes routes(contents, policies, views, scenario, client, zone);
//   routes.plain_view(service, tags);           // the view of all its requests, where nothing divides or hashes them
//   routes.route_of(request, route, tags);      // else the route that leads to views instead of services
//
// Source: docs/behaviour/kuma.md 6 (step 8), 11; Kuma's meshhttproute/plugin/v1alpha1.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/protocol.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::kuma {
struct BackendRef;  // splits.hpp
struct Client;      // client.hpp
struct Split;       // splits.hpp
}  // namespace spillway::kuma

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::kuma_binding {

class Views;         // views.hpp
struct Destination;  // kuma_mesh.hpp
struct KumaMesh;     // kuma_mesh.hpp
struct Policies;     // policies.hpp

// By destination: the tags beside kuma.io/service of the outbound by which a client asks for it. Where no backendRef
// says otherwise its requests go to the endpoints that have them all.
using OutboundTags = std::map<std::string, kuma::Tags>;

class ClientRoutes {
 public:
  // All must outlive this.
  ClientRoutes(const KumaMesh& contents, const Policies& policies, Views& views, Scenario& scenario,
               const kuma::Client& client, config::ZoneIndex zone);

  [[nodiscard]] std::optional<config::ServiceIndex> plain_view(config::ServiceIndex service, const OutboundTags& tags);

  // A new route, or one of this client's that is the same. None: it leads to nothing that there is; problem() says so.
  [[nodiscard]] std::optional<std::uint32_t> route_of(const envoy::routes::Request& request, std::uint32_t route,
                                                      const OutboundTags& tags);

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  // A backendRef that gets no part of the requests, so that others of its rule or of other rules get it.
  struct Dropped {
    Span where = {};
    std::string text = {};
  };
  [[nodiscard]] const std::vector<Dropped>& dropped() const noexcept { return dropped_; }

 private:
  // A weighted cluster of a rule.
  struct Backend {
    const Destination* destination = nullptr;
    kuma::Tags tags = {};  // of the subset
    std::uint32_t weight = 1;
  };

  // The rule that takes the request: what it divides it over, and the hash policies of its route.
  struct Taken {
    std::vector<Backend> backends = {};
    std::optional<kuma::Conf> route_conf = {};
    std::vector<RouteOrigin> origins = {};
  };

  [[nodiscard]] const Destination* destination_of(config::ServiceIndex service) const;
  [[nodiscard]] const Destination* destination_of(const kuma::Split& split) const;
  [[nodiscard]] std::optional<Taken> rule_of(const Destination& destination, const envoy::routes::Request& request);
  // Those of the references that get a part. The destination itself where nothing is referred to.
  [[nodiscard]] std::vector<Backend> backends_of(std::span<const kuma::BackendRef> references,
                                                 const Destination& destination, kuma::SplitKind kind);
  [[nodiscard]] kuma::Tags tags_of(const Destination& destination) const;
  [[nodiscard]] bool resolves(const kuma::Split& split) const;
  void note_dropped(const Destination& destination, const kuma::Split& split, const std::string& why);
  [[nodiscard]] bool is_divided(const Destination& destination) const;
  bool add_views(const Destination& destination, const envoy::routes::Request& request, std::uint32_t weight,
                 Route& route);

  const KumaMesh* contents_;
  const Policies* policies_;
  Views* views_;
  Scenario* scenario_;
  const kuma::Client* client_;
  config::ZoneIndex zone_;
  std::vector<std::uint32_t> made_;     // routes of this client
  const OutboundTags* tags_ = nullptr;  // of the outbound that is asked by
  std::string problem_;
  Span rules_at_;  // that are looked at
  std::vector<Dropped> dropped_;
};

}  // namespace spillway::scenario::kuma_binding
