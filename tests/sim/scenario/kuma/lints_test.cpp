// What Kuma admits and spillway warns of, at its place.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "sim/scenario/diagnostic_codes.hpp"
#include "tests/sim/scenario/kuma/checked.hpp"

using namespace spillway::scenario;
using spillway::kuma::LintCode;
using test::KumaProfile;

namespace {

std::string linted_awareness(const std::string& sections) {
  return test::strategy_to("{ kind: Mesh }", "{ localityAwareness: " + sections + " }");
}
std::string rules(const std::string& list) {
  return linted_awareness("{ crossZone: { failover: [" + list + "] } }");
}

void check(const std::string& marked, LintCode code, bool marks_unhealthy = true) {
  const Diagnostic found = test::the_only_document_problem(marked, kuma_documents::code_of(code),
                                                           KumaProfile::release_2_14, marks_unhealthy);
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
  check(rules("{ to: { type: Only, zones: [«zone-9»] } }"), LintCode::unknown_zone);
  check(linted_awareness("{ crossZone: { «failover»: [{ to: { type: Any } }] } }"), LintCode::failover_never_starts,
        false);
  check(linted_awareness("{ localZone: { affinityTags: [{ key: a }, { key: «a» }] } }"),
        LintCode::repeated_affinity_key);
  check(linted_awareness("{ disabled: «true», localZone: {} }"), LintCode::disabled_has_no_effect);
  check(rules("{ to: { type: «None» } }, { to: { type: Any } }"), LintCode::none_does_not_stop);
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
  for (int code = 0; code <= static_cast<int>(LintCode::none_does_not_stop); ++code) {
    const std::string name = kuma_documents::code_of(static_cast<LintCode>(code));
    CHECK(codes.insert(name).second);
    CHECK(find_diagnostic_code(name) != nullptr);
  }
}

TEST_CASE("A threshold that acts as written is not warned of", "[kuma]") {
  for (const char* const percentage : {"100", "50", "25", "20", "10", "\"12.5\""}) {
    test::clean_documents(
        linted_awareness("{ crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { "
                         "percentage: " +
                         std::string(percentage) + " } } }"));
  }
}
