// live.hash and live.sequence: the endpoint of every request that a real Envoy got.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"
#include "models/envoy/routes/address.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "models/health/circuit_breaker.hpp"
#include "tests/conformance/case_hosts.hpp"
#include "tests/conformance/envoy_documents.hpp"

namespace spillway::conformance {

namespace {

namespace routes = envoy::routes;
namespace session = envoy::stateful_session;

constexpr std::uint16_t upstream_port = 10080;  // the one upstream listener, on every address of 127.0.0.0/8
constexpr int reset = 0;                        // no answer at all

// How the recorded upstreams answered: 200 save by their address.
int answer_code(const std::string& ip) {
  for (const auto& [prefix, code] : {std::pair{"127.250.", 503}, std::pair{"127.251.", 500}, std::pair{"127.252.", 502},
                                     std::pair{"127.253.", reset}}) {
    if (ip.starts_with(prefix)) {
      return code;
    }
  }
  return 200;
}

// retry_on of a route, for the answers that upstreams here give.
bool retriable(const config::RetryConditions& retry_on, int code) {
  using config::RetryOn;
  const bool gateway_error = code == reset || (code >= 502 && code <= 504);
  return (retry_on.has(RetryOn::on_5xx) && (code == reset || code >= 500)) ||
         (retry_on.has(RetryOn::gateway_error) && gateway_error) || (retry_on.has(RetryOn::reset) && code == reset) ||
         (retry_on.has(RetryOn::retriable_4xx) && code == 409);
}

struct Upstream {
  EnvoyCluster read;
  std::shared_ptr<const envoy::ClusterState> state;  // null: original destination
  envoy::HostMap host_map;
  std::vector<std::uint32_t> held;
  envoy::LoadBalancer balancer;

  [[nodiscard]] const std::string& address(config::HostIndex host) const {
    return (*state->hosts.endpoints)[host.value].address;
  }
};

std::string ip_of(const std::string& address) {
  return address.substr(0, address.rfind(':'));
}

// What a stateful session names.
struct SessionAddress {
  bool given = false;
  std::string address;
  bool strict = false;
};

class Envoy {
 public:
  // `draw` gives the draws at the start of balancers; picks draw zeros.
  Envoy(const json& input, std::function<std::uint64_t()> draw) : input_(input), draw_(std::move(draw)) {
    for (const json& cluster : input.at("clusters")) {
      add_cluster(cluster);
    }
    for (const json& route : input.at("routes")) {
      add_route(route);
    }
  }

  json answers() {
    json result = json::array();
    for (const json& group : input_.at("requests")) {
      const json keys = group.value("keys", json::array());
      const std::size_t count = keys.empty() ? group.value("count", std::size_t{1}) : keys.size();
      for (std::size_t number = 0; number < count; ++number) {
        result.push_back(answer(read_request(group, keys.empty() ? "" : keys[number].get<std::string>())));
      }
    }
    return result;
  }

 private:
  void add_cluster(const json& document) {
    Upstream& upstream = upstreams_[document.at("name").get<std::string>()];
    upstream.read = read_cluster(document);
    if (upstream.read.cluster.original_dst) {
      return;
    }
    upstream.state =
        envoy::refresh(upstream.read.cluster, nullptr, envoy::make_priority_set(upstream.read.load_assignment, {}), {});
    upstream.host_map = envoy::HostMap(upstream.state->hosts);
    upstream.held.resize(upstream.state->hosts.hosts.size(), 0);
    const json held = input_.value("held", json::object());
    for (std::uint32_t host = 0; host < upstream.held.size(); ++host) {
      upstream.held[host] = held.value(ip_of(upstream.address({host})), 0U);
    }
    upstream.balancer.update(upstream.state, draw_);
  }

  void add_route(const json& document) {
    read_routes_.push_back(read_route(document));
    routes_.push_back(read_routes_.back().route);
  }

