// From a rule to a cluster and to what Envoy takes. Expected: docs/behaviour/istio.md 2, 4, 5, 6.4 and 8.
#include "models/istio/cluster.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/cluster.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/traffic_policy.hpp"

namespace spillway::istio {

namespace {

using namespace std::chrono_literals;
namespace lb = envoy::policies;

// Service web with one endpoint each in r1/z1 and r2/z2, a client in r1/z1, and one rule.
class Mesh {
 public:
  explicit Mesh(Protocol protocol = Protocol::http) {
    service.hostname = "web.shop.svc.cluster.local";
    service.name_space = "shop";
    service.kind = "Service";
    service.ports = {{"http", 80, protocol}, {"dns", 53, Protocol::udp}};
    for (const char* const locality : {"r1/z1/", "r2/z2/"}) {
      service.endpoints.push_back({.address = "10.0.0." + std::to_string(service.endpoints.size()),
                                   .port = 8080,
                                   .port_name = "http",
                                   .labels = {{"zone", locality}},
                                   .locality = locality,
                                   .health = EndpointHealth::healthy});
    }
    rule.host = "web";
  }

  [[nodiscard]] std::vector<Cluster> all(std::uint32_t port = 80) const {
    const Proxy client = known(proxy, documents);
    return clusters_of({.documents = &documents, .proxy = &client, .service = &service, .port = port, .rule = &rule});
  }
  [[nodiscard]] Cluster made() const {
    const auto clusters = all();
    REQUIRE(!clusters.empty());
    return clusters.front();
  }

  TrafficPolicy& policy() { return rule.trafficPolicy ? *rule.trafficPolicy : rule.trafficPolicy.emplace(); }
  LoadBalancerSettings& balancer() {
    return policy().loadBalancer ? *policy().loadBalancer : policy().loadBalancer.emplace();
  }
  ConnectionPool::Http& http() {
    auto& pool = policy().connectionPool ? *policy().connectionPool : policy().connectionPool.emplace();
    return pool.http ? *pool.http : pool.http.emplace(ConnectionPool::Http{});
  }
  OutlierDetection& outlier() {
    return policy().outlierDetection ? *policy().outlierDetection : policy().outlierDetection.emplace();
  }

