#include "sim/plan/breaker_limit.hpp"

#include <algorithm>
#include <cmath>

#include "sim/plan/breaker_thresholds.hpp"
#include "sim/plan/measured.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"

namespace spillway::plan {
namespace {

// Returns the client entry and the row in which a breaker rejects most; `max_requests` is not set.
std::optional<AdmittingLimit> most_rejected(const std::vector<Row>& rows) {
  std::optional<AdmittingLimit> most;
  double share = 0.0;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const Row& row = rows[index];
    if (row.judgement() != study::Verdict::missed || row.estimates.empty() || row.utilisation.value_or(0.0) >= 1.0) {
      continue;
    }
    for (const FailedRequests& failing : row.failing) {
      if (failing.first_cause() == Cause::overflow && failing.share > share) {
        share = failing.share;
        most = AdmittingLimit{.row = index, .client = failing.client, .service = failing.service};
      }
    }
  }
  return most;
}

// Returns the highest limit of the scenario's breakers.
std::uint32_t limit_now(const scenario::Scenario& scenario) {
  std::uint32_t highest = 0;
  for (const scenario::Service& service : scenario.services) {
    for (const config::CircuitBreakerThresholds& of : service.cluster.circuit_breakers.thresholds) {
      highest = std::max(highest, of.max_requests.value_or(default_max_requests));
    }
  }
  return highest == 0 ? default_max_requests : highest;
}

}  // namespace

std::optional<AdmittingLimit> admitting_limit(const Variants& variants, const Variant& variant,
                                              const std::vector<Row>& rows, const Effort& effort) {
  constexpr int most_doublings = 8;
  constexpr double most_requests = 2e6;
  std::optional<AdmittingLimit> limit = most_rejected(rows);
  if (!limit) {
    return std::nullopt;
  }
  const Row& row = rows[limit->row];
  const Simulated simulated = variants.simulated(variant, row.failure);
  if (requests_of(simulated) > most_requests) {
    return std::nullopt;
  }
  double slowest = 0.0;
  for (const scenario::Host& host : variant.scenario.services[limit->service.value].hosts) {
    slowest = std::max(slowest, scenario::core_seconds(variant.scenario.endpoints[host.endpoint.value]));
  }
  const scenario::Scenario still = variants.still(variant, row.failure);
  const auto flows = rates_of_flows(still);
  const auto rate = flows.find({limit->client.value, limit->service.value});
  limit->in_flight = rate == flows.end() ? 0.0 : rate->second / still.clients[limit->client.value].count * slowest;
  std::vector<Bound> bounds;
  for (const Estimate& estimate : row.estimates) {
    bounds.push_back(estimate.bound);
  }
  const double enough = std::max(1.5 * limit->in_flight, limit->in_flight + 4.0 * std::sqrt(limit->in_flight) + 4.0);
  double tried = std::max(std::ceil(enough - 1e-9), limit_now(variant.scenario) + 1.0);
  for (int doubling = 0; doubling < most_doublings; ++doubling, tried *= 2.0) {
    limit->max_requests = static_cast<std::uint32_t>(tried);
    Simulated changed = simulated;
    set_thresholds(changed.scenario,
                   [&](config::CircuitBreakerThresholds& of) { of.max_requests = limit->max_requests; });
    if (judge(Evaluator(effort).until_decided(changed, bounds)) == study::Verdict::met) {
      return limit;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::plan
