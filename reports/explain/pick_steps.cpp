#include "reports/explain/pick_steps.hpp"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/share_trace.hpp"
#include "reports/explain/priority_steps.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports::explain {

namespace {

using envoy::Availability;
using envoy::ClusterState;
using envoy::ShareStep;
namespace policies = envoy::policies;

bool near(double left, double right) {
  constexpr double rounding = 1e-12;
  return std::abs(left - right) <= rounding * std::max(std::abs(left), std::abs(right));
}

// Hosts that get the same share for the same weight.
struct Alike {
  double share = 0.0;
  double weight = 0.0;  // 0 if unknown
  std::vector<std::string> hosts = {};
};

void add_alike(std::vector<Alike>& groups, double share, double weight, std::string host) {
  for (Alike& group : groups) {
    if (group.share == share && group.weight == weight) {
      group.hosts.push_back(std::move(host));
      return;
    }
  }
  groups.push_back({share, weight, {std::move(host)}});
}

std::string each_text(const Alike& group) {
  return fmt::format("{}{}: {}", exact_percent(group.share), group.hosts.size() > 1 ? " each" : "",
                     some_of(group.hosts));
}

std::string_view list_name(Availability availability) {
  switch (availability) {
    case Availability::healthy:
      return "healthy";
    case Availability::degraded:
      return "degraded";
    case Availability::all:
      break;
  }
  return "all";
}

std::string list_text(const ClusterState& state, const PriorityNames& names, const ShareStep& step) {
  std::string text = names.priority(step.choice.priority);
  const auto description = state.sources.describe(step.source);
  if (description.locality) {
    text += " " + locality_text(state.hosts.host_sets[step.choice.priority.value].localities[*description.locality]);
  }
  return text;
}

bool is_random(const ClusterState& state) {
  return policies::visit_policy(
      state.lb_policy, []<class Policy>(const auto&) { return requires { Policy::one_draw_for_priority_and_host; }; });
}

// Adds the fractions of one list's requests by host.
void add_list(Step& into, const ClusterState& state, const PriorityNames& names, const TracedStep& traced) {
  const ShareStep& step = *traced.step;
  const std::string subject = list_text(state, names, step);
  const double comes = step.probability * traced.part;
  if (step.hosts.empty()) {
    into.facts.push_back(words(subject, fmt::format("{} finds no host: none is {}", exact_percent(comes),
                                                    list_name(step.choice.availability))));
    return;
  }
  const auto weights = state.sources.weights(step.source);
  double sum = 0.0;
  for (const double weight : weights) {
    sum += weight;
  }
  const bool weighted = state.sources.weighted(step.source) && !is_random(state);
  std::vector<Alike> groups;
  for (std::size_t position = 0; position < step.hosts.size(); ++position) {
    const auto& [host, share] = step.hosts[position];
    add_alike(groups, share * traced.part, weighted ? weights[position] : 0.0, names.host(host));
  }
  const std::string over = policy_name(state.lb_policy) + " over " +
                           (step.choice.availability == Availability::all
                                ? fmt::format("all {}, since the priority is in panic", step.hosts.size())
                                : fmt::format("{} {}", step.hosts.size(), list_name(step.choice.availability)));
  if (groups.size() > 1) {
    into.facts.push_back(words(subject, over));
  }
  const double total = weighted ? sum : static_cast<double>(step.hosts.size());
  for (const Alike& group : groups) {
    const double part = weighted ? group.weight : 1.0;
    const std::string note = groups.size() > 1 ? each_text(group) : over + ", " + each_text(group);
    into.facts.push_back(
        near(comes * part / total, group.share)
            ? formula(subject, fmt::format("{} * {} / {}", number_text(comes), number_text(part), number_text(total)),
                      group.share, note)
            : words(subject, note));
  }
  if (is_random(state) && groups.size() > 1) {
    into.facts.push_back(words(subject, fmt::format("one draw chooses priority (draw % 100 from {} to {}) and host",
                                                    step.residues.begin, step.residues.end - 1)));
  }
}

// All requests of a table, summed over all hashes.
struct OfTable {
  double comes = 0.0;
  double added = 0.0;
  std::uint64_t hashes = 0;
  std::map<std::uint32_t, double> hosts = {};  // by HostIndex
};

std::string table_text(const policies::HashTable& table) {
  return std::visit([](const auto& of) { return fmt::format("a {} of {}", of.kind, counted(of.entries(), of.entry)); },
                    table.table);
}

void add_tables(Step& into, const ClusterState& state, const PriorityNames& names,
                const std::vector<TracedStep>& steps) {
  std::map<std::pair<std::uint32_t, Availability>, OfTable> tables;
  for (const TracedStep& traced : steps) {
    if (traced.step->kind != ShareStep::Kind::table) {
      continue;
    }
    OfTable& table = tables[{traced.step->choice.priority.value, traced.step->choice.availability}];
    table.comes += traced.step->probability * traced.part;
    table.added += traced.step->added * traced.part;
    table.hashes += traced.step->hash ? 1 : 0;
    for (const auto& [host, share] : traced.step->hosts) {
      table.hosts[host.value] += share * traced.part;
    }
  }
  for (const auto& [key, table] : tables) {
    const std::string subject = names.priority({key.first});
    std::string note = fmt::format("{} of {} hosts: {}", table_text(*state.hash_tables[key.first]),
                                   list_name(key.second), exact_percent(table.comes));
    note += table.hashes == 0 ? ", hashes uniform" : fmt::format(", by {}", counted(table.hashes, "hash key"));
    into.facts.push_back(words(subject, std::move(note)));
    std::vector<Alike> groups;
    for (const auto& [host, share] : table.hosts) {
      if (share > 0.0) {
        add_alike(groups, share, 0.0, names.host({host}));
      }
    }
    for (const Alike& group : groups) {
      into.facts.push_back(words(subject, each_text(group)));
    }
    if (table.added < table.comes && table.hosts.empty()) {
      into.facts.push_back(words(subject, "its table is empty: no host"));
    }
  }
}

std::vector<std::string> sources_of(const policies::Config& config) {
  return policies::visit_policy(config, []<class Policy>(const auto&) -> std::vector<std::string> {
    return {source::host_pick(Policy::explained.section), fmt::format("Envoy {}", Policy::explained.code)};
  });
}

}  // namespace

