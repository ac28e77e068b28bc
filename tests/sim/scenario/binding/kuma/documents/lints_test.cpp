// What Kuma admits and spillway warns of, at its place.
#include "models/kuma/lints.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "models/documents/diagnostic_pages.hpp"
#include "tests/sim/scenario/binding/kuma/documents/checked.hpp"

using namespace spillway;
using namespace spillway::scenario;
using spillway::kuma::LintCode;
using test::KumaProfile;
using test::Marked;
using test::unmark;

namespace {

std::string linted_awareness(const std::string& sections) {
  return test::strategy_to("{ kind: Mesh }", "{ localityAwareness: " + sections + " }");
}
std::string rules(const std::string& list) {
  return linted_awareness("{ crossZone: { failover: [" + list + "] } }");
}

void check(const std::string& marked, LintCode code, bool marks_unhealthy = true) {
  const Diagnostic found =
      test::the_only_document_problem(marked, kuma::code_of(code), KumaProfile::release_2_14, marks_unhealthy);
  CHECK(found.severity == Severity::warning);
}

}  // namespace

TEST_CASE("Each lint warns at the field that it is about", "[kuma]") {
  check(
      linted_awareness("{ crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: «70» } } }"),
      LintCode::threshold_rounds_up);
  check(test::strategy_to("{ kind: Mesh }",
                          "{ loadBalancer: { type: Maglev }, localityAwareness: { localZone: { «affinityTags»: [{ key: "
                          "node }] }, crossZone: { failover: [{ to: { type: Any } }] } } }"),
        LintCode::hash_with_affinity);
  check(test::strategy_to("{ kind: Mesh }", "{ «localityAwareness»: {} }"), LintCode::empty_locality_awareness);
  check(linted_awareness("{ «crossZone»: { failoverThreshold: { percentage: 50 } } }"),
        LintCode::cross_zone_without_rules);
  check(rules("{ to: { type: Any } }, «{» to: { type: Only, zones: [zone-1] } }"), LintCode::unreachable_rule);
  check(rules("{ to: { type: AnyExcept, zones: [zone-3] } }, «{» to: { type: Only, zones: [zone-2] } }"),
        LintCode::unreachable_rule);
  check(rules("{ to: { type: Only, zones: [«zone-9»] } }"), LintCode::unknown_zone);
  check(linted_awareness("{ crossZone: { «failover»: [{ to: { type: Any } }] } }"), LintCode::failover_never_starts,
        false);
  check(linted_awareness("{ localZone: { affinityTags: [{ key: a }, { key: «a» }] } }"),
        LintCode::repeated_affinity_key);
  check(linted_awareness("{ disabled: «true», localZone: {} }"), LintCode::disabled_has_no_effect);
  check(rules("{ to: { type: «None» } }, { to: { type: Any } }"), LintCode::none_does_not_stop);
  check(rules("{ from: { zones: [zone-1, «zone-1»] }, to: { type: Any } }"), LintCode::repeated_zone);
  check(rules("{ to: { type: AnyExcept, zones: [zone-2, «zone-2»] } }"), LintCode::repeated_zone);
  check(rules("{ to: { type: Only, zones: [zone-2] } }, { to: { type: Only, zones: [«zone-2», zone-3] } }"),
        LintCode::repeated_zone);
  check(linted_awareness("{ localZone: { affinityTags: [{ key: az, weight: 10 }, { key: node, weight: «90» }] } }"),
        LintCode::order_beats_weights);
  std::string ten;
  for (char key = 'a'; key <= 'j'; ++key) {
    ten += std::string("{ key: ") + key + " }, ";
  }
  check(linted_awareness("{ localZone: { «affinityTags»: [" + ten + "] } }"), LintCode::too_many_unweighted_tags);
}

