// subset.*: what subsets hosts make, where requests lead, and scripts of picks and updates.
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "tests/conformance/case_hosts.hpp"
#include "tests/conformance/policy_configs.hpp"

namespace spillway::conformance {

namespace {

namespace subset = envoy::policies::subset;

std::string label(const std::vector<config::Field>& path) {
  std::string text;
  for (const config::Field& field : path) {
    text += (text.empty() ? "" : ", ") + field.name + "=" + config::text(field.value);
  }
  return text;
}

json ids_of(const CaseHosts& hosts, std::span<const config::HostIndex> list) {
  json ids = json::array();
  for (const config::HostIndex host : list) {
    ids.push_back(hosts.ids[host.value]);
  }
  return ids;
}

void replay_build(const json& input, Check& check) {
  const CaseHosts hosts = read_hosts(input);
  const auto state = hosts.state(read_subset(input.at("subset_config")), false);
  const envoy::SubsetState& parts = *state->subsets;
  json subsets = json::object();
  for (const auto& found : parts.directory.subsets()) {
    subsets[label(found.path)] = ids_of(hosts, found.hosts);
  }
  check.equal("subsets", subsets);
  check.equal_if_expected("default_subset", [&] {
    return ids_of(hosts, parts.default_subset->state->hosts.host_sets.front().all.hosts());
  });
  check.equal("count", parts.subsets.size());
}

std::optional<subset::Criteria> read_criteria(const json& criteria) {
  return criteria.is_null() ? std::nullopt : std::optional(subset::Criteria(read_struct(criteria)));
}

// The hosts that round robin reaches; `reason` says whether a subset or a fallback led there.
void replay_reachable(const json& input, Check& check) {
  const CaseHosts hosts = read_hosts(input);
  const auto config = read_subset(input.at("subset_config"));
  const auto state = hosts.state(config, false);
  const auto criteria = read_criteria(input.at("criteria"));
  const auto exact = envoy::exact_shares(*state, {.criteria = criteria ? &*criteria : nullptr});
  json reached = json::array();
  for (const envoy::HostShare& row : exact.hosts) {
    reached.push_back(hosts.ids[row.host.value]);
  }
  check.equal("hosts", reached);
  if (!check.expects("reason")) {
    return;
  }
  const auto resolution = subset::resolve(config, state->subsets->selectors, state->subsets->directory,
                                          {criteria ? &*criteria->requested() : nullptr});
  const bool in_subset = resolution.kind == subset::Resolution::Kind::subset;
  const auto reason = check.expected().at("reason").get<std::string>();
  check.documentation("reason");
  if (reason.substr(0, reason.find(':')) != (in_subset ? "subset" : "fallback")) {
    check.fail("reason: expected " + reason + ", got " + (in_subset ? "subset" : "fallback"));
  }
}

json as_json(const config::Value& value) {
  if (const auto* const text = value.as_string()) {
    return *text;
  }
  if (const auto* const number = value.as_number()) {
    return *number;
  }
  if (const auto* const truth = value.as_bool()) {
    return *truth;
  }
  if (const auto* const list = value.as_list()) {
    json result = json::array();
    for (const config::Value& element : *list) {
      result.push_back(as_json(element));
    }
    return result;
  }
  json result;
  if (const auto* const object = value.as_struct()) {
    result = json::object();
    for (const config::Field& field : object->fields()) {
      result[field.name] = as_json(field.value);
    }
  }
  return result;
}

void replay_merge(const json& input, Check& check) {
  std::map<std::string, config::Struct> parts;
  for (const auto& [name, part] : input.items()) {
    if (name != "route" && name != "weighted_cluster" && name != "connection" && name != "request") {
      throw std::invalid_argument("unknown part of criteria: " + name);
    }
    if (!part.is_null()) {
      parts[name] = read_struct(part);
    }
  }
  const auto part = [&](const char* name) { return parts.contains(name) ? &parts.at(name) : nullptr; };
  const auto merged =
      envoy::routes::merge_criteria({part("route"), part("weighted_cluster"), part("connection"), part("request")});
  check.equal_whole(merged ? as_json(config::Value(*merged)) : json::object());
}

// A script's cluster: hosts by priority, their metadata and health as they are now.
class SubsetScript {
 public:
  explicit SubsetScript(const json& input) : input_(input) {
    for (const json& host : input.at("hosts")) {
      metadata_[host.at("id").get<std::string>()] = read_struct(host.at("metadata"));
    }
    for (const json& priority : input.at("initial_hosts")) {
      priorities_.push_back(priority.get<std::vector<std::string>>());
    }
    cluster_.lb_policy = policy();
    if (input.value("child_config", json::object()).value("locality_weighted", false)) {
      cluster_.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
    }
    refresh();
  }

  json simulate(Check& check) {
    json picks = json::array();
    for (const json& op : input_.at("ops")) {
      const auto name = op.at("op").get<std::string>();
      if (name == "choose") {
        picks.push_back(choose(op));
      } else if (name == "stats") {
        check_stats(op, check);
      } else {
        change(name, op);
      }
    }
    return picks;
  }

