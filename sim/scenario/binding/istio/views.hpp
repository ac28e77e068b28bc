// The per-client clusters and routes that Istio's rules make of a service.
//
//   Views views(mesh, scenario, &cache);
//   views.route_of(views.proxy_of(node, name_space, labels), destination, request);
//   views.follow_changes();
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
#include "models/istio/lints.hpp"
#include "models/istio/proxy_classes.hpp"
#include "models/istio/routes.hpp"
#include "models/istio/rule_index.hpp"
#include "sim/scenario/binding/istio/made_views.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::istio {
struct Cluster;     // cluster.hpp
struct IstioTrail;  // trail.hpp
struct Origin;      // documents.hpp
}  // namespace spillway::istio

namespace spillway::scenario::istio_binding {

struct Destination;  // istio_mesh.hpp
struct IstioMesh;    // istio_mesh.hpp
class ViewCache;     // view_cache.hpp

// Returns Envoy's numerator of a percentage of requests, of a million.
[[nodiscard]] std::uint32_t per_million(double percent);

// Creates the per-client clusters and routes of each class of clients for a service, with the load assignments that
// istiod derives.
class Views {
 public:
  // Lifetime: all arguments must outlive this object. `cache` keeps views for other readings; may be null.
  Views(const IstioMesh& mesh, Scenario& scenario, ViewCache* cache = nullptr);
  ~Views();
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // Returns the proxy of a client: its locality and node are those of `node`.
  [[nodiscard]] istio::Proxy proxy_of(config::NodeIndex node, const std::string& name_space,
                                      const istio::Labels& labels) const;

  // Returns the destination; null if the service does not come from these documents.
  [[nodiscard]] const Destination* destination_of(config::ServiceIndex service) const;

  // A route of a request for a destination, with views of this proxy as its clusters, and its position among the
  // proxy's routes. A cluster that the proxy does not have is a view too (Service::missing). route_of() returns nullopt
  // if there is none; problem() has the reason.
  struct Taken {
    std::size_t position = 0;
    Route route = {};
  };
  [[nodiscard]] std::optional<Taken> route_of(const istio::Proxy& proxy, const Destination& destination,
                                              const envoy::routes::Request& request);
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  // True if the simulator supports everything that the route uses.
  [[nodiscard]] bool is_supported() const noexcept { return is_supported_; }
  // Returns the VirtualService that sends such requests to no cluster; null if there is none.
  [[nodiscard]] const istio::Origin* problem_of() const noexcept { return problem_of_; }

  // Returns the lints of views and routes created since the last call.
  [[nodiscard]] std::vector<istio::Lint> take_lints() { return std::exchange(lints_, {}); }

  // Returns the places of the settings of the views that were created.
  [[nodiscard]] messages::PlacesOfViews take_setting_places() { return std::exchange(setting_places_, {}); }

  // Applies EDS reports of services to their views. Precondition: all clients have their routes.
  void follow_changes();

  [[nodiscard]] MadeViews take_made();  // call before take_setting_places

  // Starts to take views over from a reading of the same documents with other rules. Returns false if the rules depend
  // on other properties of proxies, so that no view can be taken over. Precondition: views are then requested and taken
  // over in the order of their creation there, and `former` outlives this.
  [[nodiscard]] bool continue_from(const MadeViews& former);
  // Takes over the views of the former scenario's services in [from, to).
  void take_over(const Scenario& former, std::size_t from, std::size_t to);

 private:
  // A class of proxies and a destination.
  using RoutesKey = std::pair<std::uint32_t, const Destination*>;

  const istio::Service* service_of(const istio::Proxy& proxy, const std::string& host, std::uint32_t port) const;
  const std::vector<istio::Route>& routes_of(const istio::Proxy& proxy, std::uint32_t of_class,
                                             const istio::Service& service, const Destination& destination);
  // Returns the view of a target. `asked` is the service that clients request. nullopt if there is none; problem_ has
  // the reason.
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
  void add_aborted(std::uint32_t of_class, const Destination& destination, const istio::Route& taken, Route& route);
  config::ServiceIndex add_view(const istio::Cluster& cluster, const istio::Service& service, std::uint32_t port,
                                const istio::TrafficPolicy* policy);
  [[nodiscard]] std::shared_ptr<const istio::IstioTrail> trail_of(const istio::ViewLintRequest& made) const;
  void note_settings(config::ServiceIndex view, const istio::ViewLintRequest& made);
  void follow(const Change& change, const EdsHealth& reported);
  void follow(const Change& change, const EdsMembership& reported);
  template <class Push>
  void add_sorted(const Change& change, Push push);
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
  std::map<RoutesKey, const istio::Origin*> routes_by_;  // the VirtualService that has them; null if there is none
  std::map<ViewKey, config::ServiceIndex> made_;
  std::map<config::ServiceIndex, const Destination*> destinations_;
  std::map<std::pair<const istio::Service*, std::uint32_t>, config::ServiceIndex> bases_;  // by port
  std::vector<MadeView> views_;
  // In views without unready endpoints: the hosts that are unready, and those that are removed, up to the last change
  // applied.
  using ViewHost = std::pair<config::ServiceIndex, config::HostIndex>;
  std::set<ViewHost> unready_;
  std::set<ViewHost> removed_;
  const MadeViews* former_ = nullptr;
  std::vector<Change> changes_;
  std::vector<istio::Lint> lints_;
  messages::PlacesOfViews setting_places_;
  std::string problem_;
  bool is_supported_ = true;
  const istio::Origin* problem_of_ = nullptr;

  struct Caching;
  std::unique_ptr<Caching> caching_;  // null if no view is kept
};

}  // namespace spillway::scenario::istio_binding
