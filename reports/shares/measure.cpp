#include "reports/shares/measure.hpp"

#include <algorithm>

#include "models/config/listed_health.hpp"
#include "models/envoy/policies/subset/subset.hpp"
#include "models/envoy/priority_load.hpp"
#include "reports/shares/host_places.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/scenario/zone_proxies.hpp"

namespace spillway::reports {
namespace {

using scenario::Column;
using scenario::Quantity;
using scenario::Selector;

bool matches(std::string_view wanted, std::string_view is) {
  return wanted.empty() || wanted == is;
}

bool selects_host(const Selector& selector, const HostPlace& host) {
  return (!selector.priority || *selector.priority == host.priority) && matches(selector.cluster, host.cluster) &&
         matches(selector.zone, host.zone) && matches(selector.sub_zone, host.sub_zone) &&
         matches(selector.node, host.node) && matches(selector.endpoint, host.endpoint);
}

bool selects_priority(const Selector& selector, const run::PriorityHealth& priority) {
  // Priorities of a cluster that is not an aggregate have no cluster name.
  return (!selector.priority || *selector.priority == priority.priority) &&
         (priority.cluster.empty() || matches(selector.cluster, priority.cluster));
}

// Measures a share of responses, without requests that end at a zone proxy.
Measured share(const scenario::Scenario& scenario, const run::Results& results, const run::Epoch& epoch,
               const Selector& selector) {
  const scenario::DeadEnds dead_ends(scenario);
  run::ExactSum exact;
  std::uint64_t requests = 0;
  for_each_share(results, epoch, [&](const run::SharePlace& place, const run::ShareCell& row) {
    if (selects(selector, place) && (!selector.endpoint.empty() || !dead_ends.has(place.endpoint))) {
      // Documented figures are means over connections to zone proxies.
      exact.add({epoch.client, epoch.service, epoch.index, run::is_exact_over_connections(row) ? 0 : row.joint}, row);
      requests += row.requests.value_or(0);
    }
  });
  Measured measured;
  if (const std::optional<double> share = exact.value()) {
    measured.exact = *share * 100.0;
  }
  if (const std::uint64_t sent = sent_in(results, epoch); sent > 0) {
    measured.simulated = 100.0 * static_cast<double>(requests) / static_cast<double>(sent);
  }
  return measured;
}

Measured attempts(const run::Results& results, const run::Epoch& epoch, const Selector& selector) {
  const Attempts counted = attempts_in(results, epoch, selector);
  Measured measured;
  if (counted.all > 0) {
    measured.simulated = 100.0 * static_cast<double>(counted.part) / static_cast<double>(counted.all);
  }
  return measured;
}

struct HostCounts {
  double hosts = 0.0;
  double healthy = 0.0;
  double degraded = 0.0;
};

// Counts hosts: whole priorities as the model counted them, parts of one by reported health of each host.
HostCounts count_hosts(const scenario::Scenario& scenario, const run::Epoch& epoch, const Selector& selector) {
  HostCounts counts;
  const bool whole_priorities =
      selector.zone.empty() && selector.sub_zone.empty() && selector.node.empty() && selector.endpoint.empty();
  if (whole_priorities) {
    for (const run::PriorityHealth& priority : epoch.health->priorities) {
      if (!selects_priority(selector, priority)) {
        continue;
      }
      counts.hosts += priority.hosts;
      counts.healthy += priority.healthy;
      counts.degraded += priority.degraded;
    }
    return counts;
  }
  const std::vector<HostPlace> places = host_places(scenario, epoch.view);
  for (std::size_t host = 0; host < std::min(places.size(), epoch.health->reported.size()); ++host) {
    if (epoch.health->is_absent(host) || !selects_host(selector, places[host])) {
      continue;
    }
    counts.hosts += 1;
    if (config::is_listed_healthy(epoch.health->reported[host])) {
      counts.healthy += 1;
    }
    if (epoch.health->reported[host] == config::HealthStatus::degraded) {
      counts.degraded += 1;
    }
  }
  return counts;
}

template <class Part>
Measured load(const run::Epoch& epoch, const Selector& selector, Part part) {
  double sum = 0.0;
  for (const run::PriorityHealth& priority : epoch.health->priorities) {
    sum += selects_priority(selector, priority) ? part(priority) : 0.0;
  }
  return {sum, std::nullopt};
}

double percentage(double part, double whole) {
  return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

}  // namespace

bool selects(const Selector& selector, const run::SharePlace& row) {
  return (!selector.priority || *selector.priority == row.priority) && matches(selector.cluster, row.cluster) &&
         matches(selector.zone, row.zone) && matches(selector.sub_zone, row.sub_zone) &&
         matches(selector.node, row.node) && matches(selector.endpoint, row.endpoint);
}

Measured measure(const scenario::Scenario& scenario, const run::Results& results, const run::Epoch& epoch,
                 const Column& column) {
  switch (column.quantity) {
    case Quantity::share:
      return share(scenario, results, epoch, column.selector);
    case Quantity::attempts:
      return attempts(results, epoch, column.selector);
    case Quantity::healthy: {
      const HostCounts counts = count_hosts(scenario, epoch, column.selector);
      return {percentage(counts.healthy, counts.hosts), std::nullopt};
    }
    case Quantity::degraded: {
      const HostCounts counts = count_hosts(scenario, epoch, column.selector);
      return {percentage(counts.degraded, counts.hosts), std::nullopt};
    }
    case Quantity::unhealthy: {
      const HostCounts counts = count_hosts(scenario, epoch, column.selector);
      return {percentage(counts.hosts - counts.healthy - counts.degraded, counts.hosts), std::nullopt};
    }
    case Quantity::load:
      return load(epoch, column.selector, [](const run::PriorityHealth& priority) { return priority.load; });
    case Quantity::healthy_load:
      return load(epoch, column.selector,
                  [](const run::PriorityHealth& priority) { return priority.load - priority.degraded_load; });
    case Quantity::degraded_load:
      return load(epoch, column.selector, [](const run::PriorityHealth& priority) { return priority.degraded_load; });
    case Quantity::panic: {
      const bool panics = std::any_of(epoch.health->priorities.begin(), epoch.health->priorities.end(),
                                      [&](const run::PriorityHealth& priority) {
                                        return selects_priority(column.selector, priority) && priority.panic;
                                      });
      return {panics ? 1.0 : 0.0, std::nullopt};
    }
    case Quantity::total_availability:
      return {static_cast<double>(epoch.health->total_availability), std::nullopt};
  }
  return {};
}

std::vector<const run::Epoch*> epochs_of(const run::Results& results, config::ClientEntryIndex client,
                                         config::ServiceIndex service) {
  std::vector<const run::Epoch*> epochs;
  for (const run::Epoch& epoch : results.epochs) {
    if (epoch.client == client && epoch.service == service) {
      epochs.push_back(&epoch);
    }
  }
  return epochs;
}

const run::Epoch* epoch_at(const run::Results& results, config::ClientEntryIndex client, config::ServiceIndex service,
                           run::Nanoseconds at) {
  const run::Epoch* holds = nullptr;
  for (const run::Epoch* epoch : epochs_of(results, client, service)) {
    if (epoch->start <= at && at <= epoch->end) {
      holds = epoch;
    }
  }
  return holds;
}

Attempts attempts_in(const run::Results& results, const run::Epoch& epoch, const Selector& selector) {
  Attempts attempts;
  for_each_share(results, epoch, [&](const run::SharePlace& place, const run::ShareCell& row) {
    attempts.all += row.attempts.value_or(0);
    attempts.part += selects(selector, place) ? row.attempts.value_or(0) : 0;
  });
  return attempts;
}

std::uint64_t sent_in(const run::Results& results, const run::Epoch& epoch) {
  for (const run::Outcomes& row : results.outcomes) {
    if (row.client == epoch.client && row.service == epoch.service && row.epoch == epoch.index) {
      return row.sent;
    }
  }
  return 0;
}

}  // namespace spillway::reports
