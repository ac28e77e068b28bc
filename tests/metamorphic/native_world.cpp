// Scenarios written by hand: zones, services with clusters and load assignments of Envoy, clients, a timeline.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

namespace {

using Texts = std::vector<std::string>;

class NativeWorld {
 public:
  explicit NativeWorld(Dice dice) : dice_(std::move(dice)) {}

  Json scenario() {
    choose();
    Json world = {{"name", "drawn"}, {"duration", "4s"}};
    if (seed_profile_) {
      world["profile"] = {{"envoy", "seed"}};
    }
    world["zones"] = zones();
    if (zones_.size() > 1 && dice_.chance(40)) {
      world["links"] =
          only({{"between", {zones_[0], zones_[1]}}, {"latency", dice_.one_of<std::string>({"1ms", "3ms"})}});
    }
    world["services"] = services();
    world["clusters"] = clusters();
    world["load_assignments"] = load_assignments();
    if (zone_aware_) {
      world["local_cluster"] = "shop";
    }
    if (routed_) {
      world["routes"] = routes();
    }
    world["clients"] = clients();
    if (Json events = timeline(); !events.empty()) {
      world["timeline"] = std::move(events);
    }
    return world;
  }

 private:
  void choose() {
    zones_ = dice_.one_of<Texts>({{"amber"}, {"amber", "cobalt"}, {"amber", "cobalt"}, {"amber", "birch", "cobalt"}});
    seed_profile_ = dice_.chance(8);
    takes_time_ = dice_.chance(50);
    by_level_ = dice_.chance(55);
    policy_ = dice_.one_of<std::string>(
        {"ROUND_ROBIN", "ROUND_ROBIN", "RANDOM", "LEAST_REQUEST", "LEAST_REQUEST", "RING_HASH", "MAGLEV"});
    hashes_ = policy_ == "RING_HASH" || policy_ == "MAGLEV";
    zone_aware_ = !hashes_ && zones_.size() > 1 && dice_.chance(25);
    locality_weighted_ = !zone_aware_ && !seed_profile_ && dice_.chance(25);
    subsets_ = !locality_weighted_ && dice_.chance(20);
    routed_ = hashes_ || subsets_ || dice_.chance(40);
  }

  Json zones() {
    Json list = Json::array();
    for (const std::string& zone : zones_) {
      list.push_back({{"name", zone}});
      if (dice_.chance(20)) {
        list.back()["nodes"] = only({{"name", zone + "-node"}, {"count", 2}});
      }
    }
    return list;
  }

  Json group(const std::string& zone, std::uint64_t priority) {
    localities_.emplace(zone, priority);
    const std::uint64_t count = 1 + dice_.below(5);
    Json group = {{"count", count}, {"zone", zone}};
    if (priority > 0) {
      group["priority"] = priority;
    }
    if (dice_.chance(30)) {
      group["weight"] = dice_.one_of<int>({2, 3, 10});
    }
    if (dice_.chance(20)) {
      group["healthy"] = dice_.below(count + 1);
      if (!seed_profile_ && group["healthy"] < count && dice_.chance(50)) {
        group["degraded"] = 1;
      }
    }
    if (takes_time_) {
      const std::string mean = dice_.one_of<std::string>({"2ms", "10ms"});
      group["service_time"] = dice_.chance(30) ? Json{{"mean", mean}, {"distribution", "exponential"}} : Json(mean);
      if (dice_.chance(25)) {
        group["cores"] = 4;
        group["queue"] = 20;
      }
    }
    if (subsets_) {
      group["metadata"] = {{"stage", dice_.one_of<std::string>({"prod", "prod", "canary"})}};
    }
    return group;
  }

  // Ring and Maglev tables hash addresses: those of single endpoints are written.
  static Json one_by_one(const Json& groups, const std::string& service) {
    Json singles = Json::array();
    for (const Json& group : groups) {
      for (std::uint64_t number = 0; number < group["count"].get<std::uint64_t>(); ++number) {
        Json single = group;
        single.erase("count");
        const std::string place = std::to_string(singles.size() + 1);
        single["id"] = service + "-" + place;
        single["address"] = "10.0.0." + place + ":80";
        for (const char* amount : {"healthy", "degraded"}) {
          single.erase(amount);
        }
        singles.push_back(std::move(single));
      }
    }
    return singles;
  }