  Documents documents;
  Service service;
  DestinationRule rule;
  Proxy proxy{.name_space = "shop", .locality = {"r1", "z1", ""}};
};

config::OutlierDetection ejections(const OutlierDetection& written) {
  Mesh mesh;
  mesh.outlier() = written;
  return *to_envoy(mesh.made()).outlier_detection;
}

}  // namespace

TEST_CASE("istio: a port of HTTP/2 speaks it upstream, others where an upgrade says so and the client's is not kept") {
  using Upgrade = ConnectionPool::Http::H2Upgrade;
  const auto protocol = [](Protocol port, Upgrade upgrade, bool client, bool by_mesh = false) {
    Mesh mesh(port);
    mesh.http() = {.maxRequestsPerConnection = 0, .h2UpgradePolicy = upgrade, .useClientProtocol = client};
    mesh.documents.mesh.h2Upgrade = by_mesh;
    return mesh.made().upstream_protocol;
  };
  using enum UpstreamProtocol;
  constexpr auto unset = std::optional<UpstreamProtocol>();
  CHECK(protocol(Protocol::http, Upgrade::by_mesh, false) == unset);
  CHECK(protocol(Protocol::http, Upgrade::upgrade, false) == http2);
  CHECK(protocol(Protocol::tcp, Upgrade::upgrade, false) == http2);
  CHECK(protocol(Protocol::http, Upgrade::by_mesh, false, true) == http2);
  CHECK(protocol(Protocol::tcp, Upgrade::by_mesh, false, true) == unset);
  CHECK(protocol(Protocol::http, Upgrade::do_not_upgrade, false, true) == unset);
  CHECK(protocol(Protocol::http, Upgrade::upgrade, true) == as_downstream);
  CHECK(protocol(Protocol::unsupported, Upgrade::by_mesh, false) == as_downstream);
  for (const Protocol port : {Protocol::http2, Protocol::grpc, Protocol::grpc_web}) {
    CHECK(protocol(port, Upgrade::by_mesh, false) == http2);
    CHECK(protocol(port, Upgrade::do_not_upgrade, false) == http2);
    CHECK(protocol(port, Upgrade::by_mesh, true) == as_downstream);
  }
}

TEST_CASE("istio: options of HTTP make the protocol be written, and streams are limited for HTTP/2 alone") {
  Mesh mesh;
  mesh.http().maxConcurrentStreams = 7;
  CHECK(mesh.made().upstream_protocol == UpstreamProtocol::http1);
  CHECK(mesh.made().max_concurrent_streams == 0);
  mesh.service.ports[0].protocol = Protocol::http2;
  CHECK(mesh.made().max_concurrent_streams == 7);
  Mesh idle;
  idle.http().idleTimeout = 3s;
  CHECK(idle.made().upstream_protocol == UpstreamProtocol::http1);
  CHECK(idle.made().idle_timeout == 3s);
  idle.policy().connectionPool->tcp = ConnectionPool::Tcp{.idleTimeout = 4s};
  CHECK(idle.made().idle_timeout == 3s);
  idle.policy().connectionPool->http.reset();
  CHECK(idle.made().idle_timeout == 4s);
  Mesh few;
  few.http().maxRequestsPerConnection = 1;
  CHECK(few.made().upstream_protocol == UpstreamProtocol::http1);
  CHECK(few.made().max_requests_per_connection == 1);
  Mesh lasting;
  lasting.policy().connectionPool.emplace().tcp = ConnectionPool::Tcp{.maxConnectionDuration = 9s};
  CHECK(lasting.made().upstream_protocol == UpstreamProtocol::http1);
  CHECK(lasting.made().max_connection_duration == 9s);
}

TEST_CASE("istio: limits of a pool that are 0 or unset are none, and all have their field") {
  Mesh mesh;
  const auto thresholds = [&] { return to_envoy(mesh.made()).circuit_breakers.thresholds.at(0); };
  CHECK(thresholds().max_connections == UINT32_MAX);
  CHECK(thresholds().max_pending_requests == UINT32_MAX);
  CHECK(thresholds().max_requests == UINT32_MAX);
  CHECK(thresholds().max_retries == UINT32_MAX);
  CHECK_FALSE(thresholds().retry_budget.has_value());
  CHECK(mesh.made().connect_timeout == 10s);
  mesh.http() = {.http1MaxPendingRequests = 1, .http2MaxRequests = 2, .maxRetries = 3};
  mesh.policy().connectionPool->tcp = ConnectionPool::Tcp{.maxConnections = 4, .connectTimeout = 5s};
  CHECK(thresholds().max_pending_requests == 1U);
  CHECK(thresholds().max_requests == 2U);
  CHECK(thresholds().max_retries == 3U);
  CHECK(thresholds().max_connections == 4U);
  CHECK(mesh.made().connect_timeout == 5s);
  mesh.http() = {};
  CHECK(thresholds().max_retries == UINT32_MAX);
  mesh.policy().retryBudget.emplace();
  CHECK(thresholds().retry_budget->budget_percent->value == 20.0);
  CHECK(thresholds().retry_budget->min_retry_concurrency == 3U);
  mesh.policy().retryBudget = RetryBudget{.percent = 0.0, .minRetryConcurrency = 1};
  CHECK(thresholds().retry_budget->budget_percent->value == 0.0);
  CHECK(thresholds().retry_budget->min_retry_concurrency == 1U);
}

TEST_CASE("istio: outlier detection, field by field, at zero and one") {
  CHECK_FALSE(to_envoy(Mesh().made()).outlier_detection.has_value());
  const config::OutlierDetection empty = ejections({});
  CHECK(empty.enforcing_success_rate == 0);
  CHECK(empty.consecutive_5xx == 5);
  CHECK(empty.enforcing_consecutive_5xx == 100);
  CHECK(empty.enforcing_consecutive_gateway_failure == 0);
  CHECK(empty.interval == 10s);
  CHECK(empty.base_ejection_time == 30s);
  CHECK(empty.max_ejection_percent == 10);
  CHECK_FALSE(empty.split_external_local_origin_errors);
  const config::OutlierDetection off = ejections({.consecutive5xxErrors = 0, .consecutiveGatewayErrors = 0});
  CHECK(off.consecutive_5xx == 0);
  CHECK(off.enforcing_consecutive_5xx == 0);
  CHECK(off.consecutive_gateway_failure == 0);
  CHECK(off.enforcing_consecutive_gateway_failure == 0);
  const config::OutlierDetection one = ejections({.consecutive5xxErrors = 1,
                                                  .consecutiveGatewayErrors = 1,
                                                  .interval = 1s,
                                                  .baseEjectionTime = 2s,
                                                  .maxEjectionPercent = 1});
  CHECK(one.consecutive_5xx == 1);
  CHECK(one.enforcing_consecutive_5xx == 100);
  CHECK(one.consecutive_gateway_failure == 1);
  CHECK(one.enforcing_consecutive_gateway_failure == 100);
  CHECK(one.interval == 1s);
  CHECK(one.base_ejection_time == 2s);
  CHECK(one.max_ejection_percent == 1);
}

TEST_CASE("istio: failures of connecting count apart only where origins are split") {
  const config::OutlierDetection joined = ejections({.consecutiveLocalOriginFailures = 3});
  CHECK(joined.consecutive_local_origin_failure == 5);
  CHECK(joined.enforcing_local_origin_success_rate == 100);
  const config::OutlierDetection split =
      ejections({.splitExternalLocalOriginErrors = true, .consecutiveLocalOriginFailures = 1});
  CHECK(split.split_external_local_origin_errors);
  CHECK(split.consecutive_local_origin_failure == 1);
  CHECK(split.enforcing_consecutive_local_origin_failure == 100);
  CHECK(split.enforcing_local_origin_success_rate == 0);
  CHECK(ejections({.splitExternalLocalOriginErrors = true, .consecutiveLocalOriginFailures = 0})
            .consecutive_local_origin_failure == 5);
}

TEST_CASE("istio: the panic threshold is 0, or minHealthPercent, and unset in 1.30 without outlier detection") {
  Mesh mesh;
  CHECK(mesh.made().healthy_panic_threshold == 0.0);
  mesh.outlier().minHealthPercent = 30;
  CHECK(mesh.made().healthy_panic_threshold == 30.0);
  mesh.service.distribution = TrafficDistribution::same_zone;
  CHECK(mesh.made().healthy_panic_threshold == 0.0);
  Mesh older;
  older.documents.switches = Switches::release_1_30();
  CHECK_FALSE(older.made().healthy_panic_threshold.has_value());
  CHECK(to_envoy(older.made()).common_lb_config.healthy_panic_threshold.value == 50.0);
  older.outlier();
  CHECK(older.made().healthy_panic_threshold == 0.0);
  Mesh sending;
  sending.documents.switches = Switches::release_1_30();
  sending.documents.switches.send_unhealthy = true;
  CHECK(sending.made().healthy_panic_threshold == 0.0);
}

TEST_CASE("istio: a cluster's type follows from its service, and those without endpoints by DNS are none") {
  const auto type = [](Resolution resolution, const char* kind = "Service", bool router = false) {
    Mesh mesh;
    mesh.service.resolution = resolution;
    mesh.service.kind = kind;
    mesh.proxy.router = router;
    return std::string(envoy_name(mesh.made().type)) + " " + std::string(envoy_name(mesh.made().lb_policy));
  };
  CHECK(type(Resolution::client_side) == "EDS LEAST_REQUEST");
  CHECK(type(Resolution::dns) == "STRICT_DNS LEAST_REQUEST");
  CHECK(type(Resolution::dns_round_robin) == "LOGICAL_DNS LEAST_REQUEST");
  CHECK(type(Resolution::passthrough) == "ORIGINAL_DST CLUSTER_PROVIDED");
  CHECK(type(Resolution::passthrough, "Service", true) == "EDS LEAST_REQUEST");
  CHECK(type(Resolution::passthrough, "ServiceEntry", true) == "ORIGINAL_DST CLUSTER_PROVIDED");
  Mesh alias;
  alias.service.resolution = Resolution::alias;
  CHECK(alias.all().empty());
  CHECK(Mesh().all(81).empty());
  CHECK(Mesh().all(53).empty());
  Mesh dns;
  dns.service.resolution = Resolution::dns;
  CHECK(dns.made().dns_refresh_rate == 60s);
  dns.rule.subsets = {{.name = "none", .labels = {{"zone", "r9"}}}, {.name = "near", .labels = {{"zone", "r1/z1/"}}}};
  REQUIRE(dns.all().size() == 2);
  CHECK(dns.all()[0].name == "outbound|80|near|web.shop.svc.cluster.local");
  dns.service.endpoints.clear();
  CHECK(dns.all().empty());
  Mesh eds;
  eds.service.endpoints.clear();
  CHECK(eds.made().assignment->localities.empty());
  CHECK_FALSE(eds.made().dns_refresh_rate.has_value());
}

TEST_CASE("istio: subsets make clusters of their own, ordered by name") {
  Mesh mesh;
  mesh.rule.subsets = {{.name = "v2"}, {.name = "v1", .labels = {{"zone", "r1/z1/"}}}};
  const auto clusters = mesh.all();
  REQUIRE(clusters.size() == 3);
  CHECK(clusters[0].name == "outbound|80|v1|web.shop.svc.cluster.local");
  CHECK(clusters[0].assignment->localities.size() == 1);
  CHECK(clusters[1].name == "outbound|80|v2|web.shop.svc.cluster.local");
  CHECK(clusters[1].assignment->localities.size() == 2);
  CHECK(clusters[2].name == "outbound|80||web.shop.svc.cluster.local");
}

TEST_CASE("istio: each balancer is Envoy's, with a warm-up where it has one") {
  const auto policy = [](const LoadBalancerSettings& settings) {
    Mesh mesh;
    mesh.balancer() = settings;
    return to_envoy(mesh.made()).lb_policy;
  };
  CHECK(std::holds_alternative<lb::least_request::Config>(policy({})));
  CHECK(std::holds_alternative<lb::least_request::Config>(policy({.simple = SimpleLb::least_conn})));
  CHECK(std::holds_alternative<lb::least_request::Config>(policy({.simple = SimpleLb::least_request})));
  CHECK(std::holds_alternative<lb::random::Config>(policy({.simple = SimpleLb::random})));
  CHECK(std::holds_alternative<lb::round_robin::Config>(policy({.simple = SimpleLb::round_robin})));
  const Warmup warmup{.duration = 60s};
  const auto slow = std::get<lb::round_robin::Config>(policy({.simple = SimpleLb::round_robin, .warmup = warmup}));
  CHECK(slow.slow_start_config.slow_start_window == 60s);
  CHECK(slow.slow_start_config.aggression == 1.0);
  CHECK(slow.slow_start_config.min_weight_percent.value == 10.0);
  const Warmup whole{.duration = 1s, .minimumPercent = 0.0, .aggression = 2.0};
  const auto least = std::get<lb::least_request::Config>(policy({.warmup = whole, .warmupDurationSecs = 9s}));
  CHECK(least.slow_start_config.slow_start_window == 1s);
  CHECK(least.slow_start_config.aggression == 2.0);
  CHECK(least.slow_start_config.min_weight_percent.value == 0.0);
  CHECK(std::get<lb::least_request::Config>(policy({.warmupDurationSecs = 9s})).slow_start_config.slow_start_window ==
        9s);
  CHECK(std::get<lb::least_request::Config>(policy({})).slow_start_config.slow_start_window == 0s);
  Mesh random;
  random.balancer() = {.simple = SimpleLb::random, .warmup = warmup};
  CHECK_FALSE(random.made().slow_start.has_value());
  Mesh passing;
  passing.balancer().simple = SimpleLb::passthrough;
  CHECK(passing.made().type == DiscoveryType::original_dst);
  CHECK_FALSE(passing.made().assignment.has_value());
  CHECK(to_envoy(passing.made()).original_dst.has_value());
  CHECK_FALSE(to_envoy(Mesh().made()).original_dst.has_value());
}

TEST_CASE("istio: a hash makes a ring or a table, whose sizes of 0 are Envoy's, and takes the warm-up away") {
  const auto hashed = [](const ConsistentHash& hash) {
    Mesh mesh;
    mesh.balancer() = {.consistentHash = hash, .warmup = Warmup{.duration = 1s}};
    CHECK_FALSE(mesh.made().slow_start.has_value());
    return mesh.made();
  };
  CHECK(hashed({}).lb_policy == LbPolicy::ring_hash);
  CHECK(hashed({}).minimum_ring_size == 1024U);
  CHECK(hashed({.minimumRingSize = 7}).minimum_ring_size == 7U);
  CHECK(hashed({.ringHash = 8, .minimumRingSize = 7}).minimum_ring_size == 8U);
  CHECK_FALSE(hashed({.ringHash = 0, .minimumRingSize = 7}).minimum_ring_size.has_value());
  CHECK(hashed({.maglev = 101}).lb_policy == LbPolicy::maglev);
  CHECK(hashed({.maglev = 101}).table_size == 101U);
  CHECK_FALSE(hashed({.maglev = 0}).table_size.has_value());
  CHECK(std::get<lb::ring_hash::Config>(to_envoy(hashed({.ringHash = 8})).lb_policy).minimum_ring_size == 8);
  CHECK(std::get<lb::ring_hash::Config>(to_envoy(hashed({.ringHash = 0})).lb_policy).minimum_ring_size == 1024);
  CHECK(std::get<lb::maglev::Config>(to_envoy(hashed({.maglev = 101})).lb_policy).table_size == 101);
  CHECK(std::get<lb::maglev::Config>(to_envoy(hashed({.maglev = 0})).lb_policy).table_size == 65537);
}

TEST_CASE("istio: localities have weights with distribute, and with failover where that acts") {
  const auto weighted = [](const LocalityLbSetting& setting, bool outlier) {
    Mesh mesh;
    mesh.balancer().localityLbSetting = setting;
    if (outlier) {
      mesh.outlier();
    }
    CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(
              to_envoy(mesh.made()).common_lb_config.locality_config_specifier) == mesh.made().locality_weighted);
    return mesh.made().locality_weighted;
  };
  const LocalityLbSetting distributing{.distribute = {{"elsewhere", {{"r1", 100}}}}};
  const LocalityLbSetting failing{.failover = {{"r1", "r2"}}};
  const LocalityLbSetting labelled{.failoverPriority = {"zone"}};
  CHECK(weighted(distributing, false));
  CHECK_FALSE(weighted(failing, false));
  CHECK(weighted(failing, true));
  CHECK_FALSE(weighted(labelled, false));
  CHECK(weighted(labelled, true));
  CHECK_FALSE(weighted({}, true));
  Mesh preferring;
  preferring.service.distribution = TrafficDistribution::same_zone;
  CHECK(preferring.made().locality_weighted);
}

