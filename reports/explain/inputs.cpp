#include "reports/explain/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <variant>

#include "models/config/listed_health.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/decimal.hpp"
#include "models/kuma/overprovisioning_factor.hpp"
#include "models/kuma/policy_conf.hpp"
#include "reports/explain/placement_steps.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/explain/variation.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {

namespace {

using config::HealthStatus;
using config::HostIndex;
using scenario::Scenario;

constexpr std::uint64_t largest_factor = 100000;

config::ZoneIndex zone_of_host(const Scenario& scenario, config::ServiceIndex service, HostIndex host) {
  return scenario.nodes[scenario::endpoint_at(scenario, service, host).node.value].zone;
}

std::string plain_number(std::uint64_t value) {
  return fmt::format("{}", value);
}

Input factor_input(const Scenario& scenario, config::ServiceIndex member, const std::string& name) {
  return {.name = name + "overprovisioning_factor",
          .now = scenario.services[member.value].load_assignment.overprovisioning_factor,
          .least = 1,
          .most = largest_factor,
          .set =
              [member](Scenario& of, std::uint64_t value) {
                of.services[member.value].load_assignment.overprovisioning_factor = static_cast<std::uint32_t>(value);
              },
          .text = plain_number};
}

// Returns the policy's threshold; nullopt if Kuma's default applies.
std::optional<kuma::IntOrString> written_threshold(const kuma::Conf& conf) {
  const auto& awareness = conf.localityAwareness;
  const bool written = awareness && awareness->crossZone && awareness->crossZone->failoverThreshold;
  return written ? awareness->crossZone->failoverThreshold->percentage : std::nullopt;
}

// Returns the threshold as the nearest whole percentage.
std::uint64_t threshold_now(const kuma::Conf& conf) {
  constexpr std::uint64_t kumas_own = 50;
  const auto percentage = written_threshold(conf);
  const auto number = percentage ? kuma::parse_decimal(*percentage) : std::nullopt;
  return number && number->sign > 0 ? static_cast<std::uint64_t>(std::max(std::round(number->value), 1.0)) : kumas_own;
}

// Returns the input for the threshold in whole percentages, which Kuma turns into a factor. The current value is shown
// as written.
Input threshold_input(const ViewOfClient& view, const std::string& name) {
  const std::uint64_t now = threshold_now(view.trail->conf->conf);
  const config::KumaProfile profile = view.scenario.profile.kuma;
  const config::ServiceIndex member = view.view;
  const std::uint32_t factor = view.scenario.services[member.value].load_assignment.overprovisioning_factor;
  Input input{.name = name + "failoverThreshold", .now = now, .least = 1, .most = 100, .text = plain_number};
  // A threshold that is not a whole number keeps its own factor at the current value.
  input.set = [member, profile, now, factor](Scenario& of, std::uint64_t value) {
    of.services[member.value].load_assignment.overprovisioning_factor =
        value == now ? factor : kuma::overprovisioning_factor(static_cast<std::int32_t>(value), profile);
  };
  if (const auto percentage = written_threshold(view.trail->conf->conf)) {
    const std::string written = std::visit([](const auto& value) { return fmt::format("{}", value); }, *percentage);
    input.text = [now, written](std::uint64_t value) { return value == now ? written : plain_number(value); };
  }
  if (const auto& field = view.trail->conf->failover_threshold) {
    input.where = line_text(view, field->where);
  }
  return input;
}

// Returns the input for the panic threshold. A runtime value applies to all clusters; otherwise it is the cluster's
// own.
Input panic_input(const Scenario& scenario, config::ServiceIndex service, const std::string& name) {
  const config::Percent own = scenario.services[service.value].cluster.common_lb_config.healthy_panic_threshold;
  const bool by_runtime = scenario.runtime.healthy_panic_threshold.has_value();
  const std::uint64_t now =
      envoy::panic_threshold(scenario.services[service.value].cluster.common_lb_config, scenario.runtime);
  return {.name = by_runtime ? "upstream.healthy_panic_threshold" : name + "healthy_panic_threshold",
          .now = now,
          .least = 0,
          .most = 100,
          .set =
              [service, own, by_runtime, now](Scenario& of, std::uint64_t value) {
                if (by_runtime) {
                  of.runtime.healthy_panic_threshold = value;
                  return;
                }
                of.services[service.value].cluster.common_lb_config.healthy_panic_threshold =
                    value == now ? own : config::Percent{static_cast<double>(value)};
              },
          .text = [](std::uint64_t value) { return fmt::format("{} %", value); }};
}

// Returns the weights of the target's localities under locality-weighted balancing; 0 means no weight.
std::vector<Input> weight_inputs(const Variation& variation, config::ServiceIndex member, const std::string& name) {
  std::vector<Input> inputs;
  const scenario::Service& service = variation.scenario().services[member.value];
  const bool weighted = std::holds_alternative<config::LocalityWeightedLbConfig>(
      service.cluster.common_lb_config.locality_config_specifier);
  const auto& groups = service.load_assignment.endpoints;
  HostIndex first{0};  // of the group
  for (std::size_t group = 0; weighted && group < groups.size(); ++group) {
    const HostIndex host = first;
    first.value += static_cast<std::uint32_t>(groups[group].lb_endpoints.size());
    if (variation.target().kind != Target::Kind::zone || host == first ||
        variation.scenario().zones[zone_of_host(variation.scenario(), member, host).value].name !=
            variation.target().name) {
      continue;
    }
    constexpr std::uint64_t some_weight = 100;
    const std::uint64_t now = groups[group].load_balancing_weight.value_or(0);
    inputs.push_back(
        {.name = fmt::format("{}weight of locality {}", name, printable(variation.target().name)),
         .now = now,
         .least = 0,
         .most = std::max(now, some_weight),
         .set =
             [member, group](Scenario& of, std::uint64_t value) {
               auto& weight = of.services[member.value].load_assignment.endpoints[group].load_balancing_weight;
               weight = value == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(value));
             },
         .text = [](std::uint64_t value) { return value == 0 ? std::string("none") : fmt::format("{}", value); }});
  }
  return inputs;
}

}  // namespace

