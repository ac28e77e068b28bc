// MeshHTTPRoute: which requests go to which backends, with Kuma's YAML keys.
//
// Filters that only change a request's or an answer's headers and the mirror, which takes a copy, leave the destination
// alone and are not kept.
// Source: Kuma's meshhttproute/api/v1alpha1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/kuma/splits.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

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

// One of the matches must fit.
struct HttpRule {
  std::vector<HttpMatch> matches = {};
  std::optional<std::vector<BackendRef>> backendRefs = {};  // of default; absent or empty: the destination itself

  friend bool operator==(const HttpRule&, const HttpRule&) = default;
};

// What stands beside targetRef in an item of `to`.
struct HttpRouteConf {
  std::vector<HttpRule> rules = {};

  friend bool operator==(const HttpRouteConf&, const HttpRouteConf&) = default;
};

using MeshHTTPRoute = TargetedPolicy<HttpRouteConf>;

}  // namespace spillway::kuma
