#include "models/envoy/routes/rewrite.hpp"

#include <algorithm>
#include <utility>

#include "models/envoy/routes/route.hpp"

namespace spillway::envoy::routes {

namespace {

void set(Request& request, std::string_view header, std::string value) {
  const auto found = std::find_if(request.headers.begin(), request.headers.end(),
                                  [&](const auto& entry) { return same_header_name(entry.first, header); });
  if (found == request.headers.end()) {
    request.headers.emplace_back(header, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

// Appends to the comma-separated header unless its last value is already this host.
void append_forwarded_host(Request& request, const std::string& host) {
  constexpr const char* header = "x-forwarded-host";
  const std::string* const before = first_value(request, header);
  if (host.empty()) {
    return;
  }
  if (before == nullptr || before->empty()) {
    set(request, header, host);
    return;
  }
  std::string last = before->substr(before->find_last_of(',') + 1);
  last.erase(0, last.find_first_not_of(' '));
  if (last != host) {
    set(request, header, *before + "," + host);
  }
}

void set_host(Request& request, std::string host, bool append_x_forwarded_host) {
  const std::string* const before = first_value(request, ":authority");
  if (append_x_forwarded_host && before != nullptr) {
    append_forwarded_host(request, std::string(*before));
  }
  set(request, ":authority", std::move(host));
}

// Returns the length of the path's part that the route matched, which the rewrite replaces.
std::size_t matched_length(const RouteMatch& match, std::string_view path) {
  return match.path_kind == RouteMatch::PathKind::prefix ? std::min(match.path.size(), path.size()) : path.size();
}

void rewrite_host(const Rewrite& rewrite, const std::string& path, Request& request) {
  if (!rewrite.host_rewrite_literal.empty()) {
    set_host(request, rewrite.host_rewrite_literal, rewrite.append_x_forwarded_host);
  } else if (!rewrite.host_rewrite_header.empty()) {
    const std::string* const value = first_value(request, rewrite.host_rewrite_header);
    if (value != nullptr && !value->empty()) {
      set_host(request, std::string(*value), rewrite.append_x_forwarded_host);
    }
  } else if (rewrite.host_rewrite_path_regex) {
    set_host(request, rewrite.host_rewrite_path_regex->apply(path), rewrite.append_x_forwarded_host);
  }
}

}  // namespace

bool rewrites(const Route& route, const WeightedCluster& cluster) noexcept {
  return !cluster.host_rewrite_literal.empty() || route.action.rewrite != Rewrite{};
}

Request rewritten(const Route& route, const WeightedCluster& cluster, const Request& request) {
  Request result = request;
  const Rewrite& rewrite = route.action.rewrite;
  if (!cluster.host_rewrite_literal.empty()) {
    set(result, ":authority", cluster.host_rewrite_literal);
  }
  const std::string* const full = first_value(request, ":path");
  const std::string whole = full == nullptr ? "" : *full;
  const std::string path = whole.substr(0, whole.find_first_of("?#"));
  rewrite_host(rewrite, path, result);
  std::string changed = path;
  if (!rewrite.prefix_rewrite.empty()) {
    changed.replace(0, matched_length(route.match, path), rewrite.prefix_rewrite);
  } else if (rewrite.regex_rewrite) {
    changed = rewrite.regex_rewrite->apply(std::move(changed));
  } else {
    return result;
  }
  set(result, "x-envoy-original-path", whole);
  set(result, ":path", changed + whole.substr(path.size()));
  return result;
}

}  // namespace spillway::envoy::routes
