#include "reports/explain/istio_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <variant>
#include <vector>

#include "models/istio/trail.hpp"
#include "reports/explain/placement_steps.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {

namespace {

using istio::IstioTrail;
using istio::LocalityLbSetting;

const scenario::Service& istio_view(const ViewOfClient& of) {
  return of.scenario.services[of.view.value];
}

std::string place_text(const config::Locality& locality) {
  std::string text = locality.region;
  text += locality.zone.empty() && locality.sub_zone.empty() ? "" : "/" + locality.zone;
  text += locality.sub_zone.empty() ? "" : "/" + locality.sub_zone;
  return text.empty() ? "no locality" : printable(text);
}

const char* rule_step_text(istio::RuleStep step) {
  switch (step) {
    case istio::RuleStep::proxy_namespace:
      return "of the client's namespace";
    case istio::RuleStep::service_namespace:
      return "of the service's namespace";
    case istio::RuleStep::root_namespace:
      break;
  }
  return "of the root namespace";
}

std::string locality_setting_text(const IstioTrail& trail) {
  const char* const whose = trail.setting.source == istio::SettingSource::rule   ? "the rule's"
                            : trail.setting.source == istio::SettingSource::mesh ? "the mesh's"
                                                                                 : "the Service's";
  if (std::holds_alternative<std::monostate>(trail.setting.value)) {
    return fmt::format("{} localityLbSetting switches balancing by locality off", whose);
  }
  if (std::holds_alternative<istio::ZoneAwareLbSetting>(trail.setting.value)) {
    return fmt::format("{} zoneAwareLbSetting", whose);
  }
  if (trail.setting.source == istio::SettingSource::traffic_distribution) {
    return "the Service's traffic distribution";
  }
  const auto& setting = std::get<LocalityLbSetting>(trail.setting.value);
  std::string parts;
  parts += setting.distribute.empty() ? "" : ": distribute";
  parts += setting.failover.empty() ? "" : parts.empty() ? ": failover" : ", failover";
  parts += setting.failoverPriority.empty() ? "" : parts.empty() ? ": failoverPriority" : ", failoverPriority";
  return fmt::format("{} localityLbSetting{}", whose, parts.empty() ? ", by locality alone" : parts);
}

std::string distance_text(const config::Locality& client, const config::Locality& group) {
  const std::string of_client = fmt::format(" ({})", place_text(client));
  if (client.region != group.region) {
    return "another region than the client's" + of_client;
  }
  if (client.zone != group.zone) {
    return "another zone of the client's region" + of_client;
  }
  return client.sub_zone == group.sub_zone ? "the client's locality"
                                           : "another subzone of the client's zone" + of_client;
}

std::string labels_text(const std::vector<std::string>& labels, std::size_t matched) {
  const std::size_t count = std::min(matched, labels.size());
  const std::vector<std::string> same(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(count));
  const std::string names = joined(same, ", ");
  if (count == labels.size()) {
    return fmt::format("failoverPriority: all labels are as the client's: {}", printable(names));
  }
  const std::string differs = fmt::format("{} differs", printable(labels[count]));
  return "failoverPriority: " +
         (count == 0 ? differs : fmt::format("{} as the client's, {}", printable(names), differs));
}

const std::vector<std::string>& priority_labels(const IstioTrail& trail) {
  static const std::vector<std::string> none;
  if (const auto* const setting = std::get_if<LocalityLbSetting>(&trail.setting.value)) {
    return setting->failoverPriority;
  }
  const auto* const zone_aware = std::get_if<istio::ZoneAwareLbSetting>(&trail.setting.value);
  return zone_aware == nullptr ? none : zone_aware->failoverPriority;
}

std::string failover_entry_text(const IstioTrail& trail, std::size_t entry, const config::Locality& group) {
  const auto* const setting = std::get_if<LocalityLbSetting>(&trail.setting.value);
  const auto& list =
      setting != nullptr ? setting->failover : std::get<istio::ZoneAwareLbSetting>(trail.setting.value).failover;
  const auto& [from, to] = list[entry];
  const std::string rule = fmt::format("failover[{}] from {} to {}", entry, printable(from), printable(to));
  return to == group.region ? rule : "a region that no entry prefers: " + rule;
}

std::string distribute_text(const IstioTrail& trail, std::size_t key) {
  const auto& setting = std::get<LocalityLbSetting>(trail.setting.value);
  const std::size_t entry = trail.distribute_entry.value_or(0);
  const auto& [locality, percent] = setting.distribute[entry].to[key];
  return fmt::format("distribute[{}].to \"{}\": {} %", entry, printable(locality), percent);
}

std::string istio_rule_text(const IstioTrail& trail, const istio::Placement& placement, const config::Locality& group) {
  switch (placement.by) {
    case istio::PlacedBy::nothing:
      return "";
    case istio::PlacedBy::locality:
    case istio::PlacedBy::region:
      return distance_text(trail.client, group);
    case istio::PlacedBy::failover:
      return failover_entry_text(trail, placement.rule, group);
    case istio::PlacedBy::failover_priority:
      return labels_text(priority_labels(trail), placement.rule);
    case istio::PlacedBy::distribute:
      return distribute_text(trail, placement.rule);
    case istio::PlacedBy::no_key:
      break;
  }
  return fmt::format("left out: no key of distribute[{}] is for it", trail.distribute_entry.value_or(0));
}

const char* left_out_text(istio::LeftOutBy reason) {
  switch (reason) {
    case istio::LeftOutBy::subset:
      return "labels of the subset are not on it";
    case istio::LeftOutBy::health:
      return "not ready";
    case istio::LeftOutBy::node:
      return "internalTrafficPolicy Local: on another node";
    case istio::LeftOutBy::cluster:
      return "in another cluster";
    case istio::LeftOutBy::address:
      break;
  }
  return "its address is no IP address";
}

void add_left_out(Step& step, const IstioTrail& trail) {
  for (const istio::LeftOutBy reason : {istio::LeftOutBy::subset, istio::LeftOutBy::health, istio::LeftOutBy::node,
                                        istio::LeftOutBy::cluster, istio::LeftOutBy::address}) {
    std::vector<std::string> addresses;
    for (const istio::LeftOut& endpoint : trail.left_out) {
      if (endpoint.by == reason) {
        addresses.push_back(endpoint.address);
      }
    }
    if (!addresses.empty()) {
      step.facts.push_back(
          words("left out:", fmt::format("{}: {}", printable(some_of(addresses)), left_out_text(reason))));
    }
  }
}

// Describes one group of the load assignment, whose first host is `host`.
Fact group_fact(const ViewOfClient& of, const scenario::EdsHosts& reported, std::size_t position, std::size_t host) {
  const config::LocalityLbEndpoints& group = istio_view(of).load_assignment.endpoints[position];
  const IstioTrail& trail = *istio_view(of).as_view->istio_trail;
  const bool by_locality = std::holds_alternative<config::LocalityWeightedLbConfig>(
      istio_view(of).cluster.common_lb_config.locality_config_specifier);
  std::uint64_t present = 0;
  std::uint64_t weight = 0;
  for (std::size_t endpoint = 0; endpoint < group.lb_endpoints.size(); ++endpoint) {
    if (reported.absent[host + endpoint] == 0) {
      ++present;
      weight += reported.weights.empty() ? group.lb_endpoints[endpoint].load_balancing_weight
                                         : reported.weights[host + endpoint];
    }
  }
  Fact fact =
      words(fmt::format("P{} {}:", group.priority.value, place_text(group.locality)), counted(present, "endpoint"));
  fact.note += weight == present ? "" : fmt::format(", weight {}", weight);
  if (by_locality && group.load_balancing_weight) {
    fact.note += fmt::format(", locality weight {}", *group.load_balancing_weight);
  }
  if (present < group.lb_endpoints.size()) {
    fact.note += fmt::format(" ({} not in the endpoint set now)", group.lb_endpoints.size() - present);
  }
  const std::string why = istio_rule_text(trail, trail.groups[position], group.locality);
  fact.note += why.empty() ? "" : ": " + why;
  if (!why.empty() && trail.setting_at) {
    fact.where = line_text(of, *trail.setting_at);
  }
  return fact;
}

}  // namespace

