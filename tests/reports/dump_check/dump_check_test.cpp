// Dumps made of what Istio's own code made (tests/conformance/cases/istio.json), beside the documents it was given.
#include "reports/dump_check/dump_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "models/istio/proxy.hpp"
#include "reports/dump_check/settings.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/istio/mesh_files.hpp"
#include "sim/scenario/binding/istio/proxy_view.hpp"
#include "sim/scenario/route.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using nlohmann::json;
using support::TemporaryFolder;

namespace {

constexpr const char* type_prefix = "type.googleapis.com/envoy.";

json as_dump(const json& expected, const json& destination) {
  json clusters = json::array();
  for (json cluster : expected.at("clusters")) {
    cluster.erase("upstream_protocol");
    if (cluster.at("type") == "EDS") {
      cluster["eds_cluster_config"] = {{"service_name", cluster.at("name")}};
    }
    cluster["@type"] = std::string(type_prefix) + "config.cluster.v3.Cluster";
    clusters.push_back({{"cluster", cluster}});
  }
  json endpoints = json::array();
  for (json assignment : expected.value("load_assignments", json::array())) {
    assignment["@type"] = std::string(type_prefix) + "config.endpoint.v3.ClusterLoadAssignment";
    endpoints.push_back({{"endpoint_config", assignment}});
  }
  json routes = json::array();
  for (const json& table : expected.value("routes", json::array())) {
    const json virtual_host = {{"name", table.at("virtual_host")},
                               {"domains", json::array({destination.at("host")})},
                               {"routes", table.at("routes")}};
    routes.push_back({{"route_config",
                       {{"@type", std::string(type_prefix) + "config.route.v3.RouteConfiguration"},
                        {"name", table.at("route_config")},
                        {"virtual_hosts", json::array({virtual_host})}}}});
  }
  json listeners = json::array();
  for (json tcp : expected.value("tcp", json::array())) {
    tcp["@type"] = std::string(type_prefix) + "extensions.filters.network.tcp_proxy.v3.TcpProxy";
    const json filter = {{"name", "envoy.filters.network.tcp_proxy"}, {"typed_config", tcp}};
    listeners.push_back(
        {{"name", "tcp"},
         {"active_state",
          {{"listener",
            {{"@type", std::string(type_prefix) + "config.listener.v3.Listener"},
             {"name", "tcp"},
             {"address", {{"socket_address", {{"address", "0.0.0.0"}, {"port_value", destination.at("port")}}}}},
             {"filter_chains", json::array({{{"filters", json::array({filter})}}})}}}}}});
  }
  const auto dump = [](const char* kind, const char* key, const json& list) {
    return json{{"@type", std::string(type_prefix) + "admin.v3." + kind}, {key, list}};
  };
  return {{"configs", json::array({dump("ClustersConfigDump", "dynamic_active_clusters", clusters),
                                   dump("EndpointsConfigDump", "dynamic_endpoint_configs", endpoints),
                                   dump("RoutesConfigDump", "dynamic_route_configs", routes),
                                   dump("ListenersConfigDump", "dynamic_listeners", listeners)})}};
}

// What the cases write apart from the documents, as a document.
std::string documents_of(const json& test_case) {
  std::string text = test_case.at("config").get<std::string>();
  if (test_case.contains("mesh")) {
    const json installed = {{"apiVersion", "install.istio.io/v1alpha1"},
                            {"kind", "IstioOperator"},
                            {"metadata", {{"name", "installed"}}},
                            {"spec", {{"meshConfig", test_case.at("mesh")}}}};
    text += "\n---\n" + installed.dump() + "\n";
  }
  return text;
}

istio::Proxy proxy_of(const json& written) {
  return {.name_space = written.at("namespace").get<std::string>(),
          .locality = istio::split_locality(written.value("locality", std::string())),
          .labels = written.value("labels", istio::Labels{}),
          .node = written.value("node", std::string()),
          .network = written.value("network", std::string()),
          .pod = written.value("pod", std::string()),
          .router = written.value("type", std::string("sidecar")) == "router"};
}

// Cases of one cluster of Kubernetes and of Istio's defaults, without refusals: files of them are whole meshes.
bool is_plain(const json& test_case) {
  const json& expected = test_case.at("expected");
  const json validation = expected.value("validation", json::array());
  const bool refused =
      std::any_of(validation.begin(), validation.end(), [](const json& one) { return one.at("verdict") == "refused"; });
  return !refused && !test_case.contains("clusters") && !test_case.contains("env") &&
         !test_case.contains("mesh_networks") && !expected.contains("error") && !expected.at("clusters").empty();
}

json all_cases() {
  std::ifstream file(SPILLWAY_SOURCE_DIR "/tests/conformance/cases/istio.json");
  return json::parse(file).at("cases");
}

const json& case_called(const json& cases, const std::string& name) {
  return *std::find_if(cases.begin(), cases.end(), [&](const json& one) { return one.at("name") == name; });
}

reports::held::Beside compared(const json& test_case, const std::optional<std::string>& cluster,
                               const std::function<void(json&)>& change = {}) {
  const TemporaryFolder folder;
  const std::string documents = folder.write("mesh.yaml", documents_of(test_case));
  json expected = test_case.at("expected");
  if (change) {
    change(expected);
  }
  const std::string dump = folder.write("dump.json", as_dump(expected, test_case.at("destination")).dump());
  const auto mesh = scenario::istio_binding::read_mesh_files({documents});
  const scenario::istio_binding::ProxyView view(mesh, proxy_of(test_case.at("proxy")));
  const auto proxy = scenario::ProxyConfiguration::read({dump});
  return reports::held::check_dump(mesh, view, proxy, cluster);
}

const json& first_assignment(const json& expected) {
  return expected.at("load_assignments").at(0);
}

}  // namespace

