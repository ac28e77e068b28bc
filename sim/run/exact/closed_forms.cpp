#include "sim/run/exact/closed_forms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <type_traits>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/exact/load_bounds.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

constexpr double busy_share = 0.95;

}  // namespace

ClosedForms::ClosedForms(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic,
                         const Upstreams& upstreams, scenario::Mode mode)
    : scenario_(&scenario),
      flows_(&flows),
      traffic_(&traffic),
      upstreams_(&upstreams),
      mode_(mode),
      likeness_(scenario),
      failures_(scenario.endpoints.size()),
      slowness_(scenario.endpoints.size(), 1.0),
      traits_(traits_of_flows()) {
  for (const scenario::Link& link : scenario.links) {
    longest_way_ = std::max(longest_way_, link.latency + link.jitter);
  }
  for (const scenario::ClientEntry& client : scenario.clients) {
    const scenario::Workload& workload = client.workload;
    rates_.push_back(client.zone_proxy ? 0.0 : workload.rate * client.count);
    // A zone proxy sends if it receives requests.
    sends_.push_back(client.zone_proxy || workload.rate > 0.0 || workload.slope > 0.0 || workload.users > 0 ||
                     workload.trace != nullptr);
  }
  const auto all = flows.all();
  if (mode == scenario::Mode::exact && std::any_of(all.begin(), all.end(), [&](FlowIndex flow) {
        return watches(flow) || !traffic.retry_policies(flow).empty();
      })) {
    loads_ = std::make_unique<LoadBounds>(scenario, flows, traffic);
  }
}

ClosedForms::~ClosedForms() = default;

void ClosedForms::advance(Nanoseconds before) {
  const std::vector<scenario::Change>& changes = scenario_->changes;
  while (applied_ < changes.size() && changes[applied_].at < before) {
    measure_loads(changes[applied_].at);
    const std::size_t first = applied_;
    while (applied_ < changes.size() && changes[applied_].at == changes[first].at) {
      apply(changes[applied_++]);
    }
    if (loads_) {
      loads_->apply(std::span(changes).subspan(first, applied_ - first));
    }
  }
  measure_loads(before);
}

// Measures loads in the state that has been in force until then.
void ClosedForms::measure_loads(Nanoseconds until) {
  if (!loads_) {
    return;
  }
  loads_->measure(until, {.shares_of =
                              [this](FlowIndex flow, const envoy::ClusterState& state) {
                                const OfService& of = of_service(flows_->at(flow).service);
                                return traffic_->exact_shares(flow, state,
                                                              {.loaded = loaded(flow, of),
                                                               .load_reports = reports_loads(flows_->at(flow).service),
                                                               .alike = of.alike});
                              },
                          .is_settled =
                              [this](FlowIndex flow, const envoy::ExactShares& shares) {
                                const OfService& of = of_service(flows_->at(flow).service);
                                const Failures failures = failures_of_picks(flow, of, shares);
                                return !finds_out(flow, failures) && !retries(flow, failures) &&
                                       unsure_parts(*of.targets, {}).targets.empty();
                              }});
}

void ClosedForms::apply(const scenario::Change& change) {
  likeness_.apply(change);
  const auto each_host = [&](const auto& effect, auto visit) {
    for (const config::HostIndex host : effect.hosts) {
      visit(scenario_->services[effect.service.value].hosts[host.value].endpoint.value);
    }
  };
  if (const auto* const existence = std::get_if<scenario::Existence>(&change.effect)) {
    each_host(*existence, [&](std::uint32_t endpoint) { failures_[endpoint].refused |= !existence->exists; });
  } else if (const auto* const fails = std::get_if<scenario::Fails>(&change.effect); fails && fails->fraction > 0.0) {
    each_host(*fails, [&](std::uint32_t endpoint) {
      Failures failures;
      failures.refused = fails->failure == scenario::Failure::connect_failure;
      failures.broken = fails->failure == scenario::Failure::reset;
      failures.silent = fails->failure == scenario::Failure::no_answer;
      if (fails->failure == scenario::Failure::status) {
        failures.statuses = {fails->status};
      }
      failures_[endpoint].add(failures);
    });
  } else if (const auto* const answers = std::get_if<scenario::AnswersChecks>(&change.effect)) {
    each_host(*answers, [&](std::uint32_t endpoint) { failures_[endpoint].checks = true; });
  } else if (const auto* const slow = std::get_if<scenario::Slow>(&change.effect)) {
    each_host(*slow,
              [&](std::uint32_t endpoint) { slowness_[endpoint] = std::max(slowness_[endpoint], slow->slowness); });
  } else if (const auto* const outage = std::get_if<scenario::NodeOutage>(&change.effect); outage && !outage->on) {
    for (std::size_t endpoint = 0; endpoint < failures_.size(); ++endpoint) {
      if (scenario_->endpoints[endpoint].node == outage->node) {
        failures_[endpoint].refused = failures_[endpoint].broken = true;
      }
    }
  } else if (const auto* const link = std::get_if<scenario::LinkChange>(&change.effect)) {
    unlinked_ = unlinked_ || !link->on.value_or(true);
    longest_way_ = std::max(longest_way_, link->latency.value_or(Nanoseconds{0}));
  } else if (const auto* const rate = std::get_if<scenario::RateChange>(&change.effect)) {
    sends_[rate->client.value] = sends_[rate->client.value] || rate->rate > 0.0 || rate->slope > 0.0;
    const double all = rate->rate * scenario_->clients[rate->client.value].count;
    rates_[rate->client.value] = std::max(rates_[rate->client.value], all);
  }
}

