// Documents in forms that no Envoy of today reads: the second API, and JSON of Go's structs. Features of the second
// API: the deprecated fields and the moves of messages in the API that Envoy 1.17 shipped.
#include "models/envoy/proxy/second_api.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "models/envoy/api/proto.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

// The codes of all problems, and the text of the first.
struct Refusal {
  std::vector<std::string> codes;
  std::string text;
};

Refusal refusal_of(const std::string& text) {
  const Reading reading = read_envoy_texts({{"old.yaml", text}});
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK_FALSE(reading.scenario.has_value());
  return {test::codes_of(reading.diagnostics), documents::render_diagnostics(reading.diagnostics, reading.sources)};
}

const std::string assigned =
    "load_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { "
    "address: 10.0.0.1, port_value: 80 } } } }] }] }";

}  // namespace

TEST_CASE("A document of Envoy's second API is refused by the feature that shows it", "[envoy]") {
  const auto [text, feature] = GENERATE_COPY(table<std::string, std::string>({
      {"name: c\ntype: STATIC\nlb_policy: RING_HASH\nhosts: [{ socket_address: { address: 10.0.0.1, port_value: 80 } "
       "}]\n",
       "`hosts`"},
      {"name: c\ntype: STATIC\ntls_context: { sni: c }\n" + assigned + "\n", "`tls_context`"},
      {"{ '@type': type.googleapis.com/envoy.api.v2.Cluster, name: c, type: ORIGINAL_DST, lb_policy: ORIGINAL_DST_LB "
       "}\n",
       "`envoy.api.v2.Cluster`"},
      {"runtime: { base: { upstream: { healthy_panic_threshold: 10 } } }\nstatic_resources: { clusters: [{ name: c, "
       "type: "
       "STATIC, " +
           assigned + " }] }\n",
       "`runtime`"},
      {"static_resources:\n  listeners: [{ name: in, filter_chains: [{ filters: [{ name: envoy.tcp_proxy, config: { "
       "cluster: c } }] }] }]\n  clusters: [{ name: c, type: STATIC, " +
           assigned + " }]\n",
       "`config`"},
  }));
  CAPTURE(text);
  const Refusal refusal = refusal_of(text);
  CHECK(refusal.codes == std::vector<std::string>{"SP235"});
  CHECK(refusal.text.find(feature + " is of it") != std::string::npos);
}

TEST_CASE("JSON of Go's structs is refused with the way to print protobuf's JSON", "[envoy]") {
  const Refusal refusal = refusal_of(
      R"({"name": "c", "ClusterDiscoveryType": {"Type": 0}, "load_assignment": {"cluster_name": "c", "endpoints": [
          {"lb_endpoints": [{"HostIdentifier": {"Endpoint": {"address": {}}}}]}]}})");
  CHECK(refusal.codes == std::vector<std::string>{"SP149"});
  CHECK(refusal.text.find("`ClusterDiscoveryType` is a field of a Go struct") != std::string::npos);
  CHECK(refusal.text.find("protojson") != std::string::npos);
}

TEST_CASE("Messages of the second API have the names to which they moved", "[envoy]") {
  CHECK(messages::todays_type("envoy.api.v2.Cluster") == "envoy.config.cluster.v3.Cluster");
  CHECK(messages::todays_type("envoy.api.v2.core.Address") == "envoy.config.core.v3.Address");
  CHECK(messages::todays_type("envoy.config.filter.network.tcp_proxy.v2.TcpProxy") ==
        "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy");
  CHECK(messages::todays_type("envoy.config.filter.http.transcoder.v2.GrpcJsonTranscoder") ==
        "envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder");
  CHECK(messages::todays_type("envoy.config.trace.v2.ZipkinConfig") == "envoy.config.trace.v3.ZipkinConfig");
  CHECK(messages::todays_type("envoy.admin.v2alpha.ClustersConfigDump") == "envoy.admin.v3.ClustersConfigDump");
  CHECK(messages::todays_type("envoy.config.cluster.v3.Cluster").empty());
  CHECK(messages::todays_type("xds.type.v3.TypedStruct").empty());
}

}  // namespace spillway::scenario
