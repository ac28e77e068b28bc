#include "sim/diff/upgrade.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <variant>

#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/releases.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::diff {
namespace {

namespace policies = envoy::policies;
using scenario::Scenario;
using scenario::Service;

template <class Policy>
bool uses(const Service& service) {
  return std::holds_alternative<Policy>(service.cluster.lb_policy);
}

bool has_slow_start(const Scenario& /*scenario*/, const Service& service) {
  return std::visit(
      [](const auto& policy) {
        if constexpr (requires { policy.slow_start_config; }) {
          return policy.slow_start_config.slow_start_window.count() > 0;
        }
        return false;
      },
      service.cluster.lb_policy);
}

bool in_slow_start_after_checks(const Scenario& scenario, const Service& service) {
  return has_slow_start(scenario, service) && !service.cluster.health_checks.empty();
}

bool ejects(const Scenario& /*scenario*/, const Service& service) {
  return service.cluster.outlier_detection.has_value();
}

bool checks_and_ejects(const Scenario& scenario, const Service& service) {
  return ejects(scenario, service) && !service.cluster.health_checks.empty();
}

bool breaks_and_ejects(const Scenario& scenario, const Service& service) {
  return ejects(scenario, service) && !service.cluster.circuit_breakers.thresholds.empty();
}

bool has_maglev(const Scenario& /*scenario*/, const Service& service) {
  return uses<policies::maglev::Config>(service);
}

bool has_subsets(const Scenario& /*scenario*/, const Service& service) {
  return uses<policies::subset::Config>(service);
}

std::set<config::Locality> localities_of_first_priority(const Service& service) {
  std::set<config::Locality> localities;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    if (group.priority == config::Priority{0} && !group.lb_endpoints.empty()) {
      localities.insert(group.locality);
    }
  }
  return localities;
}

// True if the innermost policy picks from lists of hosts.
bool picks_from_zones(const Service& service) {
  const policies::Config* policy = &service.cluster.lb_policy;
  while (const policies::Config* const child = policies::child_of(*policy)) {
    policy = child;
  }
  return std::holds_alternative<policies::round_robin::Config>(*policy) ||
         std::holds_alternative<policies::random::Config>(*policy) ||
         std::holds_alternative<policies::least_request::Config>(*policy);
}

// True if zone-aware routing starts or changes: it needs two zones of each side. With the same zones it is unchanged.
bool routes_by_other_zones(const Scenario& scenario, const Service& service) {
  if (!scenario.local_cluster ||
      !std::holds_alternative<config::ZoneAwareLbConfig>(service.cluster.common_lb_config.locality_config_specifier) ||
      !picks_from_zones(service)) {
    return false;
  }
  const auto own = localities_of_first_priority(service);
  const auto callers = localities_of_first_priority(scenario.services[scenario.local_cluster->value]);
  return own.size() > 1 && callers.size() > 1 && own.size() != callers.size();
}

bool weighs_localities(const Scenario& /*scenario*/, const Service& service) {
  return std::holds_alternative<config::LocalityWeightedLbConfig>(
      service.cluster.common_lb_config.locality_config_specifier);
}

bool any_endpoint(const Service& service, bool (*holds)(const config::LbEndpoint&, const config::LbEndpoint&)) {
  const config::LbEndpoint* first = nullptr;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      first = first == nullptr ? &endpoint : first;
      if (holds(*first, endpoint)) {
        return true;
      }
    }
  }
  return false;
}

bool is_reported_draining(const Scenario& /*scenario*/, const Service& service) {
  return any_endpoint(service, [](const config::LbEndpoint&, const config::LbEndpoint& endpoint) {
    return endpoint.health_status == config::HealthStatus::draining;
  });
}

bool takes_weighted_turns(const Scenario& scenario, const Service& service) {
  const bool weights = any_endpoint(service, [](const config::LbEndpoint& first, const config::LbEndpoint& endpoint) {
    return first.load_balancing_weight != endpoint.load_balancing_weight;
  });
  return weighs_localities(scenario, service) ||
         (weights && (uses<policies::round_robin::Config>(service) || uses<policies::least_request::Config>(service)));
}

bool has_priorities(const Scenario& /*scenario*/, const Service& service) {
  const auto& groups = service.load_assignment.endpoints;
  return std::any_of(groups.begin(), groups.end(),
                     [](const config::LocalityLbEndpoints& group) { return group.priority != config::Priority{0}; });
}

// A rule that changed in a release.
struct RuleChange {
  std::uint32_t since;
  Moves moves;
  Evidence evidence;
  bool simulated;
  const char* what;
  bool (*concerns)(const Scenario& scenario, const Service& service);
};

