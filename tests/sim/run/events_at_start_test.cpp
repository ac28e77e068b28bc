// An event at 0 s leaves the same behind as one a millisecond later: every kind of event, for endpoints that a scenario
// writes, under Kuma's documents and of Istio's.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

constexpr const char* native_mesh = R"(
zones: [{ name: a }, { name: b }]
links: [{ between: [a, b], latency: 2ms }]
services:
  - { name: web, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b }, { count: 1, zone: b, priority: 1 }] }
clusters: [{ name: web, common_lb_config: { locality_weighted_lb_config: {} } }]
load_assignments:
  - cluster_name: web
    endpoints:
      - { locality: { zone: a }, load_balancing_weight: 1 }
      - { locality: { zone: b }, load_balancing_weight: 2 }
      - { locality: { zone: b }, priority: 1, load_balancing_weight: 1 }
clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps, arrivals: periodic } }]
)";

constexpr const char* kuma_mesh = R"(
zones: [{ name: a }, { name: b }]
services:
  - { name: web, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b }] }
policies:
  - type: MeshLoadBalancingStrategy
    name: p
    spec:
      to:
        - targetRef: { kind: MeshService, name: web }
          default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } }
clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps, arrivals: periodic } }]
)";

constexpr const char* istio_mesh = R"(
resources:
  - { apiVersion: v1, kind: Node, metadata: { name: na, labels: { topology.kubernetes.io/region: r, topology.kubernetes.io/zone: a } } }
  - { apiVersion: v1, kind: Node, metadata: { name: nb, labels: { topology.kubernetes.io/region: r, topology.kubernetes.io/zone: b } } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-1, labels: { app: web } }, spec: { nodeName: na }, status: { podIP: 10.1.1.1 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-2, labels: { app: web } }, spec: { nodeName: na }, status: { podIP: 10.1.1.2 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-3, labels: { app: web } }, spec: { nodeName: nb }, status: { podIP: 10.1.2.1 } }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, selector: { app: web }, ports: [{ name: http, port: 80 }] } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints:
      - { addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }
      - { addresses: [10.1.1.2], conditions: { ready: true }, targetRef: { kind: Pod, name: web-2 } }
      - { addresses: [10.1.2.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-3 } }
clients: [{ name: c, node: na, workload: { service: web, rate: 100rps, arrivals: periodic } }]
)";

// Istio with outlier detection sends endpoints that are not ready, as unhealthy ones.
const std::string istio_that_sends_unhealthy =
    std::string(
        "\nresources:\n"
        "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web }, spec: { host: "
        "web, trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 } } } }\n") +
    (istio_mesh + sizeof("\nresources:"));

// Of the last second of two: exact shares by endpoint, and requests by what became of them.
struct Afterwards {
  std::map<std::string, double> shares = {};
  std::map<std::string, std::uint64_t> requests = {};

  friend bool operator==(const Afterwards&, const Afterwards&) = default;
};

