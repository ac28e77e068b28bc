// The published schema and the program accept and reject the same structure.
#include "sim/scenario/json_schema.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "models/documents/node_json.hpp"
#include "models/documents/parse.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/structure.hpp"
#include "tests/sim/scenario/reading.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using namespace spillway::scenario;
using nlohmann::json;

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class PublishedSchema {
 public:
  explicit PublishedSchema(const json& text = json::parse(json_schema())) {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }
  bool accepts(const json& document) {
    return validator_.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  }

 private:
  valijson::Schema schema_;
  // It keeps the patterns that it has compiled.
  valijson::Validator validator_{valijson::Validator::kStrongTypes};
};

// Nothing if the text is no document at all; else whether the program accepts its structure.
struct Verdict {
  bool is_document = false;
  bool accepted = false;
  json value;
  std::string why;
};

// A text in these lists names a file, whose documents stand there before the structure is read.
void leave_out_files(documents::Node& root) {
  for (documents::Member& member : root.members) {
    if (member.key == "policies" || member.key == "resources") {
      std::erase_if(member.value.items,
                    [](const documents::Node& item) { return item.kind == documents::Kind::string; });
    }
  }
}

// What a value means may be wrong where its structure is right: extensions by names that are not known, expressions
// that Envoy refuses, retriable headers with a value, bytes that no digits are. Fields without influence are checked
// against the tables of Envoy's API, which the schema does not have.
bool is_of_meaning(const Diagnostic& problem) {
  const bool of_tables = std::any_of(problem.notes.begin(), problem.notes.end(), [](const std::string& note) {
    return note == "Envoy checks this field, which has no influence here";
  });
  const auto wants = [&](const char* words) { return problem.label.starts_with(words); };
  return of_tables || problem.code == "SP139" || problem.code == "SP207" ||
         problem.message == "cannot read a payload" ||
         (problem.code == "SP302" &&
          (wants("must be previous_") || wants("must be a header") || wants("must be exact"))) ||
         (problem.code == "SP028" && wants("today: `envoy.extensions.retry."));
}

Verdict structure_of(const std::string& name, const std::string& text) {
  Sources sources = {{name, text}};
  Verdict verdict;
  Diagnostics problems;
  auto root = documents::parse(sources, 0, problems);
  verdict.is_document = root && problems.empty();
  if (verdict.is_document) {
    verdict.value = json_of<json>(*root);
    leave_out_files(*root);
    messages::Scenario file;
    read_structure(*root, file, problems);
    verdict.accepted = std::all_of(problems.begin(), problems.end(), is_of_meaning);
    verdict.why = documents::render_diagnostics(problems, sources);
  }
  return verdict;
}

// Whether both accept it.
bool check_agreement(PublishedSchema& schema, const std::string& name, const std::string& text) {
  const Verdict verdict = structure_of(name, text);
  if (verdict.is_document) {
    INFO(verdict.value.dump(1));
    INFO(verdict.why);
    REQUIRE(schema.accepts(verdict.value) == verdict.accepted);
  }
  return verdict.accepted;
}

std::vector<std::filesystem::path> committed_scenarios() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios")) {
    const auto ending = entry.path().extension();
    if (ending == ".yaml" || ending == ".jsonc" ||
        (ending == ".json" && entry.path().parent_path().filename() != "schema")) {
      files.push_back(entry.path());
    }
  }
  files.emplace_back(SPILLWAY_SOURCE_DIR "/tests/support/whole_scenario.yaml");
  files.emplace_back(SPILLWAY_SOURCE_DIR "/tests/support/kuma_documents.yaml");
  std::sort(files.begin(), files.end());
  return files;
}

