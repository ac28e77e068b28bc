// What admission refuses in DestinationRules and ServiceEntries, and what it warns of, each at its bound. Expected:
// docs/behaviour/istio.md 5.1, 5.3 and 11; istiod's pkg/config/validation (validateOutlierDetection,
// validateConnectionPool, validateLoadBalancer, validateTrafficPolicy, ValidateServiceEntry).
#include "models/istio/validation.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using namespace std::chrono_literals;
using test::Lines;

struct PolicyCase {
  const char* name;
  void (*write)(TrafficPolicy&);
  Lines says;  // with paths within the policy
};

// Wherever in a rule the policy stands.
void expect_findings(const std::vector<PolicyCase>& cases) {
  for (const PolicyCase& one : cases) {
    TrafficPolicy policy;
    one.write(policy);
    for (const test::Place& place : test::places_of_policy(policy)) {
      INFO(one.name << " at " << place.path);
      CHECK(test::lines_of(validate(place.rule)) == test::below(place.path, one.says));
    }
  }
}

ConsistentHash& hash_in(TrafficPolicy& policy) {
  return policy.loadBalancer.emplace().consistentHash.emplace();
}

}  // namespace

TEST_CASE("istio admission: outlier detection") {
  expect_findings({
      {"empty", [](TrafficPolicy& policy) { policy.outlierDetection.emplace(); }, {}},
      {"the old field",
       [](TrafficPolicy& policy) { policy.outlierDetection.emplace().consecutiveErrors = 1; },
       {"warned old-consecutive-errors at .outlierDetection.consecutiveErrors"}},
      {"local failures without the split",
       [](TrafficPolicy& policy) { policy.outlierDetection.emplace().consecutiveLocalOriginFailures = 1; },
       {"refused local-origin-without-split at .outlierDetection.consecutiveLocalOriginFailures"}},
      {"no local failures without the split",
       [](TrafficPolicy& policy) { policy.outlierDetection.emplace().consecutiveLocalOriginFailures = 0; },
       {}},
      {"local failures with the split",
       [](TrafficPolicy& policy) {
         policy.outlierDetection =
             OutlierDetection{.splitExternalLocalOriginErrors = true, .consecutiveLocalOriginFailures = 1};
       },
       {}},
      {"100 %",
       [](TrafficPolicy& policy) {
         policy.outlierDetection = OutlierDetection{.maxEjectionPercent = 100, .minHealthPercent = 100};
       },
       {}},
      {"101 % ejected",
       [](TrafficPolicy& policy) { policy.outlierDetection.emplace().maxEjectionPercent = 101; },
       {"refused percent-out-of-range at .outlierDetection"}},
      {"101 % healthy",
       [](TrafficPolicy& policy) { policy.outlierDetection.emplace().minHealthPercent = 101; },
       {"refused percent-out-of-range at .outlierDetection"}},
  });
}

TEST_CASE("istio admission: connection pools") {
  using Upgrade = ConnectionPool::Http::H2Upgrade;
  expect_findings({
      {"empty",
       [](TrafficPolicy& policy) { policy.connectionPool.emplace(); },
       {"refused empty-pool at .connectionPool"}},
      {"tcp alone", [](TrafficPolicy& policy) { policy.connectionPool.emplace().tcp = ConnectionPool::Tcp{}; }, {}},
      {"http alone", [](TrafficPolicy& policy) { policy.connectionPool.emplace().http = ConnectionPool::Http{}; }, {}},
      {"upgrades alone",
       [](TrafficPolicy& policy) {
         policy.connectionPool.emplace().http = ConnectionPool::Http{.h2UpgradePolicy = Upgrade::upgrade};
       },
       {}},
      {"the client's protocol alone",
       [](TrafficPolicy& policy) {
         policy.connectionPool.emplace().http = ConnectionPool::Http{.useClientProtocol = true};
       },
       {}},
      {"upgrades and the client's protocol",
       [](TrafficPolicy& policy) {
         auto& http = (policy.connectionPool.emplace().http = ConnectionPool::Http{}).value();
         http.h2UpgradePolicy = Upgrade::upgrade;
         http.useClientProtocol = true;
       },
       {"refused upgrade-with-client-protocol at .connectionPool.http.useClientProtocol"}},
      {"no upgrades and the client's protocol",
       [](TrafficPolicy& policy) {
         auto& http = (policy.connectionPool.emplace().http = ConnectionPool::Http{}).value();
         http.h2UpgradePolicy = Upgrade::do_not_upgrade;
         http.useClientProtocol = true;
       },
       {}},
  });
}

