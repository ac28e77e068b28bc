#include "sim/compare/rates.hpp"

#include <algorithm>

#include "sim/compare/observation.hpp"

namespace spillway::compare {
namespace {

std::optional<std::chrono::nanoseconds> restarted_ago(const Observed& observed, std::chrono::nanoseconds apart) {
  if (!was_restarted(observed.stats_before, observed.stats_after)) {
    return std::nullopt;
  }
  const std::uint64_t uptime = observed.stats_after->server.at("uptime");
  const auto all = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(apart).count());
  if (uptime == 0 || uptime >= all) {
    return std::nullopt;
  }
  return std::chrono::seconds{uptime};
}

// What clients sent, of so many attempts.
double sent_by_clients(const Observed& observed, const std::string& cluster, std::uint64_t attempts) {
  const auto count = [&](const char* statistic) {
    return growth(observed.stats_before, observed.stats_after, cluster, statistic).value_or(0);
  };
  const std::uint64_t first_attempts = attempts - std::min(attempts, count("upstream_rq_retry"));
  return static_cast<double>(std::max(first_attempts, count("upstream_rq_completed")));
}

}  // namespace

CountedRates counted_rates(const Observed& observed, std::chrono::nanoseconds apart,
                           const std::set<std::string>& names) {
  CountedRates counted{.rates = {}, .since_restart = restarted_ago(observed, apart)};
  const double seconds = std::chrono::duration<double>(counted.since_restart.value_or(apart)).count();
  const auto add = [&](const std::string& cluster, std::uint64_t attempts, bool is_reset) {
    counted.rates[cluster] = sent_by_clients(observed, cluster, attempts) / seconds;
    counted.at_least.erase(cluster);
    if (is_reset && !counted.since_restart) {
      counted.at_least.insert(cluster);
    }
  };
  for (const std::string& name : names) {
    if (const auto attempts = growth(observed.stats_before, observed.stats_after, name, "upstream_rq_total")) {
      add(name, *attempts, began_anew(observed.stats_before, observed.stats_after, name));
    }
  }
  if (observed.clusters_before == nullptr || observed.clusters_after == nullptr) {
    return counted;
  }
  for (const observed::Cluster& cluster : observed.clusters_after->clusters) {
    const Observation seen = observe(observed.clusters_before->find(cluster.name), &cluster, cluster.name,
                                     observed.stats_before, observed.stats_after);
    add(cluster.name, seen.requests(), seen.reset);
  }
  return counted;
}

}  // namespace spillway::compare