Afterwards afterwards(const std::string& mesh, const std::string& at, const std::string& event) {
  std::string events;
  std::size_t begin = 0;
  for (std::size_t end = event.find('|'); begin < event.size(); end = event.find('|', begin)) {
    const std::size_t stop = std::min(end, event.size());
    events += "  - { at: " + at + ", " + event.substr(begin, stop - begin) + " }\n";
    begin = stop + 1;
  }
  const std::string text = "duration: 2s\n" + mesh + (event.empty() ? "" : "timeline:\n" + events);
  const scenario::Reading reading = scenario::read_scenario_text("start.yaml", text);
  INFO(text << documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  Afterwards found;
  for (const auto mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const run::Results results =
        run::run(*reading.scenario, {.mode = mode, .seed = {}, .cuts = {std::chrono::seconds{1}}});
    const std::uint32_t last = results.epochs.back().index;
    for (const run::Share& share : results.shares) {
      if (share.epoch == last && mode == scenario::Mode::exact && share.exact.value_or(0.0) > 0.0) {
        found.shares[share.endpoint] += *share.exact;
      }
    }
    for (const run::Outcomes& outcomes : results.outcomes) {
      if (outcomes.epoch == last) {
        found.requests = {{"sent", outcomes.sent},
                          {"ok", outcomes.ok()},
                          {"error", outcomes[scenario::Outcome::upstream_error]},
                          {"refused", outcomes[scenario::Outcome::connect_failure]},
                          {"no host", outcomes[scenario::Outcome::no_healthy_upstream]}};
      }
    }
  }
  return found;
}

void check_events(const std::string& mesh, const std::vector<std::string>& events) {
  const Afterwards without = afterwards(mesh, "0s", "");
  for (const std::string& event : events) {
    INFO(event);
    const Afterwards at_start = afterwards(mesh, "0s", event);
    CHECK(at_start == afterwards(mesh, "1ms", event));
    // What endpoints really do may be made up for by retries and ejections.
    const auto has = [&](const char* word) { return event.find(word) != std::string::npos; };
    const bool is_seen = has("healthy:") || has("health_status") || has("remove") || has("weight") || has("priority");
    if (is_seen && !has("|")) {
      CHECK_FALSE(at_start == without);
    }
  }
}

const std::vector<std::string> events_of_every_mesh = {
    "service: web, endpoints: [web-2], healthy: 0%", "service: web, zone: a, healthy: 0%", "service: web, healthy: 0%",
    "service: web, endpoints: [web-1], health_status: UNHEALTHY", "service: web, endpoints: [web-1], remove: 1",
    "service: web, endpoints: [web-1, web-2], remove: 1, lives_on: true",
    "service: web, endpoints: [web-1], outage: true", "service: web, endpoints: [web-1], fails: 100%, fails_with: 503",
    "service: web, endpoints: [web-1], slow: 3", "service: web, endpoints: [web-1], answers_checks: unhealthy",
    // The last one that is told counts.
    "service: web, endpoints: [web-1], healthy: 0%|service: web, endpoints: [web-1], healthy: 100%",
    "service: web, endpoints: [web-1], healthy: 0%, audience: [a]|service: web, endpoints: [web-1], healthy: 100%",
    "service: web, endpoints: [web-1], healthy: 100%|service: web, endpoints: [web-1], healthy: 0%, audience: [a]"};

std::vector<std::string> with(std::vector<std::string> events, const std::vector<std::string>& further) {
  events.insert(events.end(), further.begin(), further.end());
  return events;
}

}  // namespace

TEST_CASE("events at 0 s reach endpoints that the scenario writes") {
  check_events(native_mesh,
               with(events_of_every_mesh,
                    {"service: web, endpoints: [web-1], health_status: DRAINING",
                     "service: web, endpoints: [web-1], degraded: 1", "service: web, endpoints: [web-1], weight: 5",
                     "service: web, zone: b, priority: 0, locality_weight: 7",
                     "service: web, endpoints: [web-1], to_priority: 1", "service: web, add: [{ count: 1, zone: a }]",
                     "node: a, outage: true", "zone: b, outage: true", "link: [a, b], outage: true",
                     "link: [a, b], latency: 9ms"}));
}

TEST_CASE("events at 0 s reach endpoints under Kuma's documents") {
  check_events(kuma_mesh, with(events_of_every_mesh, {"service: web, endpoints: [web-1], degraded: 1",
                                                      "service: web, add: [{ count: 1, zone: a }]"}));
}

TEST_CASE("events at 0 s reach endpoints of Istio's documents") {
  check_events(istio_mesh, events_of_every_mesh);
  check_events(istio_that_sends_unhealthy, events_of_every_mesh);
}

// By hand: two ready pods, of which istiod leaves out the one that is told unhealthy.
TEST_CASE("a pod of Istio's that is unhealthy from 0 s on gets nothing") {
  const Afterwards found = afterwards(istio_mesh, "0s", "service: web, endpoints: [web-2, web-3], healthy: 0");
  CHECK(found.shares == std::map<std::string, double>{{"web-1", 1.0}});
  CHECK(found.requests.at("ok") == 100);
}
