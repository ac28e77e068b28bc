#include "models/envoy/routes/route.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "models/config/trimmed.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"

namespace spillway::envoy::routes {

namespace {

// True if the value is a number in the matcher's range. White space may surround the number, and `+` may begin it.
// Source: absl::SimpleAtoi.
bool in_range(const HeaderMatcher& matcher, std::string_view value) {
  value = config::trimmed(value, config::white_space);
  if (value.starts_with('+') && !value.starts_with("+-")) {
    value.remove_prefix(1);
  }
  std::int64_t number = 0;
  const char* const begin = value.data();
  const char* const end = begin + value.size();
  const auto parsed = std::from_chars(begin, end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end && number >= matcher.range_start && number < matcher.range_end;
}

bool value_matches(const HeaderMatcher& matcher, const std::string& value) {
  using Kind = HeaderMatcher::Kind;
  switch (matcher.kind) {
    case Kind::exact:
      return value == matcher.value;
    case Kind::prefix:
      return value.starts_with(matcher.value);
    case Kind::suffix:
      return value.ends_with(matcher.value);
    case Kind::contains:
      return value.find(matcher.value) != std::string::npos;
    case Kind::regex:
      return full_match(value, matcher.value);
    case Kind::range:
      return in_range(matcher, value);
    case Kind::present:
      break;
  }
  return true;
}

bool starts_with(std::string_view text, std::string_view prefix, bool case_sensitive) {
  if (text.size() < prefix.size()) {
    return false;
  }
  text = text.substr(0, prefix.size());
  return case_sensitive ? text == prefix : same_header_name(text, prefix);
}

}  // namespace

bool matches(const HeaderMatcher& matcher, const Request& request) {
  std::vector<std::string> values = all_values(request, matcher.name);
  if (values.empty() && matcher.treat_missing_header_as_empty) {
    values.emplace_back();
  }
  if (matcher.kind == HeaderMatcher::Kind::present) {
    return (!values.empty() == matcher.present_match) != matcher.invert_match;
  }
  const bool any = std::any_of(values.begin(), values.end(),
                               [&](const std::string& value) { return value_matches(matcher, value); });
  return !values.empty() && any != matcher.invert_match;
}

bool matches(const QueryParameterMatcher& matcher, const Request& request) {
  using Kind = QueryParameterMatcher::Kind;
  const std::optional<std::string> value = query_parameter(request, matcher.name);
  if (!value || matcher.kind == Kind::present) {
    return value.has_value();
  }
  return matcher.kind == Kind::exact    ? *value == matcher.value
         : matcher.kind == Kind::prefix ? value->starts_with(matcher.value)
                                        : full_match(*value, matcher.value);
}

bool matches(const RouteMatch& match, const Request& request) {
  const std::string* const full = first_value(request, ":path");
  if (full == nullptr) {
    return false;
  }
  const std::string_view path = std::string_view(*full).substr(0, full->find_first_of("?#"));
  bool path_matches = false;
  switch (match.path_kind) {
    case RouteMatch::PathKind::prefix:
      path_matches = starts_with(*full, match.path, match.case_sensitive);
      break;
    case RouteMatch::PathKind::path:
      path_matches = path.size() == match.path.size() && starts_with(path, match.path, match.case_sensitive);
      break;
    case RouteMatch::PathKind::regex:
      path_matches = full_match(std::string(path), match.path);
      break;
  }
  const auto matches_request = [&](const auto& matcher) { return matches(matcher, request); };
  return path_matches && std::all_of(match.headers.begin(), match.headers.end(), matches_request) &&
         std::all_of(match.query_parameters.begin(), match.query_parameters.end(), matches_request);
}

const Route* match(std::span<const Route> routes, const Request& request) {
  const auto found =
      std::find_if(routes.begin(), routes.end(), [&](const Route& route) { return matches(route.match, request); });
  return found == routes.end() ? nullptr : &*found;
}

const WeightedCluster* choose_cluster(const RouteAction& action, std::uint64_t draw) noexcept {
  if (action.clusters.size() == 1) {
    return &action.clusters.front();
  }
  std::uint64_t all = 0;
  for (const WeightedCluster& cluster : action.clusters) {
    all += cluster.weight;
  }
  std::uint64_t rest = all == 0 ? 0 : draw % all;
  for (const WeightedCluster& cluster : action.clusters) {
    if (rest < cluster.weight) {
      return &cluster;
    }
    rest -= cluster.weight;
  }
  return nullptr;
}

}  // namespace spillway::envoy::routes
