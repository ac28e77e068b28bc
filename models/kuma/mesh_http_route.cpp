#include "models/kuma/mesh_http_route.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"

namespace spillway::kuma {

namespace {

const PathMatch every_path{.type = "PathPrefix", .value = "/"};

// Exact, then PathPrefix, then RegularExpression, then none.
int path_rank(const HttpMatch& match) {
  if (!match.path) {
    return 3;
  }
  const std::string_view type = value_of(match.path->type);
  return type == "Exact" ? 0 : type == "PathPrefix" ? 1 : 2;
}

// Longer ones first, but for exact paths.
std::size_t path_length(const HttpMatch& match) {
  return path_rank(match) == 0 || !match.path ? 0 : value_of(match.path->value).size();
}

template <class List>
std::size_t size_of(const std::optional<List>& list) {
  return list ? list->size() : 0;
}

bool is_more_exact(const HttpMatch& left, const HttpMatch& right) {
  const auto ascending = [](const HttpMatch& match) { return std::tuple(path_rank(match)); };
  if (ascending(left) != ascending(right)) {
    return ascending(left) < ascending(right);
  }
  const auto descending = [](const HttpMatch& match) {
    return std::tuple(path_length(match), match.method.has_value(), size_of(match.headers), size_of(match.queryParams));
  };
  return descending(left) > descending(right);
}

void check_path_match(const PathMatch& path, const std::string& place, Violations& violations) {
  const std::string_view type = value_of(path.type);
  const std::string_view value = value_of(path.value);
  if (type == "PathPrefix" && value != "/" && value.ends_with('/')) {
    violations.push_back(
        {place + ".value",
         "does not need a trailing slash because only a `/`-separated prefix or an entire path is matched"});
  }
  if ((type == "PathPrefix" || type == "Exact") && !value.starts_with('/')) {
    violations.push_back({place + ".value", "must be an absolute path"});
  }
}

void check_match(const HttpMatch& match, const std::string& path, Violations& violations) {
  if (match.path) {
    check_path_match(*match.path, path + ".path", violations);
  }
  std::set<std::string_view> names;
  for (std::size_t index = 0; index < size_of(match.queryParams); ++index) {
    const std::string_view name = value_of((*match.queryParams)[index].name);
    if (!names.insert(name).second) {
      violations.push_back(
          {at(path, "queryParams", index) + ".name", "multiple entries for name " + std::string(name)});
    }
  }
  for (std::size_t index = 0; index < size_of(match.headers); ++index) {
    const HeaderMatch& header = (*match.headers)[index];
    if ((header.type == "Present" || header.type == "Absent") && !value_of(header.value).empty()) {
      violations.push_back({at(path, "headers", index) + ".value", "must not be defined"});
    }
  }
}

void check_rule(const HttpRule& rule, const std::string& path, config::KumaProfile profile, Violations& violations) {
  for (std::size_t index = 0; index < rule.matches.size(); ++index) {
    check_match(rule.matches[index], at(path, "matches", index), violations);
  }
  for (std::size_t index = 0; index < size_of(rule.backendRefs); ++index) {
    const BackendRef& reference = (*rule.backendRefs)[index];
    check_backend_ref(reference.targetRef, reference.port.has_value(), at(path + ".default", "backendRefs", index),
                      profile, violations);
  }
}

}  // namespace

void merge_patch(HttpRouteConf& conf, const HttpRouteConf& patch) {
  std::vector<HttpRule> rules;
  for (const HttpRule& rule : patch.rules) {
    const auto same = [&rule](const HttpRule& other) { return other.matches == rule.matches; };
    // Of equal matches in one list the first one stands and has the last word.
    if (const auto earlier = std::find_if(rules.begin(), rules.end(), same); earlier != rules.end()) {
      if (!earlier->backendRefs) {
        earlier->backendRefs = rule.backendRefs;
      }
      continue;
    }
    rules.push_back(rule);
  }
  for (const HttpRule& rule : conf.rules) {
    const auto same = [&rule](const HttpRule& other) { return other.matches == rule.matches; };
    const auto patched = std::find_if(rules.begin(), rules.end(), same);
    if (patched == rules.end()) {
      rules.push_back(rule);
    } else if (!patched->backendRefs) {
      patched->backendRefs = rule.backendRefs;
    }
  }
  conf.rules = std::move(rules);
}

std::vector<HttpRoute> http_routes(const HttpRouteConf& conf) {
  std::vector<std::pair<std::size_t, HttpRoute>> sorted;
  for (const HttpRule& rule : conf.rules) {
    for (const HttpMatch& match : rule.matches) {
      sorted.push_back({sorted.size(), {match, rule.backendRefs.value_or(std::vector<BackendRef>{})}});
    }
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& left, const auto& right) {
    if (is_more_exact(left.second.match, right.second.match)) {
      return true;
    }
    return !is_more_exact(right.second.match, left.second.match) && left.first < right.first;
  });
  const HttpMatch every_request{.path = every_path};
  std::vector<HttpRoute> routes;
  bool takes_all = false;
  for (auto& [position, route] : sorted) {
    takes_all = takes_all || route.match == every_request;
    routes.push_back(std::move(route));
  }
  if (!takes_all) {
    routes.push_back({every_request, {}});
  }
  for (HttpRoute& route : routes) {
    if (!route.match.path) {
      route.match.path = every_path;
    }
  }
  return routes;
}

std::vector<Violation> validate(const MeshHTTPRoute& policy, config::KumaProfile profile) {
  Violations violations;
  const TargetKinds kinds{.profile = profile, .routes = true};
  check_top_target(policy.targetRef, kinds, violations);
  const auto items = policy.to.value_or(std::vector<TargetedItem<HttpRouteConf>>{});
  for (std::size_t item = 0; item < items.size(); ++item) {
    const std::string path = at("spec", "to", item);
    check_to_target(items[item].targetRef, policy.targetRef, path + ".targetRef", kinds, violations);
    for (std::size_t rule = 0; rule < items[item].default_.rules.size(); ++rule) {
      check_rule(items[item].default_.rules[rule], at(path, "rules", rule), profile, violations);
    }
  }
  return violations;
}

}  // namespace spillway::kuma
