#include "sim/compare/observation.hpp"

#include <cmath>
#include <set>
#include <utility>

namespace spillway::compare {
namespace {

using Hosts = std::map<std::string, ObservedHost>;

void add(observed::HostCounters& sum, const observed::HostCounters& more) {
  sum.rq_total += more.rq_total;
  sum.rq_error += more.rq_error;
  sum.cx_connect_fail += more.cx_connect_fail;
  sum.rq_active += more.rq_active;
}

bool is_lower(const observed::HostCounters& now, const observed::HostCounters& then) {
  return now.rq_total < then.rq_total || now.cx_connect_fail < then.cx_connect_fail || now.rq_error < then.rq_error;
}

// True if the statistic decreased; false also if it is missing at one time.
bool fell(const observed::Stats* before, const observed::Stats* after, const std::string& cluster,
          std::string_view statistic) {
  if (before == nullptr || after == nullptr) {
    return false;
  }
  const auto then = before->of(cluster, statistic);
  const auto now = after->of(cluster, statistic);
  return then && now && *now < *then;
}

// Returns each address once: the first copy, with the counts of all copies.
std::map<std::string, observed::Host> by_address(const observed::Cluster* cluster) {
  std::map<std::string, observed::Host> hosts;
  if (cluster == nullptr) {
    return hosts;
  }
  for (const observed::Host& host : cluster->hosts) {
    const auto [known, fresh] = hosts.emplace(host.address, host);
    if (!fresh) {
      add(known->second.counters, host.counters);
    }
  }
  return hosts;
}

const std::string* label_of(const observed::Labels& labels, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = labels.find(name);
    if (found != labels.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// Adds requests by address. A log may have millions of lines.
void add_counts(const std::map<std::string, std::uint64_t>& requests, Observation& observation) {
  for (const auto& [address, count] : requests) {
    observation.hosts.emplace_back(ObservedHost{address}).requests = count;
  }
}

}  // namespace

Observation observe(const observed::Cluster* before, const observed::Cluster* after, const std::string& name,
                    const observed::Stats* stats_before, const observed::Stats* stats_after) {
  Observation observation{.cluster = name, .held = true};
  const auto hosts_before = by_address(before);
  const auto hosts_after = by_address(after);
  for (const auto& [address, now] : hosts_after) {
    ObservedHost& host = observation.hosts.emplace_back(ObservedHost{address});
    host.after = now;
    host.total = now.counters.rq_total;
    if (const auto then = hosts_before.find(address); then != hosts_before.end()) {
      host.before = then->second;
      host.came_anew = is_lower(now.counters, then->second.counters);
    }
    observation.reset = observation.reset || host.came_anew;
  }
  observation.restarted = was_restarted(stats_before, stats_after) ||
                          (observation.reset && fell(stats_before, stats_after, name, "upstream_rq_total"));
  observation.reset = observation.reset || observation.restarted;
  for (ObservedHost& host : observation.hosts) {
    const bool from_zero = observation.restarted || host.came_anew || !host.before;
    const observed::HostCounters old = from_zero ? observed::HostCounters{} : host.before->counters;
    const observed::HostCounters& now = host.after->counters;
    host.requests = now.rq_total - old.rq_total;
    host.connect_failures = now.cx_connect_fail - old.cx_connect_fail;
    host.errors = now.rq_error - old.rq_error;
  }
  for (const auto& [address, then] : hosts_before) {
    if (!hosts_after.contains(address)) {
      ObservedHost gone{address};
      gone.before = then;
      observation.hosts.push_back(std::move(gone));
    }
  }
  observation.sort_hosts();
  return observation;
}

std::map<std::string, Observation> observe(const observed::AccessLog& log,
                                           const std::map<std::string, std::vector<std::string>>& clusters_of) {
  std::map<std::string, Observation> observations;
  std::map<std::string, std::map<std::string, std::uint64_t>> counts;
  for (const observed::LoggedRequest& request : log.requests) {
    if (request.upstream_host.empty()) {
      continue;
    }
    std::string cluster = request.upstream_cluster;
    if (cluster.empty()) {
      const auto owners = clusters_of.find(request.upstream_host);
      if (owners == clusters_of.end() || owners->second.size() != 1) {
        continue;
      }
      cluster = owners->second.front();
    }
    ++counts[cluster][request.upstream_host];
    observations[cluster].earlier_attempts += std::max(request.attempts, 1U) - 1;
  }
  for (const auto& [cluster, requests] : counts) {
    observations[cluster].cluster = cluster;
    observations[cluster].last_attempts_alone = true;
    add_counts(requests, observations[cluster]);
  }
  return observations;
}

UnassignedRequests unassigned_of(const observed::AccessLog& log,
                                 const std::map<std::string, std::vector<std::string>>& clusters_of) {
  UnassignedRequests unassigned;
  for (const observed::LoggedRequest& request : log.requests) {
    if (request.upstream_host.empty()) {
      continue;
    }
    ++unassigned.in_log;
    if (!request.upstream_cluster.empty()) {
      continue;
    }
    const auto owners = clusters_of.find(request.upstream_host);
    if (owners == clusters_of.end()) {
      unassigned.address = unassigned.of_no_cluster++ == 0 ? request.upstream_host : unassigned.address;
    } else if (owners->second.size() > 1) {
      ++unassigned.of_several;
    }
  }
  return unassigned;
}

std::map<std::string, Observation> observe(const observed::RangeAnswer& answer) {
  std::map<std::string, Observation> observations;
  std::map<std::string, std::map<std::string, std::uint64_t>> counts;
  std::map<std::string, std::set<std::string>> anew;
  for (const observed::RangeSeries& series : answer.series) {
    const std::string* const cluster = label_of(series.labels, {"envoy_cluster_name", "cluster_name"});
    const std::string* const address = label_of(series.labels, {"envoy_endpoint_address", "endpoint_address"});
    if (cluster == nullptr || address == nullptr) {
      continue;
    }
    Observation& observation = observations[*cluster];
    observation.cluster = *cluster;
    if (observed::resets_of(series) > 0) {
      observation.reset = true;
      anew[*cluster].insert(*address);
    }
    counts[*cluster][*address] += static_cast<std::uint64_t>(std::llround(observed::increase_of(series)));
  }
  for (const auto& [cluster, requests] : counts) {
    add_counts(requests, observations[cluster]);
    for (ObservedHost& host : observations[cluster].hosts) {
      host.came_anew = anew[cluster].contains(host.address);
    }
  }
  return observations;
}

bool was_restarted(const observed::Stats* before, const observed::Stats* after) {
  if (before == nullptr || after == nullptr) {
    return false;
  }
  const auto then = before->server.find("uptime");
  const auto now = after->server.find("uptime");
  return then != before->server.end() && now != after->server.end() && now->second < then->second;
}

bool began_anew(const observed::Stats* before, const observed::Stats* after, const std::string& cluster) {
  return was_restarted(before, after) || fell(before, after, cluster, "upstream_rq_total");
}

std::optional<std::uint64_t> growth(const observed::Stats* before, const observed::Stats* after,
                                    const std::string& cluster, std::string_view statistic) {
  if (before == nullptr || after == nullptr) {
    return std::nullopt;
  }
  const auto now = after->of(cluster, statistic);
  const auto then = before->of(cluster, statistic);
  if (!now.has_value() || !then.has_value()) {
    return std::nullopt;
  }
  const bool from_zero = now.value() < then.value() || began_anew(before, after, cluster);
  return from_zero ? now.value() : now.value() - then.value();
}

}  // namespace spillway::compare
