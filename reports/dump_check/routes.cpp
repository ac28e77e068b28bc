#include "models/istio/routes.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <variant>

#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/istio/destination_rule.hpp"
#include "reports/dump_check/settings.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::held {
namespace {

using documents::Kind;
using documents::Node;
using envoy::routes::HeaderMatcher;
using envoy::routes::QueryParameterMatcher;
using envoy::routes::RouteMatch;
using proxy::find_value;
using proxy::text_at;

std::string seconds_text(istio::Duration time) {
  return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
}

std::string timeout_text(const std::string& seconds) {
  return seconds == "0 s" ? "none" : seconds;
}

// Returns "exact u17", for instance.
template <class Matcher>
std::string value_words(const Matcher& matcher) {
  using Matched = typename Matcher::Kind;
  return matcher.kind == Matched::present  ? "present"
         : matcher.kind == Matched::exact  ? "exact " + matcher.value
         : matcher.kind == Matched::prefix ? "prefix " + matcher.value
                                           : "regex " + matcher.value;
}

std::string header_words(const HeaderMatcher& header) {
  return fmt::format("{}{} {}", header.invert_match ? "not " : "", header.name, value_words(header));
}

std::string query_words(const QueryParameterMatcher& query) {
  return "?" + query.name + " " + value_words(query);
}

// Returns the condition of a StringMatcher or of a header's deprecated fields.
std::string matched_words(const Node& matcher) {
  const Node* const text = find_value(matcher, "string_match");
  const Node& from = text == nullptr ? matcher : *text;
  for (const char* const key : {"exact", "prefix"}) {
    for (const std::string& name : {std::string(key), std::string(key) + "_match"}) {
      if (const Node* const value = find_value(from, name)) {
        return std::string(key) + " " + value->text;
      }
    }
  }
  for (const char* const key : {"safe_regex", "safe_regex_match"}) {
    if (const Node* const value = find_value(from, key)) {
      return "regex " + text_at(*value, "regex");
    }
  }
  return "present";
}

bool is_true(const Node& object, const char* key) {
  const Node* const value = find_value(object, key);
  return value != nullptr && value->boolean;
}

std::string path_words(const std::string& kind, const std::string& path, bool case_sensitive) {
  return kind + " " + path + (case_sensitive ? "" : ", any case");
}

std::string match_words(const Node& match) {
  const Node* const sensitive = find_value(match, "case_sensitive");
  const bool case_sensitive = sensitive == nullptr || sensitive->boolean;
  std::string text;
  for (const char* const kind : {"prefix", "path"}) {
    if (const Node* const value = find_value(match, kind)) {
      text = path_words(kind, value->text, case_sensitive);
    }
  }
  if (const Node* const separated = find_value(match, "path_separated_prefix")) {
    text = path_words("path_separated_prefix", separated->text, case_sensitive);
  }
  if (const Node* const regex = find_value(match, "safe_regex")) {
    text = path_words("regex", text_at(*regex, "regex"), case_sensitive);
  }
  if (const Node* const headers = find_value(match, "headers")) {
    for (const Node& header : headers->items) {
      text += fmt::format(", {}{} {}", is_true(header, "invert_match") ? "not " : "", text_at(header, "name"),
                          matched_words(header));
    }
  }
  if (const Node* const queries = find_value(match, "query_parameters")) {
    for (const Node& query : queries->items) {
      text += fmt::format(", ?{} {}", text_at(query, "name"), matched_words(query));
    }
  }
  return text;
}

// Returns an integer field, or its default.
std::uint64_t number_at(const Node& object, const char* key, std::uint64_t otherwise) {
  const Node* const value = find_value(object, key);
  return value == nullptr ? otherwise : value->magnitude;
}

std::string clusters_words(const Node& action) {
  if (const Node* const weighted = find_value(action, "weighted_clusters")) {
    std::string text;
    if (const Node* const clusters = find_value(*weighted, "clusters")) {
      for (const Node& cluster : clusters->items) {
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", number_at(cluster, "weight", 0), text_at(cluster, "name"));
      }
    }
    return text;
  }
  return text_at(action, "cluster");
}

std::string retry_words(std::uint64_t number, const std::string& on, bool leaves_host, const std::string& per_try) {
  return fmt::format("{} on {}{}{}", number, on, leaves_host ? "" : ", at the same hosts too",
                     per_try.empty() ? "" : ", " + per_try + " each");
}

std::string retries_of(const Node& policy) {
  const Node* const predicates = find_value(policy, "retry_host_predicate");
  return retry_words(number_at(policy, "num_retries", 1), text_at(policy, "retry_on"),
                     predicates != nullptr && !predicates->items.empty(),
                     time_text(text_at(policy, "per_try_timeout")));
}

std::string hash_words(const envoy::routes::HashPolicy& policy) {
  using namespace envoy::routes;
  if (const auto* const header = std::get_if<HeaderHash>(&policy.policy_specifier)) {
    return "header " + header->header_name;
  }
  if (const auto* const cookie = std::get_if<CookieHash>(&policy.policy_specifier)) {
    return "cookie " + cookie->name;
  }
  if (const auto* const query = std::get_if<QueryParameterHash>(&policy.policy_specifier)) {
    return "query parameter " + query->name;
  }
  return "source address";
}

std::string hash_words(const Node& policy) {
  if (const Node* const header = find_value(policy, "header")) {
    return "header " + text_at(*header, "header_name");
  }
  if (const Node* const cookie = find_value(policy, "cookie")) {
    return "cookie " + text_at(*cookie, "name");
  }
  if (const Node* const query = find_value(policy, "query_parameter")) {
    return "query parameter " + text_at(*query, "name");
  }
  return "source address";
}

void set(RouteSettings& settings, const char* name, std::string text) {
  settings[name] = text.empty() ? "none" : std::move(text);
}

}  // namespace