TEST_CASE("A stray quote in an affinity key is told", "[kuma]") {
  // As the design document prints it.
  const Diagnostic found = test::the_only_document_problem(
      linted_awareness("{ localZone: { affinityTags: [{ key: «k8s.io/az\"» }] } }"), "SP622");
  CHECK(found.severity == Severity::warning);
  CHECK(found.message == "an affinity key that no tag can have: `k8s.io/az\"`");
}

TEST_CASE("Every lint has a code of its own that is explained", "[kuma]") {
  std::set<std::string> codes;
  for (int code = 0; code <= static_cast<int>(LintCode::after_the_end); ++code) {
    const std::string name = kuma::code_of(static_cast<LintCode>(code));
    CHECK(codes.insert(name).second);
    CHECK(spillway::documents::find_diagnostic_code(name) != nullptr);
  }
}

TEST_CASE("A threshold that acts as another one says why, and what acts as written", "[kuma]") {
  const auto at = [](const std::string& percentage) {
    return test::the_only_document_problem(
        linted_awareness("{ crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: «" +
                         percentage + "» } } }"),
        "SP611");
  };
  // docs/behaviour/kuma.md 9: factor 100 for 70, and 200 for 34.
  CHECK(at("70").notes.at(0) ==
        "Kuma truncates 100 / 70 to 1 before it multiplies, so Envoy gets factor 100 and spills below 100 % of healthy "
        "endpoints");
  CHECK(at("70").helps.at(0) == "50 is the largest value below 100 that acts as written");
  CHECK(at("34").label == "acts as 50 %: Kuma writes the factor 200");
  CHECK(at("34").helps.at(0) == "33.3 is the largest value below 50 that acts as written");
}

TEST_CASE("A threshold that acts as written is not warned of", "[kuma]") {
  for (const char* const percentage : {"100", "50", "25", "20", "10", "\"12.5\""}) {
    test::clean_documents(
        linted_awareness("{ crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { "
                         "percentage: " +
                         std::string(percentage) + " } } }"));
  }
}

TEST_CASE("A failover rule behind the end of the list is told, whatever ends it", "[kuma]") {
  const auto behind = [](const std::string& list, const std::string& why,
                         KumaProfile profile = KumaProfile::release_2_14) {
    const Diagnostic found = test::the_only_document_problem(rules(list), "SP639", profile);
    CHECK(found.severity == Severity::warning);
    CHECK(found.label == why);
  };
  behind("{ to: { type: Any } }, «{» to: { type: None } }", "failover[0] is `Any` and admits every zone that is left");
  behind(
      "{ to: { type: AnyExcept, zones: [zone-2] } }, { to: { type: Only, zones: [zone-2] } }, «{» to: { type: Any } }",
      "with failover[1] the rules before have admitted every zone of the 3 there are");
  behind("{ to: { type: Only, zones: [zone-1, zone-2, zone-3] } }, «{» to: { type: Any } }",
         "with failover[0] the rules before have admitted every zone of the 3 there are");
  // For clients of zone-1 two other zones are all there are.
  behind(
      "{ from: { zones: [zone-1] }, to: { type: Only, zones: [zone-2, zone-3] } }, «{» from: { zones: [zone-1] }, to: "
      "{ "
      "type: Any } }",
      "with failover[0] the rules before have admitted every zone of the 3 there are");
  behind("{ to: { type: None } }, «{» to: { type: Any } }", "failover[0] is `None`, which ends the list",
         KumaProfile::document);
}

