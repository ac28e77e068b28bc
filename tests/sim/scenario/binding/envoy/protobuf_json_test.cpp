// Which forms of protobuf's JSON, and which configurations, Envoy 1.40 takes and refuses: every line was tried with
// `envoy --mode validate`.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "models/kuma/load_assignment.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

const std::string address = R"("endpoint":{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}})";

// A JSON object of a cluster with further fields, of its assignment and of its only endpoint.
std::string document_with(const std::string& cluster, const std::string& assignment = "",
                          const std::string& endpoint = "", const std::string& group = "") {
  return R"({"name":"c",)" + cluster + (cluster.empty() ? "" : ",") + R"("load_assignment":{"cluster_name":"c",)" +
         assignment + (assignment.empty() ? "" : ",") + R"("endpoints":[{)" + group + (group.empty() ? "" : ",") +
         R"("lb_endpoints":[{)" + endpoint + (endpoint.empty() ? "" : ",") + address + "}]}]}}";
}

std::string document_of(const std::string& type, const std::string& addresses) {
  return R"({"name":"c","type":")" + type + R"(","load_assignment":{"cluster_name":"c","endpoints":[)" + addresses +
         "]}}";
}
std::string group_of(const std::string& at) {
  return R"({"lb_endpoints":[{"endpoint":{"address":)" + at + "}}]}";
}
std::string socket_at(const std::string& at, const std::string& port = R"("port_value":80)") {
  return group_of(R"({"socket_address":{"address":")" + at + "\"" + (port.empty() ? "" : "," + port) + "}}");
}

Reading read_document(const std::string& text) {
  return read_envoy_texts({{"cluster.json", text}}, {});
}

void check_taken(const std::string& text) {
  const Reading reading = read_document(text);
  INFO(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK(reading.scenario.has_value());
}
void check_refused(const std::string& text) {
  INFO(text);
  const Reading reading = read_document(text);
  CHECK_FALSE(reading.scenario.has_value());
}

const config::LbEndpoint& only_endpoint(const Scenario& scenario) {
  return scenario.services.at(0).load_assignment.endpoints.at(0).lb_endpoints.at(0);
}

std::string typed(const std::string& config) {
  return R"("load_balancing_policy":{"policies":[{"typed_extension_config":{"name":"x","typed_config":)" + config +
         "}}]}";
}
std::string policy(const std::string& name, const std::string& fields = "") {
  return R"({"@type":"type.googleapis.com/envoy.extensions.load_balancing_policies.)" + name + "\"" +
         (fields.empty() ? "" : "," + fields) + "}";
}

const std::string grpc_check =
    R"("health_checks":[{"timeout":"1s","interval":"1s","unhealthy_threshold":1,"healthy_threshold":1,"grpc_health_check":{}}])";

}  // namespace

TEST_CASE("a number without a name is taken where Envoy does not check the enum, and means the first of its words") {
  for (const char* const number : {"6", "99", "-1"}) {
    const Reading reading = read_document(document_with("", "", R"("health_status":)" + std::string(number)));
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario);
    CHECK(only_endpoint(*reading.scenario).health_status == config::HealthStatus::unknown);
  }
  check_refused(document_with("", "", R"("health_status":2147483648)"));
  check_refused(document_with("", "", R"("health_status":"SEVENTH")"));
  check_taken(document_with(R"("common_http_protocol_options":{"headers_with_underscores_action":9})"));
  check_taken(document_with(R"("protocol_selection":9)"));
  check_refused(document_with(R"("dns_lookup_family":9)"));
  check_refused(document_with(R"("circuit_breakers":{"thresholds":[{"priority":9}]})"));
  check_refused(document_with(R"("common_lb_config":{"override_host_status":{"statuses":[9]}})"));
}