TEST_CASE("a proxy that holds what Istio's own code makes differs from its documents in nothing", "[istio]") {
  std::size_t clusters = 0;
  std::size_t tables = 0;
  const json cases = all_cases();
  for (std::size_t number = 0; number < cases.size(); number += support::stride_of_cases) {
    const json& test_case = cases[number];
    if (!is_plain(test_case)) {
      continue;
    }
    INFO(test_case.at("name").get<std::string>());
    for (const json& cluster : test_case.at("expected").at("clusters")) {
      const auto beside = compared(test_case, cluster.at("name").get<std::string>());
      for (const auto& difference : beside.differences) {
        UNSCOPED_INFO(difference.of + " " + difference.what + ": " + difference.documents + ", " + difference.proxy);
      }
      CHECK(beside.agrees());
      clusters += beside.clusters;
    }
    if (test_case.at("expected").contains("routes")) {
      const auto beside = compared(test_case, std::nullopt);
      const json& destination = test_case.at("destination");
      const std::string of = "routes of " + destination.at("host").get<std::string>() + ":" +
                             std::to_string(destination.at("port").get<int>());
      for (const auto& difference : beside.differences) {
        if (difference.of == of) {
          FAIL_CHECK(difference.what + ": " + difference.documents + ", " + difference.proxy);
        }
      }
      tables += beside.routes > 0 ? 1 : 0;
    }
  }
  CHECK(clusters > support::cases_of(250));
  CHECK(tables > support::cases_of(150));
}

TEST_CASE("whatever a proxy holds otherwise is told, with the rule that made ours", "[istio]") {
  const json cases = all_cases();
  const json& failover = case_called(cases, "outlier/all");
  const std::string cluster = failover.at("expected").at("clusters").at(0).at("name").get<std::string>();
  const auto only = [&](const std::function<void(json&)>& change) {
    const auto beside = compared(failover, cluster, change);
    REQUIRE(beside.differences.size() == 1);
    return beside.differences.front();
  };
  const auto breaker =
      only([](json& expected) { expected["clusters"][0]["circuit_breakers"]["thresholds"][0]["max_requests"] = 7; });
  CHECK(breaker.what == "circuit_breakers.max_requests");
  CHECK(breaker.documents == "no limit");
  CHECK(breaker.proxy == "7");
  CHECK(breaker.made_by == "istiod's default");
  const auto outlier =
      only([](json& expected) { expected["clusters"][0]["outlier_detection"]["max_ejection_percent"] = 77; });
  CHECK(outlier.what == "outlier_detection.max_ejection_percent");
  CHECK(outlier.proxy == "77");
  CHECK(outlier.made_by.starts_with("DestinationRule default/"));
  REQUIRE(outlier.where);
  const auto block = only([](json& expected) { expected["clusters"][0].erase("outlier_detection"); });
  CHECK(block.what == "outlier_detection");
  CHECK(block.proxy == "not there");
  const auto policy = only([](json& expected) { expected["clusters"][0]["lb_policy"] = "RANDOM"; });
  CHECK(policy.what == "lb_policy");
  CHECK(policy.proxy == "random");
  const auto timeout = only([](json& expected) { expected["clusters"][0]["connect_timeout"] = "3s"; });
  CHECK(timeout.what == "connect_timeout");
  CHECK(timeout.documents == "10 s");
  const auto gone = compared(failover, std::nullopt, [](json& expected) { expected["clusters"].clear(); });
  CHECK(gone.differences.front().what == "cluster");
  CHECK(gone.differences.front().proxy == "not there");
}

