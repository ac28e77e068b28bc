#include "sim/compare/observation.hpp"

#include <cmath>
#include <utility>

namespace spillway::compare {
namespace {

using Hosts = std::map<std::string, ObservedHost>;

struct CounterGrowth {
  bool* reset;
  std::uint64_t operator()(std::uint64_t before, std::uint64_t after) const {
    *reset = *reset || after < before;
    return after < before ? after : after - before;
  }
};

void add(observed::HostCounters& sum, const observed::HostCounters& more) {
  sum.rq_total += more.rq_total;
  sum.rq_error += more.rq_error;
  sum.cx_connect_fail += more.cx_connect_fail;
  sum.rq_active += more.rq_active;
}

// Each address once: the copy that is listed first, with the counts of all.
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

// Requests by address, which a log of millions of lines names.
void add_counts(const std::map<std::string, std::uint64_t>& requests, Observation& observation) {
  for (const auto& [address, count] : requests) {
    observation.hosts.emplace_back(ObservedHost{address}).requests = count;
  }
}

}  // namespace

Observation observe(const observed::Cluster* before, const observed::Cluster* after, const std::string& name) {
  Observation observation{.cluster = name, .held = true};
  const auto hosts_before = by_address(before);
  const auto hosts_after = by_address(after);
  const CounterGrowth grown{&observation.reset};
  for (const auto& [address, now] : hosts_after) {
    const auto then = hosts_before.find(address);
    const observed::HostCounters old = then == hosts_before.end() ? observed::HostCounters{} : then->second.counters;
    ObservedHost host{address};
    host.requests = grown(old.rq_total, now.counters.rq_total);
    host.connect_failures = grown(old.cx_connect_fail, now.counters.cx_connect_fail);
    host.errors = grown(old.rq_error, now.counters.rq_error);
    host.after = now;
    if (then != hosts_before.end()) {
      host.before = then->second;
    }
    observation.hosts.push_back(std::move(host));
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

std::map<std::string, Observation> observe(const observed::RangeAnswer& answer) {
  std::map<std::string, Observation> observations;
  std::map<std::string, std::map<std::string, std::uint64_t>> counts;
  for (const observed::RangeSeries& series : answer.series) {
    const std::string* const cluster = label_of(series.labels, {"envoy_cluster_name", "cluster_name"});
    const std::string* const address = label_of(series.labels, {"envoy_endpoint_address", "endpoint_address"});
    if (cluster == nullptr || address == nullptr) {
      continue;
    }
    Observation& observation = observations[*cluster];
    observation.cluster = *cluster;
    observation.reset = observation.reset || observed::resets_of(series) > 0;
    counts[*cluster][*address] += static_cast<std::uint64_t>(std::llround(observed::increase_of(series)));
  }
  for (const auto& [cluster, requests] : counts) {
    add_counts(requests, observations[cluster]);
  }
  return observations;
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
  return now.value() < then.value() ? now.value() : now.value() - then.value();
}

}  // namespace spillway::compare
