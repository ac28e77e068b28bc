#include "models/kuma/validation.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/lints.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;
using test::strategy;
using Violations = std::vector<kuma::Violation>;

namespace {

const std::string awareness = "spec.to[0].default.localityAwareness";

Violations release(const kuma::MeshLoadBalancingStrategy& policy) {
  return kuma::validate(policy, KumaProfile::release_2_14);
}

std::vector<kuma::LintCode> codes(const kuma::Conf& conf, const kuma::LintContext& context = {}) {
  std::vector<kuma::LintCode> result;
  for (const auto& lint : kuma::lints(strategy(conf), context)) {
    result.push_back(lint.code);
  }
  return result;
}

}  // namespace

TEST_CASE("affinity tags need a key and a weight above 0, all of them or none") {
  CHECK(release(strategy(test::local_zone({{"k8s/node", 0}, {"", 10}}))) ==
        Violations{{awareness + ".localZone.affinityTags[0].weight", "must be greater than 0"},
                   {awareness + ".localZone.affinityTags[1].key", "must not be empty"}});
  CHECK(release(strategy(test::local_zone({{"k8s/node", 10}, {"k8s/az", {}}}))) ==
        Violations{{awareness + ".localZone.affinityTags", "all or none affinity tags should have weight"}});
}

TEST_CASE("failover rules need zones where they name zones, and nowhere else") {
  kuma::Failover empty_name = failover("Any", {}, {"zone-1", ""});
  const std::string rules = awareness + ".crossZone.failover";
  CHECK(release(strategy(
            test::cross_zone({failover("None", {"zone-1"}), empty_name, failover("Only"), failover("Some")}))) ==
        Violations{{rules + "[0].to.zones", "must be empty when type is None"},
                   {rules + "[1].from.zones[1]", "must not be empty"},
                   {rules + "[2].to.zones", "must not be empty when type is Only"},
                   {rules + "[3].to.type", "unrecognized type"}});
}

TEST_CASE("an active request bias is looked at where there is one, and with least request alone") {
  CHECK(release(strategy(test::balancer("LeastRequest"))).empty());
  kuma::Conf least = test::balancer("LeastRequest");
  least.loadBalancer->leastRequest.emplace();
  CHECK(release(strategy(least)).empty());
  least.loadBalancer->leastRequest->activeRequestBias = "many";
  CHECK(release(strategy(least)) == Violations{{"spec.to[0].default.loadBalancer.leastRequest.activeRequestBias",
                                                "string must be a valid number"}});
  least.loadBalancer->leastRequest->activeRequestBias = "-1";
  CHECK(release(strategy(least)) == Violations{{"spec.to[0].default.loadBalancer.leastRequest.activeRequestBias",
                                                "must be greater or equal then: 0"}});
  least.loadBalancer->leastRequest->activeRequestBias = "0";
  CHECK(release(strategy(least)).empty());
}

TEST_CASE("a threshold is a number above 0 and up to 100") {
  const auto message = [](kuma::IntOrString percentage) {
    const auto violations = release(strategy(test::threshold(std::move(percentage))));
    return violations.empty() ? "" : violations[0].message;
  };
  CHECK(message("hello") == "string must be a valid number");
  CHECK(message(101) == "must be in inclusive range [0.0, 100.0]");
  CHECK(message("-1") == "must be in inclusive range [0.0, 100.0]");
  CHECK(message(0) == "must be greater than 0");
  CHECK(message("99.5").empty());
}

TEST_CASE("crossZone is refused for a real MeshService, not for the name of a tag") {
  const auto conf = test::cross_zone({});
  CHECK(release(strategy(conf, {.kind = "MeshService", .name = "backend"})).empty());
  CHECK(release(strategy(conf, {.kind = "MeshService", .name = "backend", .sectionName = "http"})) ==
        Violations{{awareness + ".crossZone", "must not be set: MeshService traffic is local"}});
}

TEST_CASE("references need labels in head and a name or labels in 2.14") {
  const auto nameless = strategy({}, {.kind = "MeshService"});
  CHECK(kuma::validate(nameless, KumaProfile::head) ==
        Violations{{"spec.to[0].targetRef.labels", "must be set when kind is MeshService"}});
  CHECK(release(nameless) ==
        Violations{{"spec.to[0].targetRef", "name or labels must be set when kind is MeshService"}});
}

TEST_CASE("a gateway's policy with a load balancer may name the mesh only") {
  auto policy = strategy(test::balancer("Random"), {.kind = "MeshService", .name = "backend"});
  policy.targetRef = kuma::TargetRef{.kind = "MeshGateway", .name = "edge"};
  CHECK(release(policy) ==
        Violations{{"spec.to[0].targetRef.kind",
                    "value 'MeshGateway' is not supported, only Mesh is allowed if loadBalancer is set"}});
}

TEST_CASE("the schema speaks first, and alone") {
  kuma::Conf conf = test::balancer("Fastest");
  conf.loadBalancer->leastRequest.emplace().choiceCount = 1;
  conf.localityAwareness = test::threshold("hello").localityAwareness;
  CHECK(kuma::admit(strategy(conf), KumaProfile::head) ==
        Violations{{"spec.to[0].default.loadBalancer.type",
                    "in body should be one of [RoundRobin LeastRequest RingHash Random Maglev]"},
                   {"spec.to[0].default.loadBalancer.leastRequest.choiceCount",
                    "in body should be greater than or equal to 2"}});
}

TEST_CASE("lints name what is admitted and does not do what it says") {
  using kuma::LintCode;
  kuma::Conf empty;
  empty.localityAwareness.emplace();
  CHECK(codes(empty) == std::vector{LintCode::empty_locality_awareness});
  CHECK(codes(test::threshold(70)) == std::vector{LintCode::threshold_rounds_up, LintCode::cross_zone_without_rules});
  CHECK(codes(test::threshold(50)) == std::vector{LintCode::cross_zone_without_rules});
  CHECK(codes(test::cross_zone({failover("Any"), failover("Only", {"zone-1"})})) ==
        std::vector{LintCode::unreachable_rule});
  CHECK(codes(test::cross_zone({failover("Only", {"zone-1"})}), {.zones = {"zone-2"}, .marks_unhealthy = false}) ==
        std::vector{LintCode::unknown_zone, LintCode::failover_never_starts});
  auto hash = test::cross_zone({failover("Any")});
  hash.localityAwareness->localZone = test::local_zone({test::tag("node")}).localityAwareness->localZone;
  hash.loadBalancer = test::balancer("Maglev").loadBalancer;
  CHECK(codes(hash) == std::vector{LintCode::hash_with_affinity});
  CHECK(codes(test::local_zone(std::vector<kuma::AffinityTag>(10, test::tag("node")))).front() ==
        LintCode::too_many_unweighted_tags);
}
