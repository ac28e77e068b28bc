// The whole configuration that istiod creates for one proxy of a mesh: every cluster, load assignment and route, with
// the documents that it comes from.
//
//   const ProxyView view(mesh, proxy);
//   for (const ProxyView::Cluster& cluster : view.clusters()) { cluster.made.name; }
//   view.source_of(view.clusters().front(), ProxyView::Part::outlier_detection).name;   // "DestinationRule shop/web"
//
// Source: docs/behaviour/istio.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "models/istio/cluster.hpp"
#include "models/istio/routes.hpp"
#include "models/istio/rule_index.hpp"

namespace spillway::scenario::istio_binding {

struct MeshFiles;  // mesh_files.hpp

class ProxyView {
 public:
  // Lifetime: `mesh` must outlive this object. O(services * (endpoints + subsets)).
  ProxyView(const MeshFiles& mesh, const istio::Proxy& proxy);

  struct Cluster {
    istio::Cluster made = {};
    const istio::Service* service = nullptr;
    std::uint32_t port = 0;
    istio::RuleIndex::Found found = {};
  };
  struct RouteTable {
    std::string host = {};
    std::uint32_t port = 0;
    istio::Routes routes = {};
  };

  [[nodiscard]] const istio::Proxy& proxy() const noexcept { return proxy_; }
  // Returns the clusters by service, in the order of the registry.
  [[nodiscard]] const std::vector<Cluster>& clusters() const noexcept { return clusters_; }
  // Returns the route tables of HTTP ports and of TCP ports.
  [[nodiscard]] const std::vector<RouteTable>& route_tables() const noexcept { return route_tables_; }
  // Returns the reasons why services have no clusters.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

  // The document that sets a part of a cluster, and its place; without a place the part is a default of istiod.
  struct Origin {
    std::string name = {};  // "DestinationRule shop/web"
    std::optional<Span> where = {};
  };
  enum class Part : std::uint8_t { balancer, locality, outlier_detection, pool, subset, endpoints };
  [[nodiscard]] Origin source_of(const Cluster& cluster, Part part) const;
  [[nodiscard]] Origin source_of(const RouteTable& table) const;

 private:
  const MeshFiles* mesh_;
  istio::Proxy proxy_;
  istio::RuleIndex rules_;
  std::vector<Cluster> clusters_;
  std::vector<RouteTable> route_tables_;
  std::vector<std::string> problems_;
};

}  // namespace spillway::scenario::istio_binding
