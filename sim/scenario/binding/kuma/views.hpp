// Creates the per-client cluster of each class of clients for a service, with the load assignment that Kuma derives.
//
//   Views views(contents, policies, scenario);   // contents.sharing: which clients share an assignment
//   config::ServiceIndex view = views.of_client(client, destination, {});   // a new Service, or one that fits already
//   views.follow_changes();                                                 // pushes to services also go to views
//
// Clients that Kuma's rules do not distinguish share a view: the key is kuma::cla_key and the cluster's settings. Zone
// proxies are clients too; hosts that are zone proxies forward to their views. Source: docs/behaviour/kuma.md 4 to 12.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/envoy/api/setting_places.hpp"
#include "models/kuma/cla_cache.hpp"
#include "models/kuma/policy_trail.hpp"
#include "sim/scenario/binding/kuma/egress_designs.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/kuma/mesh_of_zones.hpp"
#include "sim/scenario/binding/kuma/policy_trails.hpp"
#include "sim/scenario/binding/kuma/refusals.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::kuma {
struct ClusterSettings;  // cluster_settings.hpp
struct ClusterSource;    // cluster_source.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {

struct ClusterConfs;  // policies.hpp
struct Policies;      // policies.hpp

class Views {
 public:
  // Adds services, zone proxies as clients, and in the end changes to the scenario. Precondition: all arguments outlive
  // this.
  Views(const KumaMesh& contents, const Policies& policies, Scenario& scenario);
  ~Views();
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // Returns the view of a sidecar or gateway, of the endpoints that have `subset` among their tags. In profile document
  // with zoneEgress it is an aggregate cluster over [in-zone, zone, zone ...].
  [[nodiscard]] config::ServiceIndex of_client(const kuma::Client& client, config::ZoneIndex zone,
                                               const Destination& destination, const kuma::Tags& subset);

  // Returns the settings of MeshLoadBalancingStrategy for each of_client() since the last call, in order.
  [[nodiscard]] std::vector<kuma::PolicyTrail> take_policy_trails() { return std::exchange(policy_trails_, {}); }

  // Replaces the changes of services by changes of their views, in every zone when EDS reports them. Precondition: all
  // clients have their views.
  void follow_changes();

  // Returns the places of the settings of the views that were created.
  [[nodiscard]] messages::PlacesOfViews take_setting_places() { return std::exchange(setting_places_, {}); }

  // Returns Envoy's refusals of the views that were created, and of routes.
  [[nodiscard]] Diagnostics take_refusals() { return refusals_.take(); }
  [[nodiscard]] Refusals& refusals() noexcept { return refusals_; }

  [[nodiscard]] const EgressDesigns& egress_designs() const noexcept { return egress_designs_; }

  // Returns how often a client's load assignment was found, and how often it was computed.
  [[nodiscard]] std::size_t hits() const noexcept { return cache_.hits() + hits_; }
  [[nodiscard]] std::size_t misses() const noexcept { return cache_.misses() + misses_; }
  // Counts clients equal to the previous one, which look up as often as it did.
  void count_alike(std::size_t clients, std::size_t lookups) noexcept;

 private:
  // The endpoints of a destination before the policy; all that are ever ready.
  enum class Of : std::uint8_t { sidecar, ingress, egress };
  struct List {
    config::ZoneIndex zone = {};
    Of of = Of::sidecar;
    const Destination* destination = nullptr;
    kuma::Tags subset = {};
    std::vector<kuma::Endpoint> own = {};  // those of `endpoints` that are not an entry of the endpoint map
    std::span<const kuma::Endpoint> endpoints = {};
    std::vector<config::ServiceIndex> views = {};
    std::vector<config::ServiceIndex> aggregates = {};
    std::optional<config::ServiceIndex> of_ingress = {};  // the view of an ingress, which has no policy
    std::optional<kuma::LoadAssignment> shared = {};      // the object that all its clients edit
  };
  using ListKey = std::tuple<std::uint32_t, Of, std::uint32_t, kuma::Tags>;

