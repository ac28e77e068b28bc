#include "reports/explain/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "models/config/seconds.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/largest_part.hpp"
#include "models/envoy/newcomers.hpp"
#include "models/health/circuit_breaker.hpp"
#include "reports/explain/explain.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/explain/why.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {
namespace {

using run::FlowIndex;
using run::Snapshot;

// True if a balancer alone picks the hosts of the flow's requests.
bool only_balances(const Snapshot& snapshot, FlowIndex flow) {
  const auto demands = snapshot.traffic().demands_of(flow);
  return std::all_of(demands.begin(), demands.end(), [](const run::Demand* demand) {
    return !demand->keeps_session && !demand->brought && demand->override_hosts == nullptr && !demand->original_dst;
  });
}

// Adds the largest parts of a flow's endpoints, times `part`. Returns false if they are not known.
bool add_largest_parts(const Snapshot& snapshot, FlowIndex flow, double part, LargestShare& of,
                       std::map<config::EndpointIndex, double>& into) {
  const run::Targets targets(snapshot.scenario(), snapshot.flows().at(flow).service);
  const envoy::ExactShares exact = snapshot.exact_shares(flow);
  const envoy::ClusterState& state = snapshot.state(flow);
  const std::map<std::uint32_t, double> joint = envoy::joint_sums(exact);
  const bool picks_by_requests = std::holds_alternative<envoy::policies::least_request::Config>(state.lb_policy);
  const bool in_slow_start = envoy::slow_start_window(state).count() > 0;
  if (targets.forwarded() || (!exact.closed_form() && (!exact.sums_are_exact || !only_balances(snapshot, flow)))) {
    return false;
  }
  for (const envoy::HostShare& row : exact.hosts) {
    of.exact = of.exact && row.joint == 0;
    of.at_rest = of.at_rest || (row.joint == 0 && picks_by_requests);
    into[targets.at(targets.index_of(row.child, row.host)).endpoint] +=
        part * (in_slow_start && row.joint != 0 ? joint.at(row.joint) : envoy::largest_part(state, row, joint));
  }
  return true;
}

std::string largest_text(const scenario::Scenario& scenario, const LargestShare& largest) {
  std::vector<std::string> names;
  for (const config::EndpointIndex endpoint : largest.endpoints) {
    names.push_back(printable(scenario.endpoints[endpoint.value].id));
  }
  const std::string text = fmt::format("the largest share that one endpoint can get is {} ({})",
                                       exact_percent(largest.share), some_of(names, 1));
  return text + (!largest.exact ? ", whatever is in flight" : largest.at_rest ? " with no request in flight" : "");
}

// Returns the number of concurrent retries that a proxy allows with this many requests in flight.
std::uint64_t retry_limit(const envoy::Cluster& cluster, double in_flight) {
  for (const config::CircuitBreakerThresholds& of : cluster.circuit_breakers.thresholds) {
    if (of.priority == config::RoutingPriority::default_priority) {
      const bool budgeted =
          of.retry_budget && (of.retry_budget->budget_percent || of.retry_budget->min_retry_concurrency);
      return budgeted
                 ? health::max_retries_of_budget(*of.retry_budget, static_cast<std::uint64_t>(std::ceil(in_flight)), 0)
                 : of.max_retries.value_or(health::default_min_retry_concurrency);
    }
  }
  return health::default_min_retry_concurrency;  // as max_retries, which is not set
}

// Returns why a limit of retries is not reached; nullopt if it may be. Limits apply per proxy. One user has one request
// at a time. Of an open loop, by Little's law, on average at most the rate times the timeout are in flight.
std::optional<std::string> idle_retry_limit(const scenario::Scenario& scenario, const Question& question,
                                            const scenario::Route& route, const envoy::Cluster& cluster) {
  if (!route.retry_policy || route.retry_policy->retry_on.empty()) {
    return std::nullopt;
  }
  const scenario::ClientEntry& client = scenario.clients[question.client.value];
  const std::string who =
      client.count == 1 ? "its proxy" : fmt::format("each of {} proxies", with_thousands(client.count));
  if (const std::uint32_t users = client.workload.users; users > 0) {
    // A budget allows least while only one request is in flight.
    const std::uint64_t limit = retry_limit(cluster, 1.0);
    return users <= limit
               ? std::optional(fmt::format("{} has at most {} in flight: a limit of {} {} cannot bind", who,
                                           counted(users, "request"), limit, limit == 1 ? "retry" : "retries"))
               : std::nullopt;
  }
  const double rate = scenario::actual_at(scenario, question.at).of(question.client).at(question.at);
  const double in_flight = rate * config::seconds(route.timeout);
  const std::uint64_t limit = retry_limit(cluster, in_flight);
  // Istiod sets the largest number if a rule has no limit.
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint32_t>::max();
  if (in_flight <= 0.0 || limit >= unlimited || in_flight >= static_cast<double>(limit)) {
    return std::nullopt;
  }
  constexpr double large = 100.0;
  return fmt::format(
      "{} has at most {} requests in flight on average ({:.4g} rps x {} timeout): a limit of {} retries hardly binds",
      who, in_flight < large ? fmt::format("{:.2g}", in_flight) : fmt::format("{:.0f}", in_flight), rate,
      duration_text(config::seconds(route.timeout)), limit);
}

}  // namespace

std::optional<LargestShare> largest_share(const Snapshot& snapshot, const std::vector<FlowIndex>& group) {
  std::map<config::EndpointIndex, double> of_endpoints;
  LargestShare largest;
  for (const FlowIndex flow : group) {
    const double part = snapshot.part_of_group(flow);
    if (part > 0.0 && !add_largest_parts(snapshot, flow, part, largest, of_endpoints)) {
      return std::nullopt;
    }
  }
  for (const auto& [endpoint, share] : of_endpoints) {
    largest.share = std::max(largest.share, share);
  }
  constexpr double rounding = 1e-12;
  for (const auto& [endpoint, share] : of_endpoints) {
    if (share >= largest.share - rounding) {
      largest.endpoints.push_back(endpoint);
    }
  }
  return largest;
}

std::vector<std::string> bounds(const Snapshot& snapshot, const Question& question,
                                const std::vector<FlowIndex>& group) {
  const scenario::Scenario& scenario = snapshot.scenario();
  std::vector<std::string> all;
  constexpr double everything = 1.0 - 1e-9;
  const auto largest = question.key ? std::nullopt : largest_share(snapshot, group);
  if (largest && largest->share > 0.0 && largest->share < everything) {
    all.push_back(largest_text(scenario, *largest));
  }
  for (const RouteOfKinds& of : routes_to(scenario, question.client, question.service)) {
    for (const FlowIndex flow : group) {
      for (const config::ServiceIndex member : scenario::members_of(scenario, snapshot.flows().at(flow).service)) {
        auto text =
            idle_retry_limit(scenario, question, scenario.routes[of.route], scenario.services[member.value].cluster);
        if (text && std::find(all.begin(), all.end(), *text) == all.end()) {
          all.push_back(*std::move(text));
        }
      }
    }
  }
  if (auto onset = spill_onset(scenario, question)) {
    all.push_back(*std::move(onset));
  }
  return all;
}

}  // namespace spillway::reports::explain
