#include "models/envoy/aggregate.hpp"

#include <span>

#include "models/envoy/hash_balancer.hpp"
#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

struct Child {
  std::string name;
  bool present = true;
  std::vector<envoy::PriorityCounts> priorities;
  envoy::PriorityState state;
};

std::vector<Child> read_children(const json& input) {
  const std::uint64_t threshold = input.value("child_panic_threshold", std::uint64_t{50});
  std::vector<Child> children;
  for (const json& cluster : input.at("clusters")) {
    Child child;
    child.name = cluster.at("name").get<std::string>();
    child.present = cluster.value("present", true);
    if (child.present) {
      child.priorities = all_priority_counts(cluster.at("priorities"));
    }
    child.state =
        envoy::initial_priority_state(child.priorities, cluster.value("panic_threshold", threshold), profile_of(input));
    children.push_back(std::move(child));
  }
  return children;
}

void check_printed(const json& cluster_load, const std::vector<Child>& children, Check& check) {
  check.documentation("printed_cluster_load");
  check.documentation("printed_priority_load");
  check.equal_if_expected("printed_equals_current", [&] {
    json in_order = json::array();
    for (const Child& child : children) {
      in_order.push_back(cluster_load.at(child.name));
    }
    return json(check.expected().at("printed_cluster_load") == in_order);
  });
}

void check_picks(const std::vector<Child>& children, const std::vector<envoy::AggregateLevel>& levels,
                 const envoy::HealthyAndDegradedLoad& load, Check& check) {
  check.equal_if_expected("picks", [&] {
    json picks = json::array();
    for (const json& expected : check.expected().at("picks")) {
      const auto draw = expected.at("draw").get<std::uint64_t>();
      const auto choice = envoy::choose_priority(draw, load);
      const envoy::AggregateLevel& level = levels[choice.priority.value];
      picks.push_back({{"draw", draw},
                       {"cluster", children[level.child].name},
                       {"cluster_priority", level.priority.value},
                       {"availability", text(choice.availability)}});
    }
    return picks;
  });
}

void replay_aggregate_loads(const json& input, Check& check) {
  const std::vector<Child> children = read_children(input);
  std::vector<std::span<const envoy::PriorityCounts>> priorities;
  for (const Child& child : children) {
    priorities.emplace_back(child.priorities);
  }
  const auto levels = envoy::linearize(priorities);
  json linearized = json::array();
  std::vector<envoy::PriorityCounts> counts;
  for (const auto& level : levels) {
    linearized.push_back({children[level.child].name, level.priority.value});
    counts.push_back(priorities[level.child][level.priority.value]);
  }
  check.equal("linearized", linearized);
  check.equal("load_balancer", levels.empty() ? "none (no host)" : "over the levels");
  if (levels.empty()) {
    return;
  }
  const auto state = envoy::initial_priority_state(counts, threshold_of(input), profile_of(input));
  check_state(state, check);
  check.equal("aggregate_panic", state.panic);

  const auto by_child = envoy::load_by_child(levels, state.load, children.size());
  json cluster_load = json::object();
  json child_panic = json::object();
  for (std::size_t child = 0; child < children.size(); ++child) {
    const std::string& name = children[child].name;
    cluster_load[name] = cluster_load.value(name, 0U) + by_child[child];
    if (children[child].present) {
      child_panic[name] = children[child].state.panic;
    }
  }
  check.equal("cluster_load", cluster_load);
  check.equal("child_panic", child_panic);
  check_printed(cluster_load, children, check);
  check_picks(children, levels, state.load, check);
}

// A hashing child chooses by its own loads, whatever the aggregate chose.
void replay_aggregate_hash_child(const json& input, Check& check) {
  const auto selected = input.at("aggregate_selected").at("cluster").get<std::string>();
  for (const Child& child : read_children(input)) {
    if (child.name == selected) {
      check.equal("child_priority",
                  envoy::hash_priority(input.at("hash").get<std::uint64_t>(), child.state.load).value);
      return;
    }
  }
  throw std::invalid_argument("no cluster " + selected);
}

}  // namespace

void replay_aggregate(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "aggregate_loads") {
    replay_aggregate_loads(input, check);
  } else if (op == "aggregate_hash_child") {
    replay_aggregate_hash_child(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
