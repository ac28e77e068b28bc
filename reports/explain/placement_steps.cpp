#include "reports/explain/placement_steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "models/kuma/affinity_group.hpp"
#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/overprovisioning_factor.hpp"
#include "models/kuma/policy_conf.hpp"
#include "models/kuma/policy_trail.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {

namespace {

using kuma::PlacedBy;
using kuma::PolicyConf;

const scenario::Service& service_of(const ViewOfClient& of) {
  return of.scenario.services[of.view.value];
}

const std::string& zone_of_endpoint(const ViewOfClient& of, config::EndpointIndex endpoint) {
  return of.scenario.zones[of.scenario.nodes[of.scenario.endpoints[endpoint.value].node.value].zone.value].name;
}

// Returns the policy of the rule if several items were merged.
std::string item_text(const PolicyConf& conf, std::size_t item) {
  return conf.items.size() < 2 ? "" : fmt::format(" of {}", conf.items[item].policy);
}

Fact at_field(Fact fact, const ViewOfClient& of, const PolicyConf::Field& field) {
  fact.note += item_text(*of.trail->conf, field.item);
  fact.where = line_text(of, field.where);
  return fact;
}

Fact failover_fact(const ViewOfClient& of, std::size_t rule) {
  const PolicyConf& conf = *of.trail->conf;
  Fact fact = words("", fmt::format("crossZone.failover[{}]", rule));
  const auto& awareness = conf.conf.localityAwareness;
  if (awareness && awareness->crossZone && awareness->crossZone->failover &&
      rule < awareness->crossZone->failover->size()) {
    fact.note += " " + failover_text((*awareness->crossZone->failover)[rule]);
  }
  return rule < conf.failover.size() ? at_field(std::move(fact), of, conf.failover[rule]) : fact;
}

Fact affinity_fact(const ViewOfClient& of, std::size_t entry) {
  const PolicyConf& conf = *of.trail->conf;
  Fact fact = words("", fmt::format("localZone.affinityTags[{}]", entry));
  for (const kuma::AffinityGroup& group : of.trail->affinity_groups) {
    if (group.entry == entry) {
      const std::uint64_t sum = kuma::weight_sum(of.trail->affinity_groups, of.scenario.profile.kuma);
      fact.note +=
          fmt::format(" {}={}, weight {} of {}", printable(group.key), printable(group.value), group.weight, sum);
    }
  }
  return entry < conf.affinity_tags.size() ? at_field(std::move(fact), of, conf.affinity_tags[entry]) : fact;
}

// Endpoints of one priority, zone and rule.
struct Placed {
  std::uint64_t hosts = 0;
  std::uint64_t absent = 0;
  std::uint64_t weight = 0;
  std::set<std::uint32_t> weights = {};  // distinct values
  std::vector<std::string> proxies = {};
  std::optional<std::uint32_t> locality_weight = {};
  std::string sub_zone = {};
  kuma::Placement placement = {};
};
using PlaceKey = std::tuple<std::uint32_t, std::uint32_t, std::string, std::string, std::size_t>;

// Groups endpoints by priority, in the order in which the assignment names their localities.
std::vector<std::pair<PlaceKey, Placed>> gather(const ViewOfClient& of, const scenario::EdsHosts& reported) {
  const scenario::Service& service = service_of(of);
  std::vector<std::pair<PlaceKey, Placed>> places;
  std::map<PlaceKey, std::size_t> known;
  std::uint32_t host = 0;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      const scenario::Host& of_host = service.hosts[host];
      const kuma::Placement& placement = of_host.placement;
      const std::string& zone = zone_of_endpoint(of, of_host.endpoint);
      const PlaceKey key{group.priority.value, static_cast<std::uint32_t>(placement.by), zone, group.locality.sub_zone,
                         placement.rule};
      const auto [at, is_new] = known.try_emplace(key, places.size());
      if (is_new) {
        places.emplace_back(key, Placed{.locality_weight = group.load_balancing_weight,
                                        .sub_zone = group.locality.sub_zone,
                                        .placement = placement});
      }
      Placed& placed = places[at->second].second;
      const bool absent = reported.absent[host] != 0;
      placed.hosts += absent ? 0 : 1;
      placed.absent += absent ? 1 : 0;
      if (!absent) {
        const std::uint32_t weight = reported.weights.empty() ? endpoint.load_balancing_weight : reported.weights[host];
        placed.weight += weight;
        placed.weights.insert(weight);
      }
      if (of_host.forwards_to) {
        placed.proxies.push_back(of.scenario.endpoints[of_host.endpoint.value].id);
      }
      ++host;
    }
  }
  std::vector<std::pair<PlaceKey, Placed>> sorted;
  for (std::uint32_t priority = 0; sorted.size() < places.size(); ++priority) {
    for (const auto& place : places) {
      if (std::get<0>(place.first) == priority) {
        sorted.push_back(place);
      }
    }
  }
  return sorted;
}

