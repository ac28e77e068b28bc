// Compares a proxy's configuration with the one derived from a mesh's documents (docs/compare.md).
//
//   const Beside beside = check_dump(mesh, view, dump, {});
//   beside.agrees();
//   std::string text = format_dump_check(beside, Format::table, Look{}, mesh.sources);
//
// It compares the sets of clusters and HTTP routes, settings of clusters, load assignments host by host, and routes one
// by one. Whatever cannot be compared is named, with the reason. Pure; linear in the size of both sides.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/formats.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario::istio_binding {
class ProxyView;   // proxy_view.hpp
struct MeshFiles;  // mesh_files.hpp
}  // namespace spillway::scenario::istio_binding

namespace spillway::reports::held {

inline constexpr const char* absent = "not there";  // on one of the sides

struct Difference {
  std::string of;         // a cluster's name, or "routes of HOST:PORT"
  std::string what;       // "outlier_detection.consecutive_5xx", "10.0.0.1:80: priority"
  std::string documents;  // derived from the documents, or `absent`
  std::string proxy;      // found in the proxy, or `absent`
  std::string made_by;    // "DestinationRule shop/web"; empty if no document did
  std::optional<Span> where = {};
};

struct NotCompared {
  std::string of;
  std::string why;
};

struct Beside {
  std::string proxy;  // its identity: "web-1.shop, in r1/z1"
  std::size_t clusters = 0;
  std::size_t endpoints = 0;
  std::size_t routes = 0;
  std::vector<Difference> differences = {};  // by cluster, in the order of the documents; then routes
  std::vector<NotCompared> not_compared = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] bool agrees() const noexcept { return differences.empty(); }
};

// Compares everything, or if `cluster` is set only that cluster and no routes.
[[nodiscard]] Beside check_dump(const scenario::istio_binding::MeshFiles& mesh,
                                const scenario::istio_binding::ProxyView& view,
                                const scenario::ProxyConfiguration& dump, const std::optional<std::string>& cluster);

// Formats the differences. `sources` are the files that differences point into.
[[nodiscard]] std::string format_dump_check(const Beside& beside, Format format, const Look& look,
                                            const Sources& sources);

}  // namespace spillway::reports::held
