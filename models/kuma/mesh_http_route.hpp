// MeshHTTPRoute: which requests go to which backends, with Kuma's YAML keys.
//
//   PolicySet<HttpRouteConf> routes(policies);
//   auto found = routes.of_tag(client, "backend", release_2_14);
//   for (const HttpRoute& route : http_routes(found->conf)) { ... }   // in the order in which a proxy tries them
//
// Of the filters only the names of the headers that a request gets or loses count, since they may be hashed; the rest
// is for admission. Source: Kuma's meshhttproute/api/v1alpha1 (helpers.go, compare.go), core/rules/merge,
// plugin/v1alpha1/listeners.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/kuma/splits.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct Violation;  // validation.hpp

struct PathMatch {
  std::optional<std::string> type = {};  // Exact, PathPrefix, RegularExpression
  std::optional<std::string> value = {};

  friend bool operator==(const PathMatch&, const PathMatch&) = default;
};

struct QueryParamsMatch {
  std::optional<std::string> type = {};  // Exact, RegularExpression
  std::optional<std::string> name = {};
  std::optional<std::string> value = {};

  friend bool operator==(const QueryParamsMatch&, const QueryParamsMatch&) = default;
};

struct HeaderMatch {
  std::optional<std::string> type = {};  // Exact (absent), Present, RegularExpression, Absent, Prefix
  std::optional<std::string> name = {};
  std::optional<std::string> value = {};

  friend bool operator==(const HeaderMatch&, const HeaderMatch&) = default;
};

// All of what is given must fit.
struct HttpMatch {
  std::optional<PathMatch> path = {};
  std::optional<std::string> method = {};
  std::optional<std::vector<QueryParamsMatch>> queryParams = {};
  std::optional<std::vector<HeaderMatch>> headers = {};

  friend bool operator==(const HttpMatch&, const HttpMatch&) = default;
};

struct HeaderKeyValue {
  std::string name = {};

  friend bool operator==(const HeaderKeyValue&, const HeaderKeyValue&) = default;
};

struct HeaderModifier {
  std::optional<std::vector<HeaderKeyValue>> set = {};
  std::optional<std::vector<HeaderKeyValue>> add = {};
  std::optional<std::vector<std::string>> remove = {};

  friend bool operator==(const HeaderModifier&, const HeaderModifier&) = default;
};

struct PathRewrite {
  std::optional<std::string> type = {};  // ReplaceFullPath, ReplacePrefixMatch
  std::optional<std::string> replaceFullPath = {};
  std::optional<std::string> replacePrefixMatch = {};

  friend bool operator==(const PathRewrite&, const PathRewrite&) = default;
};

struct UrlRewrite {
  std::optional<std::string> hostname = {};
  std::optional<PathRewrite> path = {};
  std::optional<bool> hostToBackendHostname = {};

  friend bool operator==(const UrlRewrite&, const UrlRewrite&) = default;
};

// Those that send a request, or a copy of it, elsewhere are not supported.
struct HttpFilter {
  std::string type = {};  // RequestHeaderModifier, ResponseHeaderModifier, URLRewrite
  std::optional<HeaderModifier> requestHeaderModifier = {};
  std::optional<HeaderModifier> responseHeaderModifier = {};
  std::optional<UrlRewrite> urlRewrite = {};

  friend bool operator==(const HttpFilter&, const HttpFilter&) = default;
};

// One of the matches must fit.
struct HttpRule {
  std::vector<HttpMatch> matches = {};
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty: the destination itself
  std::vector<HttpFilter> filters = {};                     // of default
  std::vector<std::string> changed_headers = {};            // of RequestHeaderModifier in these

  friend bool operator==(const HttpRule&, const HttpRule&) = default;
};

// What stands beside targetRef in an item of `to`.
struct HttpRouteConf {
  std::vector<HttpRule> rules = {};

  friend bool operator==(const HttpRouteConf&, const HttpRouteConf&) = default;
};

using MeshHTTPRoute = TargetedPolicy<HttpRouteConf>;

// Rules with equal matches become one, to which the patch adds its default; rules of the patch stand before the others.
void merge_patch(HttpRouteConf& conf, const HttpRouteConf& patch);

// One entry of a proxy's list.
struct HttpRoute {
  HttpMatch match = {};                      // its path is always there
  std::vector<BackendRef> backendRefs = {};  // empty: the destination itself

  friend bool operator==(const HttpRoute&, const HttpRoute&) = default;
};

// One for each match, the most exact first: by path (Exact, then PathPrefix by length, then RegularExpression by
// length, then none), then those with a method, then by the number of headers, then of query parameters, then as they
// stand. The last one takes whatever is left to the destination itself, unless a rule has the match { path: PathPrefix
// / } alone. PathPrefix /a takes /a and all below /a/. O(n log n).
[[nodiscard]] std::vector<HttpRoute> http_routes(const HttpRouteConf& conf);

// What Kuma's validator refuses, in its words.
[[nodiscard]] std::vector<Violation> validate(const MeshHTTPRoute& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
