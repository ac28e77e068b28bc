// Policies that are not simulated, and the requests that they affect. Which proxies a policy selects: docs/kuma.md.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

// Returns whether requests of the client web to the service cart are refused with this policy.
bool is_refused_with(const std::string& policy) {
  const Reading reading =
      read_scenario_text("s.yaml",
                         "duration: 1s\nmode: exact\nzones: [{ name: z }]\n"
                         "services: [{ name: cart, endpoints: [{ count: 1, zone: z }] }]\n"
                         "clients: [{ name: web, zone: z, workload: { service: cart, rate: 1rps } }]\npolicies:\n  - " +
                             policy + "\n");
  const std::vector<std::string> codes = test::codes_of(reading.diagnostics);
  CHECK(std::find(codes.begin(), codes.end(), "SP603") != codes.end());
  CHECK(reading.scenario.has_value() != (std::find(codes.begin(), codes.end(), "SP643") != codes.end()));
  return !reading.scenario;
}

std::string selecting(const std::string& kind, const std::string& target) {
  return "{ type: " + kind + ", name: p, mesh: default, spec: { targetRef: " + target + " } }";
}

}  // namespace

TEST_CASE("a MeshProxyPatch refuses the requests of the proxies that it changes, and no others", "[kuma]") {
  CHECK(is_refused_with(selecting("MeshProxyPatch", "{ kind: Mesh }")));
  CHECK(is_refused_with(selecting("MeshProxyPatch", "{ kind: MeshService, name: web }")));
  CHECK(is_refused_with(selecting("MeshProxyPatch", "{ kind: MeshSubset, tags: { kuma.io/service: cart } }")));
  CHECK_FALSE(is_refused_with(selecting("MeshProxyPatch", "{ kind: MeshService, name: other }")));
  CHECK_FALSE(is_refused_with(selecting("MeshProxyPatch", "{ kind: Mesh, proxyTypes: [Gateway] }")));
}

TEST_CASE("a policy of received requests refuses those to the service that it selects", "[kuma]") {
  for (const char* const kind : {"MeshFaultInjection", "MeshRateLimit"}) {
    CHECK(is_refused_with(selecting(kind, "{ kind: MeshService, name: cart }")));
    CHECK_FALSE(is_refused_with(selecting(kind, "{ kind: MeshService, name: web }")));
  }
}

TEST_CASE("copies of requests are named and not sent", "[kuma]") {
  const Reading reading = read_scenario_text(
      "s.yaml",
      "duration: 1s\nmode: exact\nzones: [{ name: z }]\n"
      "services: [{ name: cart, endpoints: [{ count: 1, zone: z }] }]\n"
      "clients: [{ name: web, zone: z, workload: { service: cart, rate: 1rps } }]\npolicies:\n"
      "  - { type: MeshHTTPRoute, name: p, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, name: cart }, "
      "rules: [{ matches: [{ path: { type: PathPrefix, value: / } }], default: { filters: [{ type: RequestMirror, "
      "requestMirror: { percentage: 50, backendRef: { kind: MeshService, name: other } } }], backendRefs: [{ kind: "
      "MeshService, name: cart }] } }] }] } }\n");
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  const auto& assumed = reading.scenario->assumptions;
  CHECK(std::find(assumed.begin(), assumed.end(),
                  "MeshHTTPRoute p: copies of requests (`RequestMirror`) are not sent") != assumed.end());
}

}  // namespace spillway::scenario
