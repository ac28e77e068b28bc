// Findings of admission about VirtualServices.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "models/istio/match_validation.hpp"
#include "models/istio/name_validation.hpp"
#include "models/istio/names.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

namespace {

std::string at_route(std::size_t route) {
  return "spec.http[" + std::to_string(route) + "]";
}

void check_destination(const Destination& destination, const std::string& path, std::vector<Finding>& findings) {
  if (destination.host == "*" || !is_domain(destination.host, true)) {
    findings.push_back({true, "destination-host", path + ".host", "\"" + destination.host + "\" is no name of a host"});
  }
  if (!destination.subset.empty() && !is_dns_label(destination.subset)) {
    findings.push_back({true, "subset-name", path + ".subset", "subset name is invalid: " + destination.subset});
  }
  if (destination.port) {
    check_port_number(*destination.port, path + ".port.number", findings);
  }
}

void check_destinations(const std::vector<RouteDestination>& destinations, const std::string& path,
                        std::vector<Finding>& findings) {
  std::uint64_t total = 0;
  for (std::size_t place = 0; place < destinations.size(); ++place) {
    check_destination(destinations[place].destination, path + "[" + std::to_string(place) + "].destination", findings);
    total += destinations[place].weight;
  }
  if (destinations.size() > 1 && total == 0) {
    findings.push_back({true, "route-weights-sum-zero", path, "total destination weight = 0"});
  }
}

// True if istiod knows it as a retry condition, apart from status codes.
bool is_retry_condition(std::string_view text) {
  constexpr std::string_view known[] = {"5xx",
                                        "gateway-error",
                                        "reset",
                                        "reset-before-request",
                                        "connect-failure",
                                        "retriable-4xx",
                                        "refused-stream",
                                        "retriable-status-codes",
                                        "retriable-headers",
                                        "envoy-ratelimited",
                                        "http3-post-connect-failure",
                                        "cancelled",
                                        "deadline-exceeded",
                                        "internal",
                                        "resource-exhausted",
                                        "unavailable"};
  return std::find(std::begin(known), std::end(known), text) != std::end(known);
}

// True if it is a number that Go has a text for: the codes registered with IANA.
bool is_status_code(std::string_view text) {
  constexpr std::pair<int, int> ranges[] = {{100, 103}, {200, 208}, {226, 226}, {300, 305}, {307, 308}, {400, 418},
                                            {421, 426}, {428, 429}, {431, 431}, {451, 451}, {500, 508}, {510, 511}};
  int code = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), code);
  return failure == std::errc() && end == text.data() + text.size() &&
         std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

void check_fault(const HttpFault& fault, const std::string& path, std::vector<Finding>& findings) {
  if (!fault.abort && !fault.delay) {
    findings.push_back({true, "empty-fault", path, "a fault injection must have an abort, a delay or both"});
  }
  constexpr std::uint32_t first_status = 200;
  constexpr std::uint32_t last_status = 600;
  if (fault.abort && fault.abort->httpStatus != 0 &&
      (fault.abort->httpStatus < first_status || fault.abort->httpStatus > last_status)) {
    findings.push_back({true, "abort-status", path + ".abort.httpStatus", "an HTTP status is in the range 200..599"});
  }
  if (fault.delay) {
    check_duration(fault.delay->fixedDelay, path + ".delay.fixedDelay", findings);
  }
}

void check_conflicts(const HttpRoute& route, bool delegated, const std::string& path, std::vector<Finding>& findings) {
  const bool delegates = route.other == "delegate";
  if (delegates && !delegated) {
    if (!route.route.empty()) {
      findings.push_back({true, "route-and-delegate", path, "a route with a delegate must not specify route"});
    }
    return;
  }
  if (delegates) {
    findings.push_back({true, "delegate-of-delegate", path + ".delegate", "a delegate cannot contain a delegate"});
  } else if (!route.other.empty() && !route.route.empty()) {
    findings.push_back({true, "route-and-answer", path, "a route cannot contain both route and " + route.other});
  }
  if (!delegates && !route.other.empty() && route.fault) {
    findings.push_back({true, "fault-and-answer", path, "a route cannot contain both fault and " + route.other});
  }
  if (!delegates && !route.other.empty() && route.rewrites) {
    findings.push_back({true, "rewrite-and-answer", path, "a route cannot contain both rewrite and " + route.other});
  }
  if ((delegates || route.other.empty()) && route.route.empty()) {
    findings.push_back({true, "route-without-action", path, "route, redirect or directResponse is required"});
  }
  if (route.mirror_and_mirrors) {
    findings.push_back({true, "mirror-and-mirrors", path, "a route cannot contain both mirror and mirrors"});
  }
}

// Checks a route. `delegated` is true if other VirtualServices delegate to this one.
void check_route(const HttpRoute& route, bool delegated, const std::string& path, std::vector<Finding>& findings) {
  check_conflicts(route, delegated, path, findings);
  check_matches(route.match, path, findings);
  if (route.fault) {
    check_fault(*route.fault, path + ".fault", findings);
  }
  for (const Mirror& mirror : route.mirrors) {
    check_destination(mirror.destination, path + ".mirrors", findings);
  }
  if (route.retries) {
    check_retries(*route.retries, path + ".retries", findings);
  }
  if (route.rewrites && route.rewrite_uri.empty() && route.rewrite_authority.empty()) {
    findings.push_back({true, "empty-rewrite", path + ".rewrite",
                        "rewrite must specify at least one of uri, uriRegexRewrite or authority"});
  }
  check_destinations(route.route, path + ".route", findings);
  check_duration(route.timeout, path + ".timeout", findings);
}