const ClosedForms::OfService& ClosedForms::of_service(config::ServiceIndex service) {
  const std::uint64_t changes = applied_ + likeness_.version();
  const auto [place, is_new] = services_.try_emplace(service);
  if (is_new || place->second.changes != changes) {
    place->second = {.changes = changes};
    refresh(place->second, service);
  }
  return place->second;
}

void ClosedForms::refresh(OfService& of, config::ServiceIndex service) {
  of.zones.resize(scenario_->zones.size(), false);
  const auto add_place = [&](config::EndpointIndex endpoint) {
    of.failures.add(failures_[endpoint.value]);
    of.zones[scenario_->nodes[scenario_->endpoints[endpoint.value].node.value].zone.value] = true;
  };
  of.targets.emplace(*scenario_, service);
  const Targets& targets = *of.targets;
  // Requests per second; unlimited if an endpoint has no cores.
  double capacity = 0.0;
  const double all_rates = std::accumulate(rates_.begin(), rates_.end(), 0.0);
  for (std::uint32_t position = 0; position < targets.size(); ++position) {
    const Target& target = targets.at(position);
    for (const config::EndpointIndex proxy : target.via) {
      add_place(proxy);
    }
    add_place(target.endpoint);
    const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
    const auto& servers = endpoint.servers ? endpoint.servers : scenario_->nodes[endpoint.node.value].servers;
    of.takes_time = of.takes_time || endpoint.service_time > Nanoseconds{0};
    const double needed = scenario::core_seconds(endpoint) * slowness_[target.endpoint.value];
    capacity += servers && needed > 0.0 ? servers->cores / needed : std::numeric_limits<double>::infinity();
  }
  const auto members = scenario::members_of(*scenario_, service);
  const bool by_load = std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return envoy::policies::reads_active_requests(scenario_->services[member.value].cluster.lb_policy);
  });
  if (by_load) {
    of.alike = alike(service, all_rates >= busy_share * capacity);
  }
}

// Returns classes of alike endpoints. `overloaded`: requests wait for ever longer.
std::vector<std::uint32_t> ClosedForms::alike(config::ServiceIndex service, bool overloaded) {
  const std::vector<std::uint32_t>& classes = likeness_.classes();
  const auto class_of = [&](std::uint32_t endpoint) {
    const Failures& failures = failures_[endpoint];
    constexpr std::uint32_t like_no_other = 1U << 31U;
    return failures.silent || (failures.refused && overloaded) ? like_no_other | endpoint : classes[endpoint];
  };
  const auto members = scenario::members_of(*scenario_, service);
  std::vector<std::uint32_t> alike;
  for (auto member = members.begin(); member != members.end(); ++member) {
    if (std::find(members.begin(), member, *member) == member) {
      for (const scenario::Host& host : scenario_->services[member->value].hosts) {
        alike.push_back(class_of(host.endpoint.value));
      }
    }
  }
  return alike;
}

bool ClosedForms::loaded(FlowIndex flow, const OfService& of) const {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(flow).client.value];
  const config::ZoneIndex own = scenario_->nodes[client.node.value].zone;
  bool leaves_zone = false;
  for (std::uint32_t zone = 0; zone < of.zones.size(); ++zone) {
    leaves_zone = leaves_zone || (of.zones[zone] && zone != own.value);
  }
  return sends_[flows_->at(flow).client.value] &&
         (of.takes_time || of.failures.silent || mode_ == scenario::Mode::platform ||
          (leaves_zone && longest_way_ > Nanoseconds{0}));
}

bool ClosedForms::watches(FlowIndex flow) const {
  const auto members = scenario::members_of(*scenario_, flows_->at(flow).service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    const envoy::Cluster& cluster = scenario_->services[member.value].cluster;
    return !cluster.health_checks.empty() || cluster.outlier_detection;
  });
}

bool ClosedForms::checks(FlowIndex flow) const {
  const auto members = scenario::members_of(*scenario_, flows_->at(flow).service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return !scenario_->services[member.value].cluster.health_checks.empty();
  });
}

