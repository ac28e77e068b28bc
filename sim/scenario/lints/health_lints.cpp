#include <algorithm>
#include <chrono>
#include <optional>
#include <variant>

#include "models/documents/problem.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/nanoseconds.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::lints {
namespace {

std::string seconds_of(Nanoseconds time) {
  return short_number(std::chrono::duration<double>(time).count()) + " s";
}

// Warns of a slow edge: a failing host is checked again after unhealthy_edge_interval until it is marked
// (docs/behaviour/envoy-host-pick.md 17).
void warn_of_edge(Span where, const config::HealthCheck& check, Diagnostics& problems) {
  const std::uint32_t threshold = check.unhealthy_threshold.value_or(1);
  if (!check.unhealthy_interval || check.unhealthy_edge_interval || threshold < 2 || !check.interval ||
      *check.unhealthy_interval < 2 * *check.interval) {
    return;
  }
  problems
      .warning("SP753", where, "checks that find a dead host late",
               "also the pause after each of the first {} failed checks of a healthy host", {threshold - 1})
      .note(
          "a host that dies is marked unhealthy up to {} later ({} + {} x {}), since unhealthy_edge_interval is "
          "unhealthy_interval where it is not written",
          {seconds_of(*check.interval + (threshold - 1) * *check.unhealthy_interval), seconds_of(*check.interval),
           threshold - 1, seconds_of(*check.unhealthy_interval)})
      .help("write `unhealthy_edge_interval`, for example that of `interval`: {}", {seconds_of(*check.interval)});
}

bool ever_unhealthy(const Scenario& scenario, config::ServiceIndex service) {
  const Service& of = scenario.services[service.value];
  if (of.cluster.outlier_detection || !of.cluster.health_checks.empty() || of.hosts.empty()) {
    return true;
  }
  const auto tells = [&](const Change& change) {
    return is_about<EdsHealth, EdsMembership, EdsPriority>(change, service);
  };
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), tells) || lists_unhealthy(of);
}

// True if endpoints of the service fail or go away at some time.
bool ever_breaks(const Scenario& scenario, config::ServiceIndex service) {
  const auto runs_on = [&](config::NodeIndex node) {
    const auto& hosts = scenario.services[service.value].hosts;
    return std::any_of(hosts.begin(), hosts.end(),
                       [&](const Host& host) { return scenario.endpoints[host.endpoint.value].node == node; });
  };
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [&](const Change& change) {
    const auto* const outage = std::get_if<NodeOutage>(&change.effect);
    return (is_about<Existence>(change, service) && !std::get<Existence>(change.effect).exists) ||
           (is_about<Fails>(change, service) && std::get<Fails>(change.effect).fraction > 0.0) ||
           (outage != nullptr && !outage->on && runs_on(outage->node));
  });
}

void warn_of_aggregate(const LintedCluster& cluster, Diagnostics& problems) {
  const std::vector<config::ServiceIndex> members = members_of(cluster.scenario, cluster.index);
  if (cluster.service().cluster.aggregate_clusters.empty() || members.size() < 2 ||
      !ever_breaks(cluster.scenario, members.front()) || ever_unhealthy(cluster.scenario, members.front())) {
    return;
  }
  const std::string first = in_ticks(cluster.scenario.services[members.front().value].name);
  const std::string second = in_ticks(cluster.scenario.services[members[1].value].name);
  problems
      .warning("SP754", cluster.places.cluster_type, "an aggregate cluster that never fails over",
               "{} has no health checks, no outlier detection, and EDS reports no health", {first})
      .note("its hosts are always taken to be healthy, so that {} gets nothing, even if they fail", {second})
      .help("write `health_checks` or `outlier_detection` in the cluster {}", {first});
}

std::optional<Nanoseconds> slow_start_window_of(const envoy::Cluster& cluster) {
  return std::visit(
      [](const auto& policy) -> std::optional<Nanoseconds> {
        if constexpr (requires { policy.slow_start_config.slow_start_window; }) {
          return policy.slow_start_config.slow_start_window;
        } else {
          return std::nullopt;
        }
      },
      cluster.lb_policy);
}

void warn_of_slow_start(const LintedCluster& cluster, Diagnostics& problems) {
  const auto window = slow_start_window_of(cluster.service().cluster);
  if (!window || *window <= Nanoseconds{0}) {
    return;
  }
  std::optional<Nanoseconds> before;
  std::optional<Nanoseconds> shortest;
  for (const Change& change : cluster.scenario.changes) {
    if (!is_about<EdsMembership>(change, cluster.index) || !std::get<EdsMembership>(change.effect).member) {
      continue;
    }
    if (before && change.at > *before) {
      shortest = std::min(shortest.value_or(change.at - *before), change.at - *before);
    }
    before = change.at;
  }
  if (!shortest || *window <= *shortest) {
    return;
  }
  problems
      .warning("SP758", cluster.places.whole, "slow start that outlasts the time between deploys",
               "a window of {}, and new endpoints every {}", {seconds_of(*window), seconds_of(*shortest)})
      .note(
          "endpoints of one deploy are still in slow start when those of the next one come, and share the small "
          "part of the requests that new endpoints get")
      .help("write a `slow_start_window` below {}", {seconds_of(*shortest)});
}

}  // namespace

void warn_of_health(const LintedCluster& cluster, Diagnostics& problems) {
  const std::vector<Span>& places = cluster.places.unhealthy_interval;
  const auto& checks = cluster.service().cluster.health_checks;
  for (std::size_t check = 0; check < places.size() && check < checks.size(); ++check) {
    warn_of_edge(places[check], checks[check], problems);
  }
  warn_of_aggregate(cluster, problems);
  warn_of_slow_start(cluster, problems);
}

}  // namespace spillway::scenario::lints
