#include "sim/plan/equal_picks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {
namespace {

namespace least_request = envoy::policies::least_request;

bool same(const scenario::ServiceVariation* one, const scenario::ServiceVariation* other) {
  return one == other || (one != nullptr && other != nullptr && one->distribution == other->distribution &&
                          one->coefficient_of_variation == other->coefficient_of_variation && one->measured.empty() &&
                          other->measured.empty());
}

// True if the service's hosts have the same weight, and each works equally long on a request.
bool has_equal_hosts(const scenario::Scenario& still, const std::vector<std::optional<ServerQueue>>& server_queues,
                     const scenario::Service& service) {
  const auto equal = [&](const scenario::Host& left, const scenario::Host& right) {
    const scenario::Endpoint& one = still.endpoints[left.endpoint.value];
    const scenario::Endpoint& other = still.endpoints[right.endpoint.value];
    const auto& queue = server_queues[left.endpoint.value];
    const auto& other_queue = server_queues[right.endpoint.value];
    const bool same_queue = queue ? other_queue && queue->cores == other_queue->cores &&
                                        queue->seconds == other_queue->seconds && queue->queue == other_queue->queue
                                  : !other_queue;
    return one.service_time == other.service_time && same(one.variation.get(), other.variation.get()) && same_queue &&
           !left.forwards_to && !right.forwards_to;
  };
  std::optional<std::uint32_t> weight;
  for (const auto& locality : service.load_assignment.endpoints) {
    for (const auto& host : locality.lb_endpoints) {
      if (host.load_balancing_weight != weight.value_or(host.load_balancing_weight)) {
        return false;
      }
      weight = host.load_balancing_weight;
    }
  }
  return std::all_of(service.hosts.begin(), service.hosts.end(),
                     [&](const scenario::Host& host) { return equal(service.hosts.front(), host); });
}

// True if the cluster picks by the least of a few equally likely hosts.
bool picks_least_of_few(const envoy::Cluster& cluster) {
  const auto* const policy = std::get_if<least_request::Config>(&cluster.lb_policy);
  return policy != nullptr && policy->selection_method == least_request::SelectionMethod::n_choices &&
         policy->slow_start_config == config::SlowStartConfig{};
}

}  // namespace

std::optional<Loads> loads_of_equal_picks(const scenario::Scenario& still) {
  scenario::Scenario even = still;
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  bool replaced = false;
  bool ejects = false;
  for (std::size_t index = 0; index < still.services.size(); ++index) {
    const envoy::Cluster& cluster = still.services[index].cluster;
    if (cluster.outlier_detection) {
      even.services[index].cluster.outlier_detection.reset();
      ejects = true;
    }
    if (picks_least_of_few(cluster)) {
      if (!has_equal_hosts(still, server_queues, still.services[index])) {
        return std::nullopt;
      }
      even.services[index].cluster.lb_policy = envoy::policies::round_robin::Config{};
      replaced = true;
    }
  }
  if (!replaced && !ejects) {
    return std::nullopt;
  }
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results exact = run::run(even, options);
  if (!run::all_exact(exact)) {
    return std::nullopt;
  }
  Loads loads = loads_of(even, exact);
  const bool fails_at_endpoint =
      std::any_of(loads.failing.begin(), loads.failing.end(), [](const FailedRequests& failing) {
        return failing.causes.size() > 1 || failing.first_cause() != Cause::no_host;
      });
  if (fails_at_endpoint || !first_attempts_suffice(even, loads)) {
    return std::nullopt;
  }
  loads.equal_picks = replaced;
  return loads;
}

namespace {

// True if each endpoint's counted rate is the expected one.
bool as_expected(const Loads& expected, const Loads& counted) {
  constexpr double nearly = 0.03;
  constexpr double quantile = 5.0;
  const double expected_sum = std::accumulate(expected.rates.begin(), expected.rates.end(), 0.0);
  const double counted_sum = std::accumulate(counted.rates.begin(), counted.rates.end(), 0.0);
  double requests = 0.0;
  for (const ServiceLoad& service : counted.services) {
    requests += static_cast<double>(service.requests);
  }
  for (std::size_t index = 0; index < expected.rates.size(); ++index) {
    const double share = expected.rates[index] / expected_sum;
    const double error = quantile * std::sqrt(std::max(share, 1.0 / requests) / requests);
    if (std::abs(counted.rates[index] / counted_sum - share) > nearly * share + error) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool equal_picks_confirmed(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                           double growth) {
  constexpr double most_of_one = 3e5;
  double left = 1e6;
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto allows = [&](std::size_t row) { return rows[row].tightest ? rows[row].tightest->growth() : 1e300; };
  std::sort(order.begin(), order.end(), [&](std::size_t first, std::size_t second) {
    return std::pair(allows(first), first) < std::pair(allows(second), second);
  });
  const Variants one = variants.with_effort({.replications = 1});
  for (const std::size_t row : order) {
    if (!rows[row].equal_picks || rows[row].has_no_traffic()) {
      continue;
    }
    const Simulated simulated = shortened(one.simulated(variant, rows[row].failure, growth), most_of_one);
    left -= requests_of(simulated);
    if (left < 0.0) {
      return true;
    }
    const auto expected = loads_of_equal_picks(one.still(variant, rows[row].failure, growth));
    if (!expected || !as_expected(*expected, one.counted(simulated))) {
      return false;
    }
  }
  return true;
}

}  // namespace spillway::plan