  std::size_t list_of(config::ZoneIndex zone, Of of, const Destination& destination, const kuma::Tags& subset);
  void find_endpoints(List& list, bool ever);
  // Returns the weights of the endpoints that are ready now, by address.
  [[nodiscard]] std::unordered_map<std::string, std::uint32_t> weights_now(const List& list);
  const kuma::EndpointMap& map_of(config::ZoneIndex zone, bool egress, bool ever);
  config::ServiceIndex view(std::size_t list, const kuma::Client& client, const ClusterConfs& confs);
  config::ServiceIndex aggregate_view(std::size_t list, const kuma::Client& client, const ClusterConfs& confs);
  // Returns the view of the list before any policy.
  config::ServiceIndex base_view(std::size_t list, const ClusterConfs& confs, const kuma::ClusterSettings& settings);
  [[nodiscard]] kuma::AssignInput input_of(const List& list, const kuma::Client& client, const ClusterConfs& confs);
  // Returns an assignment for the client, and a key that identifies it.
  std::pair<std::shared_ptr<const kuma::LoadAssignment>, std::string> assignment_of(std::size_t list,
                                                                                    const kuma::AssignInput& input);
  config::ServiceIndex add_view(std::size_t list, const ClusterConfs& confs, const kuma::ClusterSettings& settings);
  [[nodiscard]] std::shared_ptr<const kuma::ClusterSource> source_of(const List& list, const ClusterConfs& confs,
                                                                     const kuma::ClusterSettings& settings,
                                                                     bool leaves) const;
  void fill(config::ServiceIndex view, std::size_t list, const kuma::LoadAssignment& assignment);
  void fill_shared();
  void note_settings(config::ServiceIndex view, const ClusterConfs& confs);
  [[nodiscard]] std::string key_of(const kuma::ClusterSettings& settings, const ClusterConfs& confs);
  // Returns the zone proxy at an endpoint; null if there is none.
  [[nodiscard]] const ZoneProxy* egress_at(const List& list, const kuma::Endpoint& endpoint) const;
  [[nodiscard]] const ZoneProxy* ingress_at(const kuma::Endpoint& endpoint) const;
  [[nodiscard]] bool stands_for_external(const kuma::Endpoint& ingress) const;
  [[nodiscard]] bool stands_for_unknown(const ZoneProxy& ingress, const kuma::Endpoint& endpoint) const;
  [[nodiscard]] config::EndpointIndex endpoint_of(const List& list, const kuma::Endpoint& endpoint) const;
  [[nodiscard]] Host host_of(const List& list, const kuma::Endpoint& endpoint);
  config::ServiceIndex ingress_view(const ZoneProxy& ingress, const Destination& destination, const kuma::Tags& subset);
  config::ServiceIndex egress_view(const ZoneProxy& egress, const Destination& destination, const kuma::Tags& subset);
  const std::optional<kuma::Conf>& whole_mesh_conf(const Destination& destination);
  void forward(const ZoneProxy& proxy, config::ServiceIndex service);

  void follow(const Change& change, const EdsHealth& reported);
  void follow(const Change& change, const EdsMembership& reported);
  template <class Other>
  void follow(const Change& change, const Other& /*effect*/) {
    changes_.push_back(change);
  }
  [[nodiscard]] std::vector<config::ZoneIndex> audience_of(const std::vector<config::ZoneIndex>& audience) const;
  void update_membership(const Change& change, std::size_t list);
  void update_health(const Change& change, std::size_t list, const std::vector<config::EndpointIndex>& endpoints);
  [[nodiscard]] config::HealthStatus health_of(const List& list, const Host& host) const;
  void start(config::ServiceIndex view, std::size_t list);
  // Calls visit(endpoint) for the host, or for the endpoints behind it if it is a zone proxy.
  template <class Visit>
  void for_each_behind(const Host& host, const Visit& visit) const;

  // The state last reported for the hosts of a view.
  struct ViewState {
    std::vector<std::uint8_t> member = {};
    std::vector<std::uint32_t> weight = {};
    std::vector<config::HealthStatus> health = {};
    // Hosts by endpoint, direct or behind a proxy; empty until first needed.
    std::map<config::EndpointIndex, std::vector<config::HostIndex>> by_endpoint = {};
  };
  const std::vector<config::HostIndex>* hosts_at(config::ServiceIndex view, config::EndpointIndex endpoint);

  const KumaMesh* contents_;
  const Policies* policies_;
  Scenario* scenario_;
  PolicyTrails trails_;
  Refusals refusals_;
  std::deque<List> lists_;
  std::map<ListKey, std::size_t, std::less<>> list_positions_;
  std::map<std::tuple<std::size_t, std::string>, config::ServiceIndex> views_;
  std::map<config::ServiceIndex, ViewState> states_;
  std::map<std::tuple<std::uint32_t, bool, bool>, kuma::EndpointMap> maps_;  // by zone, egress, and ever or now
  std::optional<MeshOfZones> mesh_;                                          // the last one
  std::vector<std::map<std::string, config::EndpointIndex>> addresses_;      // by zone: of its inbounds
  std::map<std::string, config::EndpointIndex> external_addresses_;
  // The first of an address and port.
  std::map<std::tuple<std::string, std::uint32_t>, const ZoneProxy*, std::less<>> ingresses_;
  std::vector<Ready> ready_in_;                                   // by zone: as reported to its proxies
  std::vector<std::vector<config::HealthStatus>> health_in_;      // by zone: as reported to its proxies
  std::map<config::EndpointIndex, std::size_t> client_of_proxy_;  // in scenario.clients
  struct ClusterInput;                                            // of a cluster, besides its load assignment
  std::vector<ClusterInput> cluster_inputs_;                      // seen so far, to distinguish them
  std::map<config::ServiceIndex, std::optional<kuma::Conf>> whole_mesh_confs_;
  kuma::ClaCache cache_;
  std::size_t hits_ = 0;  // and misses: in addition to those of the cache
  std::size_t misses_ = 0;
  std::vector<Change> changes_;
  EgressDesigns egress_designs_;
  messages::PlacesOfViews setting_places_;
  std::vector<kuma::PolicyTrail> policy_trails_;
};

}  // namespace spillway::scenario::kuma_binding