// All rule changes, sorted by release.
constexpr std::array changes{
    RuleChange{22, Moves::shares, Evidence::release_notes, true,
               "a host in slow start begins with min_weight_percent of its weight (default: 10 %); before, with "
               "next to nothing",
               has_slow_start},
    RuleChange{25, Moves::shares, Evidence::release_notes, true,
               "slow start counts from the first check that a host passes, and again when it comes back; before, from "
               "when it was added",
               in_slow_start_after_checks},
    RuleChange{26, Moves::ejections, Evidence::release_notes, true,
               "a health check that passes ends an ejection; before, only its time does", checks_and_ejects},
    RuleChange{26, Moves::ejections, Evidence::release_notes, true,
               "requests that a circuit breaker rejects are not failures of the host; before, they count",
               breaks_and_ejects},
    RuleChange{27, Moves::keys, Evidence::release_notes, true,
               "maglev sorts hosts by their keys, so that tables differ from those before; keys move once", has_maglev},
    RuleChange{28, Moves::shares, Evidence::source, true,
               "zone-aware routing works where caller and cluster have different numbers of zones; before, it was off",
               routes_by_other_zones},
    RuleChange{28, Moves::ejections, Evidence::release_notes, true,
               "max_ejection_percent limits the first ejection too, and the backoff of ejections goes down only "
               "after a whole interval; before, one host could always be ejected",
               ejects},
    RuleChange{28, Moves::shares, Evidence::release_notes, true,
               "subsets respect the overprovisioning factor and weighted_priority_health; before, they did not",
               has_subsets},
    RuleChange{30, Moves::shares, Evidence::release_notes, true,
               "hosts that EDS calls DRAINING do not count in the health of their priority; before, as unhealthy ones",
               is_reported_draining},
    RuleChange{30, Moves::turns, Evidence::release_notes, true,
               "schedules by weight start at a random turn; before, each proxy's first picks were the same",
               takes_weighted_turns},
    RuleChange{31, Moves::ejections, Evidence::release_notes, true,
               "a failed health check no longer ends an ejection; before, it did", checks_and_ejects},
    RuleChange{36, Moves::turns, Evidence::release_notes, false,
               "each worker has its own schedule of localities, with a start of its own after every update; before, "
               "all workers began at one turn",
               weighs_localities},
    RuleChange{38, Moves::health, Evidence::release_notes, false,
               "priorities that change together may be rebuilt in one step (on in 1.38.0, off in 1.38.1, on again "
               "later): the shares at the end are the same, those for a moment in between are not",
               has_priorities},
};
static_assert(std::ranges::is_sorted(changes, {}, &RuleChange::since) && changes.front().since >= oldest_release &&
              changes.back().since <= newest_release);

VersionChange change_of(const scenario::LaterSetting& setting) {
  return setting.refused ? VersionChange{setting.since, Moves::acceptance, Evidence::release_notes, false,
                                         setting.what + ": accepted; before, the cluster was refused"}
                         : VersionChange{setting.since, Moves::settings, Evidence::release_notes, true,
                                         setting.what + " counts; before, it was ignored"};
}

}  // namespace

std::optional<std::uint32_t> release_of(std::string_view version) {
  return scenario::envoy_release_in(version);
}

std::string_view name_of(Moves moves) noexcept {
  constexpr std::array names = std::to_array<std::string_view>(
      {"shares", "hashed keys", "first turns", "ejections", "health", "settings", "acceptance"});
  return names[static_cast<std::size_t>(moves)];
}

std::string_view name_of(Evidence evidence) noexcept {
  return evidence == Evidence::source ? "source" : "release notes";
}

namespace {

// A fault of a release's first patch releases, fixed in a later one.
struct PatchFault {
  std::uint32_t release;
  Moves moves;
  const char* what;
  bool (*concerns)(const Scenario& scenario, const Service& service);
};

bool hashes_to_a_table(const Scenario& /*scenario*/, const Service& service) {
  return policies::consistent_hashing(service.cluster.lb_policy) != nullptr;
}

constexpr std::array patch_faults{
    PatchFault{38, Moves::keys,
               "1.38.0 alone keeps the table of hashes as it is when hosts come or go "
               "(coalesce_lb_rebuilds_on_batch_update), so that new hosts get nothing; 1.38.1 is as before",
               hashes_to_a_table},
};

}  // namespace

std::vector<VersionChange> changes_for(const Scenario& scenario, config::ServiceIndex cluster, std::uint32_t from,
                                       std::uint32_t to) {
  const std::uint32_t older = std::min(from, to);
  const std::uint32_t newer = std::max(from, to);
  std::vector<VersionChange> found;
  for (const RuleChange& change : changes) {
    if (change.since > older && change.since <= newer && change.concerns(scenario, scenario.services[cluster.value])) {
      found.push_back({change.since, change.moves, change.evidence, change.simulated, change.what});
    }
  }
  for (const PatchFault& fault : patch_faults) {
    if ((fault.release == from) != (fault.release == to) &&
        fault.concerns(scenario, scenario.services[cluster.value])) {
      found.push_back({fault.release, fault.moves, Evidence::release_notes, false, fault.what});
    }
  }
  for (const scenario::LaterSetting& setting : scenario::settings_later_than(older, scenario)) {
    if (setting.since <= newer) {
      found.push_back(change_of(setting));
    }
  }
  numeric::stable_sort(found,
                       [](const VersionChange& left, const VersionChange& right) { return left.since < right.since; });
  return found;
}

bool Upgrade::changed() const noexcept {
  return std::any_of(clusters.begin(), clusters.end(),
                     [](const ClusterUpgrade& cluster) { return !cluster.changes.empty() || cluster.difference; });
}

bool Upgrade::moves_shares() const noexcept {
  return std::any_of(clusters.begin(), clusters.end(),
                     [](const ClusterUpgrade& cluster) { return cluster.difference.has_value(); });
}

bool Upgrade::same_shares() const noexcept {
  return std::none_of(clusters.begin(), clusters.end(), [](const ClusterUpgrade& cluster) {
    return cluster.difference.has_value() || !cluster.why_not.empty();
  });
}

}  // namespace spillway::diff
