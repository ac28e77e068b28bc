#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/envoy/cluster.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/zones.hpp"

namespace spillway::conformance {

namespace {

using envoy::ClusterState;
using envoy::HostSources;
using envoy::LoadBalancer;

const std::map<envoy::ZoneState, std::string> state_names = {
    {envoy::ZoneState::none, "none"}, {envoy::ZoneState::direct, "direct"}, {envoy::ZoneState::residual, "residual"}};

const std::map<envoy::NoZoneRouting, std::string> reason_names = {
    {envoy::NoZoneRouting::applies, ""},
    {envoy::NoZoneRouting::upstream_localities_lt_2, "upstream_localities_lt_2"},
    {envoy::NoZoneRouting::local_localities_lt_2, "local_localities_lt_2"},
    {envoy::NoZoneRouting::local_cluster_not_ok, "local_cluster_not_ok"},
    {envoy::NoZoneRouting::zone_number_differs, "zone_number_differs"},
    {envoy::NoZoneRouting::cluster_too_small, "cluster_too_small"}};

const std::map<envoy::ZoneRoute, std::string> route_names = {{envoy::ZoneRoute::all_directly, "all_directly"},
                                                             {envoy::ZoneRoute::sampled, "sampled"},
                                                             {envoy::ZoneRoute::cross_zone, "cross_zone"},
                                                             {envoy::ZoneRoute::no_capacity_left, "no_capacity_left"}};

void replay_routing_structure(const json& input, Check& check) {
  const auto state = zone_state(input);
  const envoy::ZoneRouting& routing = state->zone_routing;
  check.equal("state", state_names.at(routing.state));
  check.equal("reason", reason_names.at(routing.reason));
  check.equal("local_percentage", routing.local_percentage);
  check.equal("upstream_percentage", routing.upstream_percentage);
  check.equal("local_percent_to_route", routing.local_percent_to_route);
  check.equal("residual_capacity", routing.residual_capacity);
}

// A balancer whose own draws (seeds) come before those of the case.
LoadBalancer balancer_of(const std::shared_ptr<const ClusterState>& state, const json& input) {
  ScriptedDraws seeds({input.value("seed", std::uint64_t{0})});
  return LoadBalancer(state, seeds);
}

// The list that the case's draws lead to, and how many draws that took.
struct Chosen {
  envoy::SourceChoice choice;
  std::optional<HostSources::Description> list;
  std::size_t draws = 0;
  std::size_t hosts = 0;
};

Chosen choose(const std::shared_ptr<const ClusterState>& state, const json& input) {
  LoadBalancer balancer = balancer_of(state, input);
  ScriptedDraws draws(input, "draws");
  Chosen result;
  result.choice = balancer.choose_source(draws);
  result.draws = draws.used();
  if (result.choice.source) {
    result.list = state->sources.describe(*result.choice.source);
    result.hosts = state->sources.hosts(*result.choice.source).size();
  }
  return result;
}

// The same way through choose_zone alone, which also says how.
std::string route(const ClusterState& state, const json& input) {
  ScriptedDraws draws(input, "draws");
  draws();
  if (state.zone_routing.state == envoy::ZoneState::none ||
      !envoy::zone_routing_enabled(state.zone_settings.routing_enabled, draws)) {
    return "flat";
  }
  return route_names.at(envoy::choose_zone(state.zone_routing, draws).route);
}

void replay_pick(const json& input, Check& check) {
  const auto state = zone_state(input);
  const Chosen chosen = choose(state, input);
  check.equal("priority", chosen.choice.choice.priority.value);
  check.equal("draws_used", chosen.draws);
  check.equal("how", route(*state, input));
  check.equal("availability", text(chosen.choice.availability));
  check.equal("locality_index", chosen.list && chosen.list->locality ? json(*chosen.list->locality) : json(nullptr));
  check.equal("pick_result", chosen.hosts == 0 ? "no_host" : "host");
}

std::string source_name(const Chosen& chosen) {
  if (!chosen.list) {
    return "no_host";
  }
  static const std::map<HostSources::List, std::string> names = {{HostSources::List::all, "all"},
                                                                 {HostSources::List::healthy, "healthy"},
                                                                 {HostSources::List::degraded, "degraded"}};
  const std::string& list = names.at(chosen.list->list);
  return chosen.list->locality ? "locality_" + list + "[" + std::to_string(*chosen.list->locality) + "]"
                               : list + "_hosts_flat";
}

// How often lb_local_cluster_not_ok has counted once the structure is computed and one pick is made.
int local_cluster_not_ok(const ClusterState& state, bool zone_routing_asked) {
  const bool structure = state.zone_routing.reason == envoy::NoZoneRouting::local_cluster_not_ok;
  return (structure ? 1 : 0) + (zone_routing_asked && state.local_cluster_in_panic ? 1 : 0);
}

void replay_zone_pick_source(const json& input, Check& check) {
  std::shared_ptr<const ClusterState> state;
  if (input.value("locality_weighted", false)) {
    envoy::Cluster cluster;
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
    cluster.common_lb_config.healthy_panic_threshold = {input.value("panic_threshold", 50.0)};
    state = envoy::refresh(cluster, nullptr, weighted_hosts(input), {.profile = profile_of(input)});
  } else {
    state = zone_state(input);
  }
  const Chosen chosen = choose(state, input);
  const bool applied = chosen.list && chosen.list->locality.has_value();
  check.equal("structure", state_names.at(state->zone_routing.state));
  check.equal("source", source_name(chosen));
  check.equal("draws_used", chosen.draws);
  check.equal("cutoff", state->zone_settings.routing_enabled);
  check.equal("zone_routing_applied", applied);
  check.equal("availability", text(chosen.choice.availability));
  check.equal("priority_load",
              {{"healthy", state->priorities.load.healthy}, {"degraded", state->priorities.load.degraded}});
  check.equal("pick_result", chosen.hosts == 0 ? "no_host" : "host");
  check.equal_if_expected("lb_local_cluster_not_ok", [&] {
    ScriptedDraws draws(input, "draws");
    draws();
    const bool asked = state->zone_routing.state != envoy::ZoneState::none &&
                       envoy::zone_routing_enabled(state->zone_settings.routing_enabled, draws);
    return json(local_cluster_not_ok(*state, asked));
  });
}

}  // namespace

void replay_zone_aware(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "routing_structure") {
    replay_routing_structure(input, check);
  } else if (op == "pick") {
    replay_pick(input, check);
  } else if (op == "pick_source") {
    replay_zone_pick_source(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
