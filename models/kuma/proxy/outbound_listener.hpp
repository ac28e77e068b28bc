// The outbound listener that Kuma builds for one destination of a proxy: a TCP proxy, or the routes of a connection
// manager, each with its identity.
//
//   OutboundListener listener = ...;                     // sim/scenario/binding/kuma builds it from a mesh
//   Taken taken = taken_by(listener, request);           // which route takes a request, and which part is answered 500
//   listener_json(listener);                             // write_listener.hpp: the Listener that Kuma sends
//
// Routes are in the order in which Envoy tries them. A PathPrefix is two routes (the path itself, and everything below
// it); in head a part of a rule whose backendRefs do not resolve is a route of its own, with a runtime_fraction and the
// direct response 500. Paths are normalised (normalize_path) and slashes are not merged. Source: Kuma's
// meshhttproute/xds/configurer.go and match.go, meshhttproute/plugin/v1alpha1/listeners.go,
// plugins/policies/core/xds/meshroute.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/names.hpp"
#include "models/kuma/rules.hpp"

namespace spillway::kuma {

// envoy.type.v3.FractionalPercent.
struct FractionalPercent {
  std::uint32_t numerator = 0;
  std::uint32_t denominator = 100;  // 100, 10,000 or 1,000,000

  [[nodiscard]] double ratio() const { return static_cast<double>(numerator) / denominator; }
  friend bool operator==(const FractionalPercent&, const FractionalPercent&) = default;
};

// Returns part / whole as Kuma writes it: the smallest denominator that is exact, else rounded to millionths.
// Precondition: 0 < part <= whole.
[[nodiscard]] FractionalPercent fractional_percent(std::uint64_t part, std::uint64_t whole);

// A cluster that a listener leads to.
struct OutboundCluster {
  std::string name = {};  // Kuma's
  std::uint32_t weight = 1;
  config::ServiceIndex view = {};  // the scenario's
  bool external = false;           // its host is rewritten to that of the chosen endpoint

  friend bool operator==(const OutboundCluster&, const OutboundCluster&) = default;
};

struct OutboundRoute {
  std::string name = {};  // the rule of a MeshHTTPRoute (head, real destinations), else a hash of its matches
  envoy::routes::RouteMatch match = {};
  std::optional<FractionalPercent> runtime_fraction =
      {};                    // of the matching requests; the rest goes on to the next route
  bool answers_500 = false;  // else it leads to `clusters`
  std::vector<OutboundCluster> clusters = {};
  std::vector<envoy::routes::HashPolicy> hash_policy = {};
  std::optional<RetryConf> retry = {};  // what applies to it; nullopt if no MeshRetry does
  std::chrono::nanoseconds timeout{0};
  std::optional<std::chrono::nanoseconds> idle_timeout = {};
  // The item and rule of a MeshHTTPRoute that it was made from; nullopt for the default route.
  struct Origin {
    RuleOrigin item = {};
    std::size_t rule = 0;
    friend bool operator==(const Origin&, const Origin&) = default;
  };
  std::optional<Origin> origin = {};
};

struct OutboundListener {
  std::string name = {};
  std::string stat_prefix = {};  // "" if Kuma writes none
  std::string route_config = {};
  std::string virtual_host = {};  // also the stat_prefix of its filter
  std::string address = "127.0.0.1";
  std::uint32_t port = 0;  // 0 if the Dataplane has no such outbound
  Tags tags = {};          // io.kuma.tags
  Tags client_tags = {};   // of the proxy itself: sent with health checks
  std::string protocol = {};
  bool is_http = true;

  std::vector<OutboundRoute> routes = {};                                // of a connection manager
  std::optional<std::chrono::nanoseconds> request_headers_timeout = {};  // of a connection manager

  std::vector<OutboundCluster> clusters = {};                 // of a TCP proxy
  std::optional<std::chrono::nanoseconds> idle_timeout = {};  // of a TCP proxy
  std::optional<std::uint32_t> max_connect_attempts = {};     // of a TCP proxy
};

// Returns the request as the routes of a listener see it: with a normalised path, if the listener is of HTTP.
[[nodiscard]] envoy::routes::Request normalized(const OutboundListener& listener, envoy::routes::Request request);

// The route that takes a request, and the part of equal requests that is answered 500 before or instead of it.
struct Taken {
  const OutboundRoute* route = nullptr;  // null if every one is answered 500, or if no route matches
  double answered_500 = 0.0;
};
// Precondition: the listener is of HTTP. Linear in its routes.
[[nodiscard]] Taken taken_by(const OutboundListener& listener, const envoy::routes::Request& request);

}  // namespace spillway::kuma
