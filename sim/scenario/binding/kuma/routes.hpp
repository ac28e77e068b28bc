// Routes the requests of one client by MeshHTTPRoute, MeshTCPRoute and the hash policies of MeshLoadBalancingStrategy.
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

// By destination, the tags next to kuma.io/service of the outbound through which a client requests it. Requests go to
// the endpoints that have all these tags, unless a backendRef overrides them.
using OutboundTags = std::map<std::string, kuma::Tags>;

class ClientRoutes {
 public:
  // Precondition: all arguments outlive this.
  ClientRoutes(const KumaMesh& contents, const Policies& policies, Views& views, Scenario& scenario,
               const kuma::Client& client, config::ZoneIndex zone);

  [[nodiscard]] std::optional<config::ServiceIndex> plain_view(config::ServiceIndex service, const OutboundTags& tags);

  // Returns a new route, or an equal route of this client. nullopt if it routes to nothing that exists; problem() has
  // the reason.
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

  // The rule that matches the request: the backends that it divides requests over, and the hash policies of its route.
  struct Taken {
    std::vector<Backend> backends = {};
    std::optional<kuma::Conf> route_conf = {};
    std::vector<RouteOrigin> origins = {};
  };

  [[nodiscard]] const Destination* destination_of(config::ServiceIndex service) const;
  [[nodiscard]] const Destination* destination_of(const kuma::Split& split) const;
  [[nodiscard]] std::optional<Taken> rule_of(const Destination& destination, const envoy::routes::Request& request);
  // Returns the references that get a part; the destination itself if there are no references.
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
  const OutboundTags* tags_ = nullptr;  // of the outbound in use
  std::string problem_;
  Span rules_at_;  // of the route being read
  std::vector<Dropped> dropped_;
};

}  // namespace spillway::scenario::kuma_binding