TEST_CASE("istio admission: consistent hashes") {
  const std::string hash = " at .loadBalancer.consistentHash";
  expect_findings({
      {"a cookie without a name",
       [](TrafficPolicy& policy) { hash_in(policy).httpCookie = ConsistentHash::Cookie{}; },
       {"refused cookie-without-name" + hash + ".httpCookie"}},
      {"a cookie with a name",
       [](TrafficPolicy& policy) { hash_in(policy).httpCookie = ConsistentHash::Cookie{.name = "c"}; },
       {}},
      {"the old ring size",
       [](TrafficPolicy& policy) { hash_in(policy).minimumRingSize = 1; },
       {"warned old-ring-size" + hash + ".minimumRingSize"}},
      {"the old ring size beside a ring",
       [](TrafficPolicy& policy) {
         ConsistentHash& written = hash_in(policy);
         written.minimumRingSize = 1;
         written.ringHash = 0;
       },
       {"warned old-ring-size" + hash + ".minimumRingSize", "refused two-ring-sizes" + hash + ".minimumRingSize"}},
      {"the old ring size beside a table",
       [](TrafficPolicy& policy) {
         ConsistentHash& written = hash_in(policy);
         written.minimumRingSize = 1;
         written.maglev = 5;
       },
       {"warned old-ring-size" + hash + ".minimumRingSize", "refused two-ring-sizes" + hash + ".minimumRingSize"}},
      {"a ring alone", [](TrafficPolicy& policy) { hash_in(policy).ringHash = 1; }, {}},
  });
}

TEST_CASE("istio admission: a table of maglev has a prime size below 5000011") {
  const auto refused = [](std::uint64_t size) {
    TrafficPolicy policy;
    hash_in(policy).maglev = size;
    return !validate(test::places_of_policy(policy)[0].rule).empty();
  };
  for (const std::uint64_t prime : {2U, 3U, 5U, 7U, 11U, 13U, 65537U, 4999999U}) {
    INFO(prime);
    CHECK_FALSE(refused(prime));
  }
  // 5000011 and 5000113 are primes, too large; 24990001 is 4999 * 4999.
  for (const std::uint64_t other :
       {0U, 1U, 4U, 6U, 8U, 9U, 15U, 25U, 49U, 65536U, 65539U * 3U, 5000011U, 5000113U, 24990001U}) {
    INFO(other);
    CHECK(refused(other));
  }
  TrafficPolicy policy;
  hash_in(policy).maglev = 4;
  CHECK(test::lines_of(validate(test::places_of_policy(policy)[0].rule)) ==
        Lines{"refused maglev-table-size at spec.trafficPolicy.loadBalancer.consistentHash.maglev"});
}

TEST_CASE("istio admission: durations have whole milliseconds, and one at least") {
  using Set = void (*)(TrafficPolicy&, Duration);
  struct DurationCase {
    const char* path;
    Set set;
  };
  const DurationCase cases[] = {
      {".outlierDetection.interval",
       [](TrafficPolicy& policy, Duration duration) { policy.outlierDetection.emplace().interval = duration; }},
      {".outlierDetection.baseEjectionTime",
       [](TrafficPolicy& policy, Duration duration) { policy.outlierDetection.emplace().baseEjectionTime = duration; }},
      {".connectionPool.tcp.connectTimeout",
       [](TrafficPolicy& policy, Duration duration) {
         policy.connectionPool.emplace().tcp = ConnectionPool::Tcp{.connectTimeout = duration};
       }},
      {".connectionPool.tcp.maxConnectionDuration",
       [](TrafficPolicy& policy, Duration duration) {
         policy.connectionPool.emplace().tcp = ConnectionPool::Tcp{.maxConnectionDuration = duration};
       }},
      {".connectionPool.http.idleTimeout",
       [](TrafficPolicy& policy, Duration duration) {
         policy.connectionPool.emplace().http = ConnectionPool::Http{.idleTimeout = duration};
       }},
  };
  for (const DurationCase& of : cases) {
    INFO(of.path);
    const auto findings = [&](Duration duration) {
      TrafficPolicy policy;
      of.set(policy, duration);
      return test::lines_of(validate(test::places_of_policy(policy)[0].rule));
    };
    const std::string at = std::string(" at spec.trafficPolicy") + of.path;
    CHECK(findings(1ms).empty());
    CHECK(findings(1h).empty());
    CHECK(findings(0s) == Lines{"refused duration-too-short" + at});
    CHECK(findings(999us) == Lines{"refused duration-too-short" + at});
    CHECK(findings(1001us) == Lines{"refused duration-too-precise" + at});
  }
}

