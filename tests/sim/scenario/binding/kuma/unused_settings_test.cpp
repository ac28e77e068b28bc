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
      {"MeshTimeout", "{ idleTimeout: 3s }", {"http", "http2", "tcp"}},
      {"MeshTimeout", "{ connectionTimeout: 3s }", {"http", "http2", "grpc", "tcp"}},
      {"MeshTimeout", "{ http: { maxStreamDuration: 3s } }", {"http", "http2"}},
      {"MeshTimeout", "{ http: { maxConnectionDuration: 3s } }", {"http", "http2"}},
      {"MeshTimeout", "{ http: { requestTimeout: 3s, requestHeadersTimeout: 3s } }", {"http", "http2", "grpc"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, http: { path: /h } }", {"http", "http2"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, tcp: {} }", {"tcp"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, grpc: {} }", {"grpc"}},
      {"MeshHealthCheck", "{ interval: 5s, timeout: 1s, http: { disabled: true }, tcp: {} }", {"http", "http2"}},
      {"MeshLoadBalancingStrategy",
       "{ loadBalancer: { type: Maglev }, hashPolicies: [{ type: Header, header: { name: x } }] }",
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

TEST_CASE("settings within a section that is switched off or of another type are warned of", "[kuma]") {
  const auto count = [](const std::string& kind, const std::string& conf) { return unused("http", kind, conf).size(); };
  const std::string detectors = "detectors: { totalFailures: { consecutive: 3 } }";
  CHECK(count("MeshCircuitBreaker", "{ outlierDetection: { disabled: true, interval: 3s, " + detectors + " } }") == 2);
  CHECK(count("MeshCircuitBreaker", "{ outlierDetection: { disabled: false, interval: 3s, " + detectors + " } }") == 0);
  CHECK(count("MeshHealthCheck", "{ interval: 5s, http: { disabled: true, path: /h }, tcp: {} }") == 1);
  const auto selection = [&](const std::string& predicate) {
    return count("MeshRetry", "{ http: { numRetries: 1, hostSelection: [{ " + predicate + " }] } }");
  };
  CHECK(selection("predicate: OmitPreviousHosts, updateFrequency: 3") == 1);
  CHECK(selection("predicate: OmitPreviousPriorities, updateFrequency: 3") == 0);
  CHECK(selection("predicate: OmitHostsWithTags, tags: { v: a }") == 0);
  CHECK(selection("predicate: OmitPreviousPriorities, updateFrequency: 3, tags: { v: a }") == 1);
}

TEST_CASE("hash policies are warned of without a balancer that hashes, and in parts that are not of their type",
          "[kuma]") {
  const auto count = [](const std::string& balancer, const std::string& policy) {
    return unused("http", "MeshLoadBalancingStrategy", "{ " + balancer + "hashPolicies: [{ " + policy + " }] }").size();
  };
  const std::string header = "type: Header, header: { name: x }";
  CHECK(count("", header) == 1);
  CHECK(count("loadBalancer: { type: LeastRequest }, ", header) == 1);
  for (const std::string type : {"RingHash", "Maglev"}) {
    const std::string balancer = "loadBalancer: { type: " + type + " }, ";
    CHECK(count(balancer, header) == 0);
    CHECK(count(balancer, header + ", cookie: { name: c }") == 1);
    CHECK(count(balancer, "type: Connection, connection: { sourceIP: true }") == 0);
    CHECK(count(balancer, "type: Connection, connection: { sourceIP: false }") == 1);
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

namespace {

// A MeshService with the ports `main` (http) and `raw` (tcp), and one without a name; a client with an outbound to it.
std::string resources_of(const std::string& profile, const std::string& client) {
  return "duration: 1s\nmode: exact\nprofile: { kuma: " + profile + R"( }
zones: [{ name: z1 }]
resources:
  - { type: Mesh, name: default, meshServices: { mode: Exclusive } }
  - { type: MeshService, name: a, mesh: default, labels: { kuma.io/display-name: a, kuma.io/zone: z1 }, spec: { selector: )" +
         (profile == "head" ? "{ dataplaneLabels: { matchLabels: { app: a } } }" : "{ dataplaneTags: { app: a } }") +
         R"(, ports: [{ port: 80, name: main, targetPort: 80, appProtocol: http }, { port: 81, name: raw, targetPort: 81, appProtocol: tcp }, { port: 82, targetPort: 82, appProtocol: http }] } }
  - { type: Dataplane, name: a-1, mesh: default, labels: { app: a, kuma.io/zone: z1 }, networking: { address: 10.0.0.1, inbound: [)" +
         [&] {
           std::string inbounds;
           for (const char* const port : {"80", "81", "82"}) {
             inbounds += std::string(inbounds.empty() ? "" : ", ") + "{ port: " + port +
                         (profile == "head" ? " }" : ", tags: { kuma.io/service: a, app: a, kuma.io/zone: z1 } }");
           }
           return inbounds;
         }() +
         "] } }\n" + client + "clients: [{ name: web, zone: z1, workload: { service: a:80, rate: 1rps } }]\n";
}

// Codes of the warnings about policies without an effect, each with the text that it points to.
std::vector<std::string> without_effect(const std::string& text) {
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", text);
  std::vector<std::string> found;
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.message << ": " << problem.label);
    CHECK(problem.severity != spillway::Severity::error);
    if (problem.code == "SP641" || problem.code == "SP646" || problem.code == "SP649") {
      found.push_back(problem.code + " " + problem.label);
    }
  }
  return found;
}

std::string target_of(const std::string& profile, const std::string& more) {
  return profile == "head" ? "{ kind: MeshService, labels: { kuma.io/display-name: a }" + more + " }"
                           : "{ kind: MeshService, name: a" + more + " }";
}

std::string timeout_to(const std::string& target, const std::string& conf, const std::string& top = "") {
  return "policies: [{ type: MeshTimeout, name: p, mesh: default, spec: { " + top + "to: [{ targetRef: " + target +
         ", default: " + conf + " }] } }]\n";
}

}  // namespace

TEST_CASE("a sectionName that no port has is warned of", "[kuma]") {
  for (const std::string profile : {"release-2.14", "head"}) {
    const std::string mesh = resources_of(profile, "");
    const auto warned = [&](const std::string& section, const std::string& conf = "{ connectionTimeout: 3s }") {
      return without_effect(mesh + timeout_to(target_of(profile, ", sectionName: " + section), conf));
    };
    INFO(profile);
    CHECK(warned("main").empty());
    CHECK(warned("raw").empty());
    CHECK(warned("\"82\"").empty());  // a port without a name is called by its number
    for (const std::string section : {"nope", "\"80\"", "\"83\""}) {
      INFO(section);
      const auto found = warned(section);
      REQUIRE(found.size() == 1);
      CHECK(found.front() == "SP641 the service has no port of this name");
    }
    CHECK(warned("main", "{ http: { requestTimeout: 3s } }").empty());
    CHECK(warned("raw", "{ http: { requestTimeout: 3s } }").size() == 1);
  }
}

TEST_CASE("in head, the name of a port is warned of where outbounds write its number", "[kuma]") {
  const std::string client =
      "  - { type: Dataplane, name: web, mesh: default, labels: { kuma.io/zone: z1 }, networking: { address: 10.0.0.9, "
      "outbound: [{ port: 9000, backendRef: { kind: MeshService, name: a, port: 80 } }] } }\n";
  const auto warned = [&](const std::string& section) {
    return without_effect(resources_of("head", client) +
                          timeout_to(target_of("head", ", sectionName: " + section), "{ connectionTimeout: 3s }"));
  };
  CHECK(warned("main").size() == 1);
  CHECK(warned("\"82\"").empty());
  CHECK(without_effect(resources_of("head", client) + timeout_to(target_of("head", ""), "{ connectionTimeout: 3s }"))
            .empty());
}

TEST_CASE("a policy that selects no proxy is warned of", "[kuma]") {
  for (const std::string profile : {"release-2.14", "head"}) {
    const auto warned = [&](const std::string& labels) {
      return without_effect(resources_of(profile, "") +
                            timeout_to(target_of(profile, ""), "{ connectionTimeout: 3s }",
                                       "targetRef: { kind: Dataplane, labels: " + labels + " }, "));
    };
    CHECK(warned("{ app: a }").empty());  // the Dataplane of the service itself
    const auto found = warned("{ app: b }");
    REQUIRE(found.size() == 1);
    CHECK(found.front().find("SP649") == 0);
  }
}

TEST_CASE("of a MeshHTTPRoute, settings that are not in routes are warned of", "[kuma]") {
  for (const std::string profile : {"release-2.14", "head"}) {
    const auto warned = [&](const std::string& section, const std::string& conf) {
      const std::string route =
          "policies:\n  - { type: MeshHTTPRoute, name: r, mesh: default, labels: { kuma.io/display-name: r }, spec: { "
          "to: "
          "[{ targetRef: " +
          target_of(profile, ", sectionName: " + section) +
          ", rules: [{ matches: [{ path: { type: PathPrefix, value: / } }], default: {} }] }] } }\n";
      const std::string target = profile == "head" ? "{ kind: MeshHTTPRoute, labels: { kuma.io/display-name: r } }"
                                                   : "{ kind: MeshHTTPRoute, name: r }";
      const std::string policy =
          "  - { type: MeshTimeout, name: p, mesh: default, spec: { to: [{ targetRef: " + target +
          ", default: " + conf + " }] } }\n";
      return without_effect(resources_of(profile, "") + route + policy).size();
    };
    CHECK(warned("main", "{ http: { requestTimeout: 3s, streamIdleTimeout: 4s } }") == 0);
    CHECK(warned("main", "{ connectionTimeout: 3s }") == 1);
    CHECK(warned("main", "{ idleTimeout: 3s }") == 1);
    CHECK(warned("main", "{ http: { maxStreamDuration: 3s } }") == 1);
    CHECK(warned("main", "{ http: { requestTimeout: 3s, requestHeadersTimeout: 3s } }") == 1);
    CHECK(warned("raw", "{ http: { requestTimeout: 3s } }") == 2);  // nor has a service of tcp rules of a MeshHTTPRoute
  }
}

TEST_CASE("a client that requests what its Dataplane has no outbound for is warned of", "[kuma]") {
  const auto warned = [](const std::string& outbound, const std::string& service) {
    const std::string client =
        "  - { type: Dataplane, name: web, mesh: default, labels: { kuma.io/zone: z1 }, networking: { address: "
        "10.0.0.9, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z1 } }], outbound: [{ port: "
        "9000, " +
        outbound + " }] } }\n";
    std::string text = resources_of("release-2.14", client);
    const std::string asked = "service: a:80";
    text.replace(text.find(asked), asked.size(), "service: " + service);
    const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", text);
    REQUIRE(reading.scenario);
    return std::count_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                         [](const auto& problem) { return problem.code == "SP658"; });
  };
  const std::string resource = "backendRef: { kind: MeshService, name: a, port: 80 }";
  CHECK(warned("tags: { kuma.io/service: a }", "a") == 0);
  CHECK(warned("tags: { kuma.io/service: b }", "a") == 1);
  CHECK(warned(resource, "a") == 1);  // the value of kuma.io/service, and not the MeshService of this name
  CHECK(warned(resource, "a:80") == 0);
}
