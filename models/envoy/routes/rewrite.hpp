// What a route does to a request's host and path before its host is picked: hash policies, override hosts and original
// destinations read what is left.
//
//   RouteAction action = {.rewrite = {.host_rewrite_literal = "shop.example"}};
//   rewritten(route, cluster, request);      // its :authority is shop.example
//
// Source: Envoy's router/config_impl.cc, finalizeRequestHeaders, and router.cc, which calls it before it asks for a
// host.
#pragma once

#include <optional>
#include <string>

#include "models/envoy/routes/regex_rewrite.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::envoy::routes {

struct Route;
struct WeightedCluster;

// The fields of RouteAction of the same names. `auto_host_rewrite` is none of them: it follows the pick.
struct Rewrite {
  std::string prefix_rewrite = {};                           // empty: none
  std::optional<RegexRewrite> regex_rewrite = std::nullopt;  // of the path without its query
  std::string host_rewrite_literal = {};
  std::string host_rewrite_header = {};  // a request without this header keeps its host
  std::optional<RegexRewrite> host_rewrite_path_regex = std::nullopt;
  bool append_x_forwarded_host = false;

  friend bool operator==(const Rewrite&, const Rewrite&) = default;
};

// The request as the picks of this cluster of the route see it. `request` matches the route. Linear in its headers.
[[nodiscard]] Request rewritten(const Route& route, const WeightedCluster& cluster, const Request& request);

// Whether rewritten() may change anything.
[[nodiscard]] bool rewrites(const Route& route, const WeightedCluster& cluster) noexcept;

}  // namespace spillway::envoy::routes
