// Which rule applies, what of it, and how a VirtualService retries.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/routes.hpp"
#include "models/istio/rule_index.hpp"
#include "models/istio/traffic_policy.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

namespace {

constexpr const char* web = "web.shop.svc.cluster.local";

DestinationRule rule_of(const std::string& name, const std::string& name_space, const std::string& host,
                        std::size_t age) {
  DestinationRule rule;
  rule.meta = {.kind = "DestinationRule", .name = name, .name_space = name_space, .age = age};
  rule.host = host;
  return rule;
}

std::string found_for(const std::vector<DestinationRule>& rules, const std::string& client) {
  const RuleIndex index(rules, MeshConfig{});
  const auto found = index.find({.name_space = client}, web, "shop");
  return found.rule == nullptr ? "" : found.rule->rule.meta.name;
}

}  // namespace

TEST_CASE("istio: a wildcard in the client's namespace hides an exact rule in the service's") {
  const std::vector<DestinationRule> rules = {rule_of("exact", "shop", "web", 0), rule_of("wide", "client", "*", 1)};
  CHECK(found_for(rules, "client") == "wide");
  CHECK(found_for(rules, "shop") == "exact");
  CHECK(found_for(rules, "elsewhere") == "exact");
}

TEST_CASE("istio: a host of a name and a namespace matches nothing") {
  CHECK(found_for({rule_of("short", "shop", "web.shop", 0)}, "shop").empty());
}

TEST_CASE("istio: rules of one host are merged, the oldest policy counts whole") {
  std::vector<DestinationRule> rules = {rule_of("young", "shop", "web", 1), rule_of("old", "shop", "web", 0)};
  rules[0].trafficPolicy.emplace().outlierDetection.emplace();
  rules[0].subsets = {{.name = "v1"}, {.name = "v2"}};
  rules[1].trafficPolicy.emplace().connectionPool.emplace();
  rules[1].subsets = {{.name = "v1", .labels = {{"version", "1"}}}};
  const RuleIndex index(rules, MeshConfig{});
  const auto found = index.find({.name_space = "shop"}, web, "shop");
  REQUIRE(found.rule != nullptr);
  CHECK_FALSE(found.rule->rule.trafficPolicy->outlierDetection);
  REQUIRE(found.rule->rule.subsets.size() == 2);
  CHECK(found.rule->rule.subsets[0].labels.size() == 1);
}

TEST_CASE("istio: settings of a port replace the whole policy, blocks of a subset replace blocks") {
  DestinationRule rule = rule_of("rule", "shop", "web", 0);
  rule.trafficPolicy.emplace().outlierDetection.emplace();
  rule.subsets = {{.name = "v1"}};
  rule.subsets[0].trafficPolicy.emplace().loadBalancer.emplace().simple = SimpleLb::random;
  CHECK(policy_of(&rule, 80, "v1")->outlierDetection);
  CHECK(policy_of(&rule, 80, "v1")->loadBalancer);
  rule.trafficPolicy->portLevelSettings = {{.port = 80, .policy = {}}};
  CHECK_FALSE(policy_of(&rule, 80, "")->outlierDetection);
  CHECK(policy_of(&rule, 81, "")->outlierDetection);
}

TEST_CASE("istio: status codes of retryOn become a list") {
  HttpRetry retries{.attempts = 3, .retryOn = "503, gateway-error ,429,999"};
  const auto policy = retry_policy_of(retries, false);
  REQUIRE(policy);
  CHECK(policy->retry_on == "gateway-error,999,retriable-status-codes");
  CHECK(policy->retriable_status_codes == std::vector<std::uint32_t>{503, 429});
  CHECK_FALSE(retry_policy_of(HttpRetry{}, false));
  CHECK(retry_policy_of(std::nullopt, true)->num_retries == 2);
  CHECK_FALSE(retry_policy_of(std::nullopt, true)->previous_hosts);
}

TEST_CASE("istio: what admission refuses is at its field") {
  DestinationRule rule = rule_of("rule", "shop", "web", 0);
  auto& setting = rule.trafficPolicy.emplace().loadBalancer.emplace().localityLbSetting.emplace();
  setting.distribute = {{"r1/*", {{"r1/*", 50}, {"r1/z1/*", 50}}}};
  const auto findings = validate(rule);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].refused);
  CHECK(findings[0].reason == "distribute-localities-overlap");
  CHECK(findings[0].path == "spec.trafficPolicy.loadBalancer.localityLbSetting.distribute[0].to");
}

}  // namespace spillway::istio
