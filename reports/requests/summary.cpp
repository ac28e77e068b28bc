#include "reports/requests/summary.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/numeric/stable_sort.hpp"
#include "reports/explain/unreached.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/requests/overload_at_end.hpp"
#include "reports/shares/without_host.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"
#include "sim/scenario/zone_proxies.hpp"

namespace spillway::reports {
namespace {

std::string part_of(std::uint64_t count, std::uint64_t all) {
  const double share = all == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(all);
  return fmt::format("{} ({})", with_thousands(count), exact_percent(share));
}

// Returns the outcomes of all requests together.
run::Outcomes total_of(const run::Results& results) {
  run::Outcomes total;
  for (const run::Outcomes& row : results.outcomes) {
    run::add(total, row);
  }
  return total;
}

void add_outcomes(const run::Results& results, std::vector<std::string>& lines) {
  const run::Outcomes total = total_of(results);
  lines.push_back(fmt::format("requests: {} sent, {} ok", with_thousands(total.sent), with_thousands(total.ok())));
  for (const scenario::Outcome failure : scenario::failures) {
    if (total[failure] > 0) {
      lines.push_back(fmt::format("{}: {}", outcome_name(failure), part_of(total[failure], total.sent)));
    }
  }
  if (total.retries > 0) {
    lines.push_back(fmt::format("retries: {}", with_thousands(total.retries)));
    lines.push_back(fmt::format("attempts per request: {:.4g}",
                                1.0 + static_cast<double>(total.retries) / static_cast<double>(total.sent)));
  }
}

// Returns "p50 4 ms, p90 6 ms, p95 7 ms, p99 9 ms, p99.9 12 ms, max 15 ms".
std::string quantiles_text(const run::LatencyQuantiles& of) {
  return fmt::format("p50 {}, p90 {}, p95 {}, p99 {}, p99.9 {}, max {}", duration_text(of.p50), duration_text(of.p90),
                     duration_text(of.p95), duration_text(of.p99), duration_text(of.p999), duration_text(of.max));
}

// Returns "12 timeout, 3 overflow"; empty if every request succeeded.
std::string failures_text(const run::Outcomes& outcomes) {
  std::string others;
  for (const scenario::Outcome failure : scenario::failures) {
    if (const std::uint64_t count = outcomes[failure]; count > 0) {
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", with_thousands(count), outcome_name(failure));
    }
  }
  return others;
}

void add_latency(const scenario::Scenario& scenario, const run::Results& results, std::vector<std::string>& lines) {
  std::map<std::pair<config::ClientEntryIndex, config::ServiceIndex>, run::Outcomes> by_client;
  for (const run::Outcomes& row : results.outcomes) {
    run::add(by_client[{row.client, row.service}], row);
  }
  for (const run::WholeLatency& of : results.whole_latency) {
    const std::string whose = results.whole_latency.size() == 1
                                  ? ""
                                  : fmt::format(" of {} -> {}", printable(scenario.clients[of.client.value].name),
                                                printable(scenario.services[of.service.value].name));
    if (of.ok.max > 0.0) {
      const std::string failed = failures_text(by_client[{of.client, of.service}]);
      lines.push_back(failed.empty() ? fmt::format("latency{}: {}", whose, quantiles_text(of.ok))
                                     : fmt::format("latency of successful responses{}: {} (excludes {})", whose,
                                                   quantiles_text(of.ok), failed));
    }
    if (of.errors.max > 0.0) {
      lines.push_back(fmt::format("latency of errors{}: {}", whose, quantiles_text(of.errors)));
    }
  }
}

void add_cross_zone(const run::Results& results, std::vector<std::string>& lines) {
  double requests = 0.0;
  double bytes = 0.0;
  for (const run::CrossZone& row : results.cross_zone) {
    requests += row.requests;
    bytes += row.request_bytes + row.response_bytes;
  }
  if (requests > 0.0) {
    lines.push_back(fmt::format("cross-zone: {} requests{}", with_thousands(static_cast<std::uint64_t>(requests)),
                                bytes > 0.0 ? ", " + bytes_text(bytes) : ""));
  }
}

// Adds open points of Kuma's documents, and the number of load assignments that clients needed.
void add_mesh(const scenario::Scenario& scenario, std::vector<std::string>& lines) {
  for (const std::string& assumption : scenario.assumptions) {
    lines.push_back("assumed: " + printable(assumption));
  }
  if (const auto& cache = scenario.cla_cache) {
    lines.push_back(fmt::format("load assignments: {} made, {} found in the cache", with_thousands(cache->misses),
                                with_thousands(cache->hits)));
  }
  for (std::string& line : explain::unreached_lines(scenario)) {
    lines.push_back(std::move(line));
  }
}

// Requests of a client's epoch without a host.
struct EpochWithoutHost {
  double part = 0.0;
  const run::Epoch* epoch = nullptr;
  std::string ends_at = {};  // a zone proxy without endpoints, if some requests end there
};

// Finds requests without a host, by exact shares. Epochs without a total exact share are left out. O(shares + epochs).
std::vector<EpochWithoutHost> without_host(const scenario::Scenario& scenario, const run::Results& results) {
  constexpr double rounding = 1e-9;
  using Key = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;
  const scenario::DeadEnds dead_ends(scenario);
  std::map<Key, run::ExactSum> sums;
  std::map<Key, std::string> ends_at;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    const Key key{block.client, block.service, block.epoch};
    run::ExactSum& sum = sums[key];
    block.for_each([&](const run::ShareCell& cell) {
      const run::Share row = block.row(cell);
      if (!dead_ends.has(row.endpoint)) {
        sum.add(row);
      } else if (row.exact.value_or(1.0) > rounding) {
        ends_at[key] = row.endpoint;
      }
    });
  }
  std::vector<EpochWithoutHost> found;
  for (const run::Epoch& epoch : results.epochs) {
    const auto sum = sums.find({epoch.client, epoch.service, epoch.index});
    if (sum == sums.end() || epoch.expected_requests <= 0.0) {
      continue;
    }
    const std::optional<double> reached = sum->second.value();
    if (reached && *reached < 1.0 - rounding) {
      const auto end = ends_at.find(sum->first);
      found.push_back({1.0 - *reached, &epoch, end == ends_at.end() ? "" : end->second});
    }
  }
  return found;
}

// Adds "no host: 9.09 % of web -> backend, 5 - 10 s", most requests first.
void add_without_host(const scenario::Scenario& scenario, const run::Results& results,
                      std::vector<std::string>& lines) {
  constexpr std::size_t most_lines = 3;
  std::vector<EpochWithoutHost> found = without_host(scenario, results);
  numeric::stable_sort(found, [](const EpochWithoutHost& left, const EpochWithoutHost& right) {
    return left.part * left.epoch->expected_requests > right.part * right.epoch->expected_requests;
  });
  for (std::size_t line = 0; line < std::min(found.size(), most_lines); ++line) {
    const run::Epoch& epoch = *found[line].epoch;
    const std::string& end = found[line].ends_at;
    const std::string missing = missing_cluster_words(scenario, epoch);
    const std::string why = !missing.empty() ? ": " + missing
                            : end.empty()    ? ""
                                             : ": nothing is behind " + printable(end);
    lines.push_back(fmt::format("no host: {} of {} -> {}, {}{}", exact_percent(found[line].part),
                                printable(scenario.clients[epoch.client.value].name),
                                printable(scenario.services[epoch.service.value].name),
                                time_range(epoch.start, epoch.end), why));
  }
  if (found.size() > most_lines) {
    lines.push_back(fmt::format("no host: in {} more rows", with_thousands(found.size() - most_lines)));
  }
}

// Adds "backend{kuma.io/zone=zone-3} has no endpoints: requests of frontend to it fail".
void add_empty_clusters(const scenario::Scenario& scenario, std::vector<std::string>& lines) {
  constexpr std::size_t most_lines = 3;
  std::vector<std::string> found;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
      const scenario::Service& cluster = scenario.services[service.value];
      if (cluster.hosts.empty() && cluster.cluster.aggregate_clusters.empty()) {
        const std::string why =
            cluster.missing != nullptr ? missing_cluster_words(cluster) : printable(cluster.name) + " has no endpoints";
        found.push_back(fmt::format("{}: requests of {} to it fail", why, printable(client.name)));
      }
    }
  }
  lines.insert(lines.end(), found.begin(), found.begin() + std::min<std::ptrdiff_t>(std::ssize(found), most_lines));
  if (found.size() > most_lines) {
    lines.push_back(fmt::format("{} more clusters have no endpoints", with_thousands(found.size() - most_lines)));
  }
}

}  // namespace

