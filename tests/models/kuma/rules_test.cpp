#include "models/kuma/rules.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/egress_rules.hpp"
#include "models/kuma/merge.hpp"
#include "models/kuma/targeting.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::disabled;
using test::failover;

namespace {

const kuma::TargetRef mesh{.kind = "Mesh"};
const kuma::TargetRef backend_target{.kind = "MeshMultiZoneService",
                                     .labels = kuma::Tags{{"kuma.io/display-name", "backend"}}};
const kuma::Destination backend_service{
    .kind = "MeshMultiZoneService", .name = "backend", .labels = {{"kuma.io/display-name", "backend"}}};
const kuma::TargetRef backend_tag{.kind = "MeshService", .name = "backend"};

kuma::Policy for_kind(kuma::Policy policy, kuma::TargetRef top) {
  policy.spec.targetRef = std::move(top);
  return policy;
}

bool is_disabled(const std::vector<kuma::Policy>& policies, const kuma::Client& client = test::client("zone-1")) {
  return kuma::resource_rule(policies, client, backend_service, KumaProfile::head)->conf == disabled(true);
}

}  // namespace

TEST_CASE("merging replaces lists whole, joins objects, and erases nothing by an empty object") {
  kuma::Conf conf = test::cross_zone({failover("Only", {"zone-9"}), failover("Any")});
  kuma::merge_patch(conf, test::threshold(30));
  CHECK(conf.localityAwareness->crossZone->failover->size() == 2);
  CHECK(conf.localityAwareness->crossZone->failoverThreshold->percentage == kuma::IntOrString(30));
  kuma::merge_patch(conf, test::cross_zone({failover("Any")}));
  CHECK(conf.localityAwareness->crossZone->failover->size() == 1);
  const kuma::Conf before = conf;
  kuma::Conf empty;
  empty.localityAwareness.emplace();
  kuma::merge_patch(conf, empty);
  CHECK(conf == before);
  kuma::merge_patch(conf, test::cross_zone({}));
  CHECK(conf.localityAwareness->crossZone->failover->empty());
}

TEST_CASE("the kind of the top level counts more than the kind in to") {
  CHECK_FALSE(is_disabled({test::policy("a", backend_target, disabled(true)),
                           for_kind(test::policy("z", mesh, disabled(false)), {.kind = "Dataplane"})}));
}

TEST_CASE("between equal top levels the kind in to decides, and then the smallest name") {
  CHECK(is_disabled({test::policy("a", backend_target, disabled(true)), test::policy("a", mesh, disabled(false))}));
  CHECK(is_disabled(
      {test::policy("a", backend_target, disabled(true)), test::policy("b", backend_target, disabled(false))}));
}

TEST_CASE("origin counts more than role, and role more than the kind in to") {
  CHECK(is_disabled({test::policy("b", backend_target, disabled(true), {{"kuma.io/origin", "zone"}}),
                     test::policy("a", backend_target, disabled(false),
                                  {{"kuma.io/origin", "global"}, {"kuma.io/policy-role", "producer"}})}));
  CHECK(is_disabled({test::policy("b", mesh, disabled(true), {{"kuma.io/policy-role", "producer"}}),
                     test::policy("a", backend_target, disabled(false))}));
}

TEST_CASE("a zone's policy selects that zone's clients only, unless it is a producer's") {
  const kuma::Tags elsewhere = {{"kuma.io/origin", "zone"}, {"kuma.io/zone", "zone-2"}};
  const auto client = test::client("zone-1");
  auto policy = test::policy("a", mesh, disabled(true), elsewhere);
  CHECK_FALSE(kuma::selects(policy, client, KumaProfile::head));
  policy.labels["kuma.io/policy-role"] = "producer";
  CHECK(kuma::selects(policy, client, KumaProfile::head));
  policy.labels["kuma.io/effect"] = "shadow";
  CHECK_FALSE(kuma::selects(policy, client, KumaProfile::head));
}

TEST_CASE("a consumer's policy without a namespace selects nobody") {
  auto policy = test::policy("a", mesh, disabled(true), {{"kuma.io/policy-role", "consumer"}});
  auto client = test::client("zone-1", {{"k8s.kuma.io/namespace", "ns-1"}});
  CHECK_FALSE(kuma::selects(policy, client, KumaProfile::head));
  policy.labels["k8s.kuma.io/namespace"] = "ns-1";
  CHECK(kuma::selects(policy, client, KumaProfile::head));
}

TEST_CASE("subsets and services at the top level exist in 2.14 only") {
  const auto subset =
      for_kind(test::policy("a", mesh, disabled(true)), {.kind = "MeshSubset", .tags = kuma::Tags{{"version", "v1"}}});
  const auto client = test::client("zone-1", {{"version", "v1"}});
  CHECK(kuma::selects(subset, client, KumaProfile::release_2_14));
  CHECK_FALSE(kuma::selects(subset, client, KumaProfile::head));
}