TEST_CASE("endpoints are compared by priority, locality, weight and health", "[istio]") {
  const json cases = all_cases();
  const json& failover = case_called(cases, "failover/one.from-r1-z1-a");
  const std::string cluster = first_assignment(failover.at("expected")).at("cluster_name").get<std::string>();
  const auto reported = [&](const std::function<void(json&)>& change) {
    std::vector<std::string> whats;
    for (const auto& difference : compared(failover, cluster, [&](json& expected) {
                                    change(expected["load_assignments"][0]["endpoints"]);
                                  }).differences) {
      whats.push_back(difference.what.substr(difference.what.find(": ") + 2));
    }
    return whats;
  };
  const auto priority = reported([](json& groups) { groups[0]["priority"] = 9; });
  CHECK(std::count(priority.begin(), priority.end(), "priority") == static_cast<std::ptrdiff_t>(priority.size()));
  CHECK_FALSE(priority.empty());
  CHECK(reported([](json& groups) { groups[0]["lb_endpoints"][0]["health_status"] = "UNHEALTHY"; }) ==
        std::vector<std::string>{"health"});
  CHECK(reported([](json& groups) { groups[0]["lb_endpoints"][0]["load_balancing_weight"] = 3; }) ==
        std::vector<std::string>{"weight"});
  CHECK(reported([](json& groups) { groups[0]["lb_endpoints"].erase(0); }).size() == 1);
}

TEST_CASE("an endpoint with an IPv6 address is the same however either side writes it", "[istio]") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("mesh.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { clusterIP: fd00::1, ports: [{ name: http, port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: default, labels: { kubernetes.io/service-name: web } }
addressType: IPv6
ports: [{ name: http, port: 8080 }]
endpoints: [{ addresses: ["2001:db8::1"], conditions: { ready: true } }]
)");
  const auto mesh = scenario::istio_binding::read_mesh_files({documents});
  const scenario::istio_binding::ProxyView view(mesh, {.name_space = "default"});
  const std::string name = "outbound|80||web.default.svc.cluster.local";
  const auto whats = [&](const std::string& address) {
    const json endpoint = {
        {"endpoint", {{"address", {{"socket_address", {{"address", address}, {"port_value", 8080}}}}}}},
        {"health_status", "HEALTHY"},
        {"load_balancing_weight", 1}};
    const json expected = {
        {"clusters", json::array({{{"name", name}, {"type", "EDS"}}})},
        {"load_assignments",
         json::array(
             {{{"cluster_name", name}, {"endpoints", json::array({{{"lb_endpoints", json::array({endpoint})}}})}}})}};
    const std::string dump = folder.write("dump.json", as_dump(expected, {{"host", "web"}, {"port", 80}}).dump());
    std::vector<std::string> found;
    for (const auto& difference :
         reports::held::check_dump(mesh, view, scenario::ProxyConfiguration::read({dump}), name).differences) {
      if (difference.what.find("2001") != std::string::npos) {
        found.push_back(difference.what);
      }
    }
    return found;
  };
  CHECK(whats("2001:db8::1").empty());
  CHECK(whats("2001:DB8:0:0::1").empty());
  CHECK(whats("2001:db8::2").size() == 2);
}

TEST_CASE("routes that a VirtualService delegates are not compared", "[istio]") {
  const json cases = all_cases();
  const json& split = case_called(cases, "route/split");
  const TemporaryFolder folder;
  const std::string documents = folder.write("mesh.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] }
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: default }
spec: { hosts: [web], http: [{ delegate: { name: d, namespace: default } }] }
)");
  const auto mesh = scenario::istio_binding::read_mesh_files({documents});
  const scenario::istio_binding::ProxyView view(mesh, {.name_space = "default"});
  const std::string dump = folder.write("dump.json", as_dump(split.at("expected"), split.at("destination")).dump());
  const auto found = reports::held::check_dump(mesh, view, scenario::ProxyConfiguration::read({dump}), std::nullopt);
  CHECK(std::none_of(found.differences.begin(), found.differences.end(),
                     [](const auto& difference) { return difference.of.starts_with("routes of"); }));
  CHECK(std::any_of(found.not_compared.begin(), found.not_compared.end(), [](const auto& one) {
    return one.of == "routes of web.default.svc.cluster.local:80" && one.why.find("delegate") != std::string::npos;
  }));
}