TEST_CASE("istio admission: a connection's idle timeout of 0 is none") {
  const auto findings = [](Duration duration) {
    TrafficPolicy policy;
    policy.connectionPool.emplace().tcp = ConnectionPool::Tcp{.idleTimeout = duration};
    return test::lines_of(validate(test::places_of_policy(policy)[0].rule));
  };
  CHECK(findings(0s).empty());
  CHECK(findings(999us).empty());
  CHECK(findings(1ms).empty());
  CHECK(findings(1001us) == Lines{"refused duration-too-precise at spec.trafficPolicy.connectionPool.tcp.idleTimeout"});
}

TEST_CASE("istio admission: settings of a port name it and say something") {
  DestinationRule rule;
  rule.trafficPolicy.emplace().portLevelSettings.resize(1);
  const std::string at = " at spec.trafficPolicy.portLevelSettings[0]";
  CHECK(test::lines_of(validate(rule)) == Lines{"refused settings-without-port" + at, "refused empty-policy" + at});
  rule.trafficPolicy->portLevelSettings[0].port = 80;
  CHECK(test::lines_of(validate(rule)) == Lines{"refused empty-policy" + at});
  rule.trafficPolicy->portLevelSettings[0].policy.other = true;
  CHECK(validate(rule).empty());
}

TEST_CASE("istio admission: subsets have names of their own that are labels of DNS") {
  const auto findings = [](const std::vector<std::string>& names) {
    DestinationRule rule;
    for (const std::string& name : names) {
      rule.subsets.push_back({.name = name});
    }
    return test::lines_of(validate(rule));
  };
  CHECK(findings({"v1", "v-2", "3", "V1", std::string(63, 'a')}).empty());
  CHECK(findings({"v1", "v2", "v1"}) == Lines{"refused subset-twice at spec.subsets[2].name"});
  for (const std::string& name : {std::string(), std::string("v_1"), std::string("-v"), std::string("v-"),
                                  std::string("v.1"), std::string(64, 'a')}) {
    INFO(name);
    CHECK(findings({name}) == Lines{"refused subset-name at spec.subsets[0].name"});
  }
}

TEST_CASE("istio admission: a rule's host is a domain, of which a wildcard may be the first part") {
  const auto findings = [](const char* host) {
    DestinationRule rule;
    rule.host = host;
    return test::lines_of(validate(rule));
  };
  for (const char* const good :
       {"web", "web.shop.svc.cluster.local", "*", "*.example", "*-a.example", "web.example."}) {
    INFO(good);
    CHECK(findings(good).empty());
  }
  for (const char* const bad : {"we_b", "web.*", "1.2.3.4", "a..b", ".web", "we b"}) {
    INFO(bad);
    CHECK(findings(bad) == Lines{"refused host-name at spec.host"});
  }
}

TEST_CASE("istio admission: labels of a subset are such as Kubernetes takes") {
  const auto findings = [](const Labels& labels) {
    DestinationRule rule;
    rule.subsets = {{.name = "v1", .labels = labels}};
    return test::lines_of(validate(rule));
  };
  CHECK(findings({{"version", "v1"}, {"app.kubernetes.io/name", ""}}).empty());
  CHECK(findings({{"version", "-a-"}}) == Lines{"refused label-value at spec.subsets[0].labels"});
  CHECK(findings({{"a b", "v1"}}) == Lines{"refused label-key at spec.subsets[0].labels"});
}

