#include "reports/explain/why.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

#include "models/config/listed_health.hpp"
#include "models/envoy/priority_load.hpp"
#include "reports/explain/formats.hpp"
#include "reports/explain/inputs.hpp"
#include "reports/explain/route_reasons.hpp"
#include "reports/explain/rule_changes.hpp"
#include "reports/explain/unreached.hpp"
#include "reports/explain/variation.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {

namespace {

// The valid targets: zones, priorities and endpoints of the client's requests to the service, in this order.
struct Choices {
  std::vector<std::string> zones = {};
  std::vector<std::uint32_t> priorities = {};
  std::vector<std::string> endpoints = {};
};

template <class T>
void add_new(std::vector<T>& into, const T& value) {
  if (std::find(into.begin(), into.end(), value) == into.end()) {
    into.push_back(value);
  }
}

Choices choices_of(const scenario::Scenario& scenario, const Question& question) {
  Choices choices;
  std::set<std::uint32_t> priorities;
  std::set<std::string> endpoints;
  for (const scenario::Zone& zone : scenario.zones) {
    choices.zones.push_back(zone.name);
  }
  const auto add_endpoint = [&](config::EndpointIndex endpoint) {
    const std::string& id = scenario.endpoints[endpoint.value].id;
    if (endpoints.insert(id).second) {
      choices.endpoints.push_back(id);
    }
  };
  for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, service) != question.service) {
      continue;
    }
    const run::Targets targets(scenario, service);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      priorities.insert(targets.at(target).priority.value);
      add_endpoint(targets.at(target).endpoint);
    }
  }
  for (const scenario::Host& host : scenario.services[question.service.value].hosts) {
    add_endpoint(host.endpoint);
  }
  choices.priorities.assign(priorities.begin(), priorities.end());
  return choices;
}

std::optional<Target> target_of(const Choices& choices, const std::string& name) {
  if (std::find(choices.zones.begin(), choices.zones.end(), name) != choices.zones.end()) {
    return Target{Target::Kind::zone, name, {}};
  }
  for (const std::uint32_t priority : choices.priorities) {
    if (name == priority_text({priority})) {
      return Target{Target::Kind::priority, name, {priority}};
    }
  }
  if (std::find(choices.endpoints.begin(), choices.endpoints.end(), name) != choices.endpoints.end()) {
    return Target{Target::Kind::endpoint, name, {}};
  }
  return std::nullopt;
}

const char* kind_name(Target::Kind kind) {
  switch (kind) {
    case Target::Kind::zone:
      return "zone";
    case Target::Kind::priority:
      return "priority";
    case Target::Kind::endpoint:
      break;
  }
  return "endpoint";
}

// Returns the target's shares, by priority and list.
std::vector<Fact> parts_of(const Target& target, const Explanation& explanation) {
  std::map<std::tuple<std::string, std::uint32_t, envoy::Availability>, std::vector<const EndpointShare*>> parts;
  for (const EndpointShare& row : explanation.endpoints) {
    if (target.has(row)) {
      parts[{row.cluster, row.priority.value, row.availability}].push_back(&row);
    }
  }
  std::vector<Fact> facts;
  for (const auto& [key, rows] : parts) {
    const auto& [cluster, priority, availability] = key;
    facts.push_back(words(choice_text({{priority}, availability}),
                          fmt::format("{} to {}{}", share_text(exact_share(rows)), counted(rows.size(), "endpoint"),
                                      cluster == explanation.service ? "" : " of " + printable(cluster))));
  }
  return facts;
}

std::optional<Unreached> unreached(const scenario::Scenario& scenario, const Question& question, const Target& target) {
  for (const auto& views : views_by_service(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, views.front()) != question.service || target.kind == Target::Kind::priority) {
      continue;
    }
    if (target.kind == Target::Kind::endpoint) {
      return unreached_endpoint(scenario, question.client, views, target.name);
    }
    for (Unreached& zone : unreached_zones(scenario, question.client, views)) {
      if (zone.zone == target.name) {
        return std::move(zone);
      }
    }
  }
  return std::nullopt;
}