TEST_CASE("routes are compared one by one: matches, weights, timeouts and retries", "[istio]") {
  const json cases = all_cases();
  const json& split = case_called(cases, "route/split");
  const auto reported = [&](const std::function<void(json&)>& change) {
    return compared(split, std::nullopt, [&](json& expected) { change(expected["routes"][0]["routes"]); }).differences;
  };
  CHECK(reported([](json&) {}).empty());
  const auto weight =
      reported([](json& routes) { routes[0]["route"]["weighted_clusters"]["clusters"][0]["weight"] = 80; });
  REQUIRE(weight.size() == 1);
  CHECK(weight[0].of == "routes of web.default.svc.cluster.local:80");
  CHECK(weight[0].what == "route 1: clusters");
  CHECK(weight[0].made_by == "VirtualService default/web");
  CHECK(weight[0].documents ==
        "90 outbound|80|v1|web.default.svc.cluster.local, 10 outbound|80|v2|web.default.svc.cluster.local");
  CHECK(reported([](json& routes) { routes[0]["route"]["timeout"] = "5s"; }).at(0).what == "route 1: timeout");
  CHECK(reported([](json& routes) { routes[0]["route"].erase("retry_policy"); }).at(0).what == "route 1: retries");
  CHECK(reported([](json& routes) { routes[0]["match"]["prefix"] = "/v2"; }).at(0).what == "route 1: match");
  CHECK(reported([](json& routes) { routes.push_back(routes[0]); }).at(0).what == "number of routes");
}

TEST_CASE("TCP routes are compared by the listener that takes their connections", "[istio]") {
  const json cases = all_cases();
  const json& hashed = case_called(cases, "kind/tcp-source-hash");
  const auto reported = [&](const std::function<void(json&)>& change) {
    return compared(hashed, std::nullopt, [&](json& expected) { change(expected["tcp"][0]); });
  };
  CHECK(reported([](json&) {}).agrees());
  CHECK(reported([](json&) {}).routes == 1);
  const auto hash = reported([](json& tcp) { tcp.erase("hash_policy"); }).differences;
  REQUIRE(hash.size() == 1);
  CHECK(hash[0].of == "TCP route of web.default.svc.cluster.local:80");
  CHECK(hash[0].what == "hash");
  CHECK(hash[0].documents == "source address");
  CHECK(hash[0].proxy == "none");
  const auto split = reported([](json& tcp) {
    const std::string cluster = tcp["cluster"].get<std::string>();
    tcp.erase("cluster");
    tcp["weighted_clusters"] = {
        {"clusters", json::array({{{"name", cluster}, {"weight", 90}}, {{"name", "other"}, {"weight", 10}}})}};
  });
  REQUIRE(split.differences.size() == 1);
  CHECK(split.differences[0].what == "clusters");
  CHECK(split.differences[0].proxy == "90 outbound|80||web.default.svc.cluster.local, 10 other");
  const auto elsewhere = reported([](json& tcp) { tcp["cluster"] = "outbound|80||other.default.svc.cluster.local"; });
  CHECK(elsewhere.agrees());
  REQUIRE(elsewhere.not_compared.size() == 1);
  CHECK(elsewhere.not_compared[0].why == "no listener of the dump leads there");
}

TEST_CASE("hosts behind names are compared as the cluster has them", "[istio]") {
  const json cases = all_cases();
  const json& entry = case_called(cases, "service-entry/dns.plain");
  const auto reported = [&](const std::function<void(json&)>& change) {
    return compared(entry, "outbound|80||a.example",
                    [&](json& expected) { change(expected["clusters"][0]["load_assignment"]["endpoints"]); });
  };
  CHECK(reported([](json&) {}).agrees());
  CHECK(reported([](json&) {}).endpoints == 4);
  const auto weight =
      reported([](json& groups) { groups[1]["lb_endpoints"][0]["load_balancing_weight"] = 3; }).differences;
  REQUIRE(weight.size() == 1);
  CHECK(weight[0].what == "h0.example:80: weight");
  CHECK(weight[0].documents == "10");
  CHECK(reported([](json& groups) { groups[2]["priority"] = 1; }).differences.at(0).what == "h1.example:80: priority");
  CHECK(reported([](json& groups) { groups.erase(3); }).differences.at(0).proxy == "not there");
}

TEST_CASE("a table of differences keeps to the width, one cell a line where a row is wider", "[istio]") {
  const json cases = all_cases();
  const json& failover = case_called(cases, "outlier/all");
  const auto beside = compared(failover, std::nullopt, [](json& expected) {
    expected["clusters"][0]["outlier_detection"]["max_ejection_percent"] = 77;
  });
  const Sources sources = {{"a-folder-with-a-long-name/mesh.yaml", ""}};
  const auto text = [&](int width) {
    return reports::held::format_dump_check(beside, reports::Format::table, {width, false}, sources);
  };
  CHECK(text(200).find("  what ") != std::string::npos);
  CHECK(text(40).find("    proxy holds     77\n") != std::string::npos);
  CHECK(text(40).find("  outlier_detection.max_ejection_percent\n") != std::string::npos);
}

TEST_CASE("a time is read in whatever form protobuf writes it") {
  CHECK(reports::held::time_text("10s") == "10 s");
  CHECK(reports::held::time_text("0.250s") == "0.25 s");
  CHECK(reports::held::time_text("pods") == "pods");
}
