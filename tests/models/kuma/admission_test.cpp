// The rows of "Validation" in docs/behaviour/kuma.md 2 that are about confs: the schema's first, then the validator's.
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "models/kuma/lints.hpp"
#include "models/kuma/validation.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;
using test::strategy;
using Violations = std::vector<kuma::Violation>;

namespace {

const std::string in_default = "spec.to[0].default";

Violations by_schema(const kuma::Conf& conf, KumaProfile profile = KumaProfile::release_2_14) {
  return kuma::schema_violations(strategy(conf), profile);
}

Violations by_validator(const kuma::Conf& conf, KumaProfile profile = KumaProfile::release_2_14) {
  return kuma::validate(strategy(conf), profile);
}

kuma::Conf hashing(kuma::HashPolicy policy) {
  kuma::Conf conf;
  conf.hashPolicies.emplace().push_back(std::move(policy));
  return conf;
}

kuma::Conf ring_of(std::optional<std::uint32_t> least, std::optional<std::uint32_t> most) {
  kuma::Conf conf = test::balancer("RingHash");
  conf.loadBalancer->ringHash = kuma::RingHash{{}, least, most, {}};
  return conf;
}

std::vector<std::string> lint_names(const kuma::Conf& conf, const kuma::LintContext& context = {}) {
  std::vector<std::string> result;
  for (const kuma::Lint& lint : kuma::lints(strategy(conf), context)) {
    result.emplace_back(kuma::name_of(lint.code));
  }
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the schema knows the ranges of balancers' numbers") {
  const std::string ring = in_default + ".loadBalancer.ringHash.";
  CHECK(by_schema(ring_of(1, 8000000)).empty());
  CHECK(by_schema(ring_of(0, 8000001)) ==
        Violations{{ring + "minRingSize", "in body should be greater than or equal to 1"},
                   {ring + "maxRingSize", "in body should be less than or equal to 8000000"}});
  CHECK(by_schema(ring_of(8000001, 0)) ==
        Violations{{ring + "minRingSize", "in body should be less than or equal to 8000000"},
                   {ring + "maxRingSize", "in body should be greater than or equal to 1"}});
  kuma::Conf maglev = test::balancer("Maglev");
  const std::string table = in_default + ".loadBalancer.maglev.tableSize";
  for (const std::uint32_t size : {1U, 5000011U}) {
    maglev.loadBalancer->maglev = kuma::Maglev{size, {}};
    CHECK(by_schema(maglev).empty());
  }
  maglev.loadBalancer->maglev = kuma::Maglev{0U, {}};
  CHECK(by_schema(maglev) == Violations{{table, "in body should be greater than or equal to 1"}});
  maglev.loadBalancer->maglev = kuma::Maglev{5000012U, {}};
  CHECK(by_schema(maglev) == Violations{{table, "in body should be less than or equal to 5000011"}});
  kuma::Conf least = test::balancer("LeastRequest");
  const std::string choices = in_default + ".loadBalancer.leastRequest.choiceCount";
  least.loadBalancer->leastRequest = kuma::LeastRequest{2U, {}};
  CHECK(by_schema(least).empty());
  least.loadBalancer->leastRequest = kuma::LeastRequest{1U, {}};
  CHECK(by_schema(least) == Violations{{choices, "in body should be greater than or equal to 2"}});
  constexpr auto largest = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
  least.loadBalancer->leastRequest = kuma::LeastRequest{largest, {}};
  CHECK(by_schema(least).empty());
  least.loadBalancer->leastRequest = kuma::LeastRequest{largest + 1, {}};
  CHECK(by_schema(least) == Violations{{"", "Checked value must be of type integer with format int32 in " + choices}});
}

TEST_CASE("the schema knows the names that a field takes and the fields that must be there") {
  kuma::Conf untyped;
  untyped.loadBalancer.emplace();
  CHECK(by_schema(untyped) == Violations{{in_default + ".loadBalancer.type", "in body is required"}});
  kuma::Conf function = ring_of({}, {});
  CHECK(by_schema(function).empty());
  function.loadBalancer->ringHash->hashFunction = "MD5";
  CHECK(by_schema(function) == Violations{{in_default + ".loadBalancer.ringHash.hashFunction",
                                           "in body should be one of [XXHash MurmurHash2]"}});
  kuma::MeshLoadBalancingStrategy untargeted;
  untargeted.to.emplace().push_back({});
  CHECK(kuma::schema_violations(untargeted, KumaProfile::head) ==
        Violations{{"spec.to[0].targetRef", "in body is required"}});
  kuma::MeshLoadBalancingStrategy top;
  top.targetRef = kuma::TargetRef{.kind = "MeshSubset", .proxyTypes = std::vector<std::string>{"Sidecar", "Ingress"}};
  CHECK(kuma::schema_violations(top, KumaProfile::release_2_14) ==
        Violations{{"spec.targetRef.proxyTypes[1]", "in body should be one of [Sidecar Gateway]"}});
  CHECK(kuma::schema_violations(top, KumaProfile::head) ==
        Violations{{"spec.targetRef.kind", "in body should be one of [Mesh Dataplane]"}});
}

TEST_CASE("the schema wants the bodies of hash policies named") {
  const std::string entry = in_default + ".hashPolicies[0]";
  const std::string required = "in body is required";
  const std::string too_short = "in body should be at least 1 chars long";
  const std::string empty;
  CHECK(by_schema(hashing({})) == Violations{{entry + ".type", required}});
  CHECK(by_schema(hashing({.type = "Header", .header = kuma::Header{}})) ==
        Violations{{entry + ".header.name", required}});
  CHECK(by_schema(hashing({.type = "Header", .header = kuma::Header{empty}})) ==
        Violations{{entry + ".header.name", too_short}});
  CHECK(by_schema(hashing({.type = "Cookie", .cookie = kuma::Cookie{}})) ==
        Violations{{entry + ".cookie.name", required}});
  CHECK(by_schema(hashing({.type = "QueryParameter", .queryParameter = kuma::QueryParameter{}})) ==
        Violations{{entry + ".queryParameter.name", required}});
  CHECK(by_schema(hashing({.type = "FilterState", .filterState = kuma::FilterState{empty}})) ==
        Violations{{entry + ".filterState.key", too_short}});
  const kuma::Conf old = hashing({.type = "SourceIP", .connection = kuma::Connection{true}});
  CHECK(by_schema(old).empty());
  CHECK(
      by_schema(old, KumaProfile::head) ==
      Violations{{entry + ".type", "in body should be one of [Header Cookie Connection QueryParameter FilterState]"}});
  kuma::Conf nested = ring_of({}, {});
  nested.loadBalancer->ringHash->hashPolicies = hashing({}).hashPolicies;
  CHECK(by_schema(nested) == Violations{{in_default + ".loadBalancer.ringHash.hashPolicies[0].type", required}});
  CHECK(by_schema(nested, KumaProfile::head).empty());
}

TEST_CASE("the schema wants keys, zones and types of locality awareness") {
  const std::string awareness_path = in_default + ".localityAwareness";
  CHECK(by_schema(test::local_zone({{{}, 2147483648U}})) ==
        Violations{{awareness_path + ".localZone.affinityTags[0].key", "in body is required"},
                   {"", "Checked value must be of type integer with format int32 in " + awareness_path +
                            ".localZone.affinityTags[0].weight"}});
  CHECK(by_schema(test::local_zone({{"k", 2147483647U}})).empty());
  kuma::Failover nothing;
  nothing.from.emplace();
  CHECK(by_schema(test::cross_zone({nothing, failover("Some")})) ==
        Violations{
            {awareness_path + ".crossZone.failover[0].from.zones", "in body is required"},
            {awareness_path + ".crossZone.failover[0].to", "in body is required"},
            {awareness_path + ".crossZone.failover[1].to.type", "in body should be one of [None Only Any AnyExcept]"}});
  kuma::Conf unset;
  unset.localityAwareness.emplace().crossZone.emplace().failoverThreshold.emplace();
  CHECK(by_schema(unset) ==
        Violations{{awareness_path + ".crossZone.failoverThreshold.percentage", "in body is required"}});
}

TEST_CASE("a hash policy has the body of its type") {
  const std::string entry = in_default + ".hashPolicies[0]";
  const std::vector<std::pair<std::string, std::string>> bodies = {{"Header", "header"},
                                                                   {"Cookie", "cookie"},
                                                                   {"Connection", "connection"},
                                                                   {"SourceIP", "connection"},
                                                                   {"QueryParameter", "queryParameter"},
                                                                   {"FilterState", "filterState"}};
  kuma::HashPolicy whole{.header = kuma::Header{"h"},
                         .cookie = kuma::Cookie{"c", {}, "/"},
                         .connection = kuma::Connection{},
                         .queryParameter = kuma::QueryParameter{"q"},
                         .filterState = kuma::FilterState{"f"}};
  for (const auto& [type, body] : bodies) {
    INFO(type);
    CHECK(by_validator(hashing({.type = type})) == Violations{{entry + "." + body, "must be defined"}});
    whole.type = type;
    CHECK(by_validator(hashing(whole)).empty());
  }
  CHECK(by_validator(hashing({.type = "SourceIP"}), KumaProfile::head) ==
        Violations{{entry + ".type", "unrecognized type"}});
  CHECK(by_validator(hashing({.type = "Other"})).empty());
  whole.type = "Cookie";
  whole.cookie->path = "p";
  CHECK(by_validator(hashing(whole)) == Violations{{entry + ".cookie.path", "must be an absolute path"}});
}

TEST_CASE("hash policies inside a balancer are looked at in 2.14, for its type, and must not stand outside too") {
  const std::string path = in_default + ".loadBalancer";
  const auto wrong = hashing({.type = "Header"}).hashPolicies;
  kuma::Conf conf = test::balancer("RingHash");
  conf.loadBalancer->ringHash.emplace().hashPolicies = wrong;
  conf.loadBalancer->maglev.emplace().hashPolicies = wrong;
  CHECK(by_validator(conf) == Violations{{path + ".ringHash.hashPolicies[0].header", "must be defined"}});
  CHECK(by_validator(conf, KumaProfile::head).empty());
  conf.loadBalancer->type = "Maglev";
  CHECK(by_validator(conf) == Violations{{path + ".maglev.hashPolicies[0].header", "must be defined"}});
  CHECK(by_validator(conf, KumaProfile::head).empty());
  conf.loadBalancer->type = "Random";
  CHECK(by_validator(conf).empty());
  conf.hashPolicies.emplace();
  const std::string twice = "hashPolicies already specified in the root level";
  CHECK(by_validator(conf) ==
        Violations{{path + ".ringHash.hashPolicies", twice}, {path + ".maglev.hashPolicies", twice}});
  CHECK(by_validator(conf, KumaProfile::head).empty());
}

TEST_CASE("for a route only hash policies may be said") {
  kuma::Conf conf = test::balancer("LeastRequest");
  conf.localityAwareness.emplace();
  conf.hashPolicies = hashing({.type = "Header"}).hashPolicies;
  const std::string message =
      "field is not allowed when targetRef.kind is MeshHTTPRoute, only hashPolicies is supported";
  CHECK(kuma::validate(strategy(conf, {.kind = "MeshHTTPRoute", .name = "r"}), KumaProfile::release_2_14) ==
        Violations{{in_default + ".hashPolicies[0].header", "must be defined"},
                   {in_default + ".loadBalancer", message},
                   {in_default + ".localityAwareness", message}});
}

TEST_CASE("lints of thresholds, empty and disabled sections, and each name of theirs") {
  for (const kuma::IntOrString& number : {kuma::IntOrString(0), kuma::IntOrString("-1"), kuma::IntOrString("x"),
                                          kuma::IntOrString(101), kuma::IntOrString(100), kuma::IntOrString("12.5")}) {
    CHECK(lint_names(test::threshold(number)) == Names{"cross-zone-without-rules"});
  }
  CHECK(lint_names(test::threshold(99)) == Names{"threshold-rounds-up", "cross-zone-without-rules"});
  CHECK(lint_names(test::threshold(99), {.profile = KumaProfile::document}) == Names{"cross-zone-without-rules"});
  CHECK(lint_names(test::disabled(false)) == Names{"empty-locality-awareness"});
  CHECK(lint_names(test::disabled(true)).empty());
  CHECK(lint_names(test::disabled(false), {.profile = KumaProfile::document}).empty());
  kuma::Conf overruled = test::local_zone();
  overruled.localityAwareness->disabled = true;
  CHECK(lint_names(overruled) == Names{"disabled-has-no-effect"});
  CHECK(lint_names(test::local_zone({{"a", 1}, {"b", 2}})) == Names{"order-beats-weights"});
  CHECK(lint_names(test::local_zone({{"a", 2}, {"b", 2}})).empty());
  CHECK(lint_names(test::local_zone({{"a", 1}, {"b", 2}}), {.profile = KumaProfile::document}).empty());
  CHECK(lint_names(test::local_zone({test::tag("a"), test::tag("a")})) == Names{"repeated-affinity-key"});
  CHECK(lint_names(test::cross_zone({failover("None"), failover("Any")})) == Names{"none-does-not-stop"});
  CHECK(lint_names(test::cross_zone({failover("None"), failover("Any")}), {.profile = KumaProfile::document}) ==
        Names{"after-the-end"});
  CHECK(lint_names(test::cross_zone({failover("Any"), failover("None")})) == Names{"after-the-end"});
  CHECK(lint_names(test::cross_zone({failover("Only", {"b", "b"})})) == Names{"repeated-zone"});
  CHECK(kuma::name_of(kuma::LintCode::unknown_affinity_key) == "unknown-affinity-key");
}

TEST_CASE("a rule None is passed only if a later rule admits another zone to one of its clients") {
  const std::vector<std::string> zones = {"a", "b", "c"};
  const auto after_none = [&](const std::vector<std::string>& from, const kuma::Failover& later) {
    kuma::Failover none = failover("None");
    if (!from.empty()) {
      none = failover("None", {}, from);
    }
    const Names names = lint_names(test::cross_zone({none, later}), {.zones = zones});
    return std::find(names.begin(), names.end(), "none-does-not-stop") != names.end();
  };
  CHECK(after_none({"a"}, failover("Any")));
  CHECK(after_none({"a"}, failover("Any", {}, {"a", "b"})));
  CHECK(after_none({}, failover("Only", {"b"}, {"a"})));
  CHECK(after_none({"a"}, failover("AnyExcept", {"b"})));
  CHECK_FALSE(after_none({"a"}, failover("Any", {}, {"b"})));
  CHECK_FALSE(after_none({"a"}, failover("Only", {"a"})));
  CHECK_FALSE(after_none({"a"}, failover("AnyExcept", {"b", "c"})));
  CHECK_FALSE(after_none({"a"}, failover("None")));
}

TEST_CASE("a rule that admits its clients' own zone only has no effect") {
  CHECK(lint_names(test::cross_zone({failover("Only", {"a"}, {"a"}), failover("Any")})) == Names{"unreachable-rule"});
  CHECK(lint_names(test::cross_zone({failover("Only", {"a", "b"}, {"a"})})).empty());
  CHECK(lint_names(test::cross_zone({failover("Only", {"a"}, {"a", "b"})})).empty());
}
