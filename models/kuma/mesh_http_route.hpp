// MeshHTTPRoute: which requests go to which backends, with Kuma's YAML keys.
//
//   PolicySet<HttpRouteConf> routes(policies);
//   auto found = routes.of_tag(client, "backend", release_2_14);
//   for (const HttpRoute& route : http_routes(found->conf)) { ... }   // in the order in which a proxy tries them
//
// Filters matter only for the names of the headers that a request gets or loses, since headers may be hashed; the rest
// is for admission. Source: Kuma's meshhttproute/api/v1alpha1 (helpers.go, compare.go), core/rules/merge,
// plugin/v1alpha1/listeners.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/backend_ref.hpp"
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

// A match: a request must meet every condition that is present.
struct HttpMatch {
  std::optional<PathMatch> path = {};
  std::optional<std::string> method = {};
  std::optional<std::vector<QueryParamsMatch>> queryParams = {};
  std::optional<std::vector<HeaderMatch>> headers = {};

  friend bool operator==(const HttpMatch&, const HttpMatch&) = default;
};

struct HeaderKeyValue {
  std::string name = {};
  std::string value = {};

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

struct HttpFilter {
  std::string type = {};  // RequestHeaderModifier, ResponseHeaderModifier, URLRewrite, RequestMirror; no others
  std::optional<HeaderModifier> requestHeaderModifier = {};
  std::optional<HeaderModifier> responseHeaderModifier = {};
  std::optional<UrlRewrite> urlRewrite = {};
  bool has_mirror = false;  // requestMirror is given; it sends copies, which are not simulated

  friend bool operator==(const HttpFilter&, const HttpFilter&) = default;
};

// A rule: a request must fit one of the matches.
struct HttpRule {
  std::vector<HttpMatch> matches = {};
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty means the destination itself
  std::vector<HttpFilter> filters = {};                     // of default
  std::vector<std::string> changed_headers = {};            // by RequestHeaderModifier of `filters`

  friend bool operator==(const HttpRule&, const HttpRule&) = default;
};

// The fields next to targetRef in an item of `to`.
struct HttpRouteConf {
  std::vector<HttpRule> rules = {};

  friend bool operator==(const HttpRouteConf&, const HttpRouteConf&) = default;
};

using MeshHTTPRoute = TargetedPolicy<HttpRouteConf>;

// Merges rules with equal matches into one, to which the patch adds its default; rules of the patch come before the
// others.
void merge_patch(HttpRouteConf& conf, const HttpRouteConf& patch);

// An entry of a proxy's route list.
struct HttpRoute {
  HttpMatch match = {};                      // its path is always present
  std::vector<BackendRef> backendRefs = {};  // empty means the destination itself
  std::vector<HttpMatch> matches = {};       // of its rule, as written; empty for the route that Kuma adds

  friend bool operator==(const HttpRoute&, const HttpRoute&) = default;
};

// Returns one route per match, the most exact first. The order is by path (Exact, then PathPrefix by length, then
// RegularExpression by length, then no path), then routes with a method, then by the number of headers, then by the
// number of query parameters, then by position. The last route sends remaining requests to the destination itself,
// unless a rule has the match { path: PathPrefix / } only. PathPrefix /a matches /a and everything below /a/. O(n log
// n).
[[nodiscard]] std::vector<HttpRoute> http_routes(const HttpRouteConf& conf);

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshHTTPRoute& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
