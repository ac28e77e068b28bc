// Policies that Kuma admits and whose clusters or routes Envoy refuses: its words, at the policy's field.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

std::string mesh_with(const std::string& policies) {
  return "duration: 30s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "services:\n"
         "  - name: backend\n"
         "    endpoints:\n"
         "      - { count: 4, zone: zone-1, tags: { version: v1 } }\n"
         "      - { count: 2, zone: zone-2, tags: { version: v2 } }\n"
         "policies:\n" +
         policies + "clients: [{ name: web, zone: zone-1, workload: { service: backend, rate: 100rps } }]\n";
}

std::string balanced_by(const std::string& balancer, const std::string& name = "hash") {
  return "  - { type: MeshLoadBalancingStrategy, name: " + name +
         ", mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, default: { loadBalancer: " + balancer +
         ", hashPolicies: [{ type: Header, header: { name: x } }] } }] } }\n";
}

std::string reported(const std::string& policies) {
  return test::the_only_diagnostic(mesh_with(policies), "SP139").label;
}

// The same beside warnings of Kuma's policies.
std::string reported_with_warnings(const std::string& marked) {
  const test::Marked input = test::unmark(marked);
  const Reading reading = read_scenario_text("test.yaml", input.text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK_FALSE(reading.scenario.has_value());
  std::string label;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    if (diagnostic.severity == Severity::error) {
      CHECK(diagnostic.code == "SP139");
      CHECK(diagnostic.where.line == input.place.line);
      CHECK(diagnostic.where.column == input.place.column);
      CHECK(label.empty());
      label = diagnostic.label;
    }
  }
  return label;
}

std::string routed_by(const std::string& match) {
  return "  - { type: MeshHTTPRoute, name: split, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, name: "
         "backend }, rules: [{ matches: [" +
         match +
         "], default: { backendRefs: [{ kind: MeshServiceSubset, name: backend, tags: { version: v1 } }] } }] }] } "
         "}\n";
}

}  // namespace

TEST_CASE("A table of Maglev that is not prime is refused by Envoy where Kuma admits it", "[kuma]") {
  // MaglevLoadBalancer's constructor (extensions/load_balancing_policies/maglev/maglev_lb.cc).
  const std::string prime = "The table size of maglev must be prime number";
  for (const std::string size : {"1000", "12", "4", "65536"}) {
    CHECK(reported(balanced_by("{ type: Maglev, maglev: { tableSize: «" + size + "» } }")) == prime);
  }
  test::accepted(mesh_with(balanced_by("{ type: Maglev, maglev: { tableSize: 1009 } }")));
  test::accepted(mesh_with(balanced_by("{ type: Maglev, maglev: { tableSize: 65537 } }")));
}

TEST_CASE("A table that no balancer uses is nobody's to refuse", "[kuma]") {
  test::accepted(mesh_with(balanced_by("{ type: RingHash, maglev: { tableSize: 1000 } }")));
}

TEST_CASE("Of two policies the one that says the refused field is pointed at", "[kuma]") {
  // Fields of one body are merged: the second policy says the type alone.
  const std::string size = "{ type: Maglev, maglev: { tableSize: «1000» } }";
  CHECK(reported(balanced_by(size, "b") + balanced_by("{ type: Maglev }", "a")) ==
        "The table size of maglev must be prime number");
  CHECK(reported(
            "  - { type: MeshLoadBalancingStrategy, name: b, mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, "
            "default: { loadBalancer: { type: Maglev, maglev: { tableSize: 1009 } } } }] } }\n" +
            balanced_by(size, "a")) == "The table size of maglev must be prime number");
}

TEST_CASE("A ring whose smallest size is above its largest is refused by Envoy where Kuma admits it", "[kuma]") {
  // RingHashLoadBalancer's constructor (extensions/load_balancing_policies/ring_hash/ring_hash_lb.cc); not said: 1024.
  CHECK(reported(balanced_by("{ type: RingHash, ringHash: { maxRingSize: «512» } }")) ==
        "ring hash: minimum_ring_size (1024) > maximum_ring_size (512)");
  CHECK(reported(balanced_by("{ type: RingHash, ringHash: { minRingSize: «2000», maxRingSize: 1000 } }")) ==
        "ring hash: minimum_ring_size (2000) > maximum_ring_size (1000)");
  test::accepted(mesh_with(balanced_by("{ type: RingHash, ringHash: { maxRingSize: 1024 } }")));
}

TEST_CASE("Sizes of two policies that do not go together are refused as the merged cluster is", "[kuma]") {
  CHECK(reported(balanced_by("{ type: RingHash, ringHash: { minRingSize: «2000» } }", "b") +
                 balanced_by("{ type: RingHash, ringHash: { maxRingSize: 1500 } }", "a")) ==
        "ring hash: minimum_ring_size (2000) > maximum_ring_size (1500)");
}

TEST_CASE("A regular expression of a MeshHTTPRoute that does not parse is refused by Envoy", "[kuma]") {
  // RE2's words for what it cannot parse.
  CHECK(reported(routed_by("{ path: { type: RegularExpression, value: «\"(\"» } }")) == "missing ): (");
  CHECK(reported(routed_by("{ headers: [{ type: RegularExpression, name: x, value: «\"[\"» }] }")) == "missing ]: [");
  CHECK(reported(routed_by("{ queryParams: [{ type: RegularExpression, name: q, value: «\"(\"» }] }")) ==
        "missing ): (");
  test::accepted(mesh_with(routed_by("{ path: { type: RegularExpression, value: \"/(a|b)\" } }")));
  test::accepted(mesh_with(routed_by("{ headers: [{ type: Exact, name: x, value: \"(\" }] }")));
}

