// A setting of a policy that no proxy uses is warned of (SP646), and one that some proxy uses is not. Which protocols
// take which section: Kuma's plugins (meshretry, meshtimeout, meshhealthcheck, meshloadbalancingstrategy).
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace scenario = spillway::scenario;

namespace {

std::string mesh_of(const std::string& protocol, const std::string& kind, const std::string& conf) {
  return R"(duration: 1s
mode: exact
profile: { kuma: release-2.14 }
zones: [{ name: z1 }]
resources:
  - { type: Mesh, name: default }
  - { type: Dataplane, name: a-1, mesh: default, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: a, kuma.io/zone: z1, kuma.io/protocol: )" +
         protocol + R"( } }] } }
policies:
  - { type: )" +
         kind +
         R"(, name: p, mesh: default, spec: { targetRef: { kind: Mesh }, to: [{ targetRef: { kind: MeshService, name: a }, default: )" +
         conf + R"( }] } }
clients: [{ name: web, zone: z1, workload: { service: a, rate: 1rps } }]
)";
}

// Labels of the warnings SP646.
std::vector<std::string> unused(const std::string& protocol, const std::string& kind, const std::string& conf) {
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", mesh_of(protocol, kind, conf));
  std::vector<std::string> labels;
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.message << ": " << problem.label);
    CHECK(problem.severity != spillway::Severity::error);
    if (problem.code == "SP646") {
      labels.push_back(problem.label);
    }
  }
  return labels;
}

struct Section {
  const char* kind;
  const char* conf;
  std::vector<std::string> taken_by;  // protocols
};

}  // namespace

TEST_CASE("a section of a policy is warned of for the protocols that do not take it", "[kuma]") {
  const std::vector<Section> sections = {
      {"MeshRetry", "{ http: { numRetries: 2 } }", {"http"}},
      {"MeshRetry", "{ grpc: { numRetries: 2 } }", {"grpc"}},
      {"MeshRetry", "{ tcp: { maxConnectAttempt: 2 } }", {"tcp"}},
      {"MeshTimeout", "{ http: { requestTimeout: 3s } }", {"http", "http2", "grpc"}},
      {"MeshTimeout", "{ idleTimeout: 3s }", {"http", "http2", "grpc", "tcp"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, http: { path: /h } }", {"http", "http2"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, tcp: {} }", {"tcp"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, grpc: {} }", {"grpc"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, http: { disabled: true }, tcp: {} }", {"http", "http2"}},
      {"MeshLoadBalancingStrategy",
       "{ hashPolicies: [{ type: Header, header: { name: x } }] }",
       {"http", "http2", "grpc"}},
      {"MeshCircuitBreaker", "{ connectionLimits: { maxRequests: 3 } }", {"http", "http2", "grpc", "tcp"}},
  };
  for (const Section& section : sections) {
    for (const std::string protocol : {"http", "http2", "grpc", "tcp"}) {
      const bool taken =
          std::find(section.taken_by.begin(), section.taken_by.end(), protocol) != section.taken_by.end();
      INFO(section.kind << " " << section.conf << " of " << protocol);
      CHECK(unused(protocol, section.kind, section.conf).empty() == taken);
    }
  }
}

TEST_CASE("settings of another balancer than the chosen one are warned of", "[kuma]") {
  for (const std::string type : {"RingHash", "Maglev", "LeastRequest", "Random"}) {
    const std::string conf =
        "{ loadBalancer: { type: " + type +
        ", ringHash: { minRingSize: 64 }, maglev: { tableSize: 101 }, leastRequest: { choiceCount: 3 } } }";
    CHECK(unused("http", "MeshLoadBalancingStrategy", conf).size() == (type == "Random" ? 3 : 2));
  }
}

TEST_CASE("headers of responses never make Kuma's proxies retry", "[kuma]") {
  const std::string conf =
      "{ http: { numRetries: 2, retriableResponseHeaders: [{ type: Exact, name: x, value: y }] } }";
  const auto labels = unused("http", "MeshRetry", conf);
  REQUIRE(labels.size() == 1);
  CHECK(labels.front().find("retriable-headers") != std::string::npos);
}

TEST_CASE("further attempts to connect are named where a service speaks tcp", "[kuma]") {
  const auto assumed = [](const std::string& protocol, const std::string& conf) {
    const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", mesh_of(protocol, "MeshRetry", conf));
    REQUIRE(reading.scenario);
    const auto& lines = reading.scenario->assumptions;
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return line.find("MeshRetry p: ") == 0; });
  };
  CHECK(assumed("tcp", "{ tcp: { maxConnectAttempt: 5 } }") == 1);
  CHECK(assumed("tcp", "{ tcp: { maxConnectAttempt: 1 } }") == 0);
  CHECK(assumed("http", "{ tcp: { maxConnectAttempt: 5 }, http: { numRetries: 2 } }") == 0);
}