TEST_CASE("istio admission: a rule's exports and its selector are checked behind its subsets") {
  DestinationRule rule;
  rule.meta.name_space = "shop";
  rule.exportTo = {"shop"};
  rule.workloadSelector = Labels{{"app", "web"}};
  CHECK(validate(rule).empty());
  rule.exportTo = {"*"};
  rule.workloadSelector = Labels{{"app", "a*"}};
  rule.subsets = {{.name = "v_1"}};
  CHECK(test::lines_of(validate(rule)) == Lines{"refused subset-name at spec.subsets[0].name",
                                                "refused export-of-selector at spec.exportTo",
                                                "refused selector-wildcard at spec.workloadSelector"});
  rule.workloadSelector.reset();
  rule.subsets.clear();
  CHECK(validate(rule).empty());
  rule.exportTo = {"~"};
  CHECK(test::lines_of(validate(rule)) == Lines{"refused export-to-none at spec.exportTo[0]"});
}

TEST_CASE("istio admission: what the mesh says of all hosts is checked as a rule's") {
  CHECK(validate(MeshConfig{}).empty());
  MeshConfig mesh;
  mesh.connectTimeout = 0s;
  mesh.defaultTrafficPolicy.connectionPool.emplace();
  mesh.defaultTrafficPolicy.outlierDetection.emplace().interval = 0s;
  mesh.defaultHttpRetryPolicy = HttpRetry{.attempts = 1, .retryOn = "often"};
  CHECK(test::lines_of(validate(mesh)) ==
        Lines{"refused duration-too-short at connectTimeout",
              "refused empty-pool at defaultTrafficPolicy.connectionPool",
              "refused duration-too-short at defaultTrafficPolicy.outlierDetection.interval",
              "refused retry-condition at defaultHttpRetryPolicy.retryOn"});
}

TEST_CASE("istio admission: warm-ups") {
  const std::string warmup = " at .loadBalancer.warmup";
  expect_findings({
      {"no duration",
       [](TrafficPolicy& policy) { policy.loadBalancer.emplace().warmup.emplace(); },
       {"refused warmup-without-duration" + warmup}},
      {"less than 1 ms",
       [](TrafficPolicy& policy) { policy.loadBalancer.emplace().warmup = Warmup{.duration = 999us}; },
       {"refused warmup-without-duration" + warmup}},
      {"1 ms", [](TrafficPolicy& policy) { policy.loadBalancer.emplace().warmup = Warmup{.duration = 1ms}; }, {}},
      {"more than 100 %",
       [](TrafficPolicy& policy) {
         policy.loadBalancer.emplace().warmup = Warmup{.duration = 1s, .minimumPercent = 101.0};
       },
       {"refused warmup-percent" + warmup + ".minimumPercent"}},
      {"aggression 0",
       [](TrafficPolicy& policy) { policy.loadBalancer.emplace().warmup = Warmup{.duration = 1s, .aggression = 0.0}; },
       {"refused warmup-aggression" + warmup + ".aggression"}},
      {"aggression below 1",
       [](TrafficPolicy& policy) { policy.loadBalancer.emplace().warmup = Warmup{.duration = 1s, .aggression = 0.5}; },
       {}},
  });
}

TEST_CASE("istio admission: a locality setting and a zone-aware one are not written together") {
  expect_findings({
      {"both",
       [](TrafficPolicy& policy) {
         policy.loadBalancer.emplace().localityLbSetting.emplace();
         policy.loadBalancer->zoneAwareLbSetting.emplace();
       },
       {"refused locality-and-zone-aware at .loadBalancer.zoneAwareLbSetting"}},
      {"the first", [](TrafficPolicy& policy) { policy.loadBalancer.emplace().localityLbSetting.emplace(); }, {}},
      {"the second", [](TrafficPolicy& policy) { policy.loadBalancer.emplace().zoneAwareLbSetting.emplace(); }, {}},
  });
}