TEST_CASE("by tag a later item of the same policy wins, whatever it targets") {
  auto policy = test::policy("a", backend_tag, disabled(true));
  policy.spec.to->push_back({.targetRef = mesh, .default_ = disabled(false)});
  const std::vector<kuma::Policy> policies = {policy};
  const auto rule = kuma::tag_rule(policies, test::client("zone-1"), "backend", KumaProfile::release_2_14);
  REQUIRE(rule);
  CHECK(rule->conf == disabled(false));
  CHECK(rule->origins == std::vector<kuma::RuleOrigin>{{0, 0}, {0, 1}});
}

TEST_CASE("by tag a policy with an item for a route is left out") {
  auto policy = test::policy("a", mesh, disabled(true));
  policy.spec.to->push_back({.targetRef = kuma::TargetRef{.kind = "MeshHTTPRoute", .name = "route"}});
  const std::vector<kuma::Policy> policies = {policy};
  CHECK_FALSE(kuma::tag_rule(policies, test::client("zone-1"), "backend", KumaProfile::release_2_14));
}

TEST_CASE("an item for a port concerns that port alone") {
  const kuma::TargetRef http{
      .kind = "MeshService", .labels = kuma::Tags{{"kuma.io/display-name", "backend"}}, .sectionName = "http"};
  const std::vector<kuma::Policy> policies = {test::policy("a", http, disabled(true))};
  kuma::Destination service{.kind = "MeshService", .name = "backend", .labels = {{"kuma.io/display-name", "backend"}}};
  CHECK_FALSE(kuma::resource_rule(policies, test::client("zone-1"), service, KumaProfile::head));
  service.port_name = "http";
  CHECK(kuma::resource_rule(policies, test::client("zone-1"), service, KumaProfile::head));
}

TEST_CASE("a route has a rule of its own only if an item names it") {
  const kuma::Destination route{
      .kind = "MeshHTTPRoute", .name = "route", .labels = {{"kuma.io/display-name", "route"}}};
  std::vector<kuma::Policy> policies = {test::policy("a", mesh, test::balancer("Random"))};
  CHECK_FALSE(kuma::resource_rule(policies, test::client("zone-1"), route, KumaProfile::head));
  policies.push_back(test::policy("b", {.kind = "MeshHTTPRoute", .labels = route.labels}, kuma::Conf{}));
  CHECK(kuma::resource_rule(policies, test::client("zone-1"), route, KumaProfile::head));
}

TEST_CASE("an old service name with its port resolves to the real service of 2.14") {
  const kuma::Destination service{.kind = "MeshService",
                                  .name = "backend",
                                  .labels = {{"kuma.io/display-name", "backend"}, {"k8s.kuma.io/namespace", "demo"}},
                                  .port = 8080};
  const auto reaches = [&](const std::string& name) {
    const std::vector<kuma::Policy> policies = {
        test::policy("a", {.kind = "MeshService", .name = name}, disabled(true))};
    return kuma::resource_rule(policies, test::client("zone-1"), service, KumaProfile::release_2_14).has_value();
  };
  CHECK(reaches("backend_demo_svc_8080"));
  CHECK_FALSE(reaches("web_demo_svc_8080"));
  CHECK_FALSE(reaches("backend_other_svc_8080"));
  CHECK_FALSE(reaches("backend_demo_svc_80"));
}

TEST_CASE("in 2.14 a resource is named by its name, and by its namespace where one is said") {
  const kuma::Destination service{
      .kind = "MeshMultiZoneService", .name = "backend", .labels = {{"k8s.kuma.io/namespace", "demo"}}};
  const auto reaches = [&](kuma::TargetRef target) {
    return kuma::resource_rule({{test::policy("a", std::move(target), disabled(true))}}, test::client("zone-1"),
                               service, KumaProfile::release_2_14)
        .has_value();
  };
  CHECK(reaches({.kind = "MeshMultiZoneService", .name = "backend"}));
  CHECK(reaches({.kind = "MeshMultiZoneService", .name = "backend", .namespace_ = "demo"}));
  CHECK_FALSE(reaches({.kind = "MeshMultiZoneService", .name = "backend", .namespace_ = "other"}));
  CHECK_FALSE(reaches({.kind = "MeshMultiZoneService", .name = "web"}));
}

TEST_CASE("the egress takes only the rule that is for everybody") {
  const kuma::Tags service = {{"kuma.io/service", "backend"}};
  std::vector<kuma::Policy> policies = {test::policy("a", backend_tag, disabled(true))};
  CHECK(kuma::whole_mesh_conf(kuma::egress_rules(policies, service)) == disabled(true));
  policies.push_back(for_kind(test::policy("b", backend_tag, disabled(false)), {.kind = "MeshService", .name = "web"}));
  const auto rules = kuma::egress_rules(policies, service);
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].when == std::vector<kuma::SubsetTag>{{"kuma.io/service", "web"}});
  CHECK(kuma::whole_mesh_conf(rules) == disabled(true));
}

TEST_CASE("policies by two tag keys leave the egress without a rule for everybody") {
  const std::vector<kuma::Policy> policies = {
      test::policy("a", backend_tag, disabled(true)),
      for_kind(test::policy("b", backend_tag, disabled(false)),
               {.kind = "MeshServiceSubset", .name = "web", .tags = kuma::Tags{{"version", "v2"}}})};
  CHECK_FALSE(kuma::whole_mesh_conf(kuma::egress_rules(policies, {{"kuma.io/service", "backend"}})));
}
