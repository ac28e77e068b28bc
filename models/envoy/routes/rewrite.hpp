// The changes that a route makes to a request's host and path before the pick. Hash policies, override hosts and
// original destinations use the rewritten request.
//
//   RouteAction action = {.rewrite = {.host_rewrite_literal = "shop.example"}};
//   rewritten(route, cluster, request);      // its :authority is shop.example
//
// Source: Envoy's router/config_impl.cc, finalizeRequestHeaders, and router.cc, which calls it before it picks a host.
#pragma once

#include <optional>
#include <string>

#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::routes {

struct Route;
struct WeightedCluster;

// The fields of RouteAction with these names. `auto_host_rewrite` is not included, because it follows the pick.
struct Rewrite {
  std::string prefix_rewrite = {};                           // empty if not set
  std::optional<RegexRewrite> regex_rewrite = std::nullopt;  // of the path without its query
  std::string host_rewrite_literal = {};
  std::string host_rewrite_header = {};  // a request without this header keeps its host
  std::optional<RegexRewrite> host_rewrite_path_regex = std::nullopt;
  bool append_x_forwarded_host = false;

  friend bool operator==(const Rewrite&, const Rewrite&) = default;
};

// Returns the request as the picks of this cluster of the route see it. Precondition: `request` matches the route.
// Linear in its headers.
[[nodiscard]] Request rewritten(const Route& route, const WeightedCluster& cluster, const Request& request);

// True if rewritten() may change a request.
[[nodiscard]] bool rewrites(const Route& route, const WeightedCluster& cluster) noexcept;

}  // namespace spillway::envoy::routes
