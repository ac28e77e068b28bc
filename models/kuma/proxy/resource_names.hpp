// The names that Kuma gives to what it configures.
//
//   kri("msvc", {.mesh = "default", .zone = "z1", .name = "backend", .section = "8080"});
//       // kri_msvc_default_z1__backend_8080
//   subset_name("backend", {{"version", "v1"}});      // backend-<16 hexadecimal digits> (2.14)
//   matches_name(rule.matches);                       // of a route without an identity: a hash in base64
//
// Source: Kuma's core/kri/kri.go; xds/envoy/tags/match.go (DestinationClusterName, 2.14);
// meshhttproute/api/v1alpha1/meshhttproute.go (HashMatches).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/kuma/names.hpp"

namespace spillway::kuma {

struct HttpMatch;  // mesh_http_route.hpp

struct ResourceId {
  std::string_view mesh = {};
  std::string_view zone = {};
  std::string_view name_space = {};
  std::string_view name = {};
  std::string_view section = {};
};

// Returns the Kuma resource identifier. `kind` is Kuma's short name: msvc, mzsvc, extsvc, mhttpr.
[[nodiscard]] std::string kri(std::string_view kind, const ResourceId& id);

// Returns the name of the cluster of the endpoints with these tags, which do not include kuma.io/service; without tags
// it is the service's.
[[nodiscard]] std::string subset_name(const std::string& service, const Tags& tags);

[[nodiscard]] std::string matches_name(std::span<const HttpMatch> matches);

}  // namespace spillway::kuma