// True if a proxy may have connections to fewer hosts than exist: which ones depends on the order of requests.
bool ClosedForms::lacks_pools(FlowIndex flow) const {
  const std::uint64_t workers = scenario_->clients[flows_->at(flow).client.value].concurrency;
  const auto members = scenario::members_of(*scenario_, flows_->at(flow).service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    const scenario::Service& service = scenario_->services[member.value];
    const auto& thresholds = service.cluster.circuit_breakers.thresholds;
    const auto limits = [&](const config::CircuitBreakerThresholds& of) {
      return of.max_connection_pools && *of.max_connection_pools < service.hosts.size() * workers;
    };
    if (std::none_of(thresholds.begin(), thresholds.end(), limits)) {
      return false;
    }
    const auto demands = traffic_->demands_of(flow);
    return std::any_of(demands.begin(), demands.end(), [&](const Demand* demand) {
      const auto own = std::find_if(thresholds.begin(), thresholds.end(), [&](const auto& of) {
        return static_cast<std::size_t>(of.priority) == demand->routing_priority();
      });
      return own != thresholds.end() && limits(*own);
    });
  });
}

UnsureParts ClosedForms::unsure_parts(const Targets& targets, Nanoseconds before) {
  UnsureParts parts;
  if (!targets.forwarded()) {
    return parts;
  }
  advance(before);
  const Target* host = nullptr;
  bool unsure = false;
  for (std::uint32_t position = 0; position < targets.size(); ++position) {
    if (targets.at(position).first_of_host) {
      host = &targets.at(position);
      const scenario::Host& proxy = scenario_->services[host->service.value].hosts[host->host.value];
      const std::string why =
          proxy.forwards_to ? why_unsure(flows_->of_zone_proxy(proxy.endpoint, *proxy.forwards_to), proxy.endpoint)
                            : std::string();
      unsure = !why.empty();
      parts.why = parts.why.empty() ? why : parts.why;
    }
    if (unsure) {
      const Target& target = targets.at(position);
      parts.targets.resize(targets.size(), 0);
      // A zone proxy that panics sends to the hosts that fail, and does not answer itself.
      const bool panics = scenario_->services[target.service.value].cluster.common_lb_config.healthy_panic_threshold >
                          config::Percent{0.0};
      parts.targets[position] = target.ends_at_zone_proxy && panics ? 0 : 1;
    }
  }
  return parts;
}

// Returns why the picks of the zone proxy are uncertain; empty if it, and zone proxies behind it, pick only by what EDS
// reports.
std::string ClosedForms::why_unsure(FlowIndex flow, config::EndpointIndex proxy) {
  const std::string& name = scenario_->endpoints[proxy.value].id;
  if (own_states_.contains(flow)) {
    return fmt::format("behind {}, which finds out for itself who fails", name);
  }
  const OfService& of = of_service(flows_->at(flow).service);
  if (mode_ == scenario::Mode::exact && watches(flow)) {
    const Failures failures = failures_of_picks(flow, of, traffic_->exact_shares(flow, *upstreams_->state(flow)));
    if (finds_out(flow, failures)) {
      return fmt::format("behind {}, {}", name, why_unknown(failures));
    }
  }
  return unsure_parts(*of.targets, {}).why;
}

bool ClosedForms::reports_loads(config::ServiceIndex service) const {
  const auto& hosts = scenario_->services[service.value].hosts;
  return std::any_of(hosts.begin(), hosts.end(), [&](const scenario::Host& host) {
    return scenario_->endpoints[host.endpoint.value].load_report.has_value();
  });
}

envoy::ExactShares ClosedForms::exact_shares(FlowIndex flow, const envoy::ClusterState& state, const When& when,
                                             std::vector<TracedPart>* traced) {
  advance(when.before);
  const OfService& of = of_service(flows_->at(flow).service);
  const bool in_flight = loaded(flow, of);
  const bool exact_mode = mode_ == scenario::Mode::exact;
  Failures failures;
  if (exact_mode && (watches(flow) || !traffic_->retry_policies(flow).empty())) {
    failures = failures_of_picks(flow, of, traffic_->exact_shares(flow, state));
  }
  const envoy::Circumstances circumstances{
      .loaded = in_flight,
      .retries = when.retried ? *when.retried : retries(flow, failures),
      .slow_start = when.slow_start,
      .load_reports = exact_mode && reports_loads(flows_->at(flow).service),
      .alike = of.alike,
      .slow_start_factors = when.slow_start_factors,
  };
  envoy::ExactShares shares = traffic_->exact_shares(flow, state, circumstances, traced);
  if (lacks_pools(flow)) {
    shares.join_all("max_connection_pools keeps a proxy from connecting to all hosts");
  }
  if (exact_mode && finds_out(flow, failures)) {
    shares.add_possible(state, [](std::uint32_t /*child*/, config::HostIndex /*host*/) { return true; });
    shares.join_all(why_unknown(failures));
  }
  if (const std::string_view limit = limit_that_shuts(flow); !limit.empty()) {
    shares.join_all(fmt::format("requests overflow, since {} is 0", limit));
  }
  return shares;
}

}  // namespace spillway::run