std::string policy_name(const policies::Config& config) {
  std::string name(policies::visit_policy(config, []<class Policy>(const auto&) { return Policy::name; }));
  name.erase(0, name.find_last_of('.') + 1);
  for (char& character : name) {
    character = character == '_' ? ' ' : character;
  }
  return name;
}

Step pick_step(const ClusterState& state, const PriorityNames& names, const std::vector<TracedStep>& steps) {
  Step step{.name = "pick", .sources = sources_of(state.lb_policy)};
  for (const TracedStep& traced : steps) {
    if (traced.step->kind == ShareStep::Kind::list) {
      add_list(step, state, names, traced);
    } else if (traced.step->kind == ShareStep::Kind::named_host) {
      for (const auto& [host, share] : traced.step->hosts) {
        step.facts.push_back(words(
            names.priority(traced.step->choice.priority),
            fmt::format("{}: {}, named, whatever its health", exact_percent(share * traced.part), names.host(host))));
      }
    } else if (traced.step->kind == ShareStep::Kind::priority && traced.step->added == 0.0 &&
               state.plan(traced.step->choice.priority, traced.step->choice.availability).step ==
                   envoy::PickPlan::Step::no_host) {
      step.facts.push_back(words(names.priority(traced.step->choice.priority), "no host: fail_traffic_on_panic"));
    }
  }
  add_tables(step, state, names, steps);
  return step;
}

Step hash_step(const ClusterState& state, const PriorityNames& names, std::uint64_t hash) {
  Step step{.name = "hash",
            .sources = {source::envoy("5"), source::host_pick("10, 11"), "Envoy thread_aware_lb_impl.cc"}};
  const envoy::PriorityChoice choice = state.priority_table[hash % 100];
  step.facts.push_back(words("", fmt::format("{} ({:#018x})", hash, hash)));
  step.facts.push_back(formula("residue", fmt::format("{} % 100", hash), static_cast<double>(hash % 100)));
  std::uint64_t sum = 0;
  for (std::uint32_t priority = 0; priority <= choice.priority.value; ++priority) {
    sum += state.priorities.load.healthy[priority];
  }
  step.facts.push_back(
      words("", fmt::format("the loads up to {} add up to {}, the first sum of at least {}",
                            choice_text({choice.priority, Availability::healthy}), sum, hash % 100 + 1)));
  if (choice.availability == Availability::degraded) {
    step.facts.back() = words("", fmt::format("the loads reach {} at {}", hash % 100 + 1, choice_text(choice)));
  }
  const policies::HashTable& table = *state.hash_tables[choice.priority.value];
  const std::string subject = names.priority(choice.priority);
  const auto place = std::visit([&](const auto& of) { return of.place_of(hash); }, table.table);
  if (place && place->figure) {
    const std::string_view entry = std::visit([](const auto& of) { return of.entry; }, table.table);
    step.facts.push_back(formula(fmt::format("{} {}", subject, entry), place->words,
                                 static_cast<double>(*place->figure), names.host(place->host)));
  } else if (place) {
    step.facts.push_back(words(subject, fmt::format("{} of {}", place->words, names.host(place->host))));
  }
  return step;
}

}  // namespace spillway::reports::explain
