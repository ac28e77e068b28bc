// What admission says of VirtualServices.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/validation.hpp"

namespace spillway::istio {

namespace {

std::string at_route(std::size_t route) {
  return "spec.http[" + std::to_string(route) + "]";
}

void check_destinations(const HttpRoute& route, const std::string& path, std::vector<Finding>& findings) {
  std::uint64_t total = 0;
  for (const RouteDestination& destination : route.route) {
    total += destination.weight;
  }
  if (route.route.size() > 1 && total == 0) {
    findings.push_back({true, "route-weights-sum-zero", path + ".route", "total destination weight = 0"});
  }
}

void check_retries(const HttpRetry& retries, const std::string& path, std::vector<Finding>& findings) {
  const bool more = retries.perTryTimeout || !retries.retryOn.empty() || retries.retryRemoteLocalities ||
                    retries.retryIgnorePreviousHosts || retries.backoff;
  if (retries.attempts == 0 && more) {
    findings.push_back({true, "retries-disabled-with-fields", path + ".retries",
                        "http retry policy configured when attempts are set to 0 (disabled)"});
  }
}

// A match by prefix as istiod compares it with others; texts are "exact"/"prefix" and what follows.
std::string text_of(const StringMatch& match) {
  switch (match.kind) {
    case StringMatch::Kind::exact:
      return "exact" + match.text;
    case StringMatch::Kind::prefix:
      return "prefix" + match.text;
    case StringMatch::Kind::present:
    case StringMatch::Kind::regex:
      break;
  }
  return "";
}

std::string text_of(const std::optional<StringMatch>& match, const char* otherwise) {
  const std::string text = match ? text_of(*match) : "";
  return text.empty() ? otherwise : text;
}

bool begins_with(const std::string& text, const std::string& other) {
  return text == other || text.starts_with(other);
}

bool covers(const std::map<std::string, StringMatch>& first, const std::map<std::string, StringMatch>& second) {
  return first.size() == second.size() && std::all_of(first.begin(), first.end(), [&](const auto& entry) {
           const auto found = second.find(entry.first);
           return found != second.end() && begins_with(text_of(entry.second), text_of(found->second));
         });
}

bool by_prefix(const HttpMatchRequest& match) {
  return match.uri && match.uri->kind == StringMatch::Kind::prefix && !match.uri->text.empty();
}

// Whether what the second matches the first has matched already.
bool covers(const HttpMatchRequest& first, const HttpMatchRequest& second) {
  return first.uri->text != second.uri->text && second.uri->text.starts_with(first.uri->text) &&
         first.port == second.port &&
         begins_with(text_of(first.method, "exactGET"), text_of(second.method, "exactGET")) &&
         begins_with(text_of(first.authority, ""), text_of(second.authority, "")) &&
         covers(first.headers, second.headers) && covers(first.queryParams, second.queryParams) &&
         covers(first.withoutHeaders, second.withoutHeaders);
}

class Reached {
 public:
  explicit Reached(std::vector<Finding>& findings) : findings_(findings) {}

  void see(const HttpRoute& route, const std::string& path) {
    if (route.match.empty()) {
      if (ended_) {
        never(path, "only the last rule can have no matches");
      }
      ended_ = true;
      return;
    }
    for (std::size_t match = 0; match < route.match.size(); ++match) {
      see(route.match[match], path + ".match[" + std::to_string(match) + "]");
    }
  }

 private:
  void see(const HttpMatchRequest& match, const std::string& path) {
    if (ended_) {
      never(path, "a route without matches is defined before");
    } else if (std::find(seen_.begin(), seen_.end(), match) != seen_.end()) {
      never(path, "the match is used by a prior rule");
    } else {
      const bool covered = by_prefix(match) && std::any_of(seen_.begin(), seen_.end(), [&](const auto& earlier) {
                             return by_prefix(earlier) && covers(earlier, match);
                           });
      if (covered) {
        never(path, "a shorter prefix of a prior rule matches all of it");
      }
      seen_.push_back(match);
    }
  }

  void never(const std::string& path, const char* message) {
    findings_.push_back({false, "route-never-reached", path, message});
  }

  std::vector<Finding>& findings_;
  std::vector<HttpMatchRequest> seen_;
  bool ended_ = false;
};

}  // namespace

std::vector<Finding> validate(const VirtualService& service) {
  std::vector<Finding> findings;
  Reached reached(findings);
  for (std::size_t route = 0; route < service.http.size(); ++route) {
    const HttpRoute& http = service.http[route];
    check_destinations(http, at_route(route), findings);
    if (http.retries) {
      check_retries(*http.retries, at_route(route), findings);
    }
    reached.see(http, at_route(route));
  }
  return findings;
}

}  // namespace spillway::istio