TEST_CASE("Rules that still have something to give are not warned of", "[kuma]") {
  for (const char* const list :
       {"{ to: { type: Only, zones: [zone-2] } }, { to: { type: Any } }",
        "{ from: { zones: [zone-1] }, to: { type: Any } }, { to: { type: Only, zones: [zone-3] } }",
        "{ from: { zones: [zone-1] }, to: { type: Any } }, { from: { zones: [zone-1, zone-2] }, to: { type: Any } }",
        "{ to: { type: AnyExcept, zones: [zone-3] } }, { to: { type: Only, zones: [zone-3] } }",
        // Named again, for clients that the rule before does not concern.
        "{ from: { zones: [zone-1] }, to: { type: Only, zones: [zone-2] } }, { from: { zones: [zone-3] }, to: { type: "
        "Only, zones: [zone-2, zone-1] } }",
        // A zone in its own list.
        "{ from: { zones: [zone-1, zone-2] }, to: { type: Only, zones: [zone-1, zone-2] } }"}) {
    INFO(list);
    test::clean_documents(rules(list));
  }
  test::clean_documents(
      linted_awareness("{ localZone: { affinityTags: [{ key: node, weight: 90 }, { key: az, weight: 9 }] } }"));
  test::clean_documents(
      linted_awareness("{ localZone: { affinityTags: [{ key: node, weight: 50 }, { key: az, weight: 50 }] } }"));
}

TEST_CASE("An affinity key that neither endpoints nor clients have is told, with what it weighs", "[kuma]") {
  const auto scenario = [](const std::string& tags) {
    return "duration: 10s\nmode: exact\n"
           "zones: [{ name: zone-1, nodes: [{ name: n, labels: { node: n } }] }]\n"
           "services: [{ name: backend, endpoints: [{ count: 2, zone: zone-1, tags: { rack: r1 } }] }]\n"
           "policies:\n  - { type: MeshLoadBalancingStrategy, name: p, spec: { to: [{ targetRef: { kind: MeshService, "
           "name: backend }, default: { localityAwareness: { localZone: { affinityTags: [" +
           tags + "] } } } }] } }\n" +
           "clients: [{ name: f, zone: zone-1, count: 3, tags: { floor: f1 }, workload: { service: backend, rate: 1rps "
           "} "
           "}]\n";
  };
  const auto problems = [&](const std::string& tags) {
    return read_scenario_text("keys.yaml", scenario(tags)).diagnostics;
  };
  CHECK(problems("{ key: node }, { key: rack }, { key: floor }, { key: kuma.io/zone }").empty());
  const Diagnostics found = problems("{ key: node }, { key: rak }");
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "SP637");
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].message == "an affinity key that no dataplane has: `rak`");
  CHECK(found[0].label == "none of the 5 dataplanes has it: its weight 9 of 100 goes to the rest");
  REQUIRE(found[0].helps.size() == 1);
  CHECK(found[0].helps[0] == "did you mean `rack`?");
  const Marked place = unmark(scenario("{ key: node }, { key: «rak» }"));
  CHECK(found[0].where.line == place.place.line);
  CHECK(found[0].where.column == place.place.column);
}

// Confs are merged (docs/behaviour/kuma.md 3): a policy may give the threshold, another one the rules.
TEST_CASE("crossZone without rules is no mistake where another policy gives them", "[kuma]") {
  const auto strategy = [](const std::string& name, const std::string& cross_zone, const std::string& to,
                           const std::string& labels = "") {
    return "  - { type: MeshLoadBalancingStrategy, mesh: default, name: " + name + labels +
           ", spec: { to: [{ targetRef: " + to + ", default: { localityAwareness: { crossZone: " + cross_zone +
           " } } }] } }\n";
  };
  const std::string rules = "{ failover: [{ to: { type: Any } }] }";
  const std::string none = "{ failoverThreshold: { percentage: 50 } }";
  const std::string mesh = "{ kind: Mesh }";
  const auto codes = [](const std::string& policies) {
    std::vector<std::string> found;
    const auto checked = test::check_documents("policies:\n" + policies);
    for (const Diagnostic& problem : checked->problems) {
      found.push_back(problem.code);
    }
    return found;
  };
  using Codes = std::vector<std::string>;
  const std::string one = "{ kind: MeshService, name: backend }";
  const std::string shadow = ", labels: { kuma.io/effect: shadow }";
  CHECK(codes(strategy("a", none, mesh) + strategy("b", rules, mesh)).empty());
  CHECK(codes(strategy("a", none, one) + strategy("b", rules, mesh)).empty());
  CHECK(codes(strategy("a", none, mesh) + strategy("b", rules, one)) == Codes{"SP614"});
  CHECK(codes(strategy("a", none, mesh) + strategy("b", rules, mesh, shadow)) == Codes{"SP614"});
  CHECK(codes(strategy("a", "{ failover: [] }", mesh) + strategy("b", rules, mesh)) == Codes{"SP614"});
}

