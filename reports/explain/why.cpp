#include "reports/explain/why.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

#include "reports/explain/formats.hpp"
#include "reports/explain/inputs.hpp"
#include "reports/explain/rule_changes.hpp"
#include "reports/explain/unreached.hpp"
#include "reports/explain/variation.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::explain {

namespace {

// What may be asked about: zones, priorities and endpoints of the client's requests to the service, in this order.
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

// What the target gets, by priority and list.
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

bool is_unreached(const scenario::Scenario& scenario, const Question& question, const Target& target) {
  for (const auto& views : views_by_service(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, views.front()) == question.service) {
      const auto zones = unreached_zones(scenario, views);
      return target.kind == Target::Kind::zone && std::find(zones.begin(), zones.end(), target.name) != zones.end();
    }
  }
  return false;
}

// The zones that the hosts of a priority are in.
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

Why why(const scenario::Scenario& scenario, const scenario::Sources& sources, const Question& question,
        const Explanation& explanation) {
  const Target target = *target_of(choices_of(scenario, question), *question.why);
  Why answer{.target = target.name, .kind = kind_name(target.kind)};
  Variation variation(scenario, question, target);
  answer.share = exact_share(explanation.endpoints, [&](const EndpointShare& row) { return target.has(row); });
  if (!answer.share) {
    answer.because.push_back(words("", "there is no exact share: " + explanation.why_joint));
  }
  answer.because = parts_of(target, explanation);
  if (is_unreached(variation.scenario(), variation.question(), target)) {
    answer.because.push_back(words("", printable(target.name) + " is reached by no rule"));
    answer.turns = with_another_rule(variation);
    return answer;
  }
  for (Why::Turn& turn : without_rules(variation, sources)) {
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
  // Seen from all of them healthy.
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
    return fmt::format("spill to {} begins at the first lost endpoint of {} (below {} of {} healthy)", to, from, all,
                       all);
  }
  return fmt::format("spill to {} begins at {} of {} healthy hosts of {}; at {} nothing leaves", to, spills, all, from,
                     holds);
}

}  // namespace spillway::reports::explain