RouteSettings settings_of(const istio::Route& route) {
  RouteSettings settings;
  const RouteMatch& match = route.match;
  const char* const kind = match.path_kind == RouteMatch::PathKind::prefix ? "prefix"
                           : match.path_kind == RouteMatch::PathKind::path ? "path"
                                                                           : "regex";
  std::string matched = path_words(kind, match.path, match.case_sensitive);
  for (const HeaderMatcher& header : match.headers) {
    matched += ", " + header_words(header);
  }
  for (const QueryParameterMatcher& query : match.query_parameters) {
    matched += ", " + query_words(query);
  }
  set(settings, "match", matched);
  if (!route.other.empty()) {
    set(settings, "clusters", route.other);
    return settings;
  }
  std::string clusters;
  for (const istio::Target& target : route.targets) {
    clusters += route.weighted ? fmt::format("{}{} {}", clusters.empty() ? "" : ", ", target.weight, target.cluster)
                               : target.cluster;
  }
  set(settings, "clusters", clusters);
  set(settings, "timeout", timeout_text(seconds_text(route.timeout)));
  std::string retries;
  if (route.retry_policy) {
    retries = retry_words(
        route.retry_policy->num_retries, route.retry_policy->retry_on, route.retry_policy->previous_hosts,
        route.retry_policy->per_try_timeout ? seconds_text(*route.retry_policy->per_try_timeout) : std::string());
  }
  set(settings, "retries", retries);
  std::vector<std::string> hashes;
  for (const envoy::routes::HashPolicy& policy : route.hash_policy) {
    hashes.push_back(hash_words(policy));
  }
  set(settings, "hash", joined(hashes, ", "));
  return settings;
}

RouteSettings settings_of_route(const Node& route) {
  RouteSettings settings;
  const Node* const match = find_value(route, "match");
  set(settings, "match", match == nullptr ? "" : match_words(*match));
  const Node* const action = find_value(route, "route");
  if (action == nullptr) {
    const bool redirects = find_value(route, "redirect") != nullptr;
    set(settings, "clusters", redirects ? "redirect" : find_value(route, "direct_response") ? "directResponse" : "");
    return settings;
  }
  set(settings, "clusters", clusters_words(*action));
  const Node* const timeout = find_value(*action, "timeout");
  constexpr const char* default_timeout = "15 s";
  set(settings, "timeout", timeout_text(timeout == nullptr ? default_timeout : time_text(timeout->text)));
  const Node* const retries = find_value(*action, "retry_policy");
  set(settings, "retries", retries == nullptr ? "" : retries_of(*retries));
  std::vector<std::string> hashes;
  if (const Node* const policies = find_value(*action, "hash_policy")) {
    for (const Node& policy : policies->items) {
      hashes.push_back(hash_words(policy));
    }
  }
  set(settings, "hash", joined(hashes, ", "));
  return settings;
}

const Node* virtual_host_of(const std::vector<const Node*>& configurations, const std::string& host,
                            std::uint32_t port) {
  const std::string own = host + ":" + std::to_string(port);
  for (const Node* const configuration : configurations) {
    const Node* const hosts = find_value(*configuration, "virtual_hosts");
    const std::string name = text_at(*configuration, "name");
    for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
      const Node& virtual_host = hosts->items[i];
      if (text_at(virtual_host, "name") == own) {
        return &virtual_host;
      }
      // Hosts with equal routes share a virtual host that lists them as domains.
      const Node* const domains = find_value(virtual_host, "domains");
      if (name == std::to_string(port) && domains != nullptr &&
          std::any_of(domains->items.begin(), domains->items.end(),
                      [&](const Node& domain) { return domain.text == host || domain.text == own; })) {
        return &virtual_host;
      }
    }
  }
  return nullptr;
}

}  // namespace spillway::reports::held