std::string placed_text(const Placed& placed) {
  std::string text = counted(placed.hosts, "endpoint");
  if (!placed.proxies.empty()) {
    text += fmt::format(" ({})", printable(some_of(placed.proxies)));
  }
  if (placed.weight != placed.hosts) {
    const bool even = placed.hosts > 1 && placed.weights.size() == 1;
    text += even ? fmt::format(", weight {} each", *placed.weights.begin()) : fmt::format(", weight {}", placed.weight);
  }
  text += placed.locality_weight ? fmt::format(", locality weight {}", *placed.locality_weight) : "";
  text += placed.absent == 0 ? "" : fmt::format(" ({} not in the endpoint set now)", placed.absent);
  return text;
}

void add_dropped(Step& step, const ViewOfClient& of) {
  if (!service_of(of).as_view) {
    return;
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> zones;
  for (const scenario::DroppedEndpoint& dropped : service_of(of).as_view->dropped) {
    const std::string& zone = zone_of_endpoint(of, dropped.endpoint);
    auto known =
        std::find_if(zones.begin(), zones.end(), [&](const auto& candidate) { return candidate.first == zone; });
    if (known == zones.end()) {
      zones.emplace_back(zone, std::vector<std::string>{});
      known = std::prev(zones.end());
    }
    known->second.push_back(of.scenario.endpoints[dropped.endpoint.value].id);
  }
  for (const auto& [zone, endpoints] : zones) {
    step.facts.push_back(
        words(printable(zone) + ":", fmt::format("left out, no rule names it: {}", printable(some_of(endpoints)))));
  }
}

std::optional<kuma::IntOrString> threshold_of(const kuma::Conf& conf) {
  const auto& awareness = conf.localityAwareness;
  const bool has = awareness && awareness->crossZone && awareness->crossZone->failoverThreshold;
  return has ? awareness->crossZone->failoverThreshold->percentage : std::nullopt;
}

std::string text_of(const kuma::IntOrString& number) {
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, number);
}

// Returns the factor that Kuma writes for a threshold, as computed by its code and by its document.
Fact threshold_fact(const ViewOfClient& of, std::uint32_t factor) {
  const config::KumaProfile profile = of.scenario.profile.kuma;
  const auto threshold = threshold_of(of.trail->conf->conf);
  if (!threshold) {
    return formula("", "trunc(100 / 50) * 100", factor, "no failoverThreshold: 50 %");
  }
  const std::string percentage = text_of(*threshold);
  const bool document = profile == config::KumaProfile::document;
  Fact fact = formula(
      "", document ? fmt::format("ceil(10000 / {})", percentage) : fmt::format("trunc(100 / {}) * 100", percentage),
      factor, fmt::format("failoverThreshold {}", percentage));
  const std::uint32_t as_document = kuma::overprovisioning_factor(*threshold, config::KumaProfile::document);
  if (!document && as_document != factor) {
    fact.note += fmt::format("; profile {} (the document means {})", name_of(profile), as_document);
  }
  return fact;
}

}  // namespace

const kuma::PolicyTrail* trail_of(const scenario::ClientEntry& client, config::ServiceIndex view) {
  const auto found = std::find_if(client.policy_trails.begin(), client.policy_trails.end(),
                                  [&](const kuma::PolicyTrail& trail) { return trail.view == view; });
  return found == client.policy_trails.end() ? nullptr : &*found;
}

bool is_rewritten(const ViewOfClient& of) {
  const std::vector<scenario::Host>& hosts = service_of(of).hosts;
  const bool untouched = !hosts.empty() && std::all_of(hosts.begin(), hosts.end(), [](const scenario::Host& host) {
    return host.placement.by == PlacedBy::base;
  });
  return !untouched && of.trail != nullptr && of.trail->conf != nullptr &&
         kuma::rewrites_endpoints(of.trail->conf->conf, of.scenario.profile.kuma);
}

std::string line_text(const ViewOfClient& of, const Span& where) {
  return place_in_file(of.sources, where);
}

std::string failover_text(const kuma::Failover& rule) {
  const auto zones = [](const std::optional<std::vector<std::string>>& names) {
    return names && !names->empty() ? " " + printable(joined(*names, ", ")) : "";
  };
  std::string text = rule.from ? "from" + zones(rule.from->zones) + " " : "";
  return text + "to " + (rule.to ? std::string(kuma::value_of(rule.to->type)) + zones(rule.to->zones) : "None");
}

