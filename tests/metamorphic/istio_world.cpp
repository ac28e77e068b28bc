// Meshes of Istio: nodes in three localities, two services with pods and slices, a DestinationRule, a VirtualService.
#include <string>
#include <utility>
#include <vector>

#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

namespace {

class IstioWorld {
 public:
  explicit IstioWorld(Dice dice) : dice_(std::move(dice)) {}

  Json scenario() {
    Json world = {{"name", "drawn mesh of Istio"}, {"duration", "4s"}};
    world["profile"] = {{"istio", dice_.one_of<std::string>({"release-1.31", "release-1.31", "release-1.30"})}};
    resources_ = Json::array();
    for (const std::string number : {"1", "2", "3"}) {
      resources_.push_back({{"apiVersion", "v1"},
                            {"kind", "Node"},
                            {"metadata",
                             {{"name", "node-" + number},
                              {"labels",
                               {{"topology.kubernetes.io/region", number == "3" ? "far" : "near"},
                                {"topology.kubernetes.io/zone", "zone" + number}}}}}});
    }
    add_service("cart", 1, 3 + dice_.below(5));
    add_service("stock", 2, 2);
    add_destination_rule();
    if (dice_.chance(50)) {
      add_virtual_service();
    }
    world["resources"] = std::move(resources_);
    world["clients"] = clients();
    world["timeline"] = timeline();
    return world;
  }

 private:
  static Json metadata(const std::string& name, Json labels = {}) {
    Json fields = {{"name", name}, {"namespace", "shop"}};
    if (!labels.is_null()) {
      fields["labels"] = std::move(labels);
    }
    return fields;
  }

  void add_service(const std::string& name, int network, std::uint64_t pods) {
    Json endpoints = Json::array();
    for (std::uint64_t number = 0; number < pods; ++number) {
      const std::string pod = name + "-" + std::to_string(number + 1);
      const std::string address = "10.1." + std::to_string(network) + "." + std::to_string(number + 1);
      resources_.push_back({{"apiVersion", "v1"},
                            {"kind", "Pod"},
                            {"metadata", metadata(pod, {{"app", name}, {"version", number % 2 == 0 ? "v1" : "v2"}})},
                            {"spec", {{"nodeName", "node-" + std::to_string(1 + number % 3)}}},
                            {"status", {{"podIP", address}}}});
      endpoints.push_back({{"addresses", only(address)},
                           {"conditions", {{"ready", true}}},
                           {"targetRef", {{"kind", "Pod"}, {"name", pod}, {"namespace", "shop"}}}});
    }
    resources_.push_back({{"apiVersion", "v1"},
                          {"kind", "Service"},
                          {"metadata", metadata(name)},
                          {"spec",
                           {{"clusterIP", "10.0.0." + std::to_string(network)},
                            {"selector", {{"app", name}}},
                            {"ports", only({{"name", "http"}, {"port", 80}, {"targetPort", 80}})}}}});
    resources_.push_back({{"apiVersion", "discovery.k8s.io/v1"},
                          {"kind", "EndpointSlice"},
                          {"metadata", metadata(name + "-1", {{"kubernetes.io/service-name", name}})},
                          {"addressType", "IPv4"},
                          {"ports", only({{"name", "http"}, {"port", 80}})},
                          {"endpoints", std::move(endpoints)}});
    pods_ = pods_ == 0 ? pods : pods_;
  }

  Json traffic_policy() {
    Json balancer = Json::object();
    if (dice_.chance(40)) {
      balancer["simple"] = dice_.one_of<std::string>({"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"});
    }
    switch (dice_.below(4)) {
      case 0:
        balancer["localityLbSetting"] = {
            {"enabled", true},
            {"distribute", only({{"from", "near/zone1/*"},
                                 {"to", {{"near/zone1/*", 70}, {"near/zone2/*", 20}, {"far/zone3/*", 10}}}})}};
        break;
      case 1:
        balancer["localityLbSetting"] = {{"enabled", true}, {"failover", only({{"from", "near"}, {"to", "far"}})}};
        break;
      case 2:
        balancer["localityLbSetting"] = {{"enabled", false}};
        break;
      default:
        break;
    }
    Json policy = Json::object();
    if (!balancer.empty()) {
      policy["loadBalancer"] = std::move(balancer);
    }
    if (dice_.chance(60)) {
      policy["outlierDetection"] = {{"consecutive5xxErrors", 5}, {"interval", "1s"}, {"baseEjectionTime", "1s"}};
    }
    return policy;
  }

  void add_destination_rule() {
    Json versions = Json::array();
    for (const std::string version : {"v1", "v2"}) {
      versions.push_back({{"name", version}, {"labels", {{"version", version}}}});
    }
    Json spec = {{"host", "cart"}, {"subsets", std::move(versions)}};
    if (Json policy = traffic_policy(); !policy.empty()) {
      spec["trafficPolicy"] = std::move(policy);
    }
    resources_.push_back({{"apiVersion", "networking.istio.io/v1"},
                          {"kind", "DestinationRule"},
                          {"metadata", metadata("cart")},
                          {"spec", std::move(spec)}});
  }

  void add_virtual_service() {
    Json route = Json::array();
    for (const std::string version : {"v1", "v2"}) {
      route.push_back(
          {{"destination", {{"host", "cart"}, {"subset", version}}}, {"weight", version == "v1" ? 90 : 10}});
    }
    resources_.push_back({{"apiVersion", "networking.istio.io/v1"},
                          {"kind", "VirtualService"},
                          {"metadata", metadata("cart")},
                          {"spec", {{"hosts", only("cart")}, {"http", only({{"route", std::move(route)}})}}}});
  }

  Json clients() {
    Json list = Json::array();
    for (const std::string node : {"1", "3"}) {
      if (list.empty() || dice_.chance(50)) {
        list.push_back({{"name", "web" + node},
                        {"node", "node-" + node},
                        {"namespace", "shop"},
                        {"workload", {{"service", "cart"}, {"rate", "800rps"}}}});
      }
    }
    return list;
  }

  Json timeline() {
    Json events = Json::array();
    const std::size_t count = 1 + dice_.below(2);
    for (std::size_t number = 0; number < count; ++number) {
      const std::string pod = "cart-" + std::to_string(1 + dice_.below(pods_));
      Json event = {{"at", std::to_string(number + 1) + "s"}, {"endpoints", only(pod)}};
      if (dice_.chance(60)) {
        event["healthy"] = 0;
      } else {
        event["fails"] = "100%";
      }
      events.push_back(std::move(event));
    }
    return events;
  }

  Dice dice_;
  Json resources_ = {};
  std::uint64_t pods_ = 0;  // of cart
};

}  // namespace

Json istio_world(Dice dice) {
  return IstioWorld(std::move(dice)).scenario();
}

}  // namespace spillway::metamorphic