TEST_CASE("Numbers, booleans, enums, durations and wrappers are read in every form that Envoy takes", "[envoy]") {
  for (const char* weight :
       {"3", "\"3\"", "3.0", "\"3.0\"", "\"3e0\"", "\"+3\"", "\"03\"", R"({"value":3})", R"({"value":"3"})"}) {
    const std::string text = document_with("", "", R"("load_balancing_weight":)" + std::string(weight));
    check_taken(text);
    CHECK(only_endpoint(*read_document(text).scenario).load_balancing_weight == 3);
  }
  for (const char* weight : {"true", "3.5", "\" 3\"", "\"\"", "{}", R"({"value":3,"x":1})", "[3]"}) {
    check_refused(document_with("", "", R"("load_balancing_weight":)" + std::string(weight)));
  }
  for (const char* status : {"\"unhealthy\"", "\"Unhealthy\"", "\"UNHEALTHY\"", "2", "\"2\"", "2.0"}) {
    const std::string text = document_with("", "", R"("health_status":)" + std::string(status));
    check_taken(text);
    CHECK(only_endpoint(*read_document(text).scenario).health_status == config::HealthStatus::unhealthy);
  }
  for (const char* status : {"\"UN-HEALTHY\"", "true"}) {
    check_refused(document_with("", "", R"("health_status":)" + std::string(status)));
  }
  for (const char* flag : {"true", "\"true\"", "\"TRUE\"", "\"True\"", "\"yes\"", "\"1\"", "\"t\"", "\"y\""}) {
    const std::string text = document_with("", R"("policy":{"weighted_priority_health":)" + std::string(flag) + "}");
    check_taken(text);
    CHECK(read_document(text).scenario->services.at(0).load_assignment.weighted_priority_health);
  }
  for (const char* flag : {"1", "1.0", "\"on\"", R"({"value":true})"}) {
    check_refused(document_with("", R"("policy":{"weighted_priority_health":)" + std::string(flag) + "}"));
  }
  for (const char* window : {"\"1.5s\"", R"({"seconds":1,"nanos":500000000})", R"({"seconds":"1","nanos":5e8})"}) {
    const std::string text = document_with(R"("common_lb_config":{"update_merge_window":)" + std::string(window) + "}");
    check_taken(text);
    CHECK(read_document(text).scenario->services.at(0).cluster.common_lb_config.update_merge_window ==
          std::chrono::milliseconds{1500});
  }
  for (const char* timeout : {"1", "\".5s\"", "\"1.s\"", "\"-1s\"", "\"0s\"", "\"1ms\"", "{}", R"({"second":1})"}) {
    check_refused(document_with(R"("connect_timeout":)" + std::string(timeout)));
  }
  check_taken(document_with(R"("connect_timeout":"0.000000001s")"));
}

TEST_CASE("Enums of clusters may be written as numbers of protobuf", "[envoy]") {
  const std::vector<std::pair<std::string, std::string>> policies{
      {"0", "round_robin"}, {"1", "least_request"}, {"\"ring_hash\"", "ring_hash"}, {"2", "ring_hash"}, {"3", "random"},
      {"5", "maglev"},      {"\"5\"", "maglev"}};
  for (const auto& [written, name] : policies) {
    const std::string text = document_with(R"("type":"static","lb_policy":)" + written);
    check_taken(text);
    const envoy::policies::Config config = read_document(text).scenario->services.at(0).cluster.lb_policy;
    CHECK(std::holds_alternative<envoy::policies::maglev::Config>(config) == (name == "maglev"));
    CHECK(std::holds_alternative<envoy::policies::ring_hash::Config>(config) == (name == "ring_hash"));
    CHECK(std::holds_alternative<envoy::policies::random::Config>(config) == (name == "random"));
  }
  check_refused(document_with(R"("lb_policy":"RingHash")"));
  check_refused(document_with(R"("lb_policy":4)"));
}

