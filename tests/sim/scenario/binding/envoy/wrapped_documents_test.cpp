// Resources in whatever control planes and their tools wrap them in.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>
#include <zlib.h>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/binding/envoy/dumps.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

namespace fs = std::filesystem;
using test::proxy_of;
using Names = std::vector<std::string>;

const std::string host =
    "lbEndpoints: [{ endpoint: { address: { socketAddress: { address: 10.0.0.1, portValue: 80 } } } }]";
const std::string cluster = "name: web\ntype: EDS\nconnectTimeout: 5s\n";
const std::string assignment = "clusterName: web\nendpoints: [{ " + host + " }]\n";

// Every line of a text further to the right.
std::string indented(const std::string& text, const std::string& by) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    result += by + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return result;
}

std::string item(const std::string& text) {
  std::string result = indented(text, "  ");
  result[0] = '-';
  return result;
}

std::string typed(const std::string& type, const std::string& text) {
  return "'@type': type.googleapis.com/" + type + "\n" + text;
}

const std::string typed_cluster = typed("envoy.config.cluster.v3.Cluster", cluster);
const std::string typed_assignment = typed("envoy.config.endpoint.v3.ClusterLoadAssignment", assignment);

bool has_web(const ProxyConfiguration& proxy) {
  const auto reading = proxy.cluster("web");
  UNSCOPED_INFO(test::rendered(proxy, reading));
  return reading.scenario.has_value() && reading.scenario->endpoints.size() == 1;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("wrapped-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "proxy");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

// A file as tar (POSIX ustar) has it.
std::string in_tar(const std::string& name, const std::string& text) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& value) { header.replace(at, value.size(), value); };
  put(0, name);
  put(100, "0000644");
  char size[12] = {};
  std::snprintf(size, sizeof size, "%011zo", text.size());
  put(124, size);
  put(156, "0");
  put(257, std::string("ustar\0"
                       "00",
                       8));
  return header + text + std::string((512 - text.size() % 512) % 512, '\0');
}

void write_gzip(const std::string& path, const std::string& bytes) {
  gzFile file = ::gzopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(::gzwrite(file, bytes.data(), static_cast<unsigned int>(bytes.size())) == static_cast<int>(bytes.size()));
  ::gzclose(file);
}

}  // namespace

TEST_CASE("Clusters and load assignments are found whatever they are wrapped in", "[envoy][dump]") {
  const std::string both = item(cluster) + item(assignment);
  const std::string named = item("name: a\nresource:\n" + indented(typed_cluster, "  ")) +
                            item("name: b\nresource:\n" + indented(typed_assignment, "  "));
  const std::vector<std::pair<std::string, std::string>> wrapped = {
      {"a list, as istioctl proxy-config prints", both},
      {"a discovery response", "versionInfo: '1'\nresources:\n" + item(typed_cluster) + item(typed_assignment)},
      {"named resources, as in a snapshot of Kuma", "resources:\n" + named},
      {"lists by kind", "clusters:\n" + item(cluster) + "endpoints:\n" + item(assignment) + "listeners: []\n"},
      {"documents one after the other", cluster + "---\n" + assignment + "---\n"},
      {"dumps by namespace and proxy, as egctl prints",
       "default:\n  proxy-1:\n    configs:\n    - '@type': type.googleapis.com/envoy.admin.v3.ClustersConfigDump\n"
       "      dynamicActiveClusters:\n      - cluster:\n" +
           indented(typed_cluster, "          ") +
           "    - '@type': type.googleapis.com/envoy.admin.v3.EndpointsConfigDump\n      dynamicEndpointConfigs:\n"
           "      - endpointConfig:\n" +
           indented(typed_assignment, "          ")},
      {"resources by type and name",
       "xds:\n  type.googleapis.com/envoy.config.cluster.v3.Cluster:\n    web:\n" + indented(cluster, "      ") +
           "  type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment:\n    web:\n" +
           indented(assignment, "      ")},
      {"a bootstrap in a ConfigMap",
       "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: proxy }\ndata:\n  envoy.yaml: |\n    static_resources:\n"
       "      clusters:\n" +
           indented(item("name: web\nload_assignment:\n" +
                         indented("cluster_name: web\nendpoints: [{ " + host + " }]\n", "  ")),
                    "      ")},
      {"a list of Kubernetes' with a CiliumEnvoyConfig",
       "apiVersion: v1\nkind: List\nitems:\n" +
           item(
               "apiVersion: cilium.io/v2\nkind: CiliumEnvoyConfig\nspec:\n  services: [{ name: web }]\n  resources:\n" +
               indented(item(typed_cluster) + item(typed_assignment), "  "))},
  };
  for (const auto& [what, text] : wrapped) {
    INFO(what);
    INFO(text);
    CHECK(has_web(proxy_of(text, "test.yaml")));
  }
}

TEST_CASE("Folders and archives are read as the documents of one proxy", "[envoy][dump]") {
  const Folder folder;
  folder.write("clusters.yaml", cluster);
  folder.write("proxy/endpoints.json", R"({"clusterName": "web", "endpoints": [{"lbEndpoints": [)" +
                                           test::dumped_endpoint("10.0.0.1") + "]}]}");
  folder.write("proxy/broken.yaml", "a: [");
  folder.write("proxy/notes.md", "not read");
  CHECK(has_web(ProxyConfiguration::read({folder.path()})));

  const std::string archive = folder.path() + "/bug-report.tar.gz";
  const std::string tar =
      in_tar("report/clusters.yaml", cluster) + in_tar("report/" + std::string(80, 'd') + "/eds", assignment);
  write_gzip(archive, tar + std::string(1024, '\0'));
  CHECK(has_web(ProxyConfiguration::read({archive})));

  write_gzip(archive, tar.substr(0, 530));
  const auto cut = ProxyConfiguration::read({archive});
  CHECK(test::codes_of(cut.diagnostics()) == Names{"SP001"});
}

