#include "reports/explain/rule_changes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "models/kuma/failover_groups.hpp"
#include "models/kuma/placement.hpp"
#include "models/kuma/policy_conf.hpp"
#include "models/kuma/policy_trail.hpp"
#include "reports/explain/formats.hpp"
#include "reports/explain/placement_steps.hpp"
#include "reports/explain/variation.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {

namespace {

using kuma::PlacedBy;
using scenario::Scenario;

const std::string& zone_name(const Scenario& scenario, config::EndpointIndex endpoint) {
  return scenario.zones[scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value].name;
}

const std::string& client_zone(const Variation& variation) {
  const Scenario& scenario = variation.scenario();
  return scenario.zones[scenario.nodes[scenario.clients.front().node.value].zone.value].name;
}

bool concerns(const Target& target, const Scenario& scenario, const scenario::Host& host, config::Priority priority) {
  switch (target.kind) {
    case Target::Kind::zone:
      return zone_name(scenario, host.endpoint) == target.name;
    case Target::Kind::priority:
      return priority == target.priority;
    case Target::Kind::endpoint:
      break;
  }
  return scenario.endpoints[host.endpoint.value].id == target.name;
}

// A view that failover rules affect: the client's, or that of its zone's egress.
struct RuledView {
  config::ServiceIndex view = {};
  const kuma::PolicyTrail* trail = nullptr;
};

std::vector<RuledView> ruled_views(const Variation& variation) {
  std::vector<RuledView> views;
  const Scenario& scenario = variation.scenario();
  std::vector<const kuma::PolicyTrail*> trails;
  for (const scenario::ClientEntry& client : scenario.clients) {
    const bool same_zone =
        scenario.nodes[client.node.value].zone == scenario.nodes[scenario.clients.front().node.value].zone;
    for (const kuma::PolicyTrail& trail : client.policy_trails) {
      if (same_zone) {
        trails.push_back(&trail);
      }
    }
  }
  for (const kuma::PolicyTrail* const found : trails) {
    const kuma::PolicyTrail& trail = *found;
    const bool asked = scenario::asked_for(scenario, trail.view) == variation.question().service;
    const bool rules =
        trail.conf != nullptr && trail.conf->conf.localityAwareness && trail.conf->conf.localityAwareness->crossZone;
    const bool known =
        std::any_of(views.begin(), views.end(), [&](const RuledView& view) { return view.view == trail.view; });
    if (asked && rules && !known && scenario.services[trail.view.value].as_view->members.empty()) {
      views.push_back({trail.view, &trail});
    }
  }
  return views;
}

std::vector<kuma::Failover> rules_of(const kuma::Conf& conf) {
  return conf.localityAwareness->crossZone->failover.value_or(std::vector<kuma::Failover>{});
}

std::vector<kuma::FailoverGroup> groups_of(kuma::Conf conf, std::vector<kuma::Failover> rules,
                                           const Variation& variation) {
  conf.localityAwareness->crossZone->failover = std::move(rules);
  return kuma::failover_groups(conf, client_zone(variation), variation.scenario().profile.kuma);
}

// Returns the failover rules that placed hosts of the target.
std::set<std::size_t> rules_of_target(const Variation& variation, config::ServiceIndex view) {
  std::set<std::size_t> rules;
  const scenario::Service& service = variation.scenario().services[view.value];
  std::size_t host = 0;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host) {
      const scenario::Host& of = service.hosts[host];
      if (of.placement.by == PlacedBy::failover_rule &&
          concerns(variation.target(), variation.scenario(), of, group.priority)) {
        rules.insert(of.placement.rule);
      }
    }
  }
  return rules;
}

// Moves each host of a failover rule to the new group of its zone. Hosts without a group leave the endpoint set.
void place_anew(Scenario& scenario, config::ServiceIndex view, const std::vector<kuma::FailoverGroup>& groups,
                std::chrono::nanoseconds at) {
  scenario::Service& service = scenario.services[view.value];
  scenario::EdsMembership gone{.service = view, .hosts = {}, .member = false};
  std::uint32_t host = 0;
  for (config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host) {
      const scenario::Host& of = service.hosts[host];
      if (of.placement.by != PlacedBy::failover_rule) {
        continue;
      }
      const kuma::FailoverGroup* const rule = kuma::find_group(groups, zone_name(scenario, of.endpoint));
      if (rule == nullptr) {
        gone.hosts.push_back({host});
      } else {
        group.priority = {rule->priority};
      }
    }
  }
  if (!gone.hosts.empty()) {
    scenario.changes.push_back({at, std::move(gone), {}});
  }
}

std::string then_text(const Variation& variation, const std::vector<kuma::FailoverGroup>& groups) {
  if (variation.target().kind != Target::Kind::zone) {
    return "";
  }
  const kuma::FailoverGroup* const rule = kuma::find_group(groups, variation.target().name);
  return rule == nullptr ? "no other rule names the zone"
                         : fmt::format("the zone then stands at P{} by the next rule that names it", rule->priority);
}

}  // namespace

