// Builds the outbound listeners of one client, as Kuma's MeshHTTPRoute and MeshTCPRoute plugins build them and as
// MeshLoadBalancingStrategy (hash policies), MeshTimeout and MeshRetry change them.
//
//   OutboundListeners listeners(contents, policies, views, client, zone, document);
//   auto listener = listeners.of(destination, tags);      // null if Kuma builds none; problem() has the reason
//   listener->routes;                                     // in Envoy's order, each with its identity
//
// Policies are chosen per route: a strategy, retry or timeout for a MeshHTTPRoute applies only to the routes of that
// MeshHTTPRoute. (In 2.14 it applies to none if the destination is a value of kuma.io/service.) Each destination's
// listener is built once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "models/kuma/names.hpp"
#include "models/kuma/proxy/outbound_listener.hpp"
#include "models/kuma/splits.hpp"

namespace spillway::kuma {
struct BackendRef;         // splits.hpp
struct Client;             // client.hpp
struct DataplaneDocument;  // documents.hpp
struct HttpRoute;          // mesh_http_route.hpp
struct HttpRouteConf;      // mesh_http_route.hpp
struct Split;              // splits.hpp
template <class Conf>
struct MergedConf;  // policy_confs.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {

class Views;         // views.hpp
struct Destination;  // kuma_mesh.hpp
struct KumaMesh;     // kuma_mesh.hpp
struct Policies;     // policies.hpp

class OutboundListeners {
 public:
  // `document` is the client's Dataplane, null if not in the documents. Lifetime: all arguments must outlive this.
  OutboundListeners(const KumaMesh& contents, const Policies& policies, Views& views, const kuma::Client& client,
                    config::ZoneIndex zone, const kuma::DataplaneDocument* document);

  // Returns the listener; null if Kuma builds none. `tags`: the outbound's besides kuma.io/service; all are required.
  [[nodiscard]] std::shared_ptr<const kuma::OutboundListener> of(const Destination& destination,
                                                                 const kuma::Tags& tags);

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  // Returns the location of the rules of a destination's routes; an empty Span if there are none.
  [[nodiscard]] Span rules_of(const Destination& destination) const;

  // A backendRef to which no requests go.
  struct Dropped {
    Span where = {};
    std::string text = {};
  };
  [[nodiscard]] const std::vector<Dropped>& dropped() const noexcept { return dropped_; }

 private:
  using HttpConf = kuma::MergedConf<kuma::HttpRouteConf>;

  // The backends of a rule: those that get a part, and the weight of those that do not resolve (head).
  struct Backends {
    std::vector<kuma::OutboundCluster> clusters = {};
    std::uint64_t unresolved_weight = 0;
    bool all_unresolved = false;
  };

  [[nodiscard]] kuma::Tags tags_of_client() const;
  [[nodiscard]] kuma::OutboundListener frame(const Destination& destination) const;
  bool add_http_routes(const Destination& destination, const HttpConf* conf, kuma::OutboundListener& into);
  void add_routes(const Destination& destination, const HttpConf* conf, const kuma::HttpRoute& route,
                  const Backends& backends, kuma::OutboundListener& into);
  void apply_policies(const Destination& destination, kuma::OutboundListener& into);
  bool add_tcp_clusters(const Destination& destination, kuma::OutboundListener& into);
  Backends backends_of(std::span<const kuma::BackendRef> references, const Destination& destination, bool http);
  Backends resolved(std::span<const kuma::BackendRef> references, const Destination& destination, bool http,
                    bool& any_resolved);
  kuma::OutboundCluster cluster_of(const Destination& destination, const kuma::Tags& tags, const std::string& section,
                                   std::uint32_t weight);
  [[nodiscard]] std::string name_of(const Destination& destination, const std::string& section) const;
  [[nodiscard]] std::string section_of(const Destination& destination) const;
  [[nodiscard]] std::string route_name(const Destination& destination, const kuma::HttpRoute& route,
                                       const std::optional<kuma::OutboundRoute::Origin>& origin) const;
  [[nodiscard]] std::optional<kuma::OutboundRoute::Origin> origin_of(const HttpConf* conf,
                                                                     const kuma::HttpRoute& route) const;
  [[nodiscard]] const Destination* destination_of(const kuma::Split& split) const;
  [[nodiscard]] bool resolves(const kuma::Split& split) const;
  void note_dropped(const Destination& destination, const kuma::Split& split, const std::string& why);

  const KumaMesh* contents_;
  const Policies* policies_;
  Views* views_;
  const kuma::Client* client_;
  config::ZoneIndex zone_;
  const kuma::DataplaneDocument* document_;
  kuma::Tags tags_;  // of the outbound in use
  std::map<std::pair<config::ServiceIndex, kuma::Tags>, std::shared_ptr<const kuma::OutboundListener>> built_;
  std::string problem_;
  Span rules_at_;  // of the routes being built
  std::vector<Dropped> dropped_;
};

}  // namespace spillway::scenario::kuma_binding