TEST_CASE("What /clusters and /stats print is left to those who count", "[envoy][dump]") {
  const auto proxy = ProxyConfiguration::read(
      Sources{{"clusters.yaml", cluster + "---\n" + assignment},
              {"clusters.txt", "web::observability_name::web\nweb::10.0.0.1:80::cx_active::1\n"},
              {"stats.txt", "cluster.web.upstream_rq_total: 12\n"},
              {"metrics", "# TYPE envoy_cluster_upstream_rq counter\n"},
              {"access.log", "[2026-11-01T00:00:00.000Z] \"GET / HTTP/1.1\" 200\n"}});
  CHECK(proxy.others() == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(has_web(proxy));
}

TEST_CASE("A document that is recognised and not read is named with what to give instead", "[envoy][dump]") {
  const auto only = [](const std::string& text) {
    const Reading reading = read_envoy_texts({{"x.yaml", text}});
    REQUIRE(test::codes_of(reading.diagnostics) == Names{"SP149"});
    CHECK_FALSE(reading.diagnostics[0].helps.empty());
    return reading.diagnostics[0].label;
  };
  const std::string spec = "metadata: { name: web }\nspec: { host: web }\n";
  CHECK(only("apiVersion: networking.istio.io/v1\nkind: DestinationRule\n" + spec) ==
        "this is a DestinationRule of Istio");
  CHECK(only("apiVersion: projectcontour.io/v1\nkind: HTTPProxy\n" + spec) == "this is a HTTPProxy of Contour");
  CHECK(only("apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\n" + spec) ==
        "this is a BackendTrafficPolicy of Envoy Gateway");
  CHECK(only("type: MeshLoadBalancingStrategy\nname: x\nmesh: default\nspec: {}\n") ==
        "this is a MeshLoadBalancingStrategy of Kuma");
  CHECK(only("items:\n- type: MeshLoadBalancingStrategy\n  name: x\n  mesh: default\nnext: null\ntotal: 1\n") ==
        "this is a list of Kuma's documents");
  CHECK(only("apiVersion: v1\nkind: ConfigMap\ndata: { a: b }\n") == "this is a ConfigMap of Kubernetes");
}

TEST_CASE("Beside what can be read such a document is a warning", "[envoy][dump]") {
  const Reading reading = read_envoy_texts(
      {{"a.yaml", cluster}, {"b.yaml", assignment}, {"c.yaml", "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\n"}});
  CHECK(reading.scenario.has_value());
  CHECK(test::codes_of(reading.diagnostics) == Names{"SP149"});
}

TEST_CASE("Names of DNS clusters have the addresses that are given for them", "[envoy][dump]") {
  const auto text = [](const std::string& type) {
    return "name: web\ntype: " + type +
           "\nload_assignment: { cluster_name: web, endpoints: [{ lb_endpoints: [{ load_balancing_weight: 3, endpoint: "
           "{ address: { socket_address: { address: web.example, port_value: 81 } } } }] }] }\n";
  };
  const proxy::EnvoyOptions options{.cluster = "", .resolve = {{"web.example", {"10.0.0.1", "fd00::1"}}}};
  const Reading strict = read_envoy_texts({{"c.yaml", text("STRICT_DNS")}}, options);
  REQUIRE(strict.scenario.has_value());
  CHECK(strict.diagnostics.empty());
  REQUIRE(strict.scenario->endpoints.size() == 2);
  CHECK(strict.scenario->endpoints[0].id == "10.0.0.1:81");
  CHECK(strict.scenario->endpoints[1].id == "[fd00::1]:81");
  CHECK(strict.scenario->services[0].load_assignment.endpoints[0].lb_endpoints[1].load_balancing_weight == 3);
  const Reading logical = read_envoy_texts({{"c.yaml", text("LOGICAL_DNS")}}, options);
  REQUIRE(logical.scenario.has_value());
  CHECK(logical.scenario->endpoints.size() == 1);
}

TEST_CASE("What has an effect and is not simulated can be left out, which every output says", "[envoy][dump]") {
  const std::string text =
      "name: web\nload_assignment: { cluster_name: web, endpoints: [{ leds_cluster_locality_config: {}, " + host +
      " }] }\n";
  CHECK(test::codes_of(read_envoy_texts({{"c.yaml", text}}).diagnostics) == Names{"SP301"});
  const Reading without =
      read_envoy_texts({{"c.yaml", text}}, {.cluster = "", .without = {"leds_cluster_locality_config"}});
  REQUIRE(without.scenario.has_value());
  CHECK(without.scenario->assumptions == Names{"`leds_cluster_locality_config` is left out once, as --without says"});
}

// JSON Schemas of Kuma's documentation have messages as keys.
TEST_CASE("A message's name as a key of something else is no resource", "[envoy]") {
  const auto proxy = ProxyConfiguration::read(
      Sources{{"schema.json",
               R"({"definitions": {"envoy.service.discovery.v3.DiscoveryResponse": {"properties": {"a": {}}}}})"}});
  CHECK(proxy.cluster_names().empty());
}

}  // namespace spillway::scenario