std::string failed_requests_text(const run::Results& results) {
  const run::Outcomes total = total_of(results);
  const std::uint64_t sent = total.sent;
  const std::uint64_t failed = sent - std::min(sent, total.ok());
  if (sent == 0) {
    return "";
  }
  return failed == 0 ? fmt::format("all {} requests succeeded", with_thousands(sent))
                     : fmt::format("{} of {} requests failed ({})", with_thousands(failed), with_thousands(sent),
                                   exact_percent(static_cast<double>(failed) / static_cast<double>(sent)));
}

std::vector<std::string> summary_lines(const scenario::Scenario& scenario, const run::Results& results) {
  std::vector<std::string> lines;
  add_mesh(scenario, lines);
  if (results.mode == scenario::Mode::exact) {
    add_without_host(scenario, results, lines);
    return lines;
  }
  add_outcomes(results, lines);
  add_empty_clusters(scenario, lines);
  if (results.events.ejections > 0) {
    const std::string ended = results.events.unejections == results.events.ejections ? "all"
                              : results.events.unejections == 0                      ? "none"
                                                                : with_thousands(results.events.unejections);
    lines.push_back(fmt::format("ejections: {}, {} ended", with_thousands(results.events.ejections), ended));
  }
  for (std::string& line : most_important(scenario, results.logged_events)) {
    lines.push_back(std::move(line));
  }
  add_latency(scenario, results, lines);
  if (const std::optional<OverloadAtEnd> overload = overload_at_end(scenario, results)) {
    lines.push_back(fmt::format(
        "overloaded when the run ends: {} would need a utilisation of {}{}",
        printable(scenario.endpoints[overload->busiest.value].id), exact_percent(overload->utilisation),
        overload->endpoints == 1 ? ""
                                 : fmt::format(", and {} more over 100 %", with_thousands(overload->endpoints - 1))));
  }
  add_cross_zone(results, lines);
  return lines;
}

}  // namespace spillway::reports