void check_tcp_route(const TcpRoute& route, const std::string& path, std::vector<Finding>& findings) {
  check_matches(route.match, path, findings);
  if (route.route.empty()) {
    findings.push_back({true, "route-without-action", path, "TCP route is required"});
  }
  check_destinations(route.route, path + ".route", findings);
}

// Checks a VirtualService without hosts, to which others delegate.
void check_delegate(const VirtualService& service, std::vector<Finding>& findings) {
  const auto refuse = [&](const char* field) {
    findings.push_back({true, "delegate-fields", std::string("spec.") + field,
                        std::string("a delegate virtual service (one without hosts) must have no ") + field});
  };
  if (!service.gateways.empty()) {
    refuse("gateways");
  }
  if (service.tls) {
    refuse("tls");
  }
  if (!service.tcp.empty()) {
    refuse("tcp");
  }
}

bool is_of_mesh(const VirtualService& service) {
  return service.gateways.empty() ||
         std::find(service.gateways.begin(), service.gateways.end(), "mesh") != service.gateways.end();
}

// Checks claims of tokens, which only gateways know.
void check_claims(const VirtualService& service, std::vector<Finding>& findings) {
  for (std::size_t route = 0; route < service.http.size(); ++route) {
    const std::vector<HttpMatchRequest>& matches = service.http[route].match;
    for (std::size_t match = 0; match < matches.size(); ++match) {
      for (const auto* const headers : {&matches[match].headers, &matches[match].withoutHeaders}) {
        if (std::any_of(headers->begin(), headers->end(), [](const auto& header) { return is_claim(header.first); })) {
          findings.push_back({true, "claim-in-mesh", at_route(route) + ".match[" + std::to_string(match) + "]",
                              "routing by claims of a token is only supported for gateways"});
        }
      }
    }
  }
}

void check_hosts(const VirtualService& service, std::vector<Finding>& findings) {
  bool valid = true;
  for (std::size_t host = 0; host < service.hosts.size(); ++host) {
    const std::string path = "spec.hosts[" + std::to_string(host) + "]";
    const std::string& name = service.hosts[host];
    if (!is_domain(name, true) && !is_ip_address(name)) {
      findings.push_back({true, "host-name", path, "\"" + name + "\" is no name of a host"});
      valid = false;
    } else if (is_of_mesh(service) && name == "*") {
      findings.push_back({true, "any-host-of-mesh", path, "host * is not allowed where sidecars use the routes"});
      valid = false;
    }
  }
  for (std::size_t host = 0; valid && host < service.hosts.size(); ++host) {
    const auto same = [&](const std::string& earlier) {
      return host_matches(service.hosts[host], earlier) || host_matches(earlier, service.hosts[host]);
    };
    const auto end = service.hosts.begin() + static_cast<std::ptrdiff_t>(host);
    const auto found = std::find_if(service.hosts.begin(), end, same);
    if (found != end) {
      findings.push_back({true, "host-twice", "spec.hosts[" + std::to_string(host) + "]",
                          "duplicate hosts: " + *found + " and " + service.hosts[host]});
    }
  }
}

// Returns the text of a match as istiod compares it by prefix: "exact" or "prefix" and the match's text.
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

// True if the first match already matches everything that the second matches.
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
  const bool delegated = service.hosts.empty();
  if (delegated) {
    check_delegate(service, findings);
  }
  check_gateways(service.gateways, "spec.gateways", findings);
  if (is_of_mesh(service)) {
    check_claims(service, findings);
  }
  check_hosts(service, findings);
  if (service.http.empty() && service.tcp.empty() && !service.tls) {
    findings.push_back({true, "no-routes", "spec", "http, tcp or tls must be provided in a virtual service"});
  }
  for (std::size_t route = 0; route < service.http.size(); ++route) {
    check_route(service.http[route], delegated, at_route(route), findings);
    reached.see(service.http[route], at_route(route));
  }
  for (std::size_t route = 0; route < service.tcp.size(); ++route) {
    check_tcp_route(service.tcp[route], "spec.tcp[" + std::to_string(route) + "]", findings);
  }
  check_exports(service.exportTo, service.meta.name_space, Exported::document, findings);
  return findings;
}

void check_retries(const HttpRetry& retries, const std::string& path, std::vector<Finding>& findings) {
  const bool more = retries.perTryTimeout || !retries.retryOn.empty() || retries.retryRemoteLocalities;
  if (retries.attempts == 0 && more) {
    findings.push_back({true, "retries-disabled-with-fields", path,
                        "http retry policy configured when attempts are set to 0 (disabled)"});
  }
  check_duration(retries.perTryTimeout, path + ".perTryTimeout", findings);
  std::size_t begin = retries.retryOn.empty() ? std::string::npos : 0;
  while (begin != std::string::npos) {
    const std::size_t end = retries.retryOn.find(',', begin);
    const std::string condition = retries.retryOn.substr(begin, end == std::string::npos ? end : end - begin);
    begin = end == std::string::npos ? end : end + 1;
    if (!is_retry_condition(condition) && !is_status_code(condition)) {
      findings.push_back(
          {true, "retry-condition", path + ".retryOn", "\"" + condition + "\" is not a valid retryOn policy"});
    }
  }
  check_duration(retries.backoff, path + ".backoff", findings);
}

}  // namespace spillway::istio
