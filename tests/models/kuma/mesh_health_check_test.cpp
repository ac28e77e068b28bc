#include "models/kuma/mesh_health_check.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/config/common_lb_config.hpp"
#include "models/config/health_check.hpp"
#include "models/kuma/policy_confs.hpp"
#include "models/kuma/validation.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using config::KumaProfile;
using Violations = std::vector<kuma::Violation>;

namespace {

struct CheckedCluster {
  std::vector<config::HealthCheck> health_checks;
  config::CommonLbConfig common_lb_config;
};

CheckedCluster applied(const kuma::HealthCheckConf& conf, const std::string& protocol,
                       KumaProfile profile = KumaProfile::release_2_14, config::CommonLbConfig common = {}) {
  CheckedCluster cluster{{}, common};
  kuma::apply(conf, protocol, profile, {cluster.health_checks, cluster.common_lb_config});
  return cluster;
}

template <class Check>
bool checks_by(const kuma::HealthCheckConf& conf, const std::string& protocol) {
  const CheckedCluster cluster = applied(conf, protocol);
  return cluster.health_checks.size() == 1 && std::holds_alternative<Check>(cluster.health_checks[0].health_checker);
}

kuma::HealthCheckConf all_three() {
  kuma::HealthCheckConf conf;
  conf.tcp.emplace();
  conf.http.emplace();
  conf.grpc.emplace();
  return conf;
}

}  // namespace

TEST_CASE("the protocol of the destination decides which check is made") {
  CHECK(checks_by<config::HttpHealthCheck>(all_three(), "http"));
  CHECK(checks_by<config::HttpHealthCheck>(all_three(), "HTTP2"));
  CHECK(checks_by<config::GrpcHealthCheck>(all_three(), "grpc"));
  CHECK(checks_by<config::TcpHealthCheck>(all_three(), "tcp"));
  CHECK(applied(all_three(), "kafka").health_checks.empty());
  kuma::HealthCheckConf tcp;
  tcp.tcp.emplace();
  CHECK(applied(tcp, "http").health_checks.empty());  // only a disabled section falls back
  kuma::HealthCheckConf fallback = all_three();
  fallback.http->disabled = true;
  fallback.grpc->disabled = true;
  CHECK(checks_by<config::TcpHealthCheck>(fallback, "http"));
  CHECK(checks_by<config::TcpHealthCheck>(fallback, "grpc"));
  fallback.tcp->disabled = true;
  CHECK(applied(fallback, "http").health_checks.empty());
  CHECK(applied(fallback, "tcp").health_checks.empty());
}

TEST_CASE("what is not said is Kuma's, not Envoy's") {
  const auto check = applied(all_three(), "http").health_checks.at(0);
  CHECK(check.interval == 60s);
  CHECK(check.timeout == 15s);
  CHECK(check.unhealthy_threshold == 5U);
  CHECK(check.healthy_threshold == 1U);
  CHECK(check.no_traffic_interval == 60s);
  CHECK(std::get<config::HttpHealthCheck>(check.health_checker).path == "/");
}

TEST_CASE("every number of a health check reaches Envoy's field") {
  kuma::HealthCheckConf conf;
  conf.interval = 10s;
  conf.timeout = 2s;
  conf.unhealthyThreshold = 3U;
  conf.healthyThreshold = 4U;
  conf.initialJitter = 5s;
  conf.intervalJitter = 6s;
  conf.intervalJitterPercent = 7U;
  conf.noTrafficInterval = 8s;
  conf.healthyPanicThreshold = 9;
  conf.failTrafficOnPanic = true;
  conf.http = kuma::HttpHealthCheck{.path = "/health", .expectedStatuses = {{200U, 201U}}};
  const CheckedCluster cluster = applied(conf, "http");
  const auto& check = cluster.health_checks.at(0);
  CHECK(check.interval == 10s);
  CHECK(check.timeout == 2s);
  CHECK(check.unhealthy_threshold == 3U);
  CHECK(check.healthy_threshold == 4U);
  CHECK(check.initial_jitter == 5s);
  CHECK(check.interval_jitter == 6s);
  CHECK(check.interval_jitter_percent == 7);
  CHECK(check.no_traffic_interval == 8s);
  const auto& http = std::get<config::HttpHealthCheck>(check.health_checker);
  CHECK(http.path == "/health");
  REQUIRE(http.expected_statuses.size() == 2);
  CHECK(http.expected_statuses[1].start == 201);
  CHECK(http.expected_statuses[1].end == 202);
  CHECK(cluster.common_lb_config.healthy_panic_threshold == config::Percent{9.0});
  CHECK(std::get<config::ZoneAwareLbConfig>(cluster.common_lb_config.locality_config_specifier).fail_traffic_on_panic);
  CHECK(applied(conf, "http", KumaProfile::head).common_lb_config.healthy_panic_threshold == config::Percent{50.0});
}

TEST_CASE("failTrafficOnPanic is ignored beside locality weights") {
  kuma::HealthCheckConf conf = all_three();
  conf.failTrafficOnPanic = true;
  const CheckedCluster cluster = applied(conf, "http", KumaProfile::release_2_14,
                                         {.healthy_panic_threshold = config::Percent{50.0},
                                          .locality_config_specifier = config::LocalityWeightedLbConfig{}});
  CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier));
}