Input healthy_hosts(const Variation& variation, const HostGroup& of_group, std::string name) {
  const Scenario& scenario = variation.scenario();
  const run::Snapshot snapshot(scenario, variation.question().at);
  const config::ServiceIndex member = of_group.member;
  const scenario::EdsHosts& reported = snapshot.upstreams().reported(of_group.flow, member);
  std::vector<HostIndex> healthy;
  std::vector<HostIndex> others;
  HostIndex host{0};
  for (const config::LocalityLbEndpoints& group : scenario.services[member.value].load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host.value) {
      const bool in_zone = !of_group.zone || zone_of_host(scenario, member, host) == *of_group.zone;
      const bool in_priority =
          group.priority >= of_group.priority && group.priority <= of_group.last.value_or(of_group.priority);
      if (in_priority && in_zone && reported.absent[host.value] == 0) {
        (config::is_listed_healthy(reported.health[host.value]) ? healthy : others).push_back(host);
      }
    }
  }
  const std::uint64_t now = healthy.size();
  const std::uint64_t all = now + others.size();
  const std::size_t changes = scenario.changes.size();
  const std::chrono::nanoseconds at = variation.question().at;
  return {.name = std::move(name),
          .now = now,
          .least = 0,
          .most = all,
          .set =
              [healthy, others, member, at, changes, now](Scenario& of, std::uint64_t value) {
                of.changes.erase(of.changes.begin() + static_cast<std::ptrdiff_t>(changes), of.changes.end());
                scenario::EdsHealth push{.service = member, .hosts = {}};
                for (std::uint64_t more = now; more < value; ++more) {
                  push.hosts.emplace_back(others[more - now], HealthStatus::healthy);
                }
                for (std::uint64_t less = value; less < now; ++less) {
                  push.hosts.emplace_back(healthy[less], HealthStatus::unhealthy);
                }
                if (!push.hosts.empty()) {
                  of.changes.push_back({at, std::move(push), {}});
                }
              },
          .text = [all](std::uint64_t value) { return fmt::format("{} of {}", value, all); }};
}

