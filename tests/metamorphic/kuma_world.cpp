// Meshes of Kuma: dataplanes in three zones, policies, sometimes with a zone egress.
#include <string>
#include <utility>
#include <vector>

#include "tests/metamorphic/worlds.hpp"

namespace spillway::metamorphic {

namespace {

using Texts = std::vector<std::string>;

class KumaWorld {
 public:
  explicit KumaWorld(Dice dice) : dice_(std::move(dice)) {}

  Json scenario() {
    Json world = {{"name", "drawn mesh"}, {"duration", "4s"}};
    const auto profile = dice_.one_of<std::string>({"release-2.14", "release-2.14", "head", "document"});
    head_ = profile == "head";
    world["profile"] = {{"kuma", profile}};
    world["zones"] = zones();
    world["services"] = services();
    world["policies"] = policies();
    if (dice_.chance(30)) {
      world["resources"] =
          only({{"type", "Mesh"},
                {"name", "default"},
                {"mtls", {{"enabledBackend", "ca"}, {"backends", only({{"name", "ca"}, {"type", "builtin"}})}}},
                {"routing", {{"zoneEgress", true}}}});
    }
    world["clients"] = clients();
    world["timeline"] = timeline();
    return world;
  }

 private:
  Json zones() {
    Json list = Json::array();
    for (const std::string& zone : zones_) {
      list.push_back({{"name", zone}});
    }
    Json nodes = Json::array();
    for (const std::string name : {"n1", "n2"}) {
      nodes.push_back({{"name", name}, {"labels", {{"k8s.io/node", name}, {"k8s.io/az", "az-1"}}}});
    }
    list[0]["nodes"] = std::move(nodes);
    return list;
  }

  Json services() {
    Json groups = Json::array();
    for (const std::string& zone : zones_) {
      for (const std::string version : {"v1", "v2"}) {
        const std::uint64_t count = 1 + dice_.below(3);
        groups.push_back({{"count", count}, {"zone", zone}, {"tags", {{"version", version}}}});
        groups.back()["service_time"] = dice_.one_of<std::string>({"2ms", "5ms"});
        endpoints_ += count;
      }
    }
    Json list = only({{"name", "backend"}, {"endpoints", std::move(groups)}});
    list.push_back({{"name", "store"}, {"endpoints", only({{"count", 3}, {"zone", zones_[1]}})}});
    return list;
  }

  Json failover() {
    Json rules = Json::array();
    if (dice_.chance(50)) {
      rules.push_back({{"from", {{"zones", only(dice_.one_of(zones_))}}},
                       {"to", {{"type", "Only"}, {"zones", only(dice_.one_of(zones_))}}}});
    }
    Json last = {{"type", dice_.one_of<std::string>({"Any", "Any", "AnyExcept", "None"})}};
    if (last["type"] == "AnyExcept") {
      last["zones"] = only(zones_[2]);
    }
    rules.push_back({{"to", std::move(last)}});
    return rules;
  }

  static Json policy(const std::string& type, const std::string& name, Json to) {
    return {{"type", type},
            {"name", name},
            {"mesh", "default"},
            {"spec", {{"targetRef", {{"kind", "Mesh"}}}, {"to", only(std::move(to))}}}};
  }

  // In the profile head services are over all zones and have no tags.
  Json to_backend(Json conf) const {
    Json reference = {{"kind", "MeshService"}, {"name", "backend"}};
    if (head_) {
      reference = {{"kind", "MeshMultiZoneService"}, {"labels", {{"kuma.io/display-name", "backend"}}}};
    }
    return {{"targetRef", std::move(reference)}, {"default", std::move(conf)}};
  }

  Json balancing() {
    Json conf = Json::object();
    Json awareness = Json::object();
    if (dice_.chance(50)) {
      Json tags = only({{"key", "k8s.io/node"}});
      tags.push_back({{"key", "k8s.io/az"}});
      awareness["localZone"] = {{"affinityTags", std::move(tags)}};
    }
    if (dice_.chance(70)) {
      awareness["crossZone"] = {{"failover", failover()}};
      if (dice_.chance(50)) {
        awareness["crossZone"]["failoverThreshold"] = {{"percentage", dice_.one_of<int>({50, 70, 100})}};
      }
    }
    conf["localityAwareness"] = std::move(awareness);
    if (dice_.chance(40)) {
      conf["loadBalancer"] = {{"type", dice_.one_of<std::string>({"RoundRobin", "LeastRequest", "Random"})}};
    }
    return conf;
  }

  Json split() {
    Json refs = Json::array();
    for (const std::string version : {"v1", "v2"}) {
      refs.push_back({{"kind", "MeshServiceSubset"},
                      {"name", "backend"},
                      {"tags", {{"version", version}}},
                      {"weight", version == "v1" ? 80 : 20}});
    }
    Json rule = {{"matches", only({{"path", {{"type", "PathPrefix"}, {"value", "/"}}}})},
                 {"default", {{"backendRefs", std::move(refs)}}}};
    return {{"targetRef", {{"kind", "MeshService"}, {"name", "backend"}}}, {"rules", only(std::move(rule))}};
  }

  Json policies() {
    Json list = only(policy("MeshLoadBalancingStrategy", "balance", to_backend(balancing())));
    if (dice_.chance(40)) {
      list.push_back(policy("MeshCircuitBreaker", "eject",
                            to_backend({{"outlierDetection",
                                         {{"interval", "1s"},
                                          {"baseEjectionTime", "1s"},
                                          {"maxEjectionPercent", 50},
                                          {"detectors", {{"totalFailures", {{"consecutive", 5}}}}}}}})));
    }
    if (dice_.chance(25)) {
      list.push_back(policy("MeshHealthCheck", "probe",
                            to_backend({{"interval", "1s"},
                                        {"timeout", "0.5s"},
                                        {"unhealthyThreshold", 1},
                                        {"healthyThreshold", 1},
                                        {"http", {{"path", "/health"}}}})));
    }
    if (!head_ && dice_.chance(25)) {
      list.push_back(policy("MeshHTTPRoute", "split", split()));
    }
    return list;
  }

  Json clients() {
    Json list = only({{"name", "web"}, {"node", "n1"}, {"workload", {{"service", "backend"}, {"rate", "900rps"}}}});
    if (dice_.chance(60)) {
      list.push_back({{"name", "app"},
                      {"zone", zones_[1]},
                      {"count", 2},
                      {"workload", {{"service", "backend"}, {"rate", "500rps"}}}});
    }
    return list;
  }

  Json timeline() {
    Json events = Json::array();
    const std::size_t count = 1 + dice_.below(3);
    for (std::size_t number = 0; number < count; ++number) {
      const std::string endpoint = "backend-" + std::to_string(1 + dice_.below(endpoints_));
      Json event = {{"at", std::to_string(number + 1) + "s"}, {"service", "backend"}};
      switch (dice_.below(4)) {
        case 0:
          event.update({{"endpoints", only(endpoint)}, {"remove", 1}});
          break;
        case 1:
          event.update({{"endpoints", only(endpoint)}, {"fails", "100%"}});
          break;
        default:
          event.update({{"zone", dice_.one_of(zones_)}, {"healthy", dice_.one_of<std::string>({"0%", "50%"})}});
      }
      events.push_back(std::move(event));
    }
    return events;
  }

  Dice dice_;
  Texts zones_ = {"amber", "birch", "cobalt"};
  std::uint64_t endpoints_ = 0;
  bool head_ = false;
};

}  // namespace

Json kuma_world(Dice dice) {
  return KumaWorld(std::move(dice)).scenario();
}

}  // namespace spillway::metamorphic
