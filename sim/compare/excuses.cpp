// What is not known of requests or of the time between the moments, and may have made counts as they are.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

#include "models/config/listed_health.hpp"
#include "sim/compare/asked_through.hpp"
#include "sim/compare/case.hpp"

namespace spillway::compare {
namespace {

// Whether new hosts get less than their share at first, and some may be new.
bool hosts_warm_up(const Case& one) {
  const auto window = envoy::policies::visit_policy(cluster_of(one.scenario).lb_policy,
                                                    []<class Policy>(const typename Policy::Config& of_policy) {
                                                      if constexpr (requires { of_policy.slow_start_config; }) {
                                                        return of_policy.slow_start_config.slow_start_window;
                                                      }
                                                      return std::chrono::nanoseconds{0};
                                                    });
  const bool came =
      std::any_of(one.observation.hosts.begin(), one.observation.hosts.end(),
                  [&](const ObservedHost& host) { return !one.one_moment && !host.before && host.after; });
  return window > std::chrono::nanoseconds{0} &&
         (came || one.one_moment || one.membership_changes.value_or(0) > 0 || !one.changed.empty());
}

}  // namespace

std::string told_twice(const Case& one) {
  std::map<std::string, config::HealthStatus> known;
  for (const PredictedHost& host : one.configured) {
    if (!(config::listed_health(known.try_emplace(host.address, host.status).first->second) ==
          config::listed_health(host.status))) {
      return host.address;
    }
  }
  return "";
}

std::string nothing_to_say(const Case& one, const ClusterComparison& result, const AskedThrough& asked) {
  const auto explaining = [&](auto which) {
    return std::find_if(result.reasons.begin(), result.reasons.end(),
                        [&](const Reason& reason) { return reason.explains && which(reason); });
  };
  if (explaining([](const Reason& reason) { return reason.seen; }) != result.reasons.end()) {
    return "";
  }
  if (one.gone > 0 && one.gone == one.unknown) {
    return fmt::format("its members changed in between: {} requests went to hosts that are gone", one.gone);
  }
  if (hosts_warm_up(one)) {
    return "hosts that came in between are in slow start and get less than their share";
  }
  const auto sticky = explaining([](const Reason& reason) { return reason.kind == ReasonKind::sticky_keys; });
  if (sticky != result.reasons.end()) {
    return "what requests are hashed by is not known: " + sticky->text;
  }
  return asked.has_sessions(result.name) ? "sessions name the hosts of its requests" : "";
}

}  // namespace spillway::compare
