#include <catch2/catch.hpp>

#include "sim/study/verdict.hpp"
#include "tests/sim/compare/compared.hpp"

using namespace test_compare;
using compare::ReasonKind;
using envoy::HostFlag;

namespace {

// A proxy in zone a, with a local cluster of two hosts in each of two zones, calls two hosts in zone a and six in b.
std::string zone_aware() {
  const auto cluster = [](const std::string& name, const std::string& net, const std::vector<int>& hosts) {
    std::string text = "  - name: " + name + "\n    type: STATIC\n    load_assignment:\n      cluster_name: " + name +
                       "\n      endpoints:\n";
    for (std::size_t zone = 0; zone < hosts.size(); ++zone) {
      text += std::string("      - locality: { zone: ") + (zone == 0 ? "a" : "b") + " }\n        lb_endpoints:\n";
      for (int host = 1; host <= hosts[zone]; ++host) {
        text += "        - { endpoint: { address: { socket_address: { address: " + net + "." + std::to_string(zone) +
                "." + std::to_string(host) + ", port_value: 80 } } } }\n";
      }
    }
    return text;
  };
  return "node: { id: shop-1, cluster: shop, locality: { zone: a } }\ncluster_manager: { local_cluster_name: shop }\n"
         "static_resources:\n  clusters:\n" +
         cluster("shop", "10.9", {2, 2}) + cluster("backend", "10.0", {2, 6});
}

std::vector<EdsHost> hosts_of(const std::string& net, const std::vector<int>& hosts, std::uint64_t each_in_a = 0) {
  std::vector<EdsHost> reported;
  for (std::size_t zone = 0; zone < hosts.size(); ++zone) {
    for (int host = 1; host <= hosts[zone]; ++host) {
      reported.push_back({net + "." + std::to_string(zone) + "." + std::to_string(host) + ":80", zone == 0 ? "a" : "b",
                          zone == 0 ? each_in_a : 0});
    }
  }
  return reported;
}

}  // namespace

TEST_CASE("hosts of the local cluster that the proxy holds otherwise explain where zone-aware routing goes") {
  // By the configuration half of the callers are in zone a and a quarter of the hosts: half of its requests stay.
  // Where /clusters shows one caller of eight in zone a, they have less than its hosts' quarter: all stay.
  auto after = moment("backend", hosts_of("10.0", {2, 6}, 2'000));
  after.clusters.push_back(moment("shop", hosts_of("10.9", {1, 7})).clusters.front());
  const auto comparison = compared(zone_aware(), {.clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  const auto* const found = reason(cluster, ReasonKind::reported_otherwise);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->seen);
  CHECK(found->text == "the proxy has other hosts of its local cluster than the configuration");
  // One as it is configured explains nothing.
  after.clusters.back() = moment("shop", hosts_of("10.9", {2, 2})).clusters.front();
  CHECK(reason(compared(zone_aware(), {.clusters_after = &after}).clusters.front(), ReasonKind::reported_otherwise) ==
        nullptr);
}

TEST_CASE("a member that only the proxy has explains its requests, and those that it took from the others") {
  const std::vector<EdsHost> three = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "a"}};
  std::vector<EdsHost> held = three;
  held.push_back({"10.0.0.4:80", "a"});
  for (EdsHost& host : held) {
    host.requests = 1'000;
  }
  const auto after = moment("backend", held);
  const auto comparison = compared(backend("", three), {.clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::reported_otherwise);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->text == "the proxy has other members than the configuration");
  // Four equal hosts do not get 1,000, 1,000, 1,000 and 2,800.
  held[3].requests = 2'800;
  const auto uneven = moment("backend", held);
  const auto other = compared(backend("", three), {.clusters_after = &uneven});
  REQUIRE(reason(other.clusters.front(), ReasonKind::reported_otherwise) != nullptr);
  CHECK_FALSE(reason(other.clusters.front(), ReasonKind::reported_otherwise)->explains);
}

TEST_CASE("a member that came in between has its part of the requests since then") {
  const std::vector<EdsHost> three = {{"10.0.0.1:80", "a"}, {"10.0.0.2:80", "a"}, {"10.0.0.3:80", "a"}};
  const auto before = moment("backend", three);
  // 3,000 requests to three hosts, then 4,000 to four, of which the second is at another priority by the configuration.
  std::vector<EdsHost> held = three;
  for (EdsHost& host : held) {
    host.requests = 2'000;
  }
  held.push_back({"10.0.0.4:80", "a", 1'000});
  const auto after = moment("backend", held);
  auto configured = three;
  configured[1].priority = 1;
  const auto comparison = compared(backend("", configured), {.clusters_before = &before, .clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::reported_otherwise);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->text == "the proxy has other members and priorities than the configuration");
}