TEST_CASE("A field in both spellings is one: messages become one, of other values the last stays", "[envoy]") {
  const std::string merged =
      document_with(R"("common_lb_config":{"healthy_panic_threshold":{"value":"30"}},)"
                    R"("commonLbConfig":{"update_merge_window":"2s"},"lbPolicy":"RING_HASH","lb_policy":"RANDOM")");
  check_taken(merged);
  const envoy::Cluster cluster = read_document(merged).scenario->services.at(0).cluster;
  CHECK(cluster.common_lb_config.healthy_panic_threshold.value == 30.0);
  CHECK(cluster.common_lb_config.update_merge_window == std::chrono::seconds{2});
  CHECK(std::holds_alternative<envoy::policies::random::Config>(cluster.lb_policy));
  check_refused(document_with(R"("connect_timeout":"1s","connectTimeout":"0s")"));
  check_taken(document_with(R"("connect_timeout":"0s","connectTimeout":"1s")"));
  check_taken(R"({"name":"c","load_assignment":{"cluster_name":"c","endpoints":{"lb_endpoints":{)" + address + "}}}}");
}

TEST_CASE("Typed policies may stand in a TypedStruct of xds or udpa", "[envoy]") {
  for (const char* package : {"xds.type.v3", "udpa.type.v1"}) {
    const auto packed = [&](const std::string& rest) {
      return document_with(
          typed(R"({"@type":"type.googleapis.com/)" + std::string(package) + R"(.TypedStruct")" + rest + "}"));
    };
    const std::string ring =
        R"(,"type_url":"type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash")";
    const std::string text = packed(ring + R"(,"value":{"minimum_ring_size":7})");
    check_taken(text);
    const Reading reading = read_document(text);
    const auto* const config =
        std::get_if<envoy::policies::ring_hash::Config>(&reading.scenario->services.at(0).cluster.lb_policy);
    REQUIRE(config != nullptr);
    CHECK(config->minimum_ring_size == 7);
    check_taken(packed(ring));
    check_refused(packed(ring + R"(,"value":{"minimum_ring_sizeee":7})"));
    check_refused(packed(R"(,"type_url":"type.googleapis.com/foo.Bar","value":{})"));
    check_refused(packed(R"(,"value":{})"));
  }
  check_refused(document_with(R"("load_balancing_policy":{"policies":[{"typed_extension_config":{"name":"x",)"
                              R"("typed_config":{"@type":"type.googleapis.com/foo.Bar"}}},{"typed_extension_config":)"
                              R"({"name":"y","typed_config":)" +
                              policy("round_robin.v3.RoundRobin") + "}}]}"));
}