// A document that uses every key there is.
std::string everything() {
  return R"({
    "$schema": "x", "name": "n", "description": "d", "source": "s", "profile": {"envoy": "seed", "kuma": "head"},
    "duration": "1m", "seed": 3, "mode": "exact",
    "control_plane": {"name": "n", "cores": 8, "speed": 1.5, "cla_cache": "shared_object",
      "xdsServer": {"dataplaneConfigurationRefreshInterval": "1s"}, "store": {"cache": {"expirationTime": "1s"}},
      "services": 10, "instances": 2, "zones": 3, "reachable_services": 3, "reach": "any",
      "join": {"from": "1s", "to": "2s"}, "leave": {"from": "3s", "to": "4s"},
      "changes": [{"at": "5s", "what": "mesh_policy"}, {"at": "6s", "what": "dataplane"}],
      "policies": [{"services": "10%", "default": {"localityAwareness": {"disabled": true}}}],
      "cost": {"mesh_context": "1us", "generation": "1ms", "service": "1us", "assignment": "1us", "lookup": "1us",
        "proxy_certificate": "1s"},
      "readings": {"precision": "50ms", "rows": [{"at": "1s", "p50": "1s", "p90": "2s", "p99": "3s"}]},
      "ratios": [{"to": "v", "at": "1s", "to_at": "2s", "p50": 1.5, "p90": 2, "p99": 2.5}],
      "variations": [{"name": "v", "cores": 4, "cost": {}, "services": 20, "instances": 1, "reachable_services": 0}]},
    "zones": [{"name": "a", "region": "r", "nodes": [{"name": "n", "count": 2, "sub_zone": "s", "cores": 4, "queue": 5,
      "discipline": "processor_sharing", "speed": 1.5}]}, {"name": "b"}],
    "links": [{"between": ["a", "b"], "latency": "1.5ms", "jitter": "1ms", "bandwidth": "1.5Gbps"}],
    "services": [{"name": "s", "endpoints": [
      {"id": "e", "zone": "a", "priority": 1, "weight": 2, "service_time": "4ms", "cores": 2, "queue": 3, "discipline": "fifo", "healthy": "100% 10s, 1", "degraded": 0},
      {"count": 3, "node": "n-1", "healthy": 2, "metadata": {"version": "1.0", "stages": [1, null, {"x": true}]},
        "health_check_config": {"disableActiveHealthCheck": true, "port_value": 1}},
      {"id": "f", "address": "10.0.0.1:80", "hostname": "h", "zone": "b",
        "metadata": {"filterMetadata": {"envoy.lb": {"v": 1}, "other": {}}, "typed_filter_metadata": {}}},
      {"zone": "a", "capacity": "500rps"},
      {"zone": "a", "service_time": {"mean": "1ms", "distribution": "gamma", "coefficient_of_variation": 0.5}},
      {"zone": "a", "service_time": {"empirical": ["1ms", "2ms"], "weights": [1, 2]}}]}],
    "clusters": [{"name": "s", "lb_policy": "RANDOM", "connectTimeout": "1s",
      "common_lb_config": {"healthy_panic_threshold": {"value": 40.5}, "updateMergeWindow": "0s"},
      "outlierDetection": {"consecutive_5xx": 3, "interval": "1s", "base_ejection_time": "2s", "max_ejection_time": "3s",
        "max_ejection_time_jitter": "0.5s", "max_ejection_percent": 50, "enforcingConsecutive5xx": 100,
        "enforcing_success_rate": 0, "enforcing_consecutive_gateway_failure": 1, "enforcing_failure_percentage": 2,
        "always_eject_one_host": true, "success_rate_minimum_hosts": 3, "success_rate_request_volume": 4,
        "success_rate_stdev_factor": 5, "failure_percentage_threshold": 6, "failure_percentage_minimum_hosts": 7,
        "failure_percentage_request_volume": 8, "consecutive_gateway_failure": 9},
      "load_balancing_policy": {"policies": [{"typed_extension_config": {"name": "p", "typed_config": {"@type": "x/y", "z": 1}}}]},
      "edsClusterConfig": {"eds_config": {}, "serviceName": "s"}, "type": "EDS"},
      {"name": "t", "cluster_type": {"name": "a", "typedConfig": {"@type": "x/y"}}, "commonLbConfig": {"zoneAwareLbConfig":
        {"routing_enabled": {"value": 5}, "minClusterSize": "6", "fail_traffic_on_panic": true}}},
      {"name": "u", "common_lb_config": {"locality_weighted_lb_config": {}}},
      {"name": "v", "lb_policy": "RING_HASH", "ring_hash_lb_config": {"minimum_ring_size": 1, "maximumRingSize": "9",
        "hash_function": "MURMUR_HASH_2"}, "common_lb_config": {"consistentHashingLbConfig":
        {"use_hostname_for_hashing": true, "hash_balance_factor": 150}},
        "lb_subset_config": {"fallback_policy": "DEFAULT_SUBSET", "default_subset": {"a": 1}, "subset_selectors":
        [{"keys": ["a"], "single_host_per_subset": true, "fallbackPolicy": "KEYS_SUBSET", "fallback_keys_subset": ["a"]}],
        "locality_weight_aware": true, "scale_locality_weight": true, "panic_mode_any": true, "list_as_any": true,
        "metadataFallbackPolicy": "FALLBACK_LIST"}},
      {"name": "w", "lb_policy": "MAGLEV", "maglev_lb_config": {"table_size": 7}},
      {"name": "x", "leastRequestLbConfig": {"choice_count": 3, "activeRequestBias": {"default_value": 0.5,
        "runtime_key": "k"}, "slow_start_config": {"slow_start_window": "1s", "aggression": {"defaultValue": 2},
        "min_weight_percent": {"value": 1}}}},
      {"name": "z", "type": "ORIGINAL_DST", "originalDstLbConfig": {"use_http_header": true, "http_header_name": "h",
        "upstreamPortOverride": 80, "metadata_key": {"key": "k", "path": [{"key": "p"}]}}, "cleanup_interval": "1s",
        "commonLbConfig": {"ignore_new_hosts_until_first_hc": true, "overrideHostStatus": {"statuses": ["DRAINING"]}},
        "healthChecks": [{"name": "n", "timeout": "1s", "interval": "2s", "initial_jitter": "3s", "intervalJitter": "4s",
          "interval_jitter_percent": 5, "unhealthy_threshold": 6, "healthyThreshold": 7, "no_traffic_interval": "8s",
          "no_traffic_healthy_interval": "9s", "unhealthy_interval": "10s", "unhealthy_edge_interval": "11s",
          "healthy_edge_interval": "12s", "http_health_check": {"host": "h", "path": "/", "method": "POST",
            "send": {"text": "61"}, "receive": [{"binary": "YQ=="}], "responseBufferSize": "9", "expected_statuses":
            [{"start": "200", "end": 300}], "retriable_statuses": [{}], "service_name_matcher": {"prefix": "p"}}},
          {"tcp_health_check": {"send": {"text": "61"}, "receive": []}},
          {"grpcHealthCheck": {"service_name": "s", "authority": "a"}}],
        "circuitBreakers": {"thresholds": [{"priority": "HIGH", "max_connections": 1, "max_pending_requests": 2,
          "max_requests": 3, "max_retries": 4, "retryBudget": {"budget_percent": {"value": 1}, "min_retry_concurrency": 2},
          "track_remaining": true, "max_connection_pools": 5}], "perHostThresholds": [{"max_connections": 1}]},
        "outlier_detection": {"splitExternalLocalOriginErrors": true, "consecutive_local_origin_failure": 1,
          "enforcing_consecutive_local_origin_failure": 2, "enforcing_local_origin_success_rate": 3,
          "enforcing_failure_percentage_local_origin": 4, "successful_active_health_check_uneject_host": false}},
      {"name": "y", "roundRobinLbConfig": {"slowStartConfig": {"slow_start_window": "1.5s"}}}],
    "load_assignments": [{"cluster_name": "s", "policy": {"overprovisioning_factor": 150, "drop_overloads": [{"category": "c",
        "dropPercentage": {"numerator": 3, "denominator": "MILLION"}}], "weightedPriorityHealth": true},
      "endpoints": [{"locality": {"region": "r", "zone": "a", "subZone": "s"}, "priority": 1, "loadBalancingWeight": 3}]}],
    "local_cluster": "s",
    "cla_cache": "shared_object",
    "policies": [
      {"type": "MeshLoadBalancingStrategy", "mesh": "m", "name": "n", "labels": {"a": "b"}, "creationTime": 1,
        "modificationTime": 1, "status": {}, "spec": {"targetRef": {"kind": "Mesh", "name": "n", "namespace": "n", "mesh":
        "m", "tags": {"a": "b"}, "labels": {"a": "b"}, "sectionName": "s", "proxyTypes": ["Sidecar"]}, "to": [{"targetRef":
        {}, "default": {"localityAwareness": {"disabled": true, "localZone": {"affinityTags": [{"key": "k", "weight": 1}]},
        "crossZone": {"failover": [{"from": {"zones": ["a"]}, "to": {"type": "Only", "zones": ["a"]}}],
        "failoverThreshold": {"percentage": "33.3"}}}, "loadBalancer": {"type": "RingHash", "roundRobin": {}, "random": {},
        "leastRequest": {"choiceCount": 2, "activeRequestBias": -1}, "ringHash": {"hashFunction": "XXHash", "minRingSize":
        1, "maxRingSize": 2, "hashPolicies": []}, "maglev": {"tableSize": 3, "hashPolicies": [{"type": "SourceIP"}]}},
        "hashPolicies": [{"type": "x", "terminal": false, "header": {"name": ""}, "cookie": {"name": "c", "ttl": "1s",
        "path": "/"}, "connection": {"sourceIP": true}, "queryParameter": {"name": "q"}, "filterState": {"key": "k"}}]}}]}},
      {"type": "MeshHTTPRoute", "name": "r", "spec": {"targetRef": {"kind": "Mesh"}, "to": [{"targetRef": {"kind":
        "MeshService"}, "rules": [{"matches": [{"path": {"type": "Exact", "value": "/"}, "method": "GET", "queryParams":
        [{"type": "Exact", "name": "q", "value": "v"}], "headers": [{"type": "Present", "name": "h", "value": ""}]}],
        "default": {"filters": [{"type": "RequestHeaderModifier", "requestHeaderModifier": {"set": [{"name": "a", "value":
        "v"}], "add": [], "remove": ["r"]}, "responseHeaderModifier": {}, "urlRewrite": {}}], "backendRefs": [{"kind":
        "MeshService", "name": "n", "weight": 1, "port": 80}]}}]}]}},
      {"type": "MeshTCPRoute", "name": "r", "spec": {"targetRef": {}, "to": [{"targetRef": {}, "rules": [{"default":
        {"backendRefs": []}}]}]}},
      {"type": "MeshCircuitBreaker", "name": "c", "spec": {"targetRef": {}, "from": [{"targetRef": {},
        "default": {}}], "rules": [{"default": {}}], "to": [{"targetRef":
        {}, "default": {"connectionLimits": {"maxConnections": 1, "maxConnectionPools": 2, "maxPendingRequests": 3,
        "maxRetries": 4, "maxRequests": 5}, "outlierDetection": {"disabled": true, "interval": "1h0m", "baseEjectionTime":
        "0", "maxEjectionPercent": 5, "splitExternalAndLocalErrors": true, "detectors": {"totalFailures": {"consecutive":
        1}, "gatewayFailures": {}, "localOriginFailures": {}, "successRate": {"minimumHosts": 1, "requestVolume": 2,
        "standardDeviationFactor": "1.9"}, "failurePercentage": {"minimumHosts": 1, "requestVolume": 2, "threshold": 3}},
        "healthyPanicThreshold": 50}}}]}},
      {"type": "MeshHealthCheck", "name": "c", "spec": {"targetRef": {}, "to": [{"targetRef": {}, "default": {"interval":
        "1s", "timeout": "1s", "unhealthyThreshold": 1, "healthyThreshold": 2, "initialJitter": "1s", "intervalJitter":
        "1s", "intervalJitterPercent": 3, "healthyPanicThreshold": "5", "failTrafficOnPanic": true, "noTrafficInterval":
        "1s", "eventLogPath": "", "alwaysLogHealthCheckFailures": true, "reuseConnection": true, "tcp": {"disabled": true,
        "send": "", "receive": [""]}, "http": {"disabled": true, "path": "", "requestHeadersToAdd": {}, "expectedStatuses":
        [200]}, "grpc": {"disabled": true, "serviceName": "", "authority": ""}}}]}},
      {"type": "MeshTrace", "anything": 1}, {"kind": "MeshTrace"}],
    "resources": [
      {"type": "Mesh", "name": "m", "mtls": {"enabledBackend": "c", "backends": [{"name": "c", "type": "builtin", "mode":
        "STRICT", "conf": {}, "dpCert": {}, "rootChain": {}}], "skipValidation": true}, "routing":
        {"localityAwareLoadBalancing": true, "zoneEgress": true, "defaultForbidMeshExternalServiceAccess": false},
        "meshServices": {"mode": "Everywhere"}, "networking": {}, "tracing": {}, "logging": {}, "metrics": {},
        "constraints": {}, "skipCreatingInitialPolicies": []},
      {"type": "Dataplane", "name": "d", "networking": {"address": "a", "advertisedAddress": "b", "inbound": [{"port": 1,
        "name": "n", "address": "a", "protocol": "p", "tags": {"a": "b"}, "health": {"ready": true}, "state": "Ready",
        "servicePort": 1, "serviceAddress": "a", "serviceProbe": {}}], "outbound": [{"port": 1, "address": "a", "tags": {}},
        {"port": 2, "backendRef": {"kind": "MeshService", "name": "n", "port": 1}}], "gateway": {"type": "DELEGATED",
        "tags": {"a": "b"}}, "listeners": [{"type": "ZoneIngress", "state": "Ready", "address": "a", "port": 1, "name":
        "n"}], "transparentProxying": {}, "admin": {}}, "metrics": {}, "probes": {}},
      {"type": "ZoneIngress", "name": "i", "zone": "a", "networking": {"address": "a", "port": 1, "advertisedAddress": "b",
        "advertisedPort": 2, "admin": {}}, "availableServices": [{"tags": {}, "instances": 1, "mesh": "m",
        "externalService": true}]},
      {"type": "ZoneEgress", "name": "e", "zone": "a", "networking": {"address": "a", "port": 1, "admin": {}}},
      {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": [
        {"apiVersion": "kuma.io/v1alpha1", "kind": "MeshZoneAddress", "metadata": {"name": "a", "namespace": "n", "labels":
          {"a": "b"}, "annotations": {}, "uid": 1}, "spec": {"address": "a", "port": 1}, "status": null},
        {"apiVersion": "kuma.io/v1alpha1", "kind": "Dataplane", "mesh": "m", "metadata": {"name": "a"}, "spec":
          {"networking": {"address": "a", "outbound": [{"port": 1, "backendRef": {"kind": "MeshService", "labels": {}}}]}}},
        {"apiVersion": "kuma.io/v1alpha1", "kind": "Mesh", "metadata": {"name": "a"}}]},
      {"type": "ExternalService", "name": "e", "mesh": "m", "networking": {"address": "a:1", "tls": {},
        "disableHostDNSEntry": true}, "tags": {"a": "b"}},
      {"type": "MeshService", "name": "s", "spec": {"state": "Available", "selector": {"dataplaneTags": {}}, "ports":
        [{"port": 1, "name": "n", "targetPort": "t", "appProtocol": "http"}], "identities": []}, "status": {}},
      {"type": "MeshService", "name": "s", "spec": {"selector": {"dataplaneRef": {"name": "d"}}, "ports": [{"port": 1}]}},
      {"type": "MeshService", "name": "s", "spec": {"selector": {"dataplaneLabels": {"matchLabels": {}}}, "ports":
        [{"port": 1, "targetPort": 2}]}},
      {"type": "MeshMultiZoneService", "name": "s", "spec": {"selector": {"meshService": {"matchLabels": {}}}, "ports":
        [{"port": 1, "name": "n", "appProtocol": "tcp"}]}, "status": {"meshServices": [{"name": "s", "namespace": "",
        "zone": "a", "mesh": "m"}], "addresses": [], "vips": [], "hostnameGenerators": [], "conditions": []}},
      {"type": "MeshExternalService", "name": "s", "spec": {"match": {"type": "HostnameGenerator", "port": 1, "protocol":
        "tcp"}, "endpoints": [{"address": "a", "port": 1, "priority": 2}], "tls": {}}}],
    "clients": [{"name": "c", "zone": "a", "count": 2, "concurrency": 3, "workload": {"service": "s", "rate": 5.5,
     "arrivals": "periodic"}},
      {"name": "d", "node": "b", "workload": {"service": "s", "phases": "1rps 1s, 2.5rps 2s, 0rps"}},
      {"name": "e", "zone": "a", "workload": {"rate": 1, "headers": {"h": "v", "i": ["1", "2"]}, "path": "/p",
        "source_address": "10.0.0.1", "destination_address": "10.0.0.9:80", "keys": {"cookie": "c", "count": 5, "popularity": "zipf 1.1", "prefix": "u"}}},
      {"name": "f", "zone": "a", "workload": {"rate": 1, "requests": [{"name": "r", "weight": 0.5, "headers": {},
        "path": "/", "source_address": "::1", "destination_address": "[::1]:80"}]}},
      {"name": "g", "zone": "a", "workload": {"service": "s", "users": 3, "think_time": {"mean": "1s", "distribution":
        "exponential"}, "request_bytes": 100, "response_bytes": 2000}},
      {"name": "h", "zone": "a", "workload": {"service": "s", "trace": "arrivals.csv"}}],
    "routes": [{"name": "r", "match": {"safe_regex": {"regex": "/.*"}, "caseSensitive": true, "headers": [
        {"name": "a", "string_match": {"exact": "", "ignoreCase": true}, "invert_match": true},
        {"name": "b", "range_match": {"start": -1, "end": "7"}, "treat_missing_header_as_empty": false}]},
      "route": {"weighted_clusters": {"clusters": [{"name": "s", "weight": 1, "metadata_match": {"filter_metadata":
          {"envoy.lb": {"a": null}}}}], "totalWeight": 1},
        "metadataMatch": {}, "hash_policy": [{"header": {"header_name": "h", "regexRewrite": {"pattern": {"regex": "a"},
          "substitution": ""}}, "terminal": true}, {"cookie": {"name": "c", "ttl": "1s", "path": "", "attributes":
          [{"name": "n", "value": ""}]}}, {"connectionProperties": {"source_ip": true}}, {"query_parameter": {"name": "q"}},
          {"filter_state": {"key": "k"}}],
        "timeout": "1.5s", "priority": "HIGH", "retry_policy": {"retry_on": "5xx", "numRetries": 2, "per_try_timeout": "1s",
          "retry_priority": {"name": "p", "typed_config": {"@type": "x/y"}}, "retry_host_predicate": [{"name": "q"}],
          "host_selection_retry_max_attempts": "5", "retriable_status_codes": [1], "retryBackOff": {"base_interval": "1s",
          "max_interval": "2s"}, "rate_limited_retry_back_off": {"reset_headers": [{"name": "r", "format": "SECONDS"}],
          "max_interval": "1s"}, "retriable_headers": [{"name": "h", "present_match": true}]}},
      "typedPerFilterConfig": {"f": {"@type": "x/y"}}}],
    "timeline": [{"at": "1s", "service": "s", "priority": 1, "zone": "a", "node": "n-1", "endpoints": ["e"], "healthy": "50%",
       "degraded": 1, "fails": "10%", "fails_with": "no_answer", "answers_checks": "degraded", "slow": 2.5}, {"at": "2s", "link": ["a", "b"], "latency": "1ms", "outage": false},
       {"at": "3s", "add": [{"count": 2, "zone": "a"}], "delay": "1s", "audience": ["a"]}, {"at": "4s", "add": "50%"},
       {"at": "5s", "remove": 3, "lives_on": true},
       {"at": "6s", "health_status": "DRAINING", "weight": 2, "locality_weight": 3, "fails": "every 3rd", "fails_checks":
        false, "answers_checks": 404}],
    "expect": [{"table": "t", "client": "c", "service": "s", "columns": ["P0", "P1 panic", "total"],
       "rows": [["1%", "yes", {"documented": 7, "exact": "8.5%", "reason": "r"}], [1.5, "-", "70"]]},
      {"always": {"ok": "<= 5", "timeout": 0, "from": "1s", "to": "2s"}},
      {"utilisation": {"service": "s", "zone": "a", "sub_zone": "s", "node": "n-1", "endpoint": "e", "from": "1s", "to":
       "2s", "at_most": "80%"}},
      {"share": {"of": "c", "service": "s", "zone": "a", "sub_zone": "s", "node": "n-1", "endpoint": "e", "cluster": "s",
        "priority": 0, "at": "1s", "at_most": "20%"}}]
  })";
}

