#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "models/documents/problem.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/health/outlier_detection.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::lints {
namespace {

bool is_reported_health(const Scenario& scenario, config::ServiceIndex service) {
  const auto tells = [&](const Change& change) { return is_about<EdsHealth>(change, service); };
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), tells) ||
         lists_unhealthy(scenario.services[service.value]);
}

void warn_of_failover(const LintedCluster& cluster, const config::OutlierDetection& detection, std::uint64_t most,
                      std::uint64_t hosts, Span where, Diagnostics& problems) {
  const Service& service = cluster.service();
  std::map<config::Priority, std::uint64_t> by_priority;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    by_priority[group.priority] += group.lb_endpoints.size();
  }
  const std::uint64_t first = by_priority.empty() ? 0 : by_priority.begin()->second;
  if (by_priority.size() < 2 || first == 0 || most >= first || !service.cluster.health_checks.empty() ||
      is_reported_health(cluster.scenario, cluster.index)) {
    return;
  }
  // A priority keeps all traffic while its healthy hosts times the overprovisioning factor are at least all of its
  // hosts.
  const std::uint64_t factor = service.load_assignment.overprovisioning_factor;
  const std::uint64_t kept = factor == 0 ? first : (first * 100 + factor - 1) / factor;
  const std::uint64_t needed = first - std::min(first, kept) + 1;
  if (most >= needed) {
    return;
  }
  const messages::SettingPlaces::Names& names = cluster.places.names;
  problems
      .warning("SP752", where, "failover that outlier detection cannot reach",
               "{} % of {} hosts: at most {} may be ejected", {detection.max_ejection_percent, hosts, most})
      .note(
          "the next priority gets requests once {} of the {} hosts of priority 0 are out, and nothing but outlier "
          "detection takes them out",
          {needed, first})
      .help("write `{}: {}` or more{}",
            {names.max_ejection_percent, (100 * first + hosts - 1) / hosts,
             names.health_checks == nullptr ? std::string() : ", or " + in_ticks(names.health_checks)});
}

}  // namespace

std::string short_number(double number) {
  return fmt::format("{:.3g}", number);
}

void warn_of_outlier_detection(const LintedCluster& cluster, Diagnostics& problems) {
  const Service& service = cluster.service();
  if (cluster.places.detect_degraded_hosts && service.cluster.outlier_detection &&
      service.cluster.outlier_detection->detect_degraded_hosts) {
    problems
        .warning("SP763", *cluster.places.detect_degraded_hosts, "degraded hosts that are not found",
                 "no endpoint here answers requests with `x-envoy-degraded`")
        .note("Envoy sends a host that answers so no requests while enough others are healthy; that is not simulated")
        .help("write `health_status: DEGRADED` in an event of the timeline for a host that answers so");
  }
  if (!service.cluster.outlier_detection || service.hosts.empty() || !cluster.places.outlier_detection) {
    return;
  }
  const config::OutlierDetection& detection = *service.cluster.outlier_detection;
  const messages::SettingPlaces::Names& names = cluster.places.names;
  const Span where = cluster.places.max_ejection_percent.value_or(*cluster.places.outlier_detection);
  const std::uint64_t hosts = service.hosts.size();
  const std::uint64_t most =
      health::most_ejected(detection, cluster.scenario.profile.envoy, static_cast<std::uint32_t>(hosts));
  if (!health::is_any_enforced(detection, static_cast<std::uint32_t>(hosts))) {
    problems
        .warning("SP750", *cluster.places.outlier_detection, "outlier detection that never ejects",
                 "no detection is enforced among {} hosts", {hosts})
        .help("write `{}`", {names.enforced_detection});
    return;
  }
  if (most == 0) {
    problems
        .warning("SP750", where, "outlier detection that never ejects", "{} % of {} hosts is less than one host",
                 {detection.max_ejection_percent, hosts})
        .help("write `{}: {}`{}{}", {names.max_ejection_percent, (100 + hosts - 1) / hosts, hosts > 1 ? " or more" : "",
                                     names.always_eject_one_host ? ", or `always_eject_one_host: true`" : ""});
    return;
  }
  warn_of_failover(cluster, detection, most, hosts, where, problems);
  const auto& groups = service.load_assignment.endpoints;
  const bool one_priority = std::all_of(groups.begin(), groups.end(), [](const config::LocalityLbEndpoints& group) {
    return group.priority == config::Priority{0};
  });
  const std::uint64_t threshold = envoy::panic_threshold(service.cluster.common_lb_config, cluster.scenario.runtime);
  if (most == hosts && hosts > 1 && one_priority && threshold > 0) {
    const std::uint64_t before_panic = hosts - (hosts * threshold + 99) / 100;
    problems
        .warning("SP751", where, "ejections that end in panic", "all {} hosts may be ejected at the same time", {hosts})
        .note(
            "with {} ejected hosts less than {} % are available: the cluster panics, and ejected hosts get requests "
            "again",
            {before_panic + 1, threshold})
        .help("write `{}: {}`{}", {names.max_ejection_percent, before_panic * 100 / hosts,
                                   names.panic_threshold ? ", or `healthy_panic_threshold: { value: 0 }`" : ""});
  }
}

}  // namespace spillway::scenario::lints