TEST_CASE("istio: a zone-aware setting is Envoy's, switched off at 0 percent") {
  const auto zones = [](const ZoneAwareLbSetting& setting) {
    Mesh mesh;
    mesh.balancer().zoneAwareLbSetting = setting;
    return std::get<config::ZoneAwareLbConfig>(to_envoy(mesh.made()).common_lb_config.locality_config_specifier);
  };
  CHECK(zones({}).routing_enabled.value == 100.0);
  CHECK(zones({}).min_cluster_size == 6);
  CHECK(zones({.enabled = false}).routing_enabled.value == 0.0);
  CHECK(zones({.enabled = true, .minClusterSize = 2}).min_cluster_size == 2);
  Mesh older;
  older.balancer().zoneAwareLbSetting.emplace();
  older.documents.switches = Switches::release_1_30();
  CHECK_FALSE(older.made().zone_aware.has_value());
  Mesh by_mesh;
  by_mesh.documents.mesh.zoneAwareLbSetting.emplace();
  CHECK(by_mesh.made().zone_aware.has_value());
}

TEST_CASE("istio: labels of failover on a cluster by DNS panic in several localities, and do nothing in subsets") {
  Mesh mesh;
  mesh.service.resolution = Resolution::dns;
  mesh.balancer().localityLbSetting = LocalityLbSetting{.failoverPriority = {"zone"}};
  CHECK_NOTHROW(mesh.all());
  mesh.outlier();
  CHECK_THROWS_AS(mesh.all(), IstiodPanics);
  mesh.service.endpoints.pop_back();
  CHECK_NOTHROW(mesh.all());
  Mesh subset;
  subset.service.resolution = Resolution::dns;
  subset.outlier();
  subset.rule.subsets = {{.name = "all"}};
  subset.rule.subsets[0].trafficPolicy.emplace().loadBalancer.emplace().localityLbSetting =
      LocalityLbSetting{.failoverPriority = {"zone"}};
  const Cluster made = subset.all().front();
  CHECK(made.subset == "all");
  CHECK(made.assignment->localities.at(0).priority == 0);
  CHECK(made.assignment->localities.at(1).priority == 0);
  // Beside failover that acts, by localities.
  subset.rule.subsets[0].trafficPolicy->loadBalancer->localityLbSetting->failover = {{"r1", "r2"}};
  CHECK(subset.all().front().assignment->localities.at(1).priority == 1);
}