  Json services() {
    Json groups = Json::array();
    for (std::size_t zone = 0; zone < zones_.size(); ++zone) {
      groups.push_back(group(zones_[zone], by_level_ ? zone : 0));
    }
    if (dice_.chance(50)) {
      groups.push_back(group(zones_[0], by_level_ && zones_.size() > 1 ? dice_.below(2) : 0));
    }
    for (const Json& one : groups) {
      endpoints_ += one["count"].get<std::uint64_t>();
    }
    Json list = only({{"name", "cart"}, {"endpoints", hashes_ ? one_by_one(groups, "cart") : groups}});
    list.push_back({{"name", "stock"}, {"endpoints", only({{"count", 3}, {"zone", zones_.back()}})}});
    if (zone_aware_) {
      Json callers = Json::array();
      for (const std::string& zone : zones_) {
        callers.push_back({{"count", 1 + dice_.below(3)}, {"zone", zone}});
      }
      list.push_back({{"name", "shop"}, {"endpoints", std::move(callers)}});
    }
    return list;
  }

  void add_locality_settings(Json& common) {
    if (zone_aware_) {
      common["zone_aware_lb_config"] = {{"min_cluster_size", dice_.one_of<int>({1, 4})}};
    } else if (locality_weighted_) {
      common["locality_weighted_lb_config"] = Json::object();
    } else if (hashes_ && dice_.chance(30)) {
      common["consistent_hashing_lb_config"] = {{"hash_balance_factor", dice_.one_of<int>({120, 300})}};
    }
  }

  void add_health(Json& cluster) {
    if (dice_.chance(30)) {
      cluster["outlier_detection"] = {{"consecutive_5xx", dice_.one_of<int>({2, 5})},
                                      {"interval", "0.5s"},
                                      {"base_ejection_time", "1s"},
                                      {"max_ejection_percent", dice_.one_of<int>({40, 100})}};
    }
    if (dice_.chance(20)) {
      cluster["health_checks"] = only({{"timeout", "0.1s"},
                                       {"interval", "0.5s"},
                                       {"unhealthy_threshold", 1},
                                       {"healthy_threshold", 1},
                                       {"http_health_check", {{"path", "/"}}}});
    }
    if (dice_.chance(15)) {
      cluster["circuit_breakers"] = {{"thresholds", only({{"max_requests", dice_.one_of<int>({3, 40})}})}};
    }
  }

  Json clusters() {
    Json cluster = {{"name", "cart"}, {"lb_policy", policy_}};
    if (!hashes_ && policy_ != "RANDOM" && dice_.chance(15)) {
      const std::string settings = policy_ == "ROUND_ROBIN" ? "round_robin_lb_config" : "least_request_lb_config";
      cluster[settings] = {{"slow_start_config", {{"slow_start_window", "2s"}}}};
    }
    Json common = {{"healthy_panic_threshold", {{"value", dice_.one_of<int>({0, 30, 50, 50})}}}};
    add_locality_settings(common);
    cluster["common_lb_config"] = std::move(common);
    add_health(cluster);
    if (subsets_) {
      cluster["lb_subset_config"] = {{"fallback_policy", "ANY_ENDPOINT"},
                                     {"subset_selectors", only({{"keys", only("stage")}})}};
    }
    return only(std::move(cluster));
  }

  Json load_assignments() {
    Json assignment = {{"cluster_name", "cart"}};
    if (!seed_profile_ && dice_.chance(30)) {
      assignment["policy"] = {{"overprovisioning_factor", dice_.one_of<int>({100, 200})}};
    }
    if (locality_weighted_) {
      Json localities = Json::array();
      for (const auto& [zone, priority] : localities_) {
        localities.push_back(
            {{"locality", {{"zone", zone}}}, {"priority", priority}, {"load_balancing_weight", 1 + dice_.below(4)}});
      }
      assignment["endpoints"] = std::move(localities);
    }
    return only(std::move(assignment));
  }

