#include "sim/scenario/pasted/pasted_documents.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

using spillway::scenario::pasted::Family;
using spillway::scenario::pasted::read_pasted;
using spillway::scenario::pasted::text_below;
using spillway::scenario::pasted::value_below;

namespace {

auto read_text(const std::string& text) {
  return read_pasted({{"pasted.yaml", text}});
}

}  // namespace

TEST_CASE("A part of a DestinationRule becomes one, and says so") {
  for (const std::string& text :
       std::vector<std::string>{"trafficPolicy:\n  outlierDetection: { consecutive5xxErrors: 3 }\n",
                                "spec:\n  trafficPolicy:\n    outlierDetection: { consecutive5xxErrors: 3 }\n",
                                "outlierDetection: { consecutive5xxErrors: 3 }\n", "consecutive5xxErrors: 3\n"}) {
    CAPTURE(text);
    const auto read = read_text(text);
    REQUIRE(read);
    REQUIRE(read->documents().size() == 1);
    const auto& rule = *read->documents().front();
    CHECK(text_below(rule, {"kind"}) == "DestinationRule");
    CHECK(text_below(rule, {"spec", "host"}) == "example");
    const auto* const errors = value_below(rule, {"spec", "trafficPolicy", "outlierDetection", "consecutive5xxErrors"});
    REQUIRE(errors != nullptr);
    CHECK(errors->span.line == 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) - 1);
    CHECK_FALSE(read->assumed.empty());
  }
}

TEST_CASE("A part of a policy of Kuma becomes one") {
  const auto read = read_text(
      "spec:\n  to:\n    - targetRef: { kind: MeshService, name: backend }\n"
      "      default: { localityAwareness: { disabled: true } }\n");
  REQUIRE(read);
  CHECK(read->family == Family::kuma);
  CHECK(read->by_kind.contains("MeshLoadBalancingStrategy"));
}

TEST_CASE("Placeholders take the places of what was taken out, by the key") {
  const auto read = read_text(
      "apiVersion: networking.istio.io/v1\nkind: ServiceEntry\nmetadata: { name: a, annotations: }\nspec:\n"
      "  hosts: [\"${HOST}.example.com\"]\n  ports: [{ number: \"${PORT}\", name: http }]\n"
      "  endpoints: [{ address: IP_REDACTED }]\n");
  REQUIRE(read);
  const auto& entry = *read->documents().front();
  CHECK(value_below(entry, {"spec", "hosts"})->items.front().text == "host.example.com");
  CHECK(value_below(value_below(entry, {"spec", "ports"})->items.front(), {"number"})->magnitude == 8080);
  CHECK(text_below(value_below(entry, {"spec", "endpoints"})->items.front(), {"address"}) == "192.0.2.1");
  CHECK(value_below(entry, {"metadata", "annotations"}) == nullptr);
  CHECK(read->assumed.size() == 3);
}

TEST_CASE("A key with a default is left out if its value was taken out, and a default of a template is taken") {
  const auto read = read_text(
      "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: a }\nspec:\n  host: a\n"
      "  trafficPolicy:\n    outlierDetection: { interval: \"***\", consecutive5xxErrors: \"{{ .Values.errors | "
      "default "
      "7 }}\" }\n    loadBalancer: { simple: \"${POLICY}\" }\n");
  REQUIRE(read);
  const auto& policy = *value_below(*read->documents().front(), {"spec", "trafficPolicy"});
  CHECK(value_below(policy, {"outlierDetection", "interval"}) == nullptr);
  CHECK(value_below(policy, {"loadBalancer", "simple"}) == nullptr);
  CHECK(value_below(policy, {"outlierDetection", "consecutive5xxErrors"})->magnitude == 7);
  CHECK(std::any_of(read->assumed.begin(), read->assumed.end(), [](const std::string& line) {
    return line.find("helm template CHART | spillway share -") != std::string::npos;
  }));
}

TEST_CASE("Lists are their items, and items of typed lists have its kind") {
  const auto read = read_text("apiVersion: v1\nkind: ServiceList\nitems:\n  - metadata: { name: a }\n");
  REQUIRE(read);
  CHECK(read->by_kind.at("Service") == 1);
}

TEST_CASE("A scenario, a document of Envoy and a text are not pasted documents") {
  CHECK_FALSE(read_text("duration: 1s\nzones: [{ name: a }]\n"));
  CHECK_FALSE(read_text("static_resources: { clusters: [] }\n"));
  CHECK_FALSE(read_text("just some words\n"));
}

TEST_CASE("Kinds without influence are counted, those of other programs are named") {
  const auto read = read_text(
      "{ apiVersion: v1, kind: Secret, metadata: { name: a } }\n---\n"
      "{ apiVersion: v1, kind: Secret, metadata: { name: b } }\n---\n"
      "{ apiVersion: linkerd.io/v1alpha2, kind: ServiceProfile, metadata: { name: c } }\n---\n"
      "{ apiVersion: v1, kind: Service, metadata: { name: d }, spec: { ports: [{ port: 80 }] } }\n");
  REQUIRE(read);
  CHECK(read->ignored.at("Secret") == 2);
  CHECK(read->foreign.at("ServiceProfile").find("not Envoy") != std::string::npos);
  CHECK(read->by_kind.at("Service") == 1);
}

TEST_CASE("Lists of documents by kind are read as egctl takes them, and a scenario is none") {
  const auto read = read_text(
      "gateways:\n  - { apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: { name: g } }\n"
      "httpRoutes:\n  - { apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: { name: r }, spec: { "
      "rules: "
      "[] } }\n");
  REQUIRE(read);
  CHECK(read->by_kind.contains("HTTPRoute"));
  CHECK(read->by_kind.contains("Gateway"));
  CHECK_FALSE(read_text("duration: 1s\nresources:\n  - { apiVersion: v1, kind: Service, metadata: { name: a } }\n"));
}

TEST_CASE("Keys of a page around Kuma's documents are left out, and named") {
  const auto read = read_text(
      "type: MeshCircuitBreaker\nname: a\nmesh: default\nspec:\n  to:\n    - targetRef: { kind: MeshService, name: b, "
      "_port: 80 }\n      default: { connectionLimits: { maxConnections: 1 } }\n");
  REQUIRE(read);
  REQUIRE(read->assumed.size() == 1);
  CHECK(read->assumed.front().find("`_port` is left out") == 0);
  CHECK_FALSE(read->files.front().as_written);
}

TEST_CASE("A part of a host that no host can have is a placeholder") {
  const auto read = read_text(
      "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: a }\nspec: { host: "
      "WEB_SERVICE.WEB_NAMESPACE.svc.cluster.local }\n");
  REQUIRE(read);
  CHECK(text_below(*read->documents().front(), {"spec", "host"}) == "web-service.web-namespace.svc.cluster.local");
}

TEST_CASE("A document without apiVersion beside others is named, not read") {
  const auto read =
      read_text("kind: Gateway\nspec: {}\n---\napiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: {}\n");
  REQUIRE(read);
  CHECK(read->foreign.contains("Gateway"));
  CHECK(read->by_kind.contains("Service"));
}
