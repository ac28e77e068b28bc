#include "tests/conformance/lb_script.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"

namespace spillway::conformance {

namespace {

// Draws from a queue, then the same number for ever; remembers what it gave.
class Draws {
 public:
  Draws(const json& queue, std::uint64_t then) : then_(then) { replace(queue); }

  void replace(const json& queue) { queue_ = queue.get<std::deque<std::uint64_t>>(); }

  std::uint64_t operator()() {
    std::uint64_t draw = then_;
    if (!queue_.empty()) {
      draw = queue_.front();
      queue_.pop_front();
    }
    given_.push_back(draw);
    return draw;
  }

  std::vector<std::uint64_t> take_given() { return std::exchange(given_, {}); }

 private:
  std::deque<std::uint64_t> queue_;
  std::uint64_t then_;
  std::vector<std::uint64_t> given_;
};

// The lists of a host set as a script names them: flat, and by locality.
struct Lists {
  std::map<std::string, std::vector<std::string>> flat;  // hosts, healthy, degraded
  std::vector<std::vector<std::string>> by_locality;     // of all hosts; empty: one locality
  bool has_local = false;
};

class Script {
 public:
  explicit Script(const json& input)
      : input_(input), draws_(input.at("rng"), input.at("rng_default").get<std::uint64_t>()) {
    for (const json& host : input.at("hosts")) {
      index_of_[host.at("id").get<std::string>()] = static_cast<std::uint32_t>(ids_.size());
      ids_.push_back(host.at("id").get<std::string>());
      zones_.push_back(host.value("zone", std::string()));
      hosts_.emplace_back().weight = host.at("weight").get<std::uint32_t>();
    }
    active_.resize(ids_.size(), 0);
    last_hc_pass_.resize(ids_.size(), health::never);
    read_policy();
    read_common();
  }

  json simulate(Check& check) {
    json picks = json::array();
    for (const json& op : input_.at("ops")) {
      const auto name = op.at("op").get<std::string>();
      draws_.take_given();
      if (name == "choose" || name == "peek") {
        const auto pick = name == "choose" ? choose(op) : balancer_.peek(draws_, context());
        picks.push_back(pick ? json(ids_[pick->host.value]) : json(nullptr));
      } else if (name == "stats") {
        check_stats(op, check);
      } else {
        change(name, op);
      }
    }
    return picks;
  }

 private:
  void read_policy() {
    const auto policy = input_.at("policy").get<std::string>();
    const json& config = input_.at("config");
    if (policy == "round_robin") {
      cluster_.lb_policy = envoy::policies::round_robin::Config{slow_start(config)};
    } else if (policy == "random") {
      cluster_.lb_policy = envoy::policies::random::Config{};
    } else if (policy == "least_request") {
      envoy::policies::least_request::Config least_request;
      least_request.choice_count = config.value("choice_count", least_request.choice_count);
      least_request.active_request_bias = config.value("active_request_bias", least_request.active_request_bias);
      if (config.value("selection_method", std::string("N_CHOICES")) == "FULL_SCAN") {
        least_request.selection_method = envoy::policies::least_request::SelectionMethod::full_scan;
      }
      least_request.slow_start_config = slow_start(config);
      cluster_.lb_policy = least_request;
    } else {
      throw std::invalid_argument("unknown policy " + policy);
    }
  }

  static config::SlowStartConfig slow_start(const json& config) {
    config::SlowStartConfig result;
    result.slow_start_window = std::chrono::milliseconds{config.value("slow_start_window_ms", std::int64_t{0})};
    result.aggression = config.value("aggression", result.aggression);
    result.min_weight_percent.value = config.value("min_weight_percent", result.min_weight_percent.value);
    return result;
  }

  void read_common() {
    config::ZoneAwareLbConfig zone;
    for (const auto& [key, value] : input_.at("config").items()) {
      if (key == "panic_threshold") {
        cluster_.common_lb_config.healthy_panic_threshold = {value.get<double>()};
      } else if (key == "fail_traffic_on_panic") {
        zone.fail_traffic_on_panic = value.get<bool>();
      } else if (key == "min_cluster_size") {
        zone.min_cluster_size = value.get<std::uint64_t>();
      } else if (key == "force_local_zone_min_size") {
        zone.force_local_zone = config::ForceLocalZone{value.get<std::uint32_t>()};
      } else if (key == "locality_basis") {
        zone.locality_basis = value == "HEALTHY_HOSTS_WEIGHT" ? config::LocalityBasis::healthy_hosts_weight
                                                              : config::LocalityBasis::healthy_hosts_num;
      } else if (key != "locality_weighted" && key != "choice_count" && key != "active_request_bias" &&
                 key != "selection_method" && key != "slow_start_window_ms" && key != "aggression" &&
                 key != "min_weight_percent") {
        throw std::invalid_argument("unknown field " + key);
      }
    }
    cluster_.common_lb_config.locality_config_specifier = zone;
    if (input_.at("config").value("locality_weighted", false)) {
      cluster_.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
    }
  }