TEST_CASE("istio: the mesh's default policy fills blocks that the rule does not have, in 1.31") {
  Mesh mesh;
  mesh.documents.mesh.defaultTrafficPolicy.outlierDetection = OutlierDetection{.maxEjectionPercent = 70};
  mesh.documents.mesh.defaultTrafficPolicy.connectionPool.emplace().http = ConnectionPool::Http{.maxRetries = 9};
  CHECK(mesh.made().outlier_detection->max_ejection_percent == 70U);
  CHECK(mesh.made().circuit_breakers.max_retries == 9);
  mesh.outlier().maxEjectionPercent = 20;
  CHECK(mesh.made().outlier_detection->max_ejection_percent == 20U);
  CHECK(mesh.made().circuit_breakers.max_retries == 9);
  mesh.http().maxRetries = 8;
  CHECK(mesh.made().circuit_breakers.max_retries == 8);
  Mesh older;
  older.documents = mesh.documents;
  older.documents.switches = Switches::release_1_30();
  CHECK_FALSE(older.made().outlier_detection.has_value());
  CHECK(older.made().circuit_breakers.max_retries == unlimited);
  // Ejections without priorities: the load assignment does not read the default.
  Mesh localities;
  localities.documents.mesh.defaultTrafficPolicy.outlierDetection.emplace();
  CHECK(localities.made().assignment->localities.at(1).priority == 0);
  localities.outlier();
  CHECK(localities.made().assignment->localities.at(1).priority == 1);
}