// Describes the zone proxies in front of the target, and if they get requests: an ejection of a proxy removes all of
// its targets.
std::vector<Fact> proxies_before(const Variation& variation) {
  std::vector<Fact> facts;
  const scenario::Scenario& scenario = variation.scenario();
  const run::Snapshot snapshot(scenario, variation.question().at);
  for (const run::FlowIndex flow : snapshot.flow_group(variation.question().client, variation.question().service)) {
    const run::Targets targets(scenario, snapshot.flows().at(flow).service);
    std::map<std::pair<config::ServiceIndex, config::HostIndex>, std::vector<std::string>> zones;
    std::set<std::pair<config::ServiceIndex, config::HostIndex>> of_target;
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      const run::Target& of = targets.at(index);
      if (of.via.empty()) {
        continue;
      }
      const EndpointShare place{run::share_place(scenario, of)};
      add_new(zones[{of.service, of.host}], printable(place.zone));
      if (variation.target().has(place)) {
        of_target.insert({of.service, of.host});
      }
    }
    for (const auto& [service, host] : of_target) {
      const std::vector<std::string>& behind = zones[{service, host}];
      const auto status = snapshot.upstreams().reported(flow, service).health[host.value];
      if (behind.size() > 1) {
        const std::string gone =
            config::is_listed_healthy(status) ? "" : ": it is ejected or unhealthy here, which takes all of them away";
        facts.push_back(
            words("", fmt::format("{} stands for {}{}", printable(scenario::endpoint_at(scenario, service, host).id),
                                  joined(behind, " and "), gone)));
      }
    }
  }
  return facts;
}

// True if the target gets nothing, and all its hosts are behind a priority that gets traffic.
bool waits_for_health(const scenario::Scenario& scenario, const Question& question, const Explanation& explanation,
                      const Target& target) {
  std::optional<std::uint32_t> first_used;
  for (const EndpointShare& row : explanation.endpoints) {
    if (row.share > 0.0 || row.joint != 0) {
      if (target.has(row)) {
        return false;
      }
      first_used = std::min(first_used.value_or(row.priority.value), row.priority.value);
    }
  }
  bool has_hosts = false;
  bool all_behind = first_used.has_value();
  for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, service) != question.service) {
      continue;
    }
    const run::Targets targets(scenario, service);
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      if (target.has(EndpointShare{run::share_place(scenario, targets.at(index))})) {
        has_hosts = true;
        all_behind = all_behind && targets.at(index).priority.value > first_used.value_or(0);
      }
    }
  }
  return has_hosts && all_behind;
}

// Returns the zones of a priority's hosts.
std::string zones_text(const scenario::Scenario& scenario, const scenario::Service& service,
                       config::Priority priority) {
  std::vector<std::string> zones;
  std::size_t host = 0;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host) {
      const config::NodeIndex node = scenario.endpoints[service.hosts[host].endpoint.value].node;
      if (group.priority == priority) {
        add_new(zones, scenario.zones[scenario.nodes[node.value].zone.value].name);
      }
    }
  }
  return printable(some_of(zones));
}

}  // namespace

std::optional<Refusal> why_refusal(const scenario::Scenario& scenario, const Question& question) {
  const Choices choices = choices_of(scenario, question);
  if (target_of(choices, *question.why)) {
    return std::nullopt;
  }
  Refusal refused{Refusal::About::why,
                  fmt::format("`{}` is no zone, no priority and no endpoint of `{}`", printable(*question.why),
                              printable(scenario.services[question.service.value].name)),
                  choices.zones};
  for (const std::uint32_t priority : choices.priorities) {
    refused.choices.push_back(priority_text({priority}));
  }
  refused.choices.insert(refused.choices.end(), choices.endpoints.begin(), choices.endpoints.end());
  return refused;
}