  [[nodiscard]] envoy::RequestContext context() const {
    envoy::RequestContext context;
    context.active_requests = active_;
    context.now = now_;
    return context;
  }

  std::optional<envoy::Pick> choose(const json& op) {
    auto request = context();
    request.host_selection_retry_count = op.value("host_selection_retry_count", std::uint32_t{0});
    const auto rejected = op.value("rejected", std::vector<std::string>());
    const auto pick = balancer_.choose(draws_, request, [&](const envoy::Pick& candidate) {
      return std::find(rejected.begin(), rejected.end(), ids_[candidate.host.value]) != rejected.end();
    });
    if (state_ != nullptr) {
      count_routes();
    }
    return pick;
  }

  // Makes the same choices once more from the draws that the pick took, and counts them by Envoy's names.
  void count_routes() {
    const std::vector<std::uint64_t> given = draws_.take_given();
    if (given.empty()) {
      return;
    }
    std::size_t used = 0;
    auto again = [&] { return given.at(used++); };
    const envoy::PriorityChoice choice = state_->priority_table[again() % 100];
    const envoy::PickPlan& plan = state_->plan(choice.priority, choice.availability);
    stats_["lb_healthy_panic"] += state_->priorities.panic[choice.priority.value] ? 1 : 0;
    if (plan.step != envoy::PickPlan::Step::zones ||
        !envoy::zone_routing_enabled(state_->zone_settings.routing_enabled, again) || state_->local_cluster_in_panic) {
      return;
    }
    static const std::map<envoy::ZoneRoute, std::string> names = {
        {envoy::ZoneRoute::all_directly, "lb_zone_routing_all_directly"},
        {envoy::ZoneRoute::sampled, "lb_zone_routing_sampled"},
        {envoy::ZoneRoute::cross_zone, "lb_zone_routing_cross_zone"},
        {envoy::ZoneRoute::no_capacity_left, "lb_zone_no_capacity_left"}};
    const envoy::ZoneRoute route = envoy::choose_zone(state_->zone_routing, again).route;
    ++stats_[names.at(route)];
    stats_["lb_zone_routing_cross_zone"] += route == envoy::ZoneRoute::no_capacity_left ? 1 : 0;
  }

  void check_stats(const json& op, Check& check) {
    for (const auto& [name, value] : op.items()) {
      if (name != "op" && stats_[name] != value.get<std::uint64_t>()) {
        check.fail(name + ": expected " + value.dump() + ", got " + std::to_string(stats_[name]));
      }
    }
  }

  void change(const std::string& name, const json& op) {
    if (name == "set") {
      set_lists(op);
    } else if (name == "create_lb") {
      state_ = refreshed(nullptr);
      balancer_ = envoy::LoadBalancer();
      balancer_.update(state_, draws_, active_, times());
    } else if (name == "update") {
      state_ = refreshed(state_.get());
      balancer_.deliver(state_, {op.at("priority").get<std::uint32_t>()}, draws_, active_, times());
    } else if (name == "local_update") {
      state_ = refreshed(state_.get());
      balancer_.update(state_, draws_, active_, times());
    } else if (name == "rng") {
      draws_.replace(op.at("values"));
    } else if (name == "active") {
      active_.at(index_of_.at(op.at("host").get<std::string>())) = op.at("value").get<std::uint32_t>();
    } else if (name == "weight") {
      set_weight(op);
    } else if (name == "advance_ms") {
      now_ += std::chrono::milliseconds{op.at("value").get<std::int64_t>()};
    } else if (name == "last_hc_pass_now") {
      last_hc_pass_.at(index_of_.at(op.at("host").get<std::string>())) = now_;
    } else if (name == "coarse_health") {
      set_coarse_health(op);
    } else if (name == "runtime") {
      set_runtime(op);
    } else {
      throw std::invalid_argument("unknown op " + name);
    }
  }

  // Lists that the op does not name stay.
  void set_lists(const json& op) {
    const json& priority = op.at("priority");
    Lists& lists = priority == "local" ? local_ : priorities_[priority.get<std::uint32_t>()];
    for (const auto& [key, value] : op.items()) {
      if (key == "hosts" || key == "healthy" || key == "degraded") {
        lists.flat[key] = value.get<std::vector<std::string>>();
      } else if (key == "per_loc") {
        lists.by_locality = value.get<std::vector<std::vector<std::string>>>();
      } else if (key == "has_local") {
        lists.has_local = value.get<bool>();
      } else if (key != "op" && key != "priority" && key != "healthy_loc" && key != "degraded_loc") {
        throw std::invalid_argument("unknown list " + key);
      }
    }
  }

  // Acts from the next turn of the host on, without an update.
  void set_weight(const json& op) {
    hosts_.at(index_of_.at(op.at("host").get<std::string>())).weight = op.at("value").get<std::uint32_t>();
    if (state_ == nullptr) {
      return;
    }
    state_->sources = envoy::HostSources(priority_set(), &state_->sources, state_->profile);
  }

