// Failures that are possible at endpoints with requests, and whether proxies detect them or retry.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "models/config/seconds.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/health/circuit_breaker.hpp"
#include "models/health/retry_state.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/exact/load_bounds.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

constexpr std::uint32_t ok_status = 200;
constexpr std::uint32_t status_of_full_queue = 503;
constexpr double for_ever = std::numeric_limits<double>::infinity();
// Envoy's default for a request without a route.
constexpr std::chrono::nanoseconds default_timeout = std::chrono::seconds{15};

bool wants_retry(health::RetryDecision decision) {
  return decision != health::RetryDecision::no_retry;
}

double seconds_or_for_ever(std::chrono::nanoseconds timeout) {
  return timeout > std::chrono::nanoseconds{0} ? config::seconds(timeout) : for_ever;
}

}  // namespace

void ClosedForms::Failures::add(const Failures& other) {
  refused = refused || other.refused;
  broken = broken || other.broken;
  silent = silent || other.silent;
  overfull = overfull || other.overfull;
  late = late || other.late;
  late_try = late_try || other.late_try;
  checks = checks || other.checks;
  for (const std::uint32_t status : other.statuses) {
    if (std::find(statuses.begin(), statuses.end(), status) == statuses.end()) {
      statuses.push_back(status);
    }
  }
}

std::vector<ClosedForms::FlowTraits> ClosedForms::traits_of_flows() const {
  std::vector<FlowTraits> traits(flows_->size(), {for_ever, for_ever, {}});
  for (std::uint32_t place = 0; place < traffic_->demands(); ++place) {
    const Demand& demand = traffic_->demand(place);
    FlowTraits& of = traits[demand.flow.value];
    of.priorities[demand.routing_priority()] = true;
    of.answer =
        std::min(of.answer, seconds_or_for_ever(demand.route == nullptr ? default_timeout : demand.route->timeout));
    if (demand.route != nullptr && demand.route->retry_policy) {
      of.one_try = std::min(of.one_try,
                            seconds_or_for_ever(demand.route->retry_policy->per_try_timeout.value_or(Nanoseconds{0})));
    }
  }
  for (const FlowIndex flow : flows_->all()) {
    // Endpoints are blamed for a try that takes too long, but not for a stream.
    traits[flow.value].answer = std::min(traits[flow.value].answer, traits[flow.value].one_try);
    for (const config::ServiceIndex member : scenario::members_of(*scenario_, flows_->at(flow).service)) {
      const Nanoseconds of_stream = scenario_->services[member.value].cluster.max_stream_duration;
      traits[flow.value].one_try = std::min(traits[flow.value].one_try, seconds_or_for_ever(of_stream));
    }
  }
  return traits;
}

// Returns the possible failures at the endpoints that get requests.
ClosedForms::Failures ClosedForms::failures_of_picks(FlowIndex flow, const OfService& of,
                                                     const envoy::ExactShares& picks) const {
  const auto members = scenario::members_of(*scenario_, flows_->at(flow).service);
  const FlowTraits& traits = traits_[flow.value];
  const std::vector<double> forwarded = forwarded_parts({*scenario_, *flows_, *traffic_, *upstreams_}, *of.targets);
  Failures failures;
  for (const envoy::HostShare& row : picks.hosts) {
    const scenario::Host& host = scenario_->services[members[row.child].value].hosts[row.host.value];
    add_endpoint(failures, host.endpoint, traits);
    std::uint32_t target = of.targets->index_of(row.child, row.host);
    while (host.forwards_to && target < of.targets->size()) {
      for (const config::EndpointIndex proxy : of.targets->at(target).via) {
        add_endpoint(failures, proxy, traits);
      }
      add_endpoint(failures, of.targets->at(target).endpoint, traits);
      // A zone proxy with no host to send to closes the connection.
      if (of.targets->at(target).ends_at_zone_proxy && forwarded[target] > 0.0) {
        failures.broken = true;
        failures.suspicion = for_ever;
        failures.suspect = of.targets->at(target).endpoint;
      }
      ++target;
      if (target < of.targets->size() && of.targets->at(target).first_of_host) {
        break;
      }
    }
  }
  return failures;
}