Why why(const scenario::Scenario& scenario, const Sources& sources, const Question& question,
        const Explanation& explanation) {
  const Target target = *target_of(choices_of(scenario, question), *question.why);
  Why answer{.target = target.name, .kind = kind_name(target.kind)};
  Variation variation(scenario, question, target);
  answer.share = exact_share(explanation.endpoints, [&](const EndpointShare& row) { return target.has(row); });
  if (!answer.share) {
    answer.because.push_back(words("", "there is no exact share: " + explanation.why_joint));
  }
  answer.because = parts_of(target, explanation);
  if (const auto none = unreached(variation.scenario(), variation.question(), target)) {
    answer.because.push_back(words("", none->reason.empty() ? unreached_text(*none) : none->reason));
    answer.because.back().where = none->where ? place_in_file(sources, *none->where) : "";
    answer.turns = with_another_rule(variation);
    return answer;
  }
  if (answer.share == 0.0) {
    for (Fact& fact : route_reasons(variation.scenario(), sources, variation.question(), target)) {
      answer.because.push_back(std::move(fact));
    }
  }
  for (Fact& fact : proxies_before(variation)) {
    answer.because.push_back(std::move(fact));
  }
  if (waits_for_health(scenario, question, explanation, target)) {
    answer.because.push_back(words("",
                                   "priorities follow health, not load: the one before keeps its requests, however "
                                   "busy its hosts are, until too few of them are healthy"));
  }
  for (Why::Turn& turn : without_rules(variation, sources)) {
    answer.turns.push_back(std::move(turn));
  }
  for (Why::Turn& turn : with_forced_zone(variation)) {
    answer.turns.push_back(std::move(turn));
  }
  for (const Input& input : inputs_of(variation, sources)) {
    for (Why::Turn& turn : variation.turns(input)) {
      answer.turns.push_back(std::move(turn));
    }
  }
  return answer;
}

std::optional<std::string> spill_onset(const scenario::Scenario& scenario, const Question& question) {
  const auto services = scenario::services_of(scenario, scenario.clients[question.client.value]);
  std::vector<config::ServiceIndex> views;
  for (const config::ServiceIndex service : services) {
    if (scenario::asked_for(scenario, service) == question.service) {
      views.push_back(service);
    }
  }
  if (views.size() != 1 || scenario::members_of(scenario, views.front()).size() != 1) {
    return std::nullopt;
  }
  const scenario::Service& service = scenario.services[views.front().value];
  std::set<std::uint32_t> priorities;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    priorities.insert(group.priority.value);
  }
  if (priorities.size() < 2 || !service.cluster.aggregate_clusters.empty() || question.key) {
    return std::nullopt;
  }
  const config::Priority first{*priorities.begin()};
  const config::Priority next{*std::next(priorities.begin())};
  Variation variation(scenario, question, {Target::Kind::priority, priority_text(next), next});
  const run::Snapshot snapshot(variation.scenario(), question.at);
  const auto flows = snapshot.flow_group(variation.question().client, question.service);
  Input input = healthy_hosts(variation, {.flow = flows.front(), .member = views.front(), .priority = first}, "");
  if (input.most == 0) {
    return std::nullopt;
  }
  // Searches downwards from all hosts healthy.
  const std::uint64_t all = input.most;
  const auto gets = [&](std::uint64_t healthy) {
    input.set(variation.scenario(), healthy);
    const bool anything = variation.gets_anything();
    input.set(variation.scenario(), input.now);
    return anything;
  };
  if (gets(all) || !gets(0)) {
    return std::nullopt;
  }
  std::uint64_t spills = 0;
  std::uint64_t holds = all;
  while (holds - spills > 1) {
    const std::uint64_t middle = spills + (holds - spills) / 2;
    (gets(middle) ? spills : holds) = middle;
  }
  const std::string to = fmt::format("{} ({})", priority_text(next), zones_text(scenario, service, next));
  const std::string from = priority_text(first);
  if (holds == all) {
    return fmt::format("spill to {} begins at the first unhealthy endpoint of {} (below {} of {} healthy)", to, from,
                       all, all);
  }
  return fmt::format("spill to {} begins at {} of {} healthy hosts of {}; at {} nothing leaves", to, spills, all, from,
                     holds);
}

}  // namespace spillway::reports::explain