TEST_CASE("a later health check adds to an earlier one field by field") {
  kuma::HealthCheckConf conf = all_three();
  conf.interval = 10s;
  conf.http->path = "/a";
  kuma::HealthCheckConf patch;
  patch.timeout = 1s;
  patch.http = kuma::HttpHealthCheck{.disabled = true};
  kuma::merge_patch(conf, patch);
  CHECK(conf.interval == 10s);
  CHECK(conf.timeout == 1s);
  CHECK(conf.http == kuma::HttpHealthCheck{.disabled = true, .path = "/a"});
}

TEST_CASE("each number that a later health check says replaces the earlier one's") {
  const kuma::HealthCheckConf later{.interval = 1s,
                                    .timeout = 2s,
                                    .unhealthyThreshold = 3U,
                                    .healthyThreshold = 4U,
                                    .initialJitter = 5s,
                                    .intervalJitter = 6s,
                                    .intervalJitterPercent = 7U,
                                    .healthyPanicThreshold = kuma::IntOrString(8),
                                    .failTrafficOnPanic = true,
                                    .noTrafficInterval = 9s};
  kuma::HealthCheckConf conf{.interval = 11s,
                             .timeout = 12s,
                             .unhealthyThreshold = 13U,
                             .healthyThreshold = 14U,
                             .initialJitter = 15s,
                             .intervalJitter = 16s,
                             .intervalJitterPercent = 17U,
                             .healthyPanicThreshold = kuma::IntOrString(18),
                             .failTrafficOnPanic = false,
                             .noTrafficInterval = 19s};
  kuma::merge_patch(conf, later);
  CHECK(conf == later);
}

TEST_CASE("each kind of check is added by a later one that has it") {
  kuma::HealthCheckConf all = all_three();
  all.tcp->send = "a";
  all.http->path = "/b";
  all.grpc->serviceName = "c";
  kuma::HealthCheckConf conf;
  kuma::merge_patch(conf, all);
  CHECK(conf.tcp == all.tcp);
  CHECK(conf.http == all.http);
  CHECK(conf.grpc == all.grpc);
  kuma::merge_patch(conf, {});
  CHECK(conf.tcp == all.tcp);
  CHECK(conf.http == all.http);
  CHECK(conf.grpc == all.grpc);
}

TEST_CASE("expected statuses are 100 to 599") {
  kuma::MeshHealthCheck policy{.name = "p"};
  kuma::HealthCheckConf conf;
  conf.http = kuma::HttpHealthCheck{.path = "/", .expectedStatuses = {{99U, 100U, 599U, 600U}}};
  policy.to.emplace().push_back({kuma::TargetRef{.kind = "Mesh"}, conf});
  const std::string at = "spec.to[0].default.http.expectedStatuses";
  CHECK(kuma::validate(policy, KumaProfile::release_2_14) ==
        Violations{{at + "[0]", "must be in inclusive range [100, 599]"},
                   {at + "[3]", "must be in inclusive range [100, 599]"}});
}

TEST_CASE("a health check is refused in Kuma's words") {
  kuma::HealthCheckConf conf;
  conf.interval = 0s;
  conf.unhealthyThreshold = 0U;
  conf.intervalJitterPercent = 101U;
  kuma::MeshHealthCheck policy{.name = "p"};
  policy.to.emplace().push_back({kuma::TargetRef{.kind = "Mesh"}, conf});
  const std::string at = "spec.to[0].default";
  CHECK(kuma::validate(policy, KumaProfile::head) ==
        Violations{{at + ".interval", "must be greater than zero when defined"},
                   {at + ".unhealthyThreshold", "must be greater than zero when defined"},
                   {at + ".intervalJitterPercent", "must be in inclusive range [0, 100]"},
                   {at, "must have at least one defined: http, tcp, grpc"}});
  policy.to->front().default_ = kuma::HealthCheckConf{};
  policy.to->front().default_.http = kuma::HttpHealthCheck{.path = "", .expectedStatuses = {{99U}}};
  CHECK(kuma::validate(policy, KumaProfile::release_2_14) ==
        Violations{{at + ".http.path", "must be defined"},
                   {at + ".http.expectedStatuses[0]", "must be in inclusive range [100, 599]"}});
}

TEST_CASE("events are logged to a path from a root") {
  // ValidatePathOrNil in core/validators/common_validators.go: govalidator's UnixPath and WinPath.
  const auto of_path = [](const std::string& log) {
    kuma::HealthCheckConf conf;
    conf.tcp.emplace();
    conf.eventLogPath = log;
    kuma::MeshHealthCheck policy{.name = "p"};
    policy.to.emplace().push_back({kuma::TargetRef{.kind = "Mesh"}, conf});
    return kuma::validate(policy, KumaProfile::release_2_14);
  };
  for (const char* const path : {"/", "/tmp/a b", "/tmp/", "C:\\", "c:\\log\\a.txt"}) {
    CHECK(of_path(path).empty());
  }
  for (const char* const path : {"", "a b", "tmp/a", "C:", "C:/a", "C:\\a\\\\b", "C:\\a:b"}) {
    CHECK(of_path(path) == Violations{{"spec.to[0].default.eventLogPath", "must be a valid path when defined"}});
  }
}

TEST_CASE("the example in targeted_policy.hpp: a policy for every destination of the mesh") {
  kuma::TargetedPolicy<kuma::HealthCheckConf> policy{.name = "probe"};
  policy.to.emplace().push_back({.targetRef = kuma::TargetRef{.kind = "Mesh"}, .default_ = all_three()});
  const auto merged = kuma::PolicySet<kuma::HealthCheckConf>({policy}).of_resource(
      test::client("zone-1"), {.kind = "MeshMultiZoneService", .name = "backend", .labels = {}}, KumaProfile::head);
  REQUIRE(merged);
  CHECK(merged->conf == all_three());
}