// docs/behaviour/kuma.md 3 and 10: the trap is in what the confs are merged to.
TEST_CASE("affinity tags, a hash balancer and failover are told when they come from several policies", "[kuma]") {
  const auto strategy = [](const std::string& name, const std::string& conf, const std::string& to) {
    return "  - { type: MeshLoadBalancingStrategy, mesh: default, name: " + name + ", spec: { to: [{ targetRef: " + to +
           ", default: { " + conf + " } }] } }\n";
  };
  const auto codes = [](const std::string& policies) {
    std::vector<std::string> found;
    const auto checked = test::check_documents("policies:\n" + policies);
    for (const Diagnostic& problem : checked->problems) {
      found.push_back(problem.code);
    }
    return found;
  };
  using Codes = std::vector<std::string>;
  const std::string mesh = "{ kind: Mesh }";
  const std::string one = "{ kind: MeshService, name: backend }";
  const std::string another = "{ kind: MeshService, name: other }";
  const std::string tags = "localityAwareness: { localZone: { affinityTags: [{ key: version }] } }";
  const std::string hash = "loadBalancer: { type: RingHash }";
  const std::string rules = "localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } }";
  CHECK(codes(strategy("b", tags + ", " + hash, mesh) + strategy("a", rules, one)) == Codes{"SP612"});
  CHECK(codes(strategy("b", tags, mesh) + strategy("c", rules, mesh) + strategy("a", hash, one)) == Codes{"SP612"});
  CHECK(codes(strategy("b", tags + ", " + hash, another) + strategy("a", rules, one)).empty());
  // The more specific one has another balancer.
  CHECK(codes(strategy("b", tags + ", " + hash, mesh) + strategy("a", rules + ", loadBalancer: { type: Random }", one))
            .empty());
}

TEST_CASE("a shadow policy is not warned of, and no shadow check marks hosts unhealthy", "[kuma]") {
  const std::string shadow = "labels: { kuma.io/effect: shadow }, ";
  const std::string rules =
      "mesh: default, name: a, spec: { to: [{ targetRef: { kind: Mesh }, default: { localityAwareness: { crossZone: { "
      "failover: [{ to: { type: Any } }] } } } }] } }\n";
  const std::string strategy = "  - { type: MeshLoadBalancingStrategy, ";
  const std::string check =
      "mesh: default, name: c, spec: { targetRef: { kind: Mesh }, to: [{ targetRef: { kind: Mesh }, default: { "
      "interval: 10s, timeout: 2s, unhealthyThreshold: 3, healthyThreshold: 1, http: { path: /health } } }] } }\n";
  const std::string mesh =
      "duration: 30s\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
      "services: [{ name: backend, endpoints: [{ zone: zone-1 }, { zone: zone-2 }] }]\n"
      "clients: [{ name: web, zone: zone-1, workload: { service: backend, rate: 100rps } }]\n"
      "policies:\n";
  const auto codes = [&](const std::string& policies) {
    std::set<std::string> found;
    for (const Diagnostic& problem : read_scenario_text("test.yaml", mesh + policies).diagnostics) {
      found.insert(problem.code);
    }
    return found;
  };
  const std::string checks = "  - { type: MeshHealthCheck, ";
  CHECK(codes(strategy + rules) == std::set<std::string>{"SP617"});
  CHECK(codes(strategy + shadow + rules).empty());
  CHECK(codes(strategy + rules + checks + check).empty());
  CHECK(codes(strategy + rules + checks + shadow + check) == std::set<std::string>{"SP617"});
}