void ClosedForms::add_endpoint(Failures& failures, config::EndpointIndex endpoint, const FlowTraits& traits) const {
  constexpr int most_links = 8;  // there and back, over zone proxies
  const Failures& of_itself = failures_[endpoint.value];
  failures.add(of_itself);
  const double longest = loads_->stay(endpoint) + most_links * config::seconds(longest_way_);
  failures.longest = std::max(failures.longest, longest);
  const bool overfull = loads_->may_fill(endpoint);
  const bool late = longest > traits.answer;
  const bool late_try = longest > traits.one_try;
  failures.overfull = failures.overfull || overfull;
  failures.late = failures.late || late;
  failures.late_try = failures.late_try || late_try;
  const double suspicion = of_itself.any_of_itself()      ? for_ever
                           : overfull || late || late_try ? loads_->utilisation(endpoint)
                                                          : -1.0;
  if (suspicion > failures.suspicion) {
    failures.suspicion = suspicion;
    failures.suspect = endpoint;
  }
}

// Returns the circuit-breaker limit that rejects at least some of the flow's requests; empty if there is none.
std::string_view ClosedForms::limit_that_shuts(FlowIndex flow) const {
  std::string_view limit;
  for (const config::ServiceIndex member : scenario::members_of(*scenario_, flows_->at(flow).service)) {
    const config::CircuitBreakers& breakers = scenario_->services[member.value].cluster.circuit_breakers;
    for (const auto priority : {config::RoutingPriority::default_priority, config::RoutingPriority::high}) {
      if (limit.empty() && traits_[flow.value].priorities[static_cast<std::size_t>(priority)]) {
        limit = health::limit_that_shuts(breakers, priority);
      }
    }
  }
  return limit;
}

bool ClosedForms::retries(FlowIndex flow, const Failures& failures) const {
  using health::ResetReason;
  const bool late = failures.late_try || (failures.silent && traits_[flow.value].one_try < for_ever);
  const auto& policies = traffic_->retry_policies(flow);
  return std::any_of(policies.begin(), policies.end(), [&](const config::RetryPolicy* policy) {
    const auto on_reset = [&](ResetReason reason, bool started) {
      return wants_retry(health::retry_decision(*policy, reason, started));
    };
    const auto on_status = [&](std::uint32_t status) {
      return wants_retry(health::retry_decision(*policy, health::UpstreamAnswer{.status = status}));
    };
    return policy->num_retries > 0 &&
           (((failures.refused || unlinked_) && on_reset(ResetReason::connection_failure, false)) ||
            (failures.broken && on_reset(ResetReason::remote_reset, true)) ||
            (late && on_reset(ResetReason::per_try_timeout, true)) ||
            (failures.overfull && on_status(status_of_full_queue)) ||
            std::any_of(failures.statuses.begin(), failures.statuses.end(), on_status));
  });
}

// True if hosts may be blamed for rejections by circuit breakers, as before Envoy 1.26.
bool ClosedForms::blames_overflow(FlowIndex flow, const envoy::Cluster& cluster, double longest) const {
  if (!config::before(scenario_->profile.envoy, 26)) {
    return false;
  }
  std::uint32_t least = 1024;  // the default of each
  for (const config::CircuitBreakerThresholds& limits : cluster.circuit_breakers.thresholds) {
    for (const auto& limit : {limits.max_requests, limits.max_connections, limits.max_pending_requests}) {
      least = std::min(least, limit.value_or(least));
    }
  }
  return loads_->may_have_in_flight(flows_->at(flow).client, std::min(longest, traits_[flow.value].answer), least);
}

// True if a proxy's own checks or ejections would change the hosts that its balancers pick from.
bool ClosedForms::finds_out(FlowIndex flow, const Failures& failures) const {
  const auto members = scenario::members_of(*scenario_, flows_->at(flow).service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    const envoy::Cluster& cluster = scenario_->services[member.value].cluster;
    return (!cluster.health_checks.empty() && (failures.any_of_itself() || failures.checks || unlinked_)) ||
           (cluster.outlier_detection &&
            (failures.any() || unlinked_ || blames_overflow(flow, cluster, failures.longest) ||
             (cluster.error_statuses && cluster.error_statuses->test(ok_status))));
  });
}

std::string ClosedForms::why_unknown(const Failures& failures) const {
  std::string why = "depends on which failures proxies detect";
  if (failures.suspicion < 0.0) {
    return why;
  }
  const std::string& name = scenario_->endpoints[failures.suspect.value].id;
  if (failures.suspicion == for_ever) {
    return fmt::format("{}: {} fails", why, name);
  }
  return fmt::format(
      "{}: {} may {} at {:.0f} %{}", why, name, failures.late ? "answer too late" : "have no room",
      100.0 * failures.suspicion,
      failures.suspicion < 1.0 && loads_->may_get_more(failures.suspect) ? ", and more if requests move there" : "");
}

}  // namespace spillway::run
