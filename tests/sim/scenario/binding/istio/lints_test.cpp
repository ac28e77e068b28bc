// Each trap of docs/behaviour/istio.md 12 on a small mesh, and none where Istio's own examples are played.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/documents/diagnostic_pages.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"

namespace spillway::scenario {

namespace {

// The mesh with these documents too; the client is `client`.
std::string mesh_with(const std::string& documents, const std::string& client = "node: n1") {
  return std::string(test::mesh_of_web) + documents + "clients:\n  - { name: c, " + client +
         ", workload: { service: web.default.svc.cluster.local, rate: 10rps } }\n";
}

std::string rule_of(const std::string& spec, const std::string& host = "web", const std::string& meta = "name: web") {
  return "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { " + meta +
         " }, spec: { host: \"" + host + "\", " + spec + " } }\n";
}

std::string policy_rule(const std::string& policy) {
  return rule_of("trafficPolicy: { " + policy + " }");
}

std::string distribute_rule(const std::string& to, const std::string& more = "", const std::string& from = "*") {
  return policy_rule("loadBalancer: { localityLbSetting: { distribute: [{ from: \"" + from + "\", to: { " + to +
                     " } }] } }" + more);
}

std::string route_of(const std::string& route, const std::string& name_space = "default") {
  return "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web, namespace: " +
         name_space + " }, spec: { hosts: [web.default.svc.cluster.local], http: [" + route + "] } }\n";
}

std::string entry_of(const std::string& spec) {
  return "  - { apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: { name: vm }, spec: { address: "
         "10.2.1.1, labels: { app: web }, " +
         spec + " } }\n";
}

// Pods of another network, each on its node, behind one gateway.
std::string remote_pods(const std::vector<std::string>& nodes) {
  std::string documents =
      "  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: { values: { global: { meshNetworks: { "
      "far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }\n";
  std::string endpoints;
  for (std::size_t pod = 0; pod < nodes.size(); ++pod) {
    const std::string name = "far-" + std::to_string(pod);
    const std::string address = "10.3.1." + std::to_string(pod + 1);
    documents += "  - { apiVersion: v1, kind: Pod, metadata: { name: " + name +
                 ", labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } }, spec: { "
                 "nodeName: " +
                 nodes[pod] + " }, status: { podIP: " + address + " } }\n";
    endpoints +=
        "{ addresses: [" + address + "], conditions: { ready: true }, targetRef: { kind: Pod, name: " + name + " } }, ";
  }
  return documents +
         "  - { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { "
         "kubernetes.io/service-name: web } }, ports: [{ name: http, port: 8080 }], endpoints: [" +
         endpoints + "] }\n";
}

std::vector<std::string> lint_codes(const std::string& text) {
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : read_scenario_text("mesh.yaml", text).diagnostics) {
    UNSCOPED_INFO(diagnostic.code << ": " << diagnostic.label);
    codes.push_back(diagnostic.code);
  }
  return codes;
}

bool has_code(const std::vector<std::string>& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

std::string label_of(const std::string& text, const std::string& code) {
  const Reading reading = read_scenario_text("mesh.yaml", text);
  const auto found = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                  [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
  return found == reading.diagnostics.end() ? "" : found->label;
}

// A part of the page of examples: blocks of YAML, and what stands behind "Says: ".
struct PageSection {
  std::string code = {};
  std::vector<std::string> blocks = {};
  std::string says = {};
};

std::vector<PageSection> sections_of(const std::string& file) {
  std::ifstream page(file);
  std::vector<PageSection> sections(1);
  bool in_block = false;
  bool says = false;
  for (std::string line; std::getline(page, line);) {
    if (in_block) {
      in_block = line != "```";
      sections.back().blocks.back() += in_block ? line + '\n' : "";
    } else if (line == "```yaml") {
      in_block = true;
      sections.back().blocks.emplace_back();
    } else if (line.starts_with("## SP")) {
      sections.push_back({.code = line.substr(3, 5)});
    } else if (line.starts_with("Says: ") || (says && !line.empty())) {
      sections.back().says += says ? ' ' + line : line.substr(6);
      says = true;
      continue;
    }
    says = false;
  }
  for (PageSection& section : sections) {
    std::erase(section.says, '\\');
  }
  return sections;
}

// As items of a list two columns further to the right.
std::string indented(const std::string& block) {
  std::istringstream lines(block);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    text += "  " + line + '\n';
  }
  return text;
}

struct LintCase {
  std::string code;
  std::string documents;
  std::string client = "node: n1";
};

}  // namespace

TEST_CASE("Each trap of Istio's documents is a warning at its place", "[istio]") {
  const std::string outlier = "outlierDetection: { maxEjectionPercent: 100 }";
  const std::string api =
      "  - { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, trafficDistribution: "
      "PreferClose, ports: [{ name: http, port: 80 }] } }\n";
  const std::string headless =
      "  - { apiVersion: v1, kind: Service, metadata: { name: db }, spec: { clusterIP: None, ports: [{ name: http, "
      "port: 80 }] } }\n";
  const std::string by_dns =
      "  - { apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: { name: dns }, spec: { hosts: "
      "[dns.example.com], resolution: DNS, ports: [{ number: 80, name: http, protocol: HTTP }], endpoints: [{ address: "
      "a.example.com, locality: r1/z1 }, { address: b.example.com, locality: r1/z2 }] } }\n";
  const std::string unready =
      "  - { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-2, labels: { "
      "kubernetes.io/service-name: web } }, ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: [10.1.1.9], "
      "conditions: { ready: false } }] }\n";
  const std::string mesh_outlier =
      "  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: { meshConfig: { defaultTrafficPolicy: { "
      "outlierDetection: { maxEjectionPercent: 100 } } } } }\n";
  const std::string header_hash = "loadBalancer: { consistentHash: { httpHeaderName: x } }";
  const std::string near = "node: n1, tags: { topology.istio.io/network: near }";
  const std::vector<LintCase> cases = {
      {"SP661", policy_rule("loadBalancer: { localityLbSetting: { failover: [{ from: r1, to: r2 }] } }")},
      {"SP662", policy_rule(outlier)},
      {"SP663",
       policy_rule(outlier + ", portLevelSettings: [{ port: { number: 80 }, loadBalancer: { simple: RANDOM } }]")},
      {"SP663", rule_of("trafficPolicy: { " + outlier +
                        ", loadBalancer: { localityLbSetting: { enabled: true } } }, subsets: [{ name: v1, labels: { "
                        "version: v1 }, trafficPolicy: { loadBalancer: { simple: RANDOM } } }]")},
      {"SP664", policy_rule(outlier), "node: n5"},
      {"SP665", policy_rule(outlier), "node: n4"},
      {"SP666", distribute_rule("r1/*: 50, r9/*: 50")},
      {"SP667", distribute_rule("r1/z1/*: 80, r2/*: 20")},
      {"SP668", distribute_rule("r1/*: 80, r2/*: 20", "", "r2/*")},
      {"SP669", distribute_rule("r1/*: 80, r2/*: 20")},
      {"SP670", distribute_rule("r1/z1/*: 100", ", " + outlier)},
      {"SP671", policy_rule(outlier) + rule_of("trafficPolicy: { " + header_hash + " }", "web", "name: second")},
      {"SP671",
       policy_rule(outlier) +
           rule_of("trafficPolicy: { " + outlier + " }", "*.default.svc.cluster.local", "name: all, namespace: front"),
       "node: n1, namespace: front"},
      {"SP672", policy_rule("outlierDetection: {}")},
      {"SP673", policy_rule("outlierDetection: { minHealthPercent: 10, maxEjectionPercent: 100 }")},
      {"SP696",
       policy_rule("outlierDetection: { outlierDetectionHttpErrorCodes: [429, 503], maxEjectionPercent: 100 }")},
      {"SP674", by_dns + rule_of("trafficPolicy: { " + outlier +
                                     ", loadBalancer: { localityLbSetting: { failoverPriority: "
                                     "[topology.istio.io/subzone] } } }",
                                 "dns.example.com")},
      {"SP675", api + rule_of("trafficPolicy: { loadBalancer: { localityLbSetting: { enabled: true } } }", "api")},
      {"SP676", mesh_outlier},
      {"SP677", route_of("{ route: [{ destination: { host: web } }], retries: {} }")},
      {"SP678", policy_rule("loadBalancer: { consistentHash: { httpCookie: { name: c } } }")},
      {"SP678", rule_of("subsets: [{ name: v1, labels: { version: v1 }, trafficPolicy: { " + header_hash +
                        " } }, { name: v2, labels: { version: v2 } }]")},
      {"SP679", policy_rule(header_hash)},
      {"SP680", headless + rule_of("trafficPolicy: { loadBalancer: { simple: RANDOM } }", "db")},
      {"SP681", entry_of("locality: r1/z1/, weight: 5")},
      {"SP682", entry_of("locality: r1/z1")},
      {"SP683", policy_rule("connectionPool: { http: { maxRetries: 0 } }")},
      {"SP684", unready},
      {"SP685", policy_rule("loadBalancer: { simple: RANDOM, warmup: { duration: 30s } }")},
      {"SP686", rule_of("trafficPolicy: { " + outlier + " }", "web.default")},
      {"SP687", route_of("{ match: [{ uri: { exact: /never } }], route: [{ destination: { host: web } }] }, { route: "
                         "[{ destination: { host: web.default.svc.cluster.local } }] }",
                         "front")},
      {"SP688", remote_pods({"n1"}), near},
      {"SP689", remote_pods({"n1", "n2"}), near},
      {"SP690", "", "node: n1, tags: { istio-locality: r1.z1 }"},
      {"SP691", policy_rule(outlier + ", loadBalancer: { localityLbSetting: { failoverPriority: "
                                      "[topology.kubernetes.io/region] } }")},
      {"SP692", rule_of("subsets: [{ name: v9, labels: { version: v9 } }]")},
      {"SP694", remote_pods({"n2"}), near},
  };
  for (const LintCase& lint : cases) {
    INFO(lint.code << "\n" << lint.documents);
    const std::vector<std::string> codes = lint_codes(mesh_with(lint.documents, lint.client));
    CHECK(has_code(codes, lint.code));
    CHECK_FALSE(has_code(codes, "SP653"));
    CHECK(std::all_of(codes.begin(), codes.end(), [](const std::string& code) { return code.starts_with("SP6"); }));
  }
}

// docs/behaviour/istio.md: the threshold is forced to 0 where unready endpoints are always sent.
TEST_CASE("minHealthPercent is said to have no effect where istiod turns panic off", "[istio]") {
  const std::string rule = policy_rule("outlierDetection: { minHealthPercent: 60, maxEjectionPercent: 100 }");
  const std::string sends_unhealthy =
      "  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, metadata: { name: i }, spec: { values: { "
      "pilot: "
      "{ env: { PILOT_SEND_UNHEALTHY_ENDPOINTS: 'true' } } } } }\n";
  CHECK(label_of(mesh_with(rule, "node: n1"), "SP673").starts_with("below 60 % healthy"));
  CHECK(label_of(mesh_with(rule + sends_unhealthy, "node: n1"), "SP673").starts_with("has no effect"));
}

TEST_CASE("Every example of docs/istio-traps.md falls into its trap, and says what the page says", "[istio]") {
  const std::vector<PageSection> sections = sections_of(SPILLWAY_SOURCE_DIR "/docs/istio-traps.md");
  REQUIRE_FALSE(sections.empty());
  REQUIRE(sections.front().blocks.size() == 1);
  const std::string& mesh = sections.front().blocks.front();
  const std::size_t clients = mesh.find("clients:\n");
  std::vector<std::string> shown;
  for (std::size_t number = 1; number < sections.size(); ++number) {
    const PageSection& section = sections[number];
    INFO(section.code);
    std::string documents;
    std::string of_clients = mesh.substr(clients);
    for (const std::string& block : section.blocks) {
      (block.starts_with("clients:") ? of_clients : documents) = block;
    }
    CHECK(label_of(mesh.substr(0, clients) + indented(documents) + of_clients, section.code) == section.says);
    shown.push_back(section.code);
  }
  for (const documents::DiagnosticCode& code : documents::diagnostic_codes()) {
    if (code.code >= "SP661" && code.code <= "SP692") {
      INFO(code.code);
      CHECK(std::count(shown.begin(), shown.end(), code.code) == 1);
    }
  }
}

TEST_CASE("Of two rules the one that was created later is dropped, wherever it stands", "[istio]") {
  const auto rule = [](const std::string& name, const std::string& year) {
    return rule_of("trafficPolicy: { loadBalancer: { simple: RANDOM } }", "web",
                   "name: " + name + ", creationTimestamp: \"" + year + "-01-01T00:00:00Z\"");
  };
  const std::string expected = "is dropped whole: the older rule default/aa for web.default.svc.cluster.local has one";
  CHECK(label_of(mesh_with(rule("zz", "2024") + rule("aa", "2020")), "SP671") == expected);
  CHECK(label_of(mesh_with(rule("aa", "2020") + rule("zz", "2024")), "SP671") == expected);
}

// docs/behaviour/istio.md 2: an endpoint's port has the name of the service's port.
TEST_CASE("A port that no endpoint has is told to who calls it", "[istio]") {
  const auto label = [](const std::string& port) {
    const std::string service =
        "  - { apiVersion: v1, kind: Service, metadata: { name: api }, spec: { clusterIP: 10.0.0.2, ports: [{ name: " +
        port + ", port: 90 }] } }\n";
    const std::string slice =
        "  - { apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: api-1, labels: { "
        "kubernetes.io/service-name: api } }, ports: [{ name: http, port: 8080 }], endpoints: [{ addresses: "
        "[10.1.1.1], targetRef: { kind: Pod, name: web-1 } }] }\n";
    return label_of(std::string(test::mesh_of_web) + service + slice +
                        "clients:\n  - { name: c, node: n1, workload: { service: api, rate: 10rps } }\n",
                    "SP695");
  };
  CHECK(label("http").empty());
  CHECK(label("grpc") ==
        "no endpoint of api.default.svc.cluster.local has a port named `grpc`, so that every request "
        "for its port 90 is answered with a 503");
}

TEST_CASE("A client in the network of the pods behind a gateway does not use it", "[istio]") {
  CHECK_FALSE(has_code(lint_codes(mesh_with(remote_pods({"n2"}), "node: n1, tags: { topology.istio.io/network: far }")),
                       "SP694"));
}

TEST_CASE("A mesh without rules falls into no trap", "[istio]") {
  CHECK(lint_codes(mesh_with("")).empty());
}

TEST_CASE("Figures of rounding and of lost keys are those of docs/behaviour/istio.md 6.3", "[istio]") {
  CHECK(label_of(mesh_with(distribute_rule("r1/*: 80, r2/*: 20")), "SP669").starts_with("becomes 80.2 : 19.8 %"));
  CHECK(label_of(mesh_with(distribute_rule("r8/*: 50, r9/*: 50")), "SP666").find("503") != std::string::npos);
}

TEST_CASE("Retries that are switched off in so many words are meant so", "[istio]") {
  CHECK_FALSE(
      has_code(lint_codes(mesh_with(route_of("{ route: [{ destination: { host: web } }], retries: { attempts: 0 } }"))),
               "SP677"));
}

TEST_CASE("Istio's documented examples are read without a warning, but that their outlier detection ejects none",
          "[istio]") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios/documented/istio")) {
    if (entry.path().extension() != ".yaml") {
      continue;
    }
    const Reading reading = read_scenario_file(entry.path().string());
    INFO(entry.path().string() << ": " << (reading.diagnostics.empty() ? "" : reading.diagnostics.front().label));
    CHECK(reading.scenario);
    CHECK(std::all_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                      [](const Diagnostic& diagnostic) { return diagnostic.code == "SP750"; }));
    ++count;
  }
  CHECK(count >= 3);
}

}  // namespace spillway::scenario
