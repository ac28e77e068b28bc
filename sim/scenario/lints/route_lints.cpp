#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::lints {

namespace {

bool takes_turns(const Service& service) {
  return envoy::policies::visit_policy(service.cluster.lb_policy, []<class Policy>(const auto&) {
    if constexpr (requires { Policy::takes_turns(false); }) {
      return Policy::takes_turns(false);
    }
    return false;
  });
}

// True if no request of a proxy comes between an attempt of another one and its retry: all arrive at even distances,
// longer than the back-off before a first retry and twice the mean service time.
bool comes_alone(const Scenario& scenario, std::uint32_t route) {
  Nanoseconds longest{0};
  for (const config::ServiceIndex cluster : scenario.routes[route].clusters) {
    for (const Host& host : scenario.services[cluster.value].hosts) {
      longest = std::max(longest, scenario.endpoints[host.endpoint.value].service_time);
    }
  }
  const auto back_off = config::effective_base_interval(scenario.routes[route].retry_policy->retry_back_off);
  const double until_retry = std::chrono::duration<double>(back_off + 2 * longest).count();
  return std::all_of(scenario.clients.begin(), scenario.clients.end(), [&](const ClientEntry& client) {
    const auto& kinds = client.workload.requests;
    return std::none_of(kinds.begin(), kinds.end(), [&](const RequestKind& kind) { return kind.route == route; }) ||
           (client.workload.arrivals == Arrivals::periodic && client.workload.slope == 0.0 &&
            client.workload.rate * until_retry <= 1.0);
  });
}

// Describes where a retry goes after the pick that failed.
std::string second_pick_text(const Service& service) {
  const std::string name = in_ticks(service.name);
  const std::size_t hosts = service.hosts.size();
  if (envoy::policies::consistent_hashing(service.cluster.lb_policy) != nullptr) {
    return fmt::format("the same hash picks the same one of the {} hosts of {} again", hosts, name);
  }
  return takes_turns(service)
             ? fmt::format(
                   "a retry takes the next turn: where requests overlap, up to 1 of {} goes to the host of "
                   "{} that has just failed",
                   hosts, name)
             : fmt::format("1 of {} retries goes to the host of {} that has just failed", hosts, name);
}

}  // namespace

void warn_of_retries(const Scenario& scenario, std::uint32_t number, Span retry_policy, Diagnostics& problems) {
  const Route& route = scenario.routes[number];
  constexpr std::size_t few_hosts = 4;
  if (!route.retry_policy || route.retry_policy->retry_on.empty() || route.retry_policy->num_retries == 0 ||
      std::any_of(route.retry_policy->retry_host_predicate.begin(), route.retry_policy->retry_host_predicate.end(),
                  [](const config::RetryHostPredicate& predicate) {
                    return std::holds_alternative<config::PreviousHosts>(predicate);
                  })) {
    return;
  }
  for (const config::ServiceIndex index : route.clusters) {
    const Service& service = scenario.services[index.value];
    const std::size_t hosts = service.hosts.size();
    if (hosts < 2 || hosts > few_hosts || (takes_turns(service) && comes_alone(scenario, number))) {
      continue;
    }
    problems
        .warning("SP755", retry_policy, "retries that may meet the failed host again", "{}",
                 {second_pick_text(service)})
        .help(
            "write `retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts }]` and "
            "`host_selection_retry_max_attempts: 5`");
    return;
  }
}

namespace {

// Returns the hashes of all requests on a route, for a cluster whose policy may hash by itself. nullopt if some
// requests have no hash, so that every host gets requests, or an unknown one: Envoy derives a cookie from the ports of
// a connection.
std::optional<std::set<std::uint64_t>> hashes_of(const Scenario& scenario, std::uint32_t route,
                                                 const std::vector<envoy::routes::HashPolicy>& policies) {
  std::set<std::uint64_t> hashes;
  for (const ClientEntry& client : scenario.clients) {
    for (const RequestKind& kind : client.workload.requests) {
      if (kind.route != route) {
        continue;
      }
      bool makes_a_cookie = false;
      const auto hash = envoy::routes::hash_of(policies, kind.request,
                                               [&](const envoy::routes::CookieHash&) -> std::optional<std::string> {
                                                 makes_a_cookie = true;
                                                 return std::nullopt;
                                               })
                            .hash;
      if (!hash || makes_a_cookie) {
        return std::nullopt;
      }
      hashes.insert(*hash);
    }
  }
  return hashes;
}

// Warns of few keys, only for requests that bring their keys themselves.
void warn_of_few_keys(const Scenario& scenario, std::uint32_t number, const messages::Route& written,
                      Diagnostics& problems) {
  const Route& route = scenario.routes[number];
  // The author of expectations about the keys knows where they go.
  if (route.route.action.hash_policy.empty() || !scenario.expectations.empty()) {
    return;
  }
  for (const config::ServiceIndex index : route.clusters) {
    const Service& service = scenario.services[index.value];
    const auto* const hashing = envoy::policies::consistent_hashing(service.cluster.lb_policy);
    if (hashing == nullptr) {
      continue;
    }
    const auto keys = hashes_of(scenario, number,
                                hashing->hash_policy.empty() ? route.route.action.hash_policy : hashing->hash_policy);
    if (!keys || keys->empty() || keys->size() >= service.hosts.size()) {
      continue;
    }
    problems
        .warning("SP759", written.route->source.key_of("hash_policy").value_or(Span{}), "fewer hash keys than hosts",
                 "{} keys of all clients for {} hosts of `{}`: at least {} hosts get nothing",
                 {keys->size(), service.hosts.size(), service.name, service.hosts.size() - keys->size()})
        .help("hash by something that has more values, or expect idle hosts");
    return;
  }
}

}  // namespace

void warn_of_routes(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems) {
  const auto& written = file.routes.value;
  for (std::uint32_t number = 0; number < written.size() && number < scenario.routes.size(); ++number) {
    warn_of_retries(scenario, number, written[number]->route->source.key_of("retry_policy").value_or(Span{}), problems);
    warn_of_few_keys(scenario, number, *written[number], problems);
  }
}

}  // namespace spillway::scenario::lints