TEST_CASE("Envoy's own refusals of clusters are known", "[envoy]") {
  check_refused(document_with(R"("lb_subset_config":{"locality_weight_aware":true})"));
  check_refused(
      document_with(R"("lb_subset_config":{"locality_weight_aware":true,"subset_selectors":[{"keys":["a"]}]})"));
  check_taken(document_with(R"("lb_subset_config":{"locality_weight_aware":true},)"
                            R"("common_lb_config":{"locality_weighted_lb_config":{}})"));
  check_refused(document_with(R"("load_balancing_policy":{})"));
  check_refused(document_with(R"("load_balancing_policy":{"policies":[]})"));
  check_refused(document_with(R"("load_balancing_policy":{"policies":[{}]})"));
  for (const char* field : {"max_pending_requests", "max_requests", "max_retries", "max_connection_pools"}) {
    check_refused(document_with(R"("circuit_breakers":{"per_host_thresholds":[{")" + std::string(field) + "\":3}]}"));
  }
  check_refused(document_with(R"("circuit_breakers":{"per_host_thresholds":[{"retry_budget":{}}]})"));
  check_taken(document_with(R"("circuit_breakers":{"per_host_thresholds":[{"max_connections":3}]})"));
  check_refused(document_with(R"("lb_policy":"MAGLEV","maglev_lb_config":{"table_size":0})"));
  check_refused(document_with(typed(policy("maglev.v3.Maglev", R"("table_size":0)"))));
  check_refused(document_with(R"("round_robin_lb_config":{"slow_start_config":{"slow_start_window":"1s",)"
                              R"("min_weight_percent":{"value":101}}})"));
  // Messages of typed policies are not checked.
  for (const char* const percent : {"101", "-1"}) {
    check_taken(document_with(typed(policy(
        "round_robin.v3.RoundRobin", R"("slow_start_config":{"slow_start_window":"1s","min_weight_percent":{"value":)" +
                                         std::string(percent) + "}}"))));
  }
  check_taken(document_with(typed(policy("client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                                         R"("metric_names_for_computing_utilization":[""])"))));
  check_taken(document_with(R"("lrs_report_endpoint_metrics":[""])"));
  check_refused(document_with(R"("eds_cluster_config":{"service_name":"x"})"));
  check_refused(document_with(R"("type":"STRICT_DNS","eds_cluster_config":{"eds_config":{"ads":{}}})"));
  check_refused(document_with(grpc_check));
  check_taken(document_with(R"("http2_protocol_options":{},)" + grpc_check));
  const std::string options = R"("typed_extension_protocol_options":{"envoy.extensions.upstreams.http.v3.)"
                              R"(HttpProtocolOptions":{"@type":"type.googleapis.com/envoy.extensions.upstreams.http.)"
                              R"(v3.HttpProtocolOptions","explicit_http_config":{)";
  check_taken(document_with(options + R"("http2_protocol_options":{}}}},)" + grpc_check));
  check_refused(document_with(options + R"("http_protocol_options":{}}}},)" + grpc_check));
  for (const char* field :
       {R"("dns_refresh_rate":"0.001s")", R"("dns_lookup_family":"FOO")", R"("protocol_selection":"FOO")",
        R"("preconnect_policy":{"per_upstream_preconnect_ratio":0.5})", R"("alt_stat_name":3)",
        R"("preconnect_policy":{"predictive_preconnect_ratio":4})", R"("per_connection_buffer_limit_bytes":"foo")",
        R"("dns_jitter":"-1s")"}) {
    check_refused(document_with(field));
  }
}

TEST_CASE("Addresses of a cluster are those that its type can have", "[envoy]") {
  for (const char* at : {"localhost", "10.0.0", "10.0.0.300", "", "[::1]"}) {
    check_refused(document_of("STATIC", socket_at(at)));
  }
  check_taken(document_of("STATIC", socket_at("::1")));
  check_taken(document_of("STRICT_DNS", socket_at("localhost")));
  check_refused(document_of("STATIC", socket_at("10.0.0.1", "")));
  check_refused(document_of("STATIC", socket_at("10.0.0.1", R"("port_value":65536)")));
  check_refused(document_of("STATIC", socket_at("10.0.0.1", R"("named_port":"http")")));
  check_taken(document_of("STRICT_DNS", socket_at("localhost", R"("named_port":"http")")));
  check_refused(document_of("STATIC", socket_at("10.0.0.1", R"("port_value":80,"resolver_name":"foo")")));
  check_taken(document_of("STATIC", socket_at("10.0.0.1", R"("port_value":80,"resolver_name":"envoy.ip")")));
  check_refused(document_of("STRICT_DNS", socket_at("localhost", R"("port_value":80,"resolver_name":"envoy.ip")")));
  const auto pipe = [](std::size_t length, const std::string& rest = "") {
    return group_of(R"({"pipe":{"path":"/)" + std::string(length - 1, 'x') + "\"" + rest + "}}");
  };
  check_taken(document_of("STATIC", pipe(107)));
  check_refused(document_of("STATIC", pipe(108)));
  check_refused(document_of("STATIC", pipe(9, R"(,"mode":512)")));
  check_taken(document_of("LOGICAL_DNS", socket_at("a")));
  check_refused(document_of("LOGICAL_DNS", socket_at("a") + "," + socket_at("b")));
  check_refused(document_of("LOGICAL_DNS", socket_at("a") + R"(,{"lb_endpoints":[]})"));
  check_refused(document_of("LOGICAL_DNS", ""));
  const Reading eds = read_document(document_of("EDS", socket_at("localhost")));
  REQUIRE(eds.scenario.has_value());
  CHECK(std::any_of(eds.diagnostics.begin(), eds.diagnostics.end(),
                    [](const Diagnostic& each) { return each.code == "SP214"; }));
}

TEST_CASE("Weights may add up to more than 32 bits unless a policy hashes", "[envoy]") {
  const auto with = [](const std::string& lb_policy, const std::string& groups) {
    return R"({"name":"c","lb_policy":")" + lb_policy + R"(","load_assignment":{"cluster_name":"c","endpoints":[)" +
           groups + "]}}";
  };
  const auto group = [](const std::string& zone, int priority, const std::string& host_weight,
                        const std::string& locality_weight) {
    static int number = 0;
    return R"({"locality":{"zone":")" + zone + R"("},"priority":)" + std::to_string(priority) +
           (locality_weight.empty() ? "" : R"(,"load_balancing_weight":)" + locality_weight) +
           R"(,"lb_endpoints":[{"load_balancing_weight":)" + host_weight +
           R"(,"endpoint":{"address":{"socket_address":{"address":"10.0.0.)" + std::to_string(++number % 250) +
           R"(","port_value":80}}}}]})";
  };
  const std::string much = "3000000000";
  const std::string two_localities = group("a", 0, much, "") + "," + group("b", 0, much, "");
  const std::string two_priorities = group("a", 0, much, "") + "," + group("a", 1, much, "");
  const std::string locality_weights = group("a", 0, "1", much) + "," + group("b", 0, "1", much);
  const std::string one_locality = group("a", 0, "1", much) + "," + group("a", 0, "1", much);
  for (const char* hashing : {"RING_HASH", "MAGLEV"}) {
    check_refused(with(hashing, two_localities));
    check_refused(with(hashing, locality_weights));
    check_taken(with(hashing, two_priorities));
    check_taken(with(hashing, one_locality));
  }
  for (const char* other : {"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"}) {
    check_taken(with(other, two_localities));
    check_taken(with(other, locality_weights));
  }
  const std::string heavy = "      - { zone: zone-1, weight: 4294967295, count: 2 }\n";
  CHECK(test::accepted(test::scenario_with("", heavy)).services.at(0).hosts.size() == 2);
  test::the_only_diagnostic(test::scenario_with("clusters: [{ name: «backend», lb_policy: MAGLEV }]\n", heavy),
                            "SP139");
}

