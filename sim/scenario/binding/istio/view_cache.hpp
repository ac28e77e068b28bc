// Views that outlive one reading of the documents: after a change of one rule, all views that it cannot affect are
// kept.
//
//   ViewCache cache;
//   Views before(mesh, scenario, &cache);     // made, and kept
//   Views after(changed, other, &cache);       // those of services and rules that did not change are taken from before
//
// A view is identified by all of its inputs: the mesh's configuration, the service with its endpoints, the rule that
// applies with its places in the file, the properties of the proxy that the documents depend on, and the endpoints of
// the scenario. Results with and without a cache are equal. Views that none of the last three readings used are
// dropped. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/envoy/api/setting_places.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/proxy_classes.hpp"
#include "models/istio/rule_index.hpp"
#include "sim/scenario/binding/istio/made_views.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/shared_list.hpp"

namespace spillway::scenario::istio_binding {

struct IstioMesh;  // istio_mesh.hpp

class ViewCache {
 public:
  // A view as Views created it; the reading sets `service.as_view->of`.
  struct Kept {
    SharedList<Service>::Shared service = {};
    bool sends_unhealthy = true;
    std::shared_ptr<const HostsOfView> hosts = {};
    std::vector<istio::Lint> lints = {};
    std::optional<messages::SettingPlaces> places = {};
  };

  // Numbers of the inputs of a view. Equal inputs have equal numbers in all readings.
  struct Key {
    std::uint32_t mesh = 0;
    std::uint32_t endpoints = 0;
    std::uint32_t proxy = 0;
    std::uint32_t service = 0;
    std::uint32_t port = 0;
    std::uint32_t rule = 0;  // 0 if none applies
    istio::RuleStep step = istio::RuleStep::proxy_namespace;
    std::vector<std::size_t> hidden = {};  // ages of the exact rules that a wildcard rule hides
    std::string subset = {};
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  // The numbers of one reading's inputs.
  class Reading {
   public:
    // Lifetime: both arguments must outlive this object.
    Reading(ViewCache& cache, const IstioMesh& read);

    [[nodiscard]] Key key_of(const istio::ProxyClasses::Key& proxy, const istio::Service& service, std::uint32_t port,
                             const istio::RuleIndex::Found& found, const std::string& subset);

   private:
    std::uint32_t rule_of(const istio::ConsolidatedRule& rule);

    ViewCache* cache_;
    const IstioMesh* read_;
    std::uint32_t mesh_ = 0;
    std::uint32_t endpoints_ = 0;
    std::unordered_map<const istio::Service*, std::uint32_t> services_ = {};
    std::unordered_map<const istio::ConsolidatedRule*, std::uint32_t> rules_ = {};
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> exact_;  // by namespace and host: ages
  };

  // Returns the view, or null if no reading created it.
  [[nodiscard]] const Kept* find(const Key& key);
  void keep(const Key& key, Kept kept);

  [[nodiscard]] std::size_t hits() const noexcept { return hits_; }
  [[nodiscard]] std::size_t misses() const noexcept { return misses_; }

 private:
  struct Mesh {
    istio::MeshConfig config = {};
    std::vector<istio::Network> networks = {};
    istio::Switches switches = {};
    std::optional<Span> setting_at = {};
  };
  // A rule with the places of everything written in its documents.
  struct Rule {
    istio::DestinationRule value = {};
    std::vector<std::size_t> from = {};  // ages
    std::vector<Span> places = {};
  };
  struct Entry {
    Kept kept = {};
    std::uint64_t used = 0;  // the last reading that used it
  };

  void begin_reading();

  std::vector<Mesh> meshes_ = {};
  std::vector<std::map<std::string, config::EndpointIndex>> endpoints_ = {};
  std::map<istio::ProxyClasses::Key, std::uint32_t> proxies_ = {};
  std::map<std::string, std::vector<std::pair<istio::Service, std::uint32_t>>> services_ = {};  // by host
  std::map<std::string, std::vector<std::pair<Rule, std::uint32_t>>> rules_ = {};               // by host
  std::uint32_t service_count_ = 0;
  std::uint32_t rule_count_ = 0;
  std::map<Key, Entry> entries_ = {};
  std::uint64_t readings_ = 0;
  std::size_t hits_ = 0;
  std::size_t misses_ = 0;
};

}  // namespace spillway::scenario::istio_binding