void collect(json& value, std::vector<json*>& places) {
  places.push_back(&value);
  if (value.is_structured()) {
    for (json& part : value) {
      collect(part, places);
    }
  }
}

// Structure broken, or not, at one random place.
json mutated(const json& original, std::mt19937& random) {
  static const std::vector<json> values = {nullptr,
                                           true,
                                           0,
                                           1,
                                           -1,
                                           2.5,
                                           129,
                                           1e300,
                                           "",
                                           "x",
                                           "10s",
                                           "70%",
                                           "5rps",
                                           "P0",
                                           "100% 1s, 5",
                                           json::array(),
                                           json::object(),
                                           json::array({1}),
                                           json{{"value", 3}},
                                           json{{"name", "x"}},
                                           9007199254740992,
                                           "RANDOM",
                                           "exact"};
  static const std::vector<std::string> keys = {
      "name",    "zone",   "node",           "count", "id",    "x",      "lbPolicy", "lb_policy",
      "healthy", "table",  "always",         "share", "at",    "equals", "columns",  "rows",
      "of",      "client", "commonLbConfig", "value", "exact", "reason", "policies", "cores"};
  json copy = original;
  std::vector<json*> places;
  collect(copy, places);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  json& place = *places[below(places.size())];
  switch (below(4)) {
    case 0:
      place = values[below(values.size())];
      break;
    case 1:
      if (place.is_object() && !place.empty()) {
        place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(below(place.size()))).key());
      } else if (place.is_array() && !place.empty()) {
        place.erase(below(place.size()));
      }
      break;
    case 2:
      if (place.is_object()) {
        place[keys[below(keys.size())]] = values[below(values.size())];
      } else if (place.is_array()) {
        place.push_back(values[below(values.size())]);
      }
      break;
    default: {
      const json other = *places[below(places.size())];
      place = other;
    }
  }
  return copy;
}

}  // namespace