Step istio_policy_step(const ViewOfClient& of) {
  const IstioTrail& trail = *istio_view(of).as_view->istio_trail;
  Step step{.name = "policy", .sources = {source::istio("3, 6.1"), "istiod pilot/pkg/model/destination_rule.go"}};
  for (const IstioTrail::Rule& rule : trail.rules) {
    Fact fact = words("", fmt::format("DestinationRule {}, {}", printable(rule.name), rule_step_text(trail.step)));
    fact.where = line_text(of, rule.where);
    step.facts.push_back(std::move(fact));
  }
  if (trail.rules.empty()) {
    step.facts.push_back(words("", "no DestinationRule applies"));
  }
  Fact setting = words("", locality_setting_text(trail));
  if (!std::holds_alternative<std::monostate>(trail.setting.value) && !trail.acts) {
    setting.note += ", which does nothing without outlierDetection in the policy";
  }
  if (trail.setting_at) {
    setting.where = line_text(of, *trail.setting_at);
  }
  step.facts.push_back(std::move(setting));
  return step;
}

Step istio_placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported) {
  Step step{.name = "priorities", .sources = {source::istio("6"), "istiod core/loadbalancer/loadbalancer.go"}};
  const auto& groups = istio_view(of).load_assignment.endpoints;
  std::vector<std::size_t> first_hosts;
  std::size_t hosts = 0;
  std::uint32_t last = 0;
  for (const config::LocalityLbEndpoints& group : groups) {
    first_hosts.push_back(hosts);
    hosts += group.lb_endpoints.size();
    last = std::max(last, group.priority.value);
  }
  for (std::uint32_t priority = 0; priority <= last; ++priority) {
    for (std::size_t position = 0; position < groups.size(); ++position) {
      if (groups[position].priority.value == priority) {
        step.facts.push_back(group_fact(of, reported, position, first_hosts[position]));
      }
    }
  }
  if (groups.empty()) {
    step.facts.push_back(words("", "no endpoints"));
  }
  add_left_out(step, *istio_view(of).as_view->istio_trail);
  return step;
}

}  // namespace spillway::reports::explain