TEST_CASE("istio admission: a policy says something") {
  void (*const says_something[])(TrafficPolicy&) = {
      [](TrafficPolicy& policy) { policy.outlierDetection.emplace(); },
      [](TrafficPolicy& policy) { policy.connectionPool.emplace().tcp = ConnectionPool::Tcp{}; },
      [](TrafficPolicy& policy) { policy.loadBalancer.emplace(); },
      [](TrafficPolicy& policy) { policy.retryBudget.emplace(); },
      [](TrafficPolicy& policy) { policy.other = true; },
      [](TrafficPolicy& policy) {
        policy.portLevelSettings = {{.port = 80, .policy = {}}};
        policy.portLevelSettings[0].policy.loadBalancer.emplace();
      },
  };
  const auto places = [](const TrafficPolicy& policy) {
    std::vector<test::Place> all = test::places_of_policy(policy);
    all.pop_back();  // the policy of a port may be empty
    return all;
  };
  for (const test::Place& place : places({})) {
    CHECK(test::lines_of(validate(place.rule)) == Lines{"refused empty-policy at " + place.path});
  }
  for (const auto write : says_something) {
    TrafficPolicy policy;
    write(policy);
    for (const test::Place& place : places(policy)) {
      CHECK(validate(place.rule).empty());
    }
  }
  CHECK(validate(DestinationRule{}).empty());
}

TEST_CASE("istio admission: findings come in the order of istiod's checks") {
  DestinationRule rule;
  TrafficPolicy& policy = rule.trafficPolicy.emplace();
  policy.loadBalancer.emplace().warmup.emplace();
  policy.connectionPool.emplace();
  policy.outlierDetection.emplace().maxEjectionPercent = 101;
  policy.portLevelSettings = {{.port = 80, .policy = {}}};
  policy.portLevelSettings[0].policy.connectionPool.emplace();
  rule.subsets = {{.name = "v1"}};
  rule.subsets[0].trafficPolicy.emplace();
  CHECK(test::lines_of(validate(rule)) ==
        Lines{"refused percent-out-of-range at spec.trafficPolicy.outlierDetection",
              "refused empty-pool at spec.trafficPolicy.connectionPool",
              "refused warmup-without-duration at spec.trafficPolicy.loadBalancer.warmup",
              "refused empty-pool at spec.trafficPolicy.portLevelSettings[0].connectionPool",
              "refused empty-policy at spec.subsets[0].trafficPolicy"});
}

TEST_CASE("istio admission: a document is refused for one finding and not for warnings") {
  CHECK_FALSE(is_refused({}));
  CHECK_FALSE(is_refused({{.refused = false}, {.refused = false}}));
  CHECK(is_refused({{.refused = false}, {.refused = true}}));
}

TEST_CASE("istio admission: endpoints of a ServiceEntry by its resolution") {
  struct EntryCase {
    EntryResolution resolution;
    std::vector<std::string> addresses;
    Lines says;
  };
  const EntryCase cases[] = {
      {EntryResolution::none, {}, {}},
      {EntryResolution::none, {"10.0.0.1"}, {"refused endpoints-without-resolution at spec.endpoints[0].address"}},
      {EntryResolution::static_addresses, {"10.0.0.1", "fd00::1", "unix:///var/run/web"}, {}},
      {EntryResolution::static_addresses,
       {"10.0.0.1", "web.example"},
       {"refused static-with-host-name at spec.endpoints[1].address"}},
      {EntryResolution::static_addresses, {""}, {"refused static-with-host-name at spec.endpoints[0].address"}},
      {EntryResolution::dns, {"web.example", "10.0.0.1"}, {}},
      {EntryResolution::dns_round_robin, {}, {}},
      {EntryResolution::dns_round_robin, {"web.example"}, {}},
      {EntryResolution::dns_round_robin,
       {"a.example", "b.example"},
       {"refused round-robin-endpoints at spec.endpoints"}},
  };
  for (const EntryCase& one : cases) {
    ServiceEntry entry;
    entry.hosts = {"web.example"};
    entry.resolution = one.resolution;
    for (const std::string& address : one.addresses) {
      entry.endpoints.push_back({.address = address});
    }
    INFO("resolution " << static_cast<int>(one.resolution) << ", " << one.addresses.size() << " endpoints");
    CHECK(test::lines_of(validate(entry)) == one.says);
  }
}

}  // namespace spillway::istio