TEST_CASE("The committed schema is the printed one", "[schema]") {
  // After a change of the grammar: spillway schema > scenarios/schema/scenario.json
  CHECK(file_text(SPILLWAY_SOURCE_DIR "/scenarios/schema/scenario.json") == json_schema());
}

TEST_CASE("Schema and program accept every committed scenario", "[schema]") {
  PublishedSchema schema;
  REQUIRE_FALSE(committed_scenarios().empty());
  for (const auto& path : committed_scenarios()) {
    INFO(path);
    const Verdict verdict = structure_of(path.string(), file_text(path));
    REQUIRE(verdict.is_document);
    CHECK(verdict.accepted);
    CHECK(schema.accepts(verdict.value));
  }
}

TEST_CASE("Schema and program accept a document of every key", "[schema]") {
  PublishedSchema schema;
  const Verdict verdict = structure_of("x.json", everything());
  INFO(verdict.why);
  REQUIRE(verdict.is_document);
  CHECK(verdict.accepted);
  CHECK(schema.accepts(verdict.value));
}

TEST_CASE("Schema and program agree on what is hardly right and what is hardly wrong", "[schema]") {
  PublishedSchema schema;
  const json whole = json::parse(everything());
  struct Change {
    const char* place;
    json value;
    bool accepted;
  };
  const std::vector<Change> changes = {
      {"/seed", 9007199254740991, true},
      {"/seed", 9007199254740992, false},
      {"/seed", 2.0, true},
      {"/seed", -0.5, false},
      {"/control_plane/cores", 0, false},
      {"/control_plane/cores", 1024, true},
      {"/control_plane/cores", 1025, false},
      {"/control_plane/speed", 0.0, false},
      {"/control_plane/speed", "1s", false},
      {"/control_plane/services", 0, false},
      {"/control_plane/reachable_services", 0, true},
      {"/control_plane/changes/0/what", "service", false},
      {"/control_plane/readings/rows", json::array(), false},
      {"/control_plane/readings/rows/0", json{{"at", "1s"}}, false},
      {"/control_plane/xdsServer", json::object(), false},
      {"/control_plane/variations", json::array(), true},
      {"/control_plane/variations/0", json{{"name", "v"}}, true},
      {"/control_plane/variations/0", json{{"cores", 4}}, false},
      {"/control_plane/policies/0/default/localityAwareness/disabled", 1, false},
      {"/duration", "999999999s", true},
      {"/duration", "1000000000s", false},
      {"/duration", "1.5ns", false},
      {"/duration", "", false},
      {"/name", "", false},
      {"/name", std::string(200, 'x'), true},
      {"/name", std::string(201, 'x'), false},
      {"/description", "", true},
      {"/zones", json::array(), false},
      {"/zones/0/nodes", json::array(), false},
      {"/zones/0/nodes/0/count", 10'000, true},
      {"/zones/0/nodes/0/count", 10'001, false},
      {"/services/0/endpoints/0/weight", 4294967295, true},
      {"/services/0/endpoints/0/weight", 4294967296, false},
      {"/services/0/endpoints/0/weight", 0, false},
      {"/services/0/endpoints/0/priority", 128, true},
      {"/services/0/endpoints/0/priority", 129, false},
      {"/services/0/endpoints/0/healthy", "100% 1s,2%", true},
      {"/services/0/endpoints/0/healthy", "100% 1s ,2%", false},
      {"/services/0/endpoints/0/healthy", "100%", true},
      {"/services/0/endpoints/0/healthy", "100.1%", false},
      {"/services/0/endpoints/0/healthy", 0.5, false},
      {"/services/0/endpoints/0/count", 1, false},
      {"/services/0/endpoints/0/node", "n-1", false},
      {"/clusters/0/lb_policy", "LEAST_REQUEST", true},
      {"/clusters/0/lb_policy", "PEAK_EWMA", false},
      {"/clients/2/workload/requests", json::array({json::object()}), false},
      {"/clients/2/workload/headers/h", json::array(), false},
      {"/clients/2/workload/headers/h", 7, false},
      {"/clients/2/workload/keys/popularity", "zipf 9.999999999", true},
      {"/clients/2/workload/keys/popularity", "zipf 10", false},
      {"/clients/2/workload/keys/popularity", "zipf 1.", false},
      {"/clients/2/workload/keys/header", "h", false},
      {"/clients/2/workload/keys/count", 1000000, true},
      {"/clients/2/workload/keys/count", 1000001, false},
      {"/clients/3/workload/requests", json::array(), false},
      {"/routes/0/match/path", "/", false},
      {"/routes/0/match/headers/1/range_match/end", "-999999999999999", true},
      {"/routes/0/match/headers/1/range_match/end", "1e3", false},
      {"/routes/0/match/headers/1/range_match/end", -999999999999999, true},
      {"/routes/0/match/headers/1/range_match/end", 1000000000000000, false},
      {"/routes/0/match/headers/1/exact_match", "v", false},
      {"/routes/0/route/cluster", "s", false},
      {"/routes/0/route/weighted_clusters/clusters/0/metadata_match/filter_metadata/envoy.lb", 1, false},
      {"/routes/0/route/hash_policy/1/header", json{{"header_name", "h"}}, false},
      {"/routes/0/typedPerFilterConfig/f", json::object(), false},
      {"/clusters/3/maglev_lb_config", json::object(), false},
      {"/clusters/3/lb_subset_config/default_subset", 7, false},
      {"/clusters/3/lb_subset_config/subset_selectors/0/keys/0", "", false},
      {"/clusters/4/maglev_lb_config/table_size", "5000077", true},
      {"/clusters/5/leastRequestLbConfig/slow_start_config/aggression", 1.5, false},
      {"/services/0/endpoints/1/hostname", "h", false},
      {"/services/0/endpoints/1/metadata", json::array(), false},
      {"/services/0/endpoints/1/metadata/filter_metadata", json::object(), false},
      {"/services/0/endpoints/2/metadata/filterMetadata/envoy.lb", "v", false},
      {"/services/0/endpoints/2/metadata/version", "v", false},
      {"/clusters/0/lbPolicy", "RANDOM", false},
      {"/clusters/0/common_lb_config/healthy_panic_threshold/value", 0, true},
      {"/clusters/0/common_lb_config/healthy_panic_threshold/value", 100.5, false},
      {"/clusters/0/outlierDetection/interval", "10ms", false},
      {"/clients/0/workload/phases", "1rps", false},
      {"/clients/1/workload/phases", "1rps 10s, 2rps 10s", true},
      {"/clients/1/workload/phases", "1rps, 2rps 10s", false},
      {"/clients/1/workload/phases", "1 10s", false},
      {"/clients/1/workload/phases", "1rps-2.5rps 10s, 2rps", true},
      {"/clients/1/workload/phases", "1rps-2 10s, 2rps", false},
      {"/timeline/2/add", json::array(), false},
      {"/timeline/2/add", 5, true},
      {"/timeline/2/add", "101%", false},
      {"/timeline/2/audience", json::array(), false},
      {"/timeline/4/remove", json::array({json{{"zone", "a"}}}), false},
      {"/clusters/0/type", "ORIGINAL_DST", true},
      {"/clusters/0/type", "CUSTOM", false},
      {"/clusters/6/healthChecks/1/grpc_health_check", json::object(), false},
      {"/clusters/6/healthChecks/0/http_health_check/send/binary", "", false},
      {"/clusters/6/healthChecks/0/http_health_check/method", "FETCH", false},
      {"/clusters/6/circuitBreakers/thresholds/0/max_retries", -1, false},
      {"/timeline/0/fails_with", 503, true},
      {"/timeline/0/fails_with", 600, false},
      {"/timeline/0/fails_with", "404", false},
      {"/timeline/0/answers_checks", true, false},
      {"/timeline/0/answers_checks", 599, true},
      {"/timeline/0/answers_checks", 199, false},
      {"/timeline/0/answers_checks", "reset", true},
      {"/timeline/0/fails", "every 2nd", true},
      {"/timeline/0/fails", "every 0th", false},
      {"/timeline/0/fails", "every 3", false},
      {"/clusters/0/clusterType", json{{"name", "a"}, {"typed_config", {{"@type", "x"}}}}, false},
      {"/clusters/0/load_balancing_policy/policies/0/typed_extension_config/typed_config", json::object(), false},
      {"/clusters/1/commonLbConfig/zoneAwareLbConfig/minClusterSize", "x", false},
      {"/clusters/1/commonLbConfig/locality_weighted_lb_config", json::object(), false},
      {"/clusters/2/common_lb_config/locality_weighted_lb_config", json{{"x", 1}}, false},
      {"/load_assignments/0/endpoints/0/lb_endpoints", json::array(), false},
      {"/load_assignments/0/endpoints/0/loadBalancingWeight", 0, false},
      {"/clients/0/workload/rate", 1e9, true},
      {"/clients/0/workload/rate", 1.1e9, false},
      {"/clients/0/workload/rate", "1000000000rps", false},
      {"/clients/0/node", "n-1", false},
      {"/timeline/1/link", json::array({"a"}), false},
      {"/timeline/0", json{{"at", "1s"}}, false},
      {"/timeline/0/at", nullptr, false},
      {"/expect/0/share", json::object(), false},
      {"/expect/0", json::object(), false},
      {"/expect/0", json{{"table", "t"}, {"columns", {"P0"}}}, false},
      {"/expect/0/rows/0/2/reason", "", false},
      {"/expect/0/rows/0/2", json{{"documented", 1}}, true},
      {"/expect/0/rows/0/2", json{{"documented", 1}, {"exact", 2}}, false},
      {"/expect/1/always", json::object(), true},
      {"/expect/1/always/ok", ">=7", true},
      {"/expect/1/always/ok", "=> 7", false},
      {"/expect/2/share/equals", "1%", false},
      {"/expect/2/share/client", "c", false},
      {"/policies", json::array(), true},
      {"/policies/0", json::array(), false},
      {"/policies/0/type", "MeshTrace", true},
      {"/policies/0/type", "ProxyTemplate", false},
      {"/policies/0/kind", "MeshLoadBalancingStrategy", false},
      {"/policies/0/uid", "x", false},
      {"/policies/0/spec/to", json::object(), false},
      {"/policies/0/spec/to/0/default/localityAwareness/crossZone/failoverThreshold/percentage", 33.3, false},
      {"/policies/0/spec/to/0/default/localityAwareness/crossZone/failoverThreshold/percentage", 2147483648, false},
      {"/policies/0/spec/to/0/default/localityAwareness/localZone/affinityTags/0/weight", 4294967295, true},
      {"/policies/0/spec/to/0/default/localityAwareness/localZone/affinityTags/0/weight", 4294967296, false},
      {"/policies/0/spec/to/0/default/loadBalancer/type", 1, false},
      {"/policies/1/spec/to/0/rules/0/matches/0/path/type", "Glob", false},
      {"/policies/1/spec/to/0/rules/0/default/filters/0/type", "RequestRedirect", false},
      {"/policies/1/spec/to/0/hostnames", json::array(), false},
      {"/policies/3/spec/to/0/default/outlierDetection/interval", "1d", false},
      {"/policies/3/spec/to/0/default/outlierDetection/interval", "1s1s1s1s1s1s", true},
      {"/policies/3/spec/to/0/default/outlierDetection/interval", "1s1s1s1s1s1s1s", false},
      {"/policies/6/apiVersion", 1, true},
      {"/policies/5/apiVersion", 1, false},
      {"/resources/0/mesh", "m", false},
      {"/resources/1/networking/inbound/0/port", 65536, false},
      {"/resources/1/networking/outbound/0/backendRef", json{{"kind", "MeshService"}, {"name", "n"}}, false},
      {"/resources/4/items/0/metadata/uid", json::array(), true},
      {"/resources/4/items/0/metadata/name", std::string(253, 'x'), true},
      {"/resources/4/items/0/metadata/name", std::string(254, 'x'), false},
      {"/resources/4/items/0/mesh", "m", false},
      {"/resources/4/items/1/spec/networking/outbound/0/tags", json::object(), false},
      {"/resources/4/apiVersion", "v2", false},
      {"/resources/6/spec/selector/dataplaneRef", json{{"name", "d"}}, false},
      {"/objectives", json::array(), false},
      {"/unknown", 1, false},
  };
  for (std::size_t i = 0; i < changes.size(); i += spillway::support::stride_of_cases) {
    const Change& change = changes[i];
    json document = whole;
    document[json::json_pointer(change.place)] = change.value;
    const Verdict verdict = structure_of("x.json", document.dump());
    INFO(change.place << " = " << change.value);
    INFO(verdict.why);
    CHECK(verdict.accepted == change.accepted);
    CHECK(schema.accepts(verdict.value) == change.accepted);
  }
}

TEST_CASE("Schema and program agree on documents broken at random", "[schema]") {
  PublishedSchema schema;
  std::mt19937 random(20);
  std::vector<json> documents = {json::parse(everything())};
  for (const auto& path : committed_scenarios()) {
    documents.push_back(structure_of(path.string(), file_text(path)).value);
  }
  constexpr std::size_t mutations = spillway::support::cases_of(750);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    json document = i % 3 == 0 ? documents.front() : documents[i % documents.size()];
    document = mutated(document, random);
    if (i % 4 == 0) {
      document = mutated(document, random);
    }
    accepted += check_agreement(schema, "x.json", document.dump()) ? 1 : 0;
  }
  CHECK(accepted > mutations / 15);
  CHECK(accepted < mutations - mutations / 15);
}