std::vector<Why::Turn> without_rules(const Variation& variation, const Sources& sources) {
  std::vector<Why::Turn> turns;
  for (const RuledView& view : ruled_views(variation)) {
    const kuma::Conf& conf = view.trail->conf->conf;
    for (const std::size_t rule : rules_of_target(variation, view.view)) {
      std::vector<kuma::Failover> rules = rules_of(conf);
      Why::Turn turn{.input = fmt::format("crossZone.failover[{}] {}", rule, failover_text(rules[rule])),
                     .turns_at = "taken away"};
      rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(rule));
      const auto groups = groups_of(conf, std::move(rules), variation);
      Variation changed = variation;
      place_anew(changed.scenario(), view.view, groups, variation.question().at);
      turn.share_there = changed.share();
      turn.note = then_text(variation, groups);
      if (rule < view.trail->conf->failover.size()) {
        const ViewOfClient of{variation.scenario(), sources, variation.scenario().clients.front(), view.view,
                              view.trail};
        turn.where = line_text(of, view.trail->conf->failover[rule].where);
      }
      turns.push_back(std::move(turn));
    }
  }
  return turns;
}

namespace {

// Adds the dropped endpoints of the target's zone at the new rule's priority.
std::size_t add_dropped_hosts(Scenario& scenario, config::ServiceIndex view, const std::string& zone,
                              std::uint32_t priority) {
  scenario::Service& service = scenario.services[view.value];
  config::LocalityLbEndpoints group{.locality = {.region = {}, .zone = zone, .sub_zone = {}},
                                    .priority = {priority},
                                    .load_balancing_weight = std::nullopt,
                                    .lb_endpoints = {}};
  for (const scenario::DroppedEndpoint& dropped : service.as_view->dropped) {
    if (zone_name(scenario, dropped.endpoint) == zone) {
      group.lb_endpoints.push_back({.address = dropped.address, .health_status = config::HealthStatus::healthy});
      service.hosts.push_back({.endpoint = dropped.endpoint});
    }
  }
  const std::size_t added = group.lb_endpoints.size();
  service.load_assignment.endpoints.push_back(std::move(group));
  return added;
}

// Makes all hosts except the last `last` ones unhealthy.
void make_others_unhealthy(Scenario& scenario, config::ServiceIndex view, std::size_t last,
                           std::chrono::nanoseconds at) {
  scenario::EdsHealth push{.service = view, .hosts = {}};
  const std::size_t hosts = scenario.services[view.value].hosts.size();
  for (std::uint32_t host = 0; host + last < hosts; ++host) {
    push.hosts.emplace_back(config::HostIndex{host}, config::HealthStatus::unhealthy);
  }
  scenario.changes.push_back({at, std::move(push), {}});
}

}  // namespace

std::vector<Why::Turn> with_another_rule(const Variation& variation) {
  std::vector<Why::Turn> turns;
  const Target& target = variation.target();
  if (target.kind != Target::Kind::zone) {
    return turns;
  }
  for (const RuledView& view : ruled_views(variation)) {
    std::vector<kuma::Failover> rules = rules_of(view.trail->conf->conf);
    rules.push_back({.from = {}, .to = kuma::ToZone{.type = "Only", .zones = std::vector{target.name}}});
    const std::size_t added_rule = rules.size() - 1;
    const auto groups = groups_of(view.trail->conf->conf, std::move(rules), variation);
    const kuma::FailoverGroup* const rule = kuma::find_group(groups, target.name);
    Variation changed = variation;
    if (rule == nullptr || rule->rule != added_rule) {
      continue;
    }
    const std::size_t hosts = add_dropped_hosts(changed.scenario(), view.view, target.name, rule->priority);
    if (hosts == 0) {
      continue;
    }
    Why::Turn turn{.input = fmt::format("crossZone.failover[{}] to Only {}", added_rule, printable(target.name)),
                   .turns_at = "added",
                   .share_there = changed.share()};
    make_others_unhealthy(changed.scenario(), view.view, hosts, variation.question().at);
    turn.note = fmt::format("the zone would stand at P{}, and get {} once no endpoint before it is healthy",
                            rule->priority, share_text(changed.share()));
    turns.push_back(std::move(turn));
  }
  return turns;
}

std::vector<Why::Turn> with_forced_zone(const Variation& variation) {
  constexpr std::uint32_t since = 35;
  const std::optional<double> now = variation.share();
  if (config::before(variation.scenario().profile.envoy, since) || !variation.scenario().local_cluster || !now) {
    return {};
  }
  Variation changed = variation;
  bool any = false;
  for (const config::ServiceIndex service :
       scenario::services_of(variation.scenario(), variation.scenario().clients[variation.question().client.value])) {
    for (const config::ServiceIndex member : scenario::members_of(variation.scenario(), service)) {
      auto* const zone_aware = std::get_if<config::ZoneAwareLbConfig>(
          &changed.scenario().services[member.value].cluster.common_lb_config.locality_config_specifier);
      if (zone_aware != nullptr && !zone_aware->force_local_zone) {
        zone_aware->force_local_zone.emplace();
        any = true;
      }
    }
  }
  const std::optional<double> then = any ? changed.share() : now;
  if (!then || *then == *now) {
    return {};
  }
  return {{.input = "zone_aware_lb_config.force_local_zone",
           .turns_at = "set",
           .share_there = then,
           .note = "the client's own zone keeps all of its requests while it has hosts"}};
}

}  // namespace spillway::reports::explain