TEST_CASE("istio: a service with a session label keeps hosts that drain") {
  Mesh mesh;
  CHECK_FALSE(mesh.made().overrides_host_status);
  mesh.service.labels = {{session_label, "s"}};
  CHECK(mesh.made().overrides_host_status);
}

TEST_CASE("istio: blocks of a subset's port replace all of the rule's, also by nothing") {
  DestinationRule rule;
  rule.trafficPolicy.emplace().outlierDetection.emplace();
  rule.trafficPolicy->loadBalancer.emplace().simple = SimpleLb::random;
  rule.trafficPolicy->retryBudget.emplace();
  rule.subsets = {{.name = "v1"}, {.name = "v2"}};
  TrafficPolicy& own = rule.subsets[1].trafficPolicy.emplace();
  own.connectionPool.emplace();
  own.portLevelSettings = {{.port = 81, .policy = {}}};
  own.portLevelSettings[0].policy.loadBalancer.emplace().simple = SimpleLb::round_robin;
  CHECK(policy_of(&rule, 80, "v1")->outlierDetection.has_value());
  CHECK(policy_of(&rule, 80, "v2")->outlierDetection.has_value());
  CHECK(policy_of(&rule, 80, "v2")->connectionPool.has_value());
  CHECK(policy_of(&rule, 80, "v2")->loadBalancer->simple == SimpleLb::random);
  const TrafficPolicy at_port = *policy_of(&rule, 81, "v2");
  CHECK_FALSE(at_port.outlierDetection.has_value());
  CHECK_FALSE(at_port.connectionPool.has_value());
  CHECK(at_port.loadBalancer->simple == SimpleLb::round_robin);
  CHECK(at_port.retryBudget.has_value());
  CHECK_FALSE(policy_of(nullptr, 80, "").has_value());
  rule.trafficPolicy.reset();
  CHECK(policy_of(&rule, 80, "v2")->connectionPool.has_value());
  CHECK_FALSE(policy_of(&rule, 80, "v1").has_value());
  CHECK(find_subset(rule, "v3") == nullptr);
}