  [[nodiscard]] routes::Request read_request(const json& group, const std::string& key) const {
    const auto filled = [&key](std::string text) {
      for (std::size_t at = text.find("{key}"); at != std::string::npos; at = text.find("{key}", at + key.size())) {
        text.replace(at, 5, key);
      }
      return text;
    };
    routes::Request request;
    request.headers.emplace_back(":path", filled(group.value("path", routes_.front().match.path)));
    for (auto& [name, value] : read_headers(group.value("headers", json::array()))) {
      const std::string text = filled(value);
      const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
      request.headers.emplace_back(routes::same_header_name(name, "host") ? ":authority" : name,
                                   text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
    }
    request.remote_address = "127.0.0.1:40000";
    request.local_address = "127.0.0.1:10000";
    return request;
  }

  json answer(routes::Request request) {
    const routes::Route* const route = routes::match(routes_, request);
    if (route == nullptr) {
      return 404;
    }
    const scenario::Route& read = read_routes_[static_cast<std::size_t>(route - routes_.data())];
    request = routes::filtered(read.header_to_metadata, std::move(request));
    const routes::WeightedCluster& target = *routes::choose_cluster(route->action, 0);
    Upstream& upstream = upstreams_.at(target.name);
    if (upstream.state == nullptr) {
      return original_destination(upstream, request);
    }
    if (breaker_open(upstream)) {
      return 503;
    }
    const auto of = [](const std::optional<config::Struct>& part) { return part ? &*part : nullptr; };
    const config::Struct* const dynamic = request.dynamic_metadata.empty() ? nullptr : &request.dynamic_metadata;
    const auto merged = routes::merge_criteria({of(route->action.metadata_match), of(target.metadata_match), dynamic});
    const auto criteria = merged ? envoy::policies::subset::Criteria(*merged) : envoy::policies::subset::Criteria();
    envoy::RequestContext context;
    context.active_requests = upstream.held;
    context.request = &request;
    context.criteria = &criteria;
    context.hash = routes::hash_of(route->action.hash_policy, request).hash;
    envoy::policies::override_host::OverrideHosts named;
    if (const auto* const config =
            std::get_if<envoy::policies::override_host::Config>(&upstream.read.cluster.lb_policy)) {
      named = {config->override_host_sources, request};
    }
    context.override_hosts = &named;
    return simulate(upstream, context, read.retry_policy, session_address(read.stateful_session, request));
  }

  // First try and retries; a session's host serves the first try alone.
  static json simulate(Upstream& upstream, envoy::RequestContext context,
                       const std::optional<config::RetryPolicy>& retry, const SessionAddress& named) {
    const config::RetryPolicy policy = retry.value_or(config::RetryPolicy{.num_retries = 0});
    const bool previous_hosts = !policy.retry_host_predicate.empty();
    std::set<config::HostIndex> tried;
    int code = 503;
    auto zero = [] { return std::uint64_t{0}; };
    for (std::uint32_t left = policy.num_retries;; --left) {
      std::optional<config::HostIndex> host;
      if (tried.empty() && named.given) {
        const auto found = upstream.host_map.find(named.address);
        const auto choice =
            session::select_host(found ? std::optional(status_of(upstream, *found)) : std::nullopt, named.strict,
                                 upstream.read.cluster.common_lb_config.override_host_status);
        if (choice == session::SessionChoice::no_host) {
          return 503;
        }
        host = choice == session::SessionChoice::override_host ? found : std::nullopt;
      }
      if (!host) {
        context.host_selection_retry_count = tried.empty() ? 1 : policy.host_selection_retry_max_attempts;
        const auto pick = upstream.balancer.choose(zero, context, [&](const envoy::Pick& candidate) {
          return previous_hosts && tried.contains(candidate.host);
        });
        if (!pick) {
          return 503;
        }
        host = pick->host;
      }
      tried.insert(*host);
      const std::string ip = ip_of(upstream.address(*host));
      code = answer_code(ip);
      if (code == 200) {
        return ip;
      }
      if (left == 0 || !retriable(policy.retry_on, code)) {
        return code == reset ? 503 : code;
      }
    }
  }

  static config::HealthStatus status_of(const Upstream& upstream, config::HostIndex host) {
    return envoy::detailed_health((*upstream.state->hosts.endpoints)[host.value].health_status,
                                  upstream.state->hosts.hosts[host.value].flags);
  }

  static SessionAddress session_address(const std::optional<envoy::StatefulSession>& route,
                                        const routes::Request& request);

  static bool breaker_open(const Upstream& upstream) {
    const health::CircuitBreaker breaker(upstream.read.cluster.circuit_breakers,
                                         config::RoutingPriority::default_priority);
    return std::accumulate(upstream.held.begin(), upstream.held.end(), std::uint64_t{0}) >=
           breaker.max(health::Resource::requests);
  }

  static json original_destination(const Upstream& upstream, const routes::Request& request) {
    const auto found =
        envoy::policies::original_dst::destination(*upstream.read.cluster.original_dst, {.request = &request}).address;
    const auto address = found ? routes::parse_ip_address(*found) : std::nullopt;
    const bool served = address && address->ip.starts_with("127.") && address->port == upstream_port;
    return served && answer_code(address->ip) == 200 ? json(address->ip) : json(503);
  }

  const json& input_;
  std::function<std::uint64_t()> draw_;
  std::map<std::string, Upstream> upstreams_;
  std::vector<routes::Route> routes_;
  std::vector<scenario::Route> read_routes_;  // those with what else they say
};

SessionAddress Envoy::session_address(const std::optional<envoy::StatefulSession>& route,
                                      const routes::Request& request) {
  if (!route) {
    return {};
  }
  std::optional<std::string> address;
  if (route->state == envoy::SessionState::cookie) {
    const std::string* const path = routes::first_value(request, ":path");
    const auto value = routes::cookie_value(request, route->name);
    if (value && !value->empty() && session::path_matches(route->path, *path)) {
      constexpr std::int64_t recorded_about = 1780000000;  // Unix seconds
      address = session::parse_cookie(*value, recorded_about);
    }
  } else if (const std::string* const value = routes::first_value(request, route->name)) {
    address = session::parse_header(*value);
  }
  return {address.has_value() && !address->empty(), address.value_or(""), route->strict};
}

void replay_live_hash(const json& input, Check& check) {
  check.equal("answers", Envoy(input, [] { return std::uint64_t{0}; }).answers());
}

// What is random at the start has to have some value that explains every answer.
void replay_live_sequence(const json& input, Check& check) {
  const auto free = check.expected().at("free").get<std::string>();
  check.documentation("free");
  std::uint64_t starts = 1;
  if (free == "rotation" || free == "seed") {
    std::uint64_t weights = 0;
    for (const json& cluster : input.at("clusters")) {
      const EnvoyCluster read = read_cluster(cluster);
      for (const auto& group : read.load_assignment.endpoints) {
        weights += group.load_balancing_weight.value_or(0);
        for (const auto& endpoint : group.lb_endpoints) {
          weights += endpoint.load_balancing_weight;
        }
      }
    }
    starts = 4 * weights * (free == "seed" ? weights : 1);
  } else if (free != "none") {
    throw std::invalid_argument("unknown free " + free);
  }
  for (std::uint64_t start = 0; start < starts; ++start) {
    if (Envoy(input, [start] { return start; }).answers() == check.expected().at("answers")) {
      check.whole_compared();
      return;
    }
  }
  check.fail("no start of " + std::to_string(starts) + " gives the recorded answers");
  check.whole_compared();
}

}  // namespace

const Replays& live_pick_replays() {
  static const Replays replays = {{"live.hash", replay_live_hash}, {"live.sequence", replay_live_sequence}};
  return replays;
}

}  // namespace spillway::conformance
