#include "models/kuma/mesh_http_route.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"

namespace spillway::kuma {

namespace {

const PathMatch every_path{.type = "PathPrefix", .value = "/"};

// Returns the rank of the path: Exact, then PathPrefix, then RegularExpression, then no path.
int path_rank(const HttpMatch& match) {
  if (!match.path) {
    return 3;
  }
  const std::string_view type = value_of(match.path->type);
  return type == "Exact" ? 0 : type == "PathPrefix" ? 1 : 2;
}

// Returns the path's length, which sorts longer paths first; 0 for exact paths.
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

// True for an IPv4 address. Numbers may begin with zeros, as in Kuma.
bool is_ip_address(std::string_view host) {
  for (int part = 0; part < 4; ++part) {
    const std::string_view number = host.substr(0, host.find('.'));
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    const std::string_view value = number.substr(std::min(number.find_first_not_of('0'), number.size()));
    if (!digits || value.size() > 3 || (value.size() == 3 && value > "255")) {
      return false;
    }
    host.remove_prefix(number.size());
    if (part == 3) {
      return host.empty();
    }
    if (host.empty()) {
      return false;
    }
    host.remove_prefix(1);
  }
  return false;
}

// True for labels of lower-case letters, digits and inner dashes, separated by dots.
bool is_dns_name(std::string_view host) {
  while (true) {
    const std::string_view label = host.substr(0, host.find('.'));
    const bool characters = label.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
    if (label.empty() || !characters || label.front() == '-' || label.back() == '-') {
      return false;
    }
    if (label.size() == host.size()) {
      return true;
    }
    host.remove_prefix(label.size() + 1);
  }
}

// Adds the violations of a rule's schema. Only rules that pass the schema are validated.
void check_rule_schema(const HttpRule& rule, const std::string& path, Violations& violations) {
  constexpr std::size_t longest_host = 253;
  if (rule.matches.empty()) {
    violations.push_back({path + ".matches", "in body should have at least 1 items"});
  }
  for (std::size_t index = 0; index < rule.filters.size(); ++index) {
    const auto& rewrite = rule.filters[index].urlRewrite;
    if (!rewrite || !rewrite->hostname) {
      continue;
    }
    const std::string place = at(path + ".default", "filters", index) + ".urlRewrite.hostname";
    if (rewrite->hostname->empty()) {
      violations.push_back({place, "in body should be at least 1 chars long"});
    } else if (rewrite->hostname->size() > longest_host) {
      violations.push_back({place, "in body should be at most 253 chars long"});
    } else if (!is_dns_name(*rewrite->hostname)) {
      violations.push_back(
          {place, R"(in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')"});
    }
  }
}

void check_header_modifier(const std::optional<HeaderModifier>& modifier, const std::string& path,
                           Violations& violations) {
  if (!modifier) {
    violations.push_back({path, "must be defined"});
    return;
  }
  if (!modifier->set && !modifier->add && !modifier->remove) {
    violations.push_back({path, "must have at least one defined: set, add, remove"});
    return;
  }
  std::set<std::string_view> names;
  const auto check_name = [&](std::string_view name, const char* list, std::size_t index) {
    if (!names.insert(name).second) {
      violations.push_back({at(path, list, index) + ".name", "duplicate header name"});
    }
  };
  for (std::size_t index = 0; index < size_of(modifier->set); ++index) {
    check_name((*modifier->set)[index].name, "set", index);
  }
  for (std::size_t index = 0; index < size_of(modifier->add); ++index) {
    check_name((*modifier->add)[index].name, "add", index);
  }
  for (std::size_t index = 0; index < size_of(modifier->remove); ++index) {
    check_name((*modifier->remove)[index], "remove", index);
  }
}

// The owner of a rule, limited to what filters may depend on.
struct RuleOwner {
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  bool of_gateway = false;
};

void check_url_rewrite(const UrlRewrite& rewrite, const HttpRule& rule, const RuleOwner& owner, const std::string& path,
                       Violations& violations) {
  const bool all_prefixes = std::all_of(rule.matches.begin(), rule.matches.end(), [](const HttpMatch& match) {
    return match.path && match.path->type == "PathPrefix";
  });
  if (rewrite.path && rewrite.path->replacePrefixMatch && !all_prefixes) {
    violations.push_back({path + ".path.replacePrefixMatch", "can only appear if all matches match a path prefix"});
  }
  if (rewrite.hostname && is_ip_address(*rewrite.hostname)) {
    violations.push_back({path + ".hostname", "cannot be an IP address"});
  }
  if (!rewrite.hostToBackendHostname.value_or(false)) {
    return;
  }
  const bool head = owner.profile == config::KumaProfile::head;
  if (head || !owner.of_gateway) {
    violations.push_back(
        {path + ".hostToBackendHostname", head ? "must not be set" : "can only be set with MeshGateway"});
  }
  if (rewrite.hostname) {
    violations.push_back({path + ".hostToBackendHostname", "cannot be set together with hostname"});
  }
}

void check_filters(const HttpRule& rule, const RuleOwner& owner, const std::string& path, Violations& violations) {
  for (std::size_t index = 0; index < rule.filters.size(); ++index) {
    const HttpFilter& filter = rule.filters[index];
    const std::string place = at(path, "filters", index);
    if (filter.type == "RequestHeaderModifier") {
      check_header_modifier(filter.requestHeaderModifier, place + ".requestHeaderModifier", violations);
    } else if (filter.type == "ResponseHeaderModifier") {
      check_header_modifier(filter.responseHeaderModifier, place + ".responseHeaderModifier", violations);
    } else if (filter.type == "RequestMirror" && !filter.has_mirror) {
      violations.push_back({place + ".requestMirror", "must be defined"});
    } else if (filter.type == "URLRewrite" && !filter.urlRewrite) {
      violations.push_back({place + ".urlRewrite", "must be defined"});
    } else if (filter.type == "URLRewrite") {
      check_url_rewrite(*filter.urlRewrite, rule, owner, place + ".urlRewrite", violations);
    }
  }
}

void check_rule(const HttpRule& rule, const RuleOwner& owner, const std::string& path, Violations& violations) {
  for (std::size_t index = 0; index < rule.matches.size(); ++index) {
    check_match(rule.matches[index], at(path, "matches", index), violations);
  }
  check_filters(rule, owner, path + ".default", violations);
  for (std::size_t index = 0; index < size_of(rule.backendRefs); ++index) {
    const BackendRef& reference = (*rule.backendRefs)[index];
    check_backend_ref(reference.targetRef, reference.port.has_value(), at(path + ".default", "backendRefs", index),
                      owner.profile, violations);
  }
}

}  // namespace

void merge_patch(HttpRouteConf& conf, const HttpRouteConf& patch) {
  std::vector<HttpRule> rules;
  for (const HttpRule& rule : patch.rules) {
    const auto same = [&rule](const HttpRule& other) { return other.matches == rule.matches; };
    // The first of equal matches in one list is kept, and its settings win.
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
      sorted.push_back({sorted.size(), {match, rule.backendRefs.value_or(std::vector<BackendRef>{}), rule.matches}});
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
  Violations schema;
  Violations violations;
  const TargetKinds kinds{.profile = profile, .routes = true};
  const RuleOwner owner{.profile = profile, .of_gateway = policy.targetRef && policy.targetRef->kind == "MeshGateway"};
  check_top_target(policy.targetRef, kinds, violations);
  const auto items = policy.to.value_or(std::vector<TargetedItem<HttpRouteConf>>{});
  for (std::size_t item = 0; item < items.size(); ++item) {
    const std::string path = at("spec", "to", item);
    check_to_target(items[item].targetRef, policy.targetRef, path + ".targetRef", kinds, violations);
    for (std::size_t rule = 0; rule < items[item].default_.rules.size(); ++rule) {
      check_rule_schema(items[item].default_.rules[rule], at(path, "rules", rule), schema);
      check_rule(items[item].default_.rules[rule], owner, at(path, "rules", rule), violations);
    }
  }
  return schema.empty() ? violations : schema;
}

}  // namespace spillway::kuma