TEST_CASE(
    "istio: the hash of a destination is its subset's at the port, the subset's, the rule's at the port, the rule's") {
  DestinationRule rule;
  const auto with = [](std::optional<TrafficPolicy>& policy, const char* header) {
    (policy ? *policy : policy.emplace()).loadBalancer.emplace().consistentHash.emplace().httpHeaderName = header;
  };
  const auto found = [&](std::optional<std::uint32_t> port, const std::string& subset = "v1") {
    const ConsistentHash* const hash = hash_of(rule, subset, port);
    return hash == nullptr ? "" : hash->httpHeaderName;
  };
  CHECK(found(80).empty());
  with(rule.trafficPolicy, "rule");
  CHECK(found(80) == "rule");
  const auto at_port = [&](TrafficPolicy& policy, const char* header) {
    std::optional<TrafficPolicy> own;
    with(own, header);
    policy.portLevelSettings = {{.port = 81, .policy = {}}, {.port = 80, .policy = *own}};
  };
  at_port(*rule.trafficPolicy, "rule at 80");
  CHECK(found(80) == "rule at 80");
  CHECK(found(81) == "rule");
  CHECK(found(std::nullopt) == "rule");
  rule.subsets = {{.name = "v1"}};
  CHECK(found(80) == "rule at 80");
  with(rule.subsets[0].trafficPolicy, "subset");
  CHECK(found(80) == "subset");
  at_port(*rule.subsets[0].trafficPolicy, "subset at 80");
  CHECK(found(80) == "subset at 80");
  CHECK(found(81) == "subset");
  CHECK(found(80, "") == "rule at 80");
}

}  // namespace spillway::istio