  // Of the host itself; the lists stay as they were set.
  void set_coarse_health(const json& op) {
    static const std::map<std::string, envoy::HostFlags> flags = {{"healthy", {}},
                                                                  {"degraded", {envoy::HostFlag::degraded_active_hc}},
                                                                  {"unhealthy", {envoy::HostFlag::failed_active_hc}}};
    hosts_.at(index_of_.at(op.at("host").get<std::string>())).flags = flags.at(op.at("value").get<std::string>());
  }

  [[nodiscard]] health::HostTimes times() const { return {now_, last_hc_pass_}; }

  void set_runtime(const json& op) {
    for (const auto& [key, value] : op.items()) {
      auto* const least_request = std::get_if<envoy::policies::least_request::Config>(&cluster_.lb_policy);
      auto* const round_robin = std::get_if<envoy::policies::round_robin::Config>(&cluster_.lb_policy);
      if (key == "active_request_bias" && least_request != nullptr) {
        least_request->active_request_bias = value.get<double>();
      } else if (key == "aggression" && (least_request != nullptr || round_robin != nullptr)) {
        (least_request != nullptr ? least_request->slow_start_config : round_robin->slow_start_config).aggression =
            value.get<double>();
      } else if (key != "op") {
        throw std::invalid_argument("unknown runtime key " + key);
      }
    }
  }

  [[nodiscard]] envoy::HostSet host_set(const Lists& lists, std::uint32_t priority,
                                        std::vector<envoy::Host>& hosts) const {
    envoy::HostSet set;
    set.has_local_locality = lists.has_local;
    for (std::uint32_t locality = 0; locality < std::max<std::size_t>(1, lists.by_locality.size()); ++locality) {
      const bool named = locality < lists.by_locality.size() && !lists.by_locality[locality].empty();
      const std::string zone =
          named ? zones_[index_of_.at(lists.by_locality[locality].front())] : "nobody's " + std::to_string(locality);
      set.localities.push_back({"", zone, ""});
      for (std::size_t member = 0; named && member < lists.by_locality[locality].size(); ++member) {
        hosts[index_of_.at(lists.by_locality[locality][member])].locality = locality;
      }
    }
    set.locality_weights.clear();  // scripts give none
    const auto list = [&](const char* name) {
      std::vector<config::HostIndex> flat;
      if (const auto given = lists.flat.find(name); given != lists.flat.end()) {
        for (const std::string& id : given->second) {
          flat.push_back({index_of_.at(id)});
          hosts[index_of_.at(id)].priority = {priority};
        }
      }
      return envoy::HostList(std::move(flat), hosts, set.localities.size());
    };
    set.all = list("hosts");
    set.healthy = list("healthy");
    set.degraded = list("degraded");
    return set;
  }

  [[nodiscard]] envoy::PrioritySet priority_set() const {
    std::vector<envoy::Host> hosts = hosts_;
    envoy::PrioritySet result;
    const std::uint32_t priorities = priorities_.empty() ? 1 : priorities_.rbegin()->first + 1;
    for (std::uint32_t priority = 0; priority < priorities; ++priority) {
      const auto lists = priorities_.find(priority);
      result.host_sets.push_back(host_set(lists == priorities_.end() ? Lists{} : lists->second, priority, hosts));
    }
    result.hosts = envoy::Hosts(std::move(hosts));
    return result;
  }

  [[nodiscard]] std::shared_ptr<envoy::ClusterState> refreshed(const envoy::ClusterState* before) {
    std::vector<envoy::Host> hosts = hosts_;
    envoy::PrioritySet local;
    local.host_sets.push_back(host_set(local_, 0, hosts));
    local.host_sets.front().localities.resize(local_.by_locality.size());
    local.hosts = envoy::Hosts(std::move(hosts));
    const bool has_local = !local_.flat.empty();
    auto state = envoy::refresh(cluster_, before, priority_set(), {.local_cluster = has_local ? &local : nullptr});
    stats_["lb_zone_cluster_too_small"] +=
        state->zone_routing.reason == envoy::NoZoneRouting::cluster_too_small ? 1 : 0;
    return std::make_shared<envoy::ClusterState>(*state);
  }

  const json& input_;
  Draws draws_;
  envoy::Cluster cluster_;
  std::vector<std::string> ids_;  // by HostIndex
  std::vector<std::string> zones_;
  std::map<std::string, std::uint32_t> index_of_;
  std::vector<envoy::Host> hosts_;
  std::vector<std::uint32_t> active_;
  std::chrono::nanoseconds now_{0};
  std::vector<std::chrono::nanoseconds> last_hc_pass_;
  std::map<std::uint32_t, Lists> priorities_;
  Lists local_;
  std::map<std::string, std::uint64_t> stats_;
  std::shared_ptr<envoy::ClusterState> state_;  // the balancer's too; only weights are changed under its eyes
  envoy::LoadBalancer balancer_;
};

}  // namespace

void replay_lb_script(const json& input, Check& check) {
  check.equal_whole(Script(input).simulate(check));
}

}  // namespace spillway::conformance
