// The mesh that Istio's and Kubernetes' documents make, as a scenario has it: which service of the scenario is which
// port of which service, and where the endpoints are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/envoy/api/setting_places.hpp"
#include "models/istio/documents/documents.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/proxy_classes.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/routes.hpp"
#include "models/istio/rule_index.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::istio {
struct Cluster;     // cluster.hpp
struct IstioTrail;  // trail.hpp
}  // namespace spillway::istio

namespace spillway::scenario {
struct MissingCluster;  // missing_cluster.hpp
struct Scenario;        // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::istio_binding {

// A port of a service, and what the scenario calls it.
struct Destination {
  config::ServiceIndex service = {};
  std::size_t position = 0;  // in registry.services
  std::uint32_t port = 0;
};

struct IstioMesh {
  istio::LocatedDocuments documents = {};
  istio::Registry registry = {};
  std::vector<Destination> destinations = {};
  std::map<std::string, config::EndpointIndex> by_address = {};  // "ip:port"

  [[nodiscard]] bool empty() const noexcept { return documents.empty(); }
};

class ViewCache;

// The hosts of a view by the endpoints that they are.
using HostsOfView = std::multimap<config::EndpointIndex, config::HostIndex>;

// A view that was made, for what is told of its service.
struct MadeView {
  config::ServiceIndex service = {};
  config::ServiceIndex of = {};  // the service that clients ask for
  bool sends_unhealthy = true;
  std::shared_ptr<const HostsOfView> hosts = {};  // shared by readings
};

// What each class of clients has for a service: its clusters with the load assignments that istiod makes, and routes.
class Views {
 public:
  // All must outlive this. `cache`: keeps views for other readings; null: none does.
  Views(const IstioMesh& mesh, Scenario& scenario, ViewCache* cache = nullptr);
  ~Views();
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // The proxy of a client: its locality and node are those of `node`.
  [[nodiscard]] istio::Proxy proxy_of(config::NodeIndex node, const std::string& name_space,
                                      const istio::Labels& labels) const;

  // Null: the service is not of these documents.
  [[nodiscard]] const Destination* destination_of(config::ServiceIndex service) const;

  // The route of a request for a destination, its clusters views of this proxy, and its place among the proxy's routes.
  // A cluster that the proxy does not have is a view too (Service::missing). None: problem() says why.
  struct Taken {
    std::size_t position = 0;
    Route route = {};
  };
  [[nodiscard]] std::optional<Taken> route_of(const istio::Proxy& proxy, const Destination& destination,
                                              const envoy::routes::Request& request);
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  // Whether the program can simulate what its route asks for.
  [[nodiscard]] bool is_supported() const noexcept { return is_supported_; }
  // The VirtualService that sends such requests where they come to no cluster; null: none does.
  [[nodiscard]] const istio::Origin* problem_of() const noexcept { return problem_of_; }

  // The traps that the views and routes made since the last call run into.
  [[nodiscard]] std::vector<istio::Lint> take_lints() { return std::exchange(lints_, {}); }

  // Where the rules say the settings of the views that were made.
  [[nodiscard]] messages::PlacesOfViews take_setting_places() { return std::exchange(setting_places_, {}); }

  // To be called once all clients have been asked for: what is told of services is told of their views.
  void follow_changes();

  // A class of proxies, and what it has under the name of a cluster.
  using ViewKey = std::pair<std::uint32_t, std::string>;
  // What one reading leaves for another (mesh_reading.hpp).
  struct Made {
    std::optional<istio::ProxyClasses> classes = {};
    std::map<ViewKey, config::ServiceIndex> by_name = {};
    std::vector<MadeView> views = {};  // in the order of their services
    messages::PlacesOfViews setting_places = {};
  };
  [[nodiscard]] Made take_made();  // before take_setting_places

  // Begins where clients take views over from a reading of the same documents with other rules. False: the rules ask
  // other things of proxies, so that nothing can be taken over. Views are then asked for and taken over in the order in
  // which they were made there. `former` must outlive this.
  [[nodiscard]] bool continue_from(const Made& former);
  // The views of the former scenario's services in [from, to).
  void take_over(const Scenario& former, std::size_t from, std::size_t to);

 private:
  // A class of proxies, and what it has for a destination.
  using RoutesKey = std::pair<std::uint32_t, const Destination*>;

  const istio::Service* service_of(const istio::Proxy& proxy, const std::string& host, std::uint32_t port) const;
  const std::vector<istio::Route>& routes_of(const istio::Proxy& proxy, std::uint32_t of_class,
                                             const istio::Service& service, const Destination& destination);
  // `asked`: the service that clients ask for. nullopt: problem_ says why.
  std::optional<config::ServiceIndex> view_of(const istio::Proxy& proxy, std::uint32_t of_class,
                                              const istio::Target& target, config::ServiceIndex asked);
  std::optional<config::ServiceIndex> view_of(const istio::Proxy& proxy, const ViewKey& key,
                                              const istio::Target& target, const istio::Service& service);
  std::optional<config::ServiceIndex> make_view(const istio::Proxy& proxy, const ViewKey& key,
                                                const istio::Target& target, const istio::Service& service,
                                                const istio::RuleIndex::Found& found);
  config::ServiceIndex add_missing(const ViewKey& key, std::string name, config::ServiceIndex asked,
                                   MissingCluster missing);
  config::ServiceIndex unknown_host(std::uint32_t of_class, const istio::Target& target, config::ServiceIndex asked);
  Route no_route(std::uint32_t of_class, const Destination& destination);
  config::ServiceIndex add_view(const istio::Cluster& cluster, const istio::Service& service, std::uint32_t port,
                                const istio::TrafficPolicy* policy);
  [[nodiscard]] std::shared_ptr<const istio::IstioTrail> trail_of(const istio::ViewLintRequest& made) const;
  void note_settings(config::ServiceIndex view, const istio::ViewLintRequest& made);
  void follow(const Change& change, const EdsHealth& reported);
  void follow(const Change& change, const EdsMembership& reported);
  template <class Other>
  void follow(const Change& /*change*/, const Other& /*effect*/) {}
  [[nodiscard]] std::vector<const MadeView*> views_of(config::ServiceIndex service) const;
  [[nodiscard]] std::optional<config::ServiceIndex> known_view(const ViewKey& key) const;
  void lint_hash(const istio::Proxy& proxy, const istio::Route& route);

  const IstioMesh* mesh_;
  Scenario* scenario_;
  istio::RuleIndex rules_;
  istio::ProxyClasses classes_;
  std::map<RoutesKey, std::vector<istio::Route>> routes_;
  std::map<RoutesKey, const istio::Origin*> routes_by_;  // the VirtualService that says them; null: none
  std::map<ViewKey, config::ServiceIndex> made_;
  std::map<config::ServiceIndex, const Destination*> destinations_;
  std::map<std::pair<const istio::Service*, std::uint32_t>, config::ServiceIndex> bases_;  // by port
  std::vector<MadeView> views_;
  // Of views without unready endpoints: those that are unready, and those that are removed, as followed so far.
  using ViewHost = std::pair<config::ServiceIndex, config::HostIndex>;
  std::set<ViewHost> unready_;
  std::set<ViewHost> removed_;
  const Made* former_ = nullptr;
  std::vector<Change> changes_;
  std::vector<istio::Lint> lints_;
  messages::PlacesOfViews setting_places_;
  std::string problem_;
  bool is_supported_ = true;
  const istio::Origin* problem_of_ = nullptr;

  struct Caching;
  std::unique_ptr<Caching> caching_;  // null: nothing is kept
};

}  // namespace spillway::scenario::istio_binding