 private:
  [[nodiscard]] envoy::policies::Config policy() const {
    if (input_.at("child_policy") != "round_robin") {
      throw std::invalid_argument("unknown child policy");
    }
    return read_subset(input_.at("subset_config"));
  }

  json choose(const json& op) {
    const auto criteria = read_criteria(op.at("criteria"));
    envoy::RequestContext context;
    context.criteria = criteria ? &*criteria : nullptr;
    const auto pick = balancer_.choose(no_randomness_, context);
    return pick ? json(ids_[pick->host.value]) : json(nullptr);
  }

  void change(const std::string& name, const json& op) {
    if (name == "modify") {
      auto& hosts = priorities_.at(op.value("priority", std::size_t{0}));
      for (const json& id : op.at("remove")) {
        std::erase(hosts, id.get<std::string>());
      }
      for (const json& id : op.at("add")) {
        hosts.push_back(id.get<std::string>());
      }
      refresh();
    } else if (name == "metadata") {
      for (const auto& [id, value] : op.items()) {
        if (id != "op") {
          metadata_.at(id) = read_struct(value);
        }
      }
    } else if (name == "set_healthy") {
      const auto ids = op.at("ids").get<std::vector<std::string>>();
      healthy_ = std::set<std::string>(ids.begin(), ids.end());
    } else if (name == "update") {
      refresh();
    } else {
      throw std::invalid_argument("unknown op " + name);
    }
  }

  void check_stats(const json& op, Check& check) {
    const envoy::SubsetState& parts = *state_->subsets;
    const envoy::SubsetCounters& counters = balancer_.subset_counters();
    const std::map<std::string, std::uint64_t> stats = {{"active", parts.subsets.size()},
                                                        {"created", parts.created},
                                                        {"removed", parts.removed},
                                                        {"selected", counters.lb_subsets_selected},
                                                        {"fallback", counters.lb_subsets_fallback},
                                                        {"fallback_panic", counters.lb_subsets_fallback_panic}};
    for (const auto& [name, value] : op.items()) {
      if (name != "op" && stats.at(name) != value.get<std::uint64_t>()) {
        check.fail(name + ": expected " + value.dump() + ", got " + std::to_string(stats.at(name)));
      }
    }
  }

  [[nodiscard]] config::LbEndpoint endpoint(const std::string& id) {
    ids_.push_back(id);
    config::LbEndpoint result{.address = id, .metadata = metadata_.at(id)};
    if (healthy_ && !healthy_->contains(id)) {
      result.health_status = config::HealthStatus::unhealthy;
    }
    return result;
  }

  // The case's localities hold for the hosts of priority 0.
  [[nodiscard]] config::ClusterLoadAssignment assignment() {
    config::ClusterLoadAssignment result;
    ids_.clear();
    for (std::uint32_t priority = 0; priority < priorities_.size(); ++priority) {
      const auto& hosts = priorities_[priority];
      if (priority > 0 || !input_.contains("localities")) {
        auto& group = result.endpoints.emplace_back();
        group.priority = {priority};
        for (const std::string& id : hosts) {
          group.lb_endpoints.push_back(endpoint(id));
        }
        continue;
      }
      for (std::size_t locality = 0; locality < input_.at("localities").size(); ++locality) {
        auto& group = result.endpoints.emplace_back();
        group.locality = {"", std::string(1, static_cast<char>('a' + locality)), ""};
        group.load_balancing_weight = input_.at("locality_weights").at(locality).get<std::uint32_t>();
        for (const json& id : input_.at("localities").at(locality)) {
          if (std::find(hosts.begin(), hosts.end(), id.get<std::string>()) != hosts.end()) {
            group.lb_endpoints.push_back(endpoint(id.get<std::string>()));
          }
        }
      }
    }
    return result;
  }

  void refresh() {
    const config::ClusterLoadAssignment now = assignment();
    state_ = envoy::refresh(cluster_, state_.get(), envoy::make_priority_set(now, {}), {});
    balancer_.update(state_, no_randomness_);
  }

  struct NoRandomness {
    std::uint64_t operator()() const noexcept { return 0; }
  };

  const json& input_;
  envoy::Cluster cluster_;
  std::map<std::string, config::Struct> metadata_;
  std::vector<std::vector<std::string>> priorities_;
  std::optional<std::set<std::string>> healthy_;  // none: all are
  std::vector<std::string> ids_;                  // by HostIndex
  NoRandomness no_randomness_;
  std::shared_ptr<const envoy::ClusterState> state_;
  envoy::LoadBalancer balancer_;
};

void replay_script(const json& input, Check& check) {
  check.equal_whole(SubsetScript(input).simulate(check));
}

}  // namespace

const Replays& subset_replays() {
  static const Replays replays = {{"subset.build", replay_build},
                                  {"subset.reachable", replay_reachable},
                                  {"subset.merge_criteria", replay_merge},
                                  {"subset.script", replay_script}};
  return replays;
}

}  // namespace spillway::conformance
