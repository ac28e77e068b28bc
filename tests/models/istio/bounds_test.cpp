// Istio's rules at the values where they change: what admission takes and refuses, and names that just match.
// Expected: docs/behaviour/istio.md 2, 6 and 11; istiod's pkg/config/host and agent/validation.go.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "models/istio/names.hpp"
#include "models/istio/sameness.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {
namespace {

using namespace std::chrono_literals;

DestinationRule rule_with(LoadBalancerSettings balancer) {
  DestinationRule rule;
  rule.meta = {.kind = "DestinationRule", .name = "web", .name_space = "shop", .age = 0};
  rule.host = "web";
  rule.trafficPolicy.emplace().loadBalancer = std::move(balancer);
  rule.trafficPolicy->outlierDetection.emplace();
  return rule;
}

bool finds(const DestinationRule& rule, const std::string& reason) {
  const std::vector<Finding> findings = validate(rule);
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& one) { return one.reason == reason; });
}

DestinationRule distributing(const std::string& from) {
  LoadBalancerSettings balancer;
  balancer.localityLbSetting.emplace().distribute = {{.from = from, .to = {{"r1/z1", 100}}}};
  return rule_with(std::move(balancer));
}

}  // namespace

TEST_CASE("istio: a wildcard host takes the place of one letter and more, and of none before a dot") {
  CHECK(host_matches("w.shop.com", "*.shop.com"));
  CHECK(host_matches("web.shop.com", "*.shop.com"));
  CHECK(host_matches("shop.com", "*shop.com"));
  CHECK_FALSE(host_matches("shop.com", "*.shop.com"));
  CHECK(host_matches("w", "*"));
  CHECK_FALSE(host_matches("web.shop.org", "*.shop.com"));
}

TEST_CASE("istio: a warmup lasts 1 ms at least") {
  LoadBalancerSettings balancer;
  balancer.warmup.emplace().duration = 1ms;
  CHECK_FALSE(finds(rule_with(balancer), "warmup-without-duration"));
  balancer.warmup->duration = 999us;
  CHECK(finds(rule_with(balancer), "warmup-without-duration"));
}

TEST_CASE("istio: a warmup's percentage may be 100, its aggression must be above 0") {
  LoadBalancerSettings balancer;
  balancer.warmup.emplace().duration = 1s;
  balancer.warmup->minimumPercent = 100.0;
  CHECK_FALSE(finds(rule_with(balancer), "warmup-percent"));
  balancer.warmup->minimumPercent = 100.5;
  CHECK(finds(rule_with(balancer), "warmup-percent"));
  balancer.warmup->aggression = 0.0;
  CHECK(finds(rule_with(balancer), "warmup-aggression"));
  balancer.warmup->aggression = 0.1;
  CHECK_FALSE(finds(rule_with(balancer), "warmup-aggression"));
}

TEST_CASE("istio: a wildcard stands in a locality once, at its end") {
  CHECK_FALSE(finds(distributing("r1/*"), "distribute-wildcard"));
  CHECK_FALSE(finds(distributing("*"), "distribute-wildcard"));
  CHECK(finds(distributing("*/z1"), "distribute-wildcard"));
  CHECK(finds(distributing("r1/*/*"), "distribute-wildcard"));
  CHECK(finds(distributing("*/z1/*"), "distribute-wildcard"));
}

TEST_CASE("istio: rules are the same if each of their settings is, one that neither has included") {
  LoadBalancerSettings balancer;
  balancer.warmup.emplace().duration = 1s;
  const DestinationRule rule = rule_with(balancer);
  CHECK(same(rule, rule));
  CHECK(same(rule_with({}), rule_with({})));
  DestinationRule other = rule;
  other.trafficPolicy->loadBalancer->warmup->duration = 2s;
  CHECK_FALSE(same(rule, other));
  other = rule;
  other.trafficPolicy->loadBalancer->warmup.reset();
  CHECK_FALSE(same(rule, other));
  CHECK_FALSE(same(other, rule));
}

}  // namespace spillway::istio