Fact rule_fact(const ViewOfClient& of, const kuma::Placement& placement) {
  const bool has_conf = of.trail != nullptr && of.trail->conf != nullptr;
  switch (placement.by) {
    case PlacedBy::base:
      return words("", of.trail == nullptr ? "" : "no policy touches it");
    case PlacedBy::remote_priority: {
      Fact fact = words("", "another zone than the client's");
      const bool disabled = has_conf && of.trail->conf->disabled;
      return disabled ? at_field(words("", "localityAwareness.disabled"), of, *of.trail->conf->disabled) : fact;
    }
    case PlacedBy::affinity_tag:
      return has_conf ? affinity_fact(of, placement.rule) : words("", "an affinity tag");
    case PlacedBy::local_rest:
      return words("", has_conf && !of.trail->affinity_groups.empty() ? "the client's zone, in no affinity group"
                                                                      : "the client's zone");
    case PlacedBy::failover_rule:
      return has_conf ? failover_fact(of, placement.rule) : words("", "a failover rule");
    case PlacedBy::egress:
      return words("", "other zones are left to the egress");
    case PlacedBy::no_rule:
      break;
  }
  return words("", "no rule names it");
}

std::optional<Step> policy_step(const ViewOfClient& of) {
  if (of.trail == nullptr) {
    return std::nullopt;
  }
  Step step{.name = "policy", .sources = {source::kuma("3"), "Kuma policies/core/rules"}};
  if (of.trail->conf == nullptr) {
    step.facts.push_back(words("", "no MeshLoadBalancingStrategy concerns the service"));
    return step;
  }
  const PolicyConf& conf = *of.trail->conf;
  for (std::size_t item = 0; item < conf.items.size(); ++item) {
    const PolicyConf::Item& entry = conf.items[item];
    Fact fact = words("", fmt::format("{}, to[{}] {}", printable(entry.policy), entry.item, printable(entry.target)));
    fact.note += conf.items.size() > 1 && item + 1 == conf.items.size() ? ": what it says, wins" : "";
    fact.where = line_text(of, entry.where);
    step.facts.push_back(std::move(fact));
  }
  if (conf.items.empty()) {
    step.facts.push_back(words("", "the rules of the whole mesh, as an egress has them"));
  }
  return step;
}

Step placement_step(const ViewOfClient& of, const scenario::EdsHosts& reported) {
  Step step{.name = "priorities", .sources = {source::envoy("1")}};
  if (of.trail != nullptr) {
    step.sources = {source::kuma("5 to 8"), "Kuma meshloadbalancingstrategy/plugin, priority.go"};
  }
  for (const auto& [key, placed] : gather(of, reported)) {
    Fact fact = rule_fact(of, placed.placement);
    const std::string zone = printable(std::get<2>(key));
    fact.subject = fmt::format("P{}{}{}", std::get<0>(key), zone.empty() ? "" : " ", zone);
    if (!placed.sub_zone.empty() && placed.placement.by != PlacedBy::affinity_tag) {
      fact.subject += "/" + printable(placed.sub_zone);
    }
    fact.subject += ":";
    fact.note = placed_text(placed) + (fact.note.empty() ? "" : ": " + fact.note);
    step.facts.push_back(std::move(fact));
  }
  if (step.facts.empty()) {
    step.facts.push_back(words("", "no endpoints"));
  }
  add_dropped(step, of);
  return step;
}

Step factor_step(const ViewOfClient& of) {
  const std::uint32_t factor = service_of(of).load_assignment.overprovisioning_factor;
  Step step{.name = "factor", .sources = {source::envoy("2")}};
  if (!is_rewritten(of)) {
    const std::string whose = factor == 140 ? "overprovisioning_factor 140, Envoy's own" : "overprovisioning_factor";
    step.facts.push_back(words("", factor == 140 ? whose : fmt::format("{} {}", whose, factor)));
    return step;
  }
  step.sources = {source::kuma("9"), "Kuma meshloadbalancingstrategy/plugin/v1alpha1/plugin.go"};
  if (kuma::overprovisioning_factor(of.trail->conf->conf, of.scenario.profile.kuma) != factor) {
    step.facts.push_back(words("", fmt::format("{}, by the policy of another client of the shared object", factor)));
    return step;
  }
  Fact fact = threshold_fact(of, factor);
  if (const auto& field = of.trail->conf->failover_threshold) {
    fact.where = line_text(of, field->where);
  }
  step.facts.push_back(std::move(fact));
  return step;
}

}  // namespace spillway::reports::explain