namespace {

// Returns the health inputs by priority, of several priorities together, and by zone if a priority has hosts in several
// zones.
std::vector<Input> health_inputs(const Variation& variation, run::FlowIndex flow, config::ServiceIndex member,
                                 const std::string& name) {
  const Scenario& scenario = variation.scenario();
  std::map<std::uint32_t, std::set<config::ZoneIndex>> zones;
  HostIndex host{0};
  for (const config::LocalityLbEndpoints& group : scenario.services[member.value].load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host.value) {
      zones[group.priority.value].insert(zone_of_host(scenario, member, host));
    }
  }
  std::vector<Input> inputs;
  const std::uint32_t first = zones.empty() ? 0 : zones.begin()->first;
  for (const auto& [priority, in_zones] : zones) {
    // The traffic of a third priority depends on all previous ones together.
    if (priority != first && priority != zones.rbegin()->first) {
      const HostGroup together{.flow = flow, .member = member, .priority = {first}, .last = config::Priority{priority}};
      inputs.push_back(
          healthy_hosts(variation, together, fmt::format("healthy hosts of {}P{} to P{}", name, first, priority)));
    }
    const HostGroup whole{.flow = flow, .member = member, .priority = {priority}};
    const std::string subject = fmt::format("healthy hosts of {}P{}", name, priority);
    inputs.push_back(healthy_hosts(variation, whole, subject));
    for (const config::ZoneIndex zone : in_zones) {
      HostGroup of_zone = whole;
      of_zone.zone = zone;
      if (in_zones.size() > 1) {
        inputs.push_back(healthy_hosts(variation, of_zone,
                                       fmt::format("{} in {}", subject, printable(scenario.zones[zone.value].name))));
      }
    }
  }
  return inputs;
}

// Returns the weights of the target's clusters in routes that divide requests over several.
std::vector<Input> route_inputs(const Variation& variation, const Sources& sources) {
  std::vector<Input> inputs;
  const Scenario& scenario = variation.scenario();
  const auto has_target = [&](config::ServiceIndex cluster) {
    const run::Targets targets(scenario, cluster);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      if (variation.target().has(EndpointShare{run::share_place(scenario, targets.at(target))})) {
        return true;
      }
    }
    return false;
  };
  for (const RouteOfKinds& of : routes_to(scenario, variation.question().client, variation.question().service)) {
    const scenario::Route& route = scenario.routes[of.route];
    const auto& clusters = route.route.action.clusters;
    std::uint64_t sum = 0;
    for (const auto& cluster : clusters) {
      sum += cluster.weight;
    }
    for (std::size_t position = 0; clusters.size() > 1 && position < clusters.size(); ++position) {
      if (!has_target(route.clusters[position])) {
        continue;
      }
      constexpr std::uint64_t some_weight = 100;
      const std::uint64_t now = clusters[position].weight;
      const std::string by = route.origins.empty() ? "route" : printable(route.origins.back().name);
      inputs.push_back({.name = fmt::format("weight of {} in {}", printable(clusters[position].name), by),
                        .now = now,
                        .least = sum == now ? 1U : 0U,  // Envoy refuses a sum of 0
                        .most = std::max(now, some_weight),
                        .set =
                            [route = of.route, position](Scenario& into, std::uint64_t value) {
                              into.routes[route].route.action.clusters[position].weight =
                                  static_cast<std::uint32_t>(value);
                            },
                        .text = plain_number});
      inputs.back().where = route.origins.empty() ? "" : place_in_file(sources, route.origins.back().where);
    }
  }
  return inputs;
}

}  // namespace

std::vector<Input> inputs_of(const Variation& variation, const Sources& sources) {
  std::vector<Input> inputs;
  const Scenario& scenario = variation.scenario();
  const run::Snapshot snapshot(scenario, variation.question().at);
  const auto add = [&](std::vector<Input> more) {
    inputs.insert(inputs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(route_inputs(variation, sources));
  std::set<config::ServiceIndex> known;
  const auto group = snapshot.flow_group(variation.question().client, variation.question().service);
  for (const run::FlowIndex flow : group) {
    const config::ServiceIndex service = snapshot.flows().at(flow).service;
    const scenario::ClientEntry& client = scenario.clients[variation.question().client.value];
    const kuma::PolicyTrail* const trail = trail_of(client, service);
    const auto members = scenario::members_of(scenario, service);
    for (const config::ServiceIndex member : members) {
      if (!known.insert(member).second) {
        continue;
      }
      const bool several = group.size() > 1 || members.size() > 1;
      const std::string name = several ? printable(scenario.services[member.value].name) + " " : "";
      add(health_inputs(variation, flow, member, name));
      const ViewOfClient view{scenario, sources, client, member, trail};
      if (is_rewritten(view)) {
        inputs.push_back(threshold_input(view, name));
      }
      inputs.push_back(factor_input(scenario, member, name));
      inputs.push_back(panic_input(scenario, member, name));
      add(weight_inputs(variation, member, name));
    }
    if (members.size() > 1 || members.front() != service) {
      inputs.push_back(panic_input(scenario, service, printable(scenario.services[service.value].name) + " "));
    }
  }
  return inputs;
}

}  // namespace spillway::reports::explain