TEST_CASE("A prefix or a regular expression without a text is refused by Envoy", "[kuma]") {
  // min_len of envoy/type/matcher/v3/string.proto and regex.proto; Kuma's HeaderMatch may leave the value out.
  CHECK(reported(routed_by("{ headers: [«{» type: Prefix, name: x }] }")) ==
        "StringMatcherValidationError.Prefix: value length must be at least 1 characters");
  CHECK(reported(routed_by("{ queryParams: [{ type: RegularExpression, name: q, value: «\"\"» }] }")) ==
        "RegexMatcherValidationError.Regex: value length must be at least 1 characters");
}

TEST_CASE("Of two matches of one header Kuma sends the first", "[kuma]") {
  // routeHeadersMatch (meshhttproute/xds/match.go).
  test::accepted(
      mesh_with(routed_by("{ headers: [{ name: x, value: a }, { type: RegularExpression, name: x, value: \"(\" }] }")));
}

TEST_CASE("A failover rule beyond Envoy's last priority is refused", "[kuma]") {
  // lte of priority in envoy/config/endpoint/v3/endpoint_components.proto; the rule's number is its priority.
  const auto rules = [](std::size_t nowhere) {
    std::string list;
    for (std::size_t rule = 0; rule < nowhere; ++rule) {
      list += "{ to: { type: Only, zones: [zone-9] } }, ";
    }
    return mesh_with(
        "  - { type: MeshLoadBalancingStrategy, name: far, mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, "
        "default: { localityAwareness: { crossZone: { «failover»: [" +
        list + "{ to: { type: Any } }] } } } }] } }\n");
  };
  CHECK(reported_with_warnings(rules(128)) == "Priority: value must be less than or equal to 128");
  test::accepted(test::unmark(rules(127)).text);
}

TEST_CASE("Weights of affinity tags beyond 32 bits are refused where the balancer hashes", "[kuma]") {
  // thread_aware_lb_impl.cc adds up the weights of all localities of a priority.
  const auto mesh = [](const std::string& balancer) {
    return "duration: 30s\nmode: exact\nzones: [{ name: zone-1 }]\n"
           "services: [{ name: backend, endpoints: [{ zone: zone-1, tags: { a: x } }, { zone: zone-1, tags: { b: x } "
           "}, { zone: zone-1, tags: { c: x } }] }]\n"
           "policies:\n"
           "  - { type: MeshLoadBalancingStrategy, name: p, mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, "
           "default: { loadBalancer: { type: " +
           balancer +
           " }, localityAwareness: { localZone: { «affinityTags»: [{ key: a, weight: 2000000000 }, { key: b, weight: "
           "2000000000 }, { key: c, weight: 2000000000 }] } } } }] } }\n"
           "clients: [{ name: web, zone: zone-1, tags: { a: x, b: x, c: x }, workload: { service: backend, rate: "
           "100rps } }]\n";
  };
  CHECK(reported_with_warnings(mesh("Maglev")) ==
        "The sum of weights of all localities at the same priority exceeds 4294967295");
  test::accepted(test::unmark(mesh("RoundRobin")).text);
}

TEST_CASE("What Envoy refuses for all clients alike is told once", "[kuma]") {
  std::string text = mesh_with(balanced_by("{ type: Maglev, maglev: { tableSize: «1000» } }"));
  text.replace(text.find("clients: ["), 10,
               "clients: [{ name: far, zone: zone-2, workload: { service: backend, rate: 1rps } }, ");
  test::the_only_diagnostic(text, "SP139");
}

TEST_CASE("weights of backendRefs whose sum does not fit 32 bits are refused at their rules", "[kuma]") {
  const auto split = [](const std::string& kind, const std::string& matches, const std::string& weight) {
    return mesh_with("  - { type: " + kind +
                     ", name: split, mesh: default, spec: { targetRef: { kind: Mesh }, to: [{ targetRef: { kind: "
                     "MeshService, name: backend }, rules: [{ " +
                     matches +
                     "default: { backendRefs: [{ kind: MeshServiceSubset, name: backend, tags: { version: v1 }, "
                     "weight: 4294967295 }, { kind: MeshServiceSubset, name: backend, tags: { version: v2 }, weight: " +
                     weight + " }] } }] }] } }\n");
  };
  const std::string matches = "matches: [{ path: { type: PathPrefix, value: / } }], ";
  for (const auto& [kind, match] : {std::pair("MeshHTTPRoute", matches), std::pair("MeshTCPRoute", std::string())}) {
    INFO(kind);
    const Reading refused = read_scenario_text("test.yaml", split(kind, match, "1"));
    REQUIRE(refused.diagnostics.size() == 1);
    CHECK(refused.diagnostics.front().code == "SP139");
    CHECK(refused.diagnostics.front().label == "the sum of their weights exceeds 4294967295");
    CHECK(refused.diagnostics.front().where.line == 10);
    CHECK(read_scenario_text("test.yaml", split(kind, match, "0")).scenario.has_value());
  }
}