TEST_CASE("Runtime values are read as Envoy's getInteger does", "[envoy]") {
  const auto threshold = [](const std::string& value) {
    const Reading reading = read_document(
        R"({"layered_runtime":{"layers":[{"name":"s","static_layer":{"upstream.healthy_panic_threshold":)" + value +
        R"(}}]},"static_resources":{"clusters":[)" + document_with("") + "]}}");
    INFO(value);
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario.has_value());
    return reading.scenario->runtime.healthy_panic_threshold;
  };
  CHECK(threshold("80") == 80U);
  CHECK(threshold("33.9") == 33U);
  CHECK(threshold("0.9") == 0U);
  CHECK(threshold("\"80\"") == 80U);
  CHECK(threshold("\"80.5\"") == 80U);
  CHECK(threshold("\"  80 \"") == 80U);
  for (const char* unused : {"-3", "-0.5", "true", "false", "\"abc\"", "\"-3\"", "\"\"", "1e20",
                             R"({"numerator":80,"denominator":"HUNDRED"})"}) {
    CHECK_FALSE(threshold(unused).has_value());
  }
  for (const char* refused : {"null", "[1]"}) {
    check_refused(R"({"layered_runtime":{"layers":[{"name":"s","static_layer":{"a.b":)" + std::string(refused) +
                  R"(}}]},"static_resources":{"clusters":[)" + document_with("") + "]}}");
  }
}
