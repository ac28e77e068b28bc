#include "reports/import/reported_clusters.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

using namespace spillway;

namespace {

// Output of Envoy's admin page: one healthy host, an ejected one, and one of another zone at priority 1.
constexpr const char* text_of_clusters =
    "web::default_priority::max_connections::1024\n"
    "web::added_via_api::true\n"
    "web::10.0.0.1:80::health_flags::healthy\n"
    "web::10.0.0.1:80::weight::3\n"
    "web::10.0.0.1:80::zone::z1\n"
    "web::10.0.0.1:80::priority::0\n"
    "web::10.0.0.2:80::health_flags::/failed_outlier_check\n"
    "web::10.0.0.2:80::weight::1\n"
    "web::10.0.0.2:80::zone::z1\n"
    "web::10.0.0.2:80::priority::0\n"
    "web::[2001:db8::1]:80::health_flags::healthy\n"
    "web::[2001:db8::1]:80::weight::1\n"
    "web::[2001:db8::1]:80::zone::z2\n"
    "web::[2001:db8::1]:80::priority::1\n";

constexpr const char* table_of_endpoints =
    "ENDPOINT             STATUS        OUTLIER CHECK     CLUSTER\n"
    "10.0.0.1:9080        HEALTHY       OK                outbound|9080||web.shop.svc.cluster.local\n"
    "10.0.0.2:9080        HEALTHY       FAILED            outbound|9080||web.shop.svc.cluster.local\n"
    "10.0.0.3:9080        DRAINING      OK                outbound|9080||web.shop.svc.cluster.local\n";

config::ClusterLoadAssignment endpoints_in(const std::string& report) {
  Sources sources{{"report.txt", report}};
  const auto made = reports::documents_of_report(sources);
  REQUIRE(made);
  REQUIRE_FALSE(made->text.empty());
  CHECK_FALSE(made->assumed.empty());
  auto reading = scenario::read_envoy_texts({{"bootstrap.json", made->text}}, {});
  REQUIRE(reading.scenario.has_value());
  return reading.scenario->services.front().load_assignment;
}

std::map<std::string, config::HealthStatus> health_of(const config::ClusterLoadAssignment& assignment) {
  std::map<std::string, config::HealthStatus> health;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      health[endpoint.address] = endpoint.health_status;
    }
  }
  return health;
}

}  // namespace

TEST_CASE("What /clusters reports becomes endpoints with weights, localities, priorities and health") {
  const config::ClusterLoadAssignment assignment = endpoints_in(text_of_clusters);
  REQUIRE(assignment.endpoints.size() == 2);
  CHECK(assignment.endpoints[0].locality.zone == "z1");
  CHECK(assignment.endpoints[0].lb_endpoints[0].load_balancing_weight == 3);
  CHECK(assignment.endpoints[1].locality.zone == "z2");
  CHECK(assignment.endpoints[1].priority.value == 1);
  const auto health = health_of(assignment);
  CHECK(health.at("10.0.0.1:80") == config::HealthStatus::healthy);
  CHECK(health.at("10.0.0.2:80") == config::HealthStatus::unhealthy);
  CHECK(health.at("[2001:db8::1]:80") == config::HealthStatus::healthy);
}

TEST_CASE("A table of istioctl becomes endpoints: a failed outlier check is an ejected host") {
  const auto health = health_of(endpoints_in(table_of_endpoints));
  CHECK(health.at("10.0.0.1:9080") == config::HealthStatus::healthy);
  CHECK(health.at("10.0.0.2:9080") == config::HealthStatus::unhealthy);
  CHECK(health.at("10.0.0.3:9080") == config::HealthStatus::draining);
}

TEST_CASE("istioctl proxy-config endpoints -o json is the list of /clusters' statuses") {
  const auto health = health_of(endpoints_in(
      R"([{"name": "web", "addedViaApi": true, "hostStatuses": [{"address": {"socketAddress": {"address": "10.0.0.1",
"portValue": 80}}, "healthStatus": {"edsHealthStatus": "HEALTHY"}, "weight": 1}, {"address": {"socketAddress":
{"address": "10.0.0.2", "portValue": 80}}, "healthStatus": {"failedOutlierCheck": true}, "weight": 1}]}])"));
  CHECK(health.at("10.0.0.1:80") == config::HealthStatus::healthy);
  CHECK(health.at("10.0.0.2:80") == config::HealthStatus::unhealthy);
}

TEST_CASE("Tables without endpoints and rows of another table are refused at their lines") {
  Sources table{{"table.txt", "SERVICE FQDN     PORT  SUBSET  DIRECTION  TYPE  DESTINATION RULE\n"}};
  const auto of_clusters = reports::documents_of_report(table);
  REQUIRE(of_clusters);
  CHECK(of_clusters->text.empty());
  REQUIRE(of_clusters->problems.size() == 1);
  CHECK(of_clusters->problems.front().code == "SP697");
  Sources torn{{"torn.txt", "ENDPOINT STATUS OUTLIER CHECK CLUSTER\n10.0.0.1:80 HEALTHY OK a\n10.0.0.2:80 HEAL\n"}};
  const auto row = reports::documents_of_report(torn);
  REQUIRE(row);
  REQUIRE_FALSE(row->problems.empty());
  CHECK(row->problems.front().where.line == 3);
}

TEST_CASE("Other texts are no reports") {
  for (const char* const text : {"", "kind: Service\n", "{\"configs\": []}", "[{\"name\": \"a\"}]"}) {
    Sources sources{{"a", text}};
    CHECK_FALSE(reports::documents_of_report(sources));
  }
}

// Istiod writes minHealthPercent, 0 by default, as the panic threshold (docs/behaviour/istio.md 5.3).
TEST_CASE("A cluster of Istio has no panic by default, another one has Envoy's") {
  const auto threshold_of = [](const std::string& cluster) {
    Sources sources{{"report.txt", cluster + "::10.0.0.1:80::health_flags::healthy\n"}};
    const auto made = reports::documents_of_report(sources);
    REQUIRE(made);
    const auto reading = scenario::read_envoy_texts({{"bootstrap.json", made->text}}, {});
    REQUIRE(reading.scenario.has_value());
    return reading.scenario->services.front().cluster.common_lb_config.healthy_panic_threshold.value;
  };
  CHECK(threshold_of("outbound|80||web.shop.svc.cluster.local") == 0.0);
  CHECK(threshold_of("web") != 0.0);
}