  Json routes() {
    Json route = Json::object();
    splits_ = !hashes_ && dice_.chance(30);
    if (splits_) {
      Json parts = only({{"name", "cart"}, {"weight", 3}});
      parts.push_back({{"name", "stock"}, {"weight", 1}});
      route["weighted_clusters"] = {{"clusters", std::move(parts)}};
    } else {
      route["cluster"] = "cart";
    }
    if (hashes_) {
      route["hash_policy"] = only({{"header", {{"header_name", "x-user"}}}});
    }
    if (subsets_) {
      route["metadata_match"] = {{"filter_metadata", {{"envoy.lb", {{"stage", "prod"}}}}}};
    }
    if (dice_.chance(40)) {
      route["retry_policy"] = {{"retry_on", dice_.one_of<std::string>({"5xx", "connect-failure,reset"})},
                               {"num_retries", 1 + dice_.below(2)}};
    }
    if (dice_.chance(25)) {
      route["timeout"] = "0.5s";
    }
    return only({{"match", {{"prefix", "/"}}}, {"route", std::move(route)}});
  }

  Json clients() {
    Json list = Json::array();
    const Texts names = {"app", "cron", "web"};
    const std::size_t count = 1 + dice_.below(3);
    for (std::size_t number = 0; number < count; ++number) {
      Json workload = Json::object();
      if (dice_.chance(20)) {
        workload["phases"] = "300rps 1s, 1200rps";
      } else {
        workload["rate"] = dice_.one_of<std::string>({"400rps", "900rps"});
      }
      if (dice_.chance(20)) {
        workload["arrivals"] = "periodic";
      }
      if (!routed_) {
        workload["service"] = "cart";
      } else if (hashes_) {
        workload["keys"] = {{"header", "x-user"}, {"count", dice_.one_of<int>({20, 200})}, {"prefix", "u"}};
      }
      list.push_back(
          {{"name", names[number]}, {"zone", zones_[number % zones_.size()]}, {"workload", std::move(workload)}});
      if (dice_.chance(30)) {
        list.back()["count"] = dice_.one_of<int>({2, 4});
      }
      if (dice_.chance(15)) {
        list.back()["concurrency"] = 2;
      }
    }
    return list;
  }

  std::string endpoint() { return "cart-" + std::to_string(1 + dice_.below(endpoints_)); }

  Json event(const std::string& at) {
    Json event = {{"at", at}, {"service", "cart"}};
    switch (dice_.below(8)) {
      case 0:
        event.update({{"endpoints", only(endpoint())}, {"outage", true}});
        break;
      case 1:
        event.update({{"endpoints", only(endpoint())}, {"fails", dice_.one_of<std::string>({"5%", "100%"})}});
        event["fails_with"] = dice_.one_of<Json>({503, "reset", "connect_failure"});
        break;
      case 2:
        event.update({{"endpoints", only(endpoint())}, {"slow", 4}});
        break;
      case 3:
        event.update({{"endpoints", only(endpoint())}, {"weight", 5}});
        break;
      case 4:
        event.update({{"endpoints", only(endpoint())}, {"remove", 1}});
        break;
      default:
        event.update({{"priority", 0}, {"healthy", dice_.one_of<std::string>({"0%", "40%", "70%", "100%"})}});
    }
    return event;
  }

  Json timeline() {
    Json events = Json::array();
    const std::size_t count = dice_.below(4);
    for (std::size_t number = 0; number < count; ++number) {
      events.push_back(event(std::to_string(number + 1) + "s"));
    }
    return events;
  }

  Dice dice_;
  Texts zones_ = {};
  std::string policy_ = {};
  std::set<std::pair<std::string, std::uint64_t>> localities_ = {};  // of cart
  std::uint64_t endpoints_ = 0;                                      // of cart
  bool seed_profile_ = false;
  bool takes_time_ = false;
  bool by_level_ = false;
  bool hashes_ = false;
  bool zone_aware_ = false;
  bool locality_weighted_ = false;
  bool subsets_ = false;
  bool routed_ = false;
  bool splits_ = false;
};

}  // namespace

Json native_world(Dice dice) {
  return NativeWorld(std::move(dice)).scenario();
}

Json native_world_with(const std::string& word, std::uint64_t number) {
  constexpr std::uint64_t tries = 1'000;
  for (std::uint64_t seed = number * tries;; ++seed) {
    Json world = native_world(Dice(seed));
    if (world.dump().find(word) != std::string::npos) {
      return world;
    }
  }
}

}  // namespace spillway::metamorphic
