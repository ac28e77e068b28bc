// Policies beside MeshLoadBalancingStrategy: routes, circuit breakers and health checks.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/binding/kuma/documents/checked.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
using spillway::kuma::Tags;
using test::clean_documents;
using test::the_only_document_problem;

namespace {

std::string policy(const std::string& type, const std::string& to) {
  return "policies:\n  - { type: " + type + ", name: p, spec: { to: [" + to + "] } }\n";
}
std::string http_rule(const std::string& rule) {
  return policy("MeshHTTPRoute", "{ targetRef: { kind: MeshService, name: b }, rules: [" + rule + "] }");
}
std::string breaker(const std::string& conf) {
  return policy("MeshCircuitBreaker", "{ targetRef: { kind: Mesh }, default: " + conf + " }");
}
std::string check(const std::string& conf) {
  return policy("MeshHealthCheck", "{ targetRef: { kind: Mesh }, default: " + conf + " }");
}

}  // namespace

TEST_CASE("A MeshHTTPRoute is read with its matches and backends", "[kuma]") {
  const auto checked = clean_documents(
      "policies:\n"
      "  - type: MeshHTTPRoute\n"
      "    name: split\n"
      "    labels: { a: b }\n"
      "    spec:\n"
      "      targetRef: { kind: Mesh }\n"
      "      to:\n"
      "        - targetRef: { kind: MeshService, name: backend }\n"
      "          rules:\n"
      "            - matches:\n"
      "                - path: { type: PathPrefix, value: /api }\n"
      "                  method: GET\n"
      "                  headers: [{ name: x, value: '1' }, { type: Absent, name: y }]\n"
      "                  queryParams: [{ type: Exact, name: q, value: v }]\n"
      "              default:\n"
      "                filters:\n"
      "                  - type: RequestHeaderModifier\n"
      "                    requestHeaderModifier: { set: [{ name: s, value: v }], add: [{ name: a, value: v }], "
      "remove: [r] }\n"
      "                  - { type: URLRewrite, urlRewrite: { path: {} } }\n"
      "                backendRefs:\n"
      "                  - { kind: MeshServiceSubset, name: backend, tags: { version: v1 }, weight: 90 }\n"
      "                  - { kind: MeshMultiZoneService, labels: { app: b }, port: 80, weight: 10 }\n");
  const auto& route = checked->documents.http_routes.at(0).value;
  CHECK(route.name == "split");
  CHECK(route.labels == Tags{{"a", "b"}});
  CHECK(route.targetRef->kind == "Mesh");
  const auto& item = route.to->at(0);
  CHECK(item.targetRef->name == "backend");
  const auto& rule = item.default_.rules.at(0);
  const auto& match = rule.matches.at(0);
  CHECK(match.path == spillway::kuma::PathMatch{"PathPrefix", "/api"});
  CHECK(match.method == "GET");
  CHECK(match.headers->at(1) == spillway::kuma::HeaderMatch{"Absent", "y", {}});
  CHECK(match.queryParams->at(0) == spillway::kuma::QueryParamsMatch{"Exact", "q", "v"});
  CHECK(rule.changed_headers == std::vector<std::string>{"s", "a", "r"});
  CHECK(rule.backendRefs->at(0).targetRef.tags == Tags{{"version", "v1"}});
  CHECK(rule.backendRefs->at(0).weight == 90U);
  CHECK(rule.backendRefs->at(1).port == 80U);
}

TEST_CASE("A MeshTCPRoute is read with its backends", "[kuma]") {
  const auto checked = clean_documents(policy("MeshTCPRoute",
                                              "{ targetRef: { kind: MeshService, name: b }, rules: [{ default: { "
                                              "backendRefs: [{ kind: MeshService, name: c }] } "
                                              "}] }, { targetRef: { kind: MeshService, name: d } }"));
  const auto& route = checked->documents.tcp_routes.at(0).value;
  CHECK(route.to->at(0).default_.rules.at(0).backendRefs->at(0).targetRef.name == "c");
  CHECK(route.to->at(1).default_.rules.empty());
}

TEST_CASE("A MeshCircuitBreaker is read with its limits and detectors", "[kuma]") {
  const auto checked = clean_documents(breaker(
      "{ connectionLimits: { maxConnections: 1, maxConnectionPools: 2, maxPendingRequests: 3, maxRetries: 4, "
      "maxRequests: 5 }, outlierDetection: { disabled: false, interval: 1m30s, baseEjectionTime: 500ms, "
      "maxEjectionPercent: 40, splitExternalAndLocalErrors: true, healthyPanicThreshold: '33.3', detectors: { "
      "totalFailures: { consecutive: 5 }, successRate: { minimumHosts: 1, requestVolume: 2, "
      "standardDeviationFactor: '1.9' }, failurePercentage: { minimumHosts: 1, requestVolume: 2, threshold: 3 } "
      "} } }"));
  const auto& conf = checked->documents.circuit_breakers.at(0).value.to->at(0).default_;
  CHECK(conf.connectionLimits->maxRequests == 5U);
  CHECK(conf.outlierDetection->interval == 90s);
  CHECK(conf.outlierDetection->baseEjectionTime == 500ms);
  CHECK(conf.outlierDetection->detectors->totalFailures->consecutive == 5U);
  CHECK(conf.outlierDetection->healthyPanicThreshold == spillway::kuma::IntOrString("33.3"));
}

TEST_CASE("A MeshHealthCheck is read with its times and checks", "[kuma]") {
  const auto checked = clean_documents(check(
      "{ interval: 10s, timeout: 2s, unhealthyThreshold: 3, healthyThreshold: 1, initialJitter: 5s, "
      "intervalJitter: 6s, intervalJitterPercent: 10, healthyPanicThreshold: 0, failTrafficOnPanic: true, "
      "noTrafficInterval: 10s, eventLogPath: /tmp/log, alwaysLogHealthCheckFailures: true, reuseConnection: false, "
      "tcp: { disabled: true, send: Zm9v, receive: [bar] }, http: { path: /health, requestHeadersToAdd: { set: [] "
      "}, expectedStatuses: [200, 201] }, grpc: { serviceName: s, authority: a } }"));
  const auto& conf = checked->documents.health_checks.at(0).value.to->at(0).default_;
  CHECK(conf.interval == 10s);
  CHECK(conf.http->expectedStatuses == std::vector<std::uint32_t>{200, 201});
  CHECK(conf.tcp->disabled == true);
  CHECK(conf.grpc->serviceName == "s");
}

TEST_CASE("What Kuma refuses of these policies is told at its place", "[kuma]") {
  const auto reported = [](const std::string& marked) { return the_only_document_problem(marked, "SP601").label; };
  CHECK(reported(breaker("{ connectionLimits: { maxRequests: «0» } }")) == "must be greater than 0");
  CHECK(reported(breaker("{ «outlierDetection»: { interval: 1s } }")) == "must be defined");
  CHECK(reported(check("{ interval: «0s», tcp: {} }")) == "must be greater than zero when defined");
  CHECK(reported(check("{ http: { expectedStatuses: [200, «600»] } }")) == "must be in inclusive range [100, 599]");
  CHECK(reported(http_rule("{ matches: [{ path: { type: Exact, value: «a» } }], default: {} }")) ==
        "must be an absolute path");
  CHECK(reported(policy("MeshHTTPRoute", "{ targetRef: { kind: «Mesh» }, rules: [] }")) ==
        "value 'Mesh' is not supported");
  CHECK(reported(policy("MeshTCPRoute", "{ targetRef: { kind: MeshService, name: b }, rules: [{ «default»: {} }] }")) ==
        "must be defined");
}

TEST_CASE("What Kuma refuses of a route's filters is told at its place", "[kuma]") {
  const auto reported = [](const std::string& match, const std::string& filter) {
    return the_only_document_problem(http_rule("{ matches: [" + match + "], default: { filters: [" + filter + "] } }"),
                                     "SP601")
        .label;
  };
  const std::string exact = "{ path: { type: Exact, value: / } }";
  CHECK(
      reported(exact,
               "{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: «/b» } } }") ==
      "can only appear if all matches match a path prefix");
  CHECK(reported(exact, "{ type: URLRewrite, urlRewrite: { hostname: «1.2.3.4» } }") == "cannot be an IP address");
  CHECK(reported(exact, "{ type: RequestHeaderModifier, «requestHeaderModifier»: {} }") ==
        "must have at least one defined: set, add, remove");
  CHECK(reported(exact,
                 "{ type: RequestHeaderModifier, requestHeaderModifier: { set: [{ name: a, value: b }], remove: [«a»] "
                 "} }") == "duplicate header name");
  CHECK(reported(exact, "«{» type: ResponseHeaderModifier }") == "must be defined");
  CHECK(the_only_document_problem(http_rule("{ «matches»: [], default: {} }"), "SP601").label ==
        "in body should have at least 1 items");
  const std::string once = "{ default: { backendRefs: [{ kind: MeshService, name: c }] } }";
  CHECK(the_only_document_problem(policy("MeshTCPRoute", "{ targetRef: { kind: MeshService, name: b }, «rules»: [" +
                                                             once + ", " + once + "] }"),
                                  "SP601")
            .label == "in body should have at most 1 items");
  CHECK(the_only_document_problem(check("{ tcp: {}, eventLogPath: «tmp/a» }"), "SP601").label ==
        "must be a valid path when defined");
}

TEST_CASE("A MeshCircuitBreaker's incoming side is admitted as Kuma admits it", "[kuma]") {
  using test::KumaProfile;
  const auto spec = [](const std::string& fields) {
    return "policies:\n  - { type: MeshCircuitBreaker, name: p, spec: " + fields + " }\n";
  };
  const auto reported = [&](const std::string& fields) {
    return the_only_document_problem(spec(fields), "SP601").label;
  };
  const std::string limits = "{ connectionLimits: { maxRequests: 1 } }";
  CHECK(
      the_only_document_problem("policies:\n  - { type: MeshCircuitBreaker, name: p, «spec»: {} }\n", "SP601").label ==
      "at least one of 'from', 'to' or 'rules' has to be defined");
  CHECK(reported("{ rules: [{ default: { connectionLimits: { maxConnections: «0» } } }] }") ==
        "must be greater than 0");
  CHECK(reported("{ from: [{ targetRef: { kind: «MeshService», name: b }, default: " + limits + " }] }") ==
        "value 'MeshService' is not supported");
  CHECK(reported("{ from: [{ targetRef: { kind: Mesh }, «default»: {} }] }") ==
        "at least one of: 'connectionLimits' or 'outlierDetection' should be configured");
  clean_documents(spec("{ rules: [{ default: " + limits + " }] }"));
  clean_documents(spec("{ from: [{ targetRef: { kind: Mesh }, default: " + limits + " }] }"));
  clean_documents(
      spec("{ rules: [{ default: " + limits + " }], to: [{ targetRef: { kind: Mesh }, default: " + limits + " }] }"),
      KumaProfile::head);
}

TEST_CASE("Head drops `from` of a MeshCircuitBreaker and says so", "[kuma]") {
  using test::KumaProfile;
  const std::string limits = "default: { connectionLimits: { maxRequests: 1 } }";
  the_only_document_problem(
      "policies:\n  - { type: MeshCircuitBreaker, name: p, spec: { «from»: [{ targetRef: { kind: "
      "Mesh }, " +
          limits + " }], to: [{ targetRef: { kind: Mesh }, " + limits + " }] } }\n",
      "SP608", KumaProfile::head);
  const auto alone = test::check_documents(
      "policies:\n  - { type: MeshCircuitBreaker, name: p, spec: { from: [{ targetRef: { kind: Mesh }, " + limits +
          " }] } }\n",
      KumaProfile::head);
  CHECK(test::codes_of(alone->problems) == std::vector<std::string>{"SP601", "SP608"});
}

TEST_CASE("Filters that send requests elsewhere are not supported", "[kuma]") {
  the_only_document_problem(http_rule("{ matches: [{}], default: { filters: [{ type: «RequestRedirect» }] } }"),
                            "SP302");
  CHECK(the_only_document_problem(http_rule("{ matches: [{}], default: { filters: [«{» type: RequestMirror }] } }"),
                                  "SP601")
            .label == "must be defined");
  the_only_document_problem(
      policy("MeshHTTPRoute", "{ targetRef: { kind: MeshService, name: b }, rules: [], «hostnames»: [a] }"), "SP301");
}

TEST_CASE("A route that changes a header which is hashed is not supported", "[kuma]") {
  the_only_document_problem(
      http_rule("{ matches: [{}], default: { «filters»: [{ type: RequestHeaderModifier, requestHeaderModifier: { "
                "remove: [x-user] } }] } }") +
          "resources:\n"
          "  - { type: MeshLoadBalancingStrategy, name: h, spec: { to: [{ targetRef: { kind: Mesh }, default: { "
          "hashPolicies: [{ type: Header, header: { name: x-user } }] } }] } }\n",
      "SP302");
}

TEST_CASE("The design document's route as it is printed is told today's form", "[kuma]") {
  // docs/behaviour/kuma.md 15, row 19: `rules` is printed as an object with `backendRef`.
  const auto checked = test::check_documents(
      "policies:\n"
      "  - apiVersion: kuma.io/v1alpha1\n"
      "    kind: MeshHTTPRoute\n"
      "    metadata: { name: r }\n"
      "    spec: { to: [{ targetRef: { kind: MeshService, name: b }, rules: { default: { backendRef: [] } } }] }\n");
  CHECK(test::codes_of(checked->problems) == std::vector<std::string>{"SP022"});
}

TEST_CASE("Durations of Kuma are in Go's notation", "[kuma]") {
  const auto interval = [](const std::string& text) {
    return clean_documents(check("{ interval: " + text + ", tcp: {} }"))
        ->documents.health_checks.at(0)
        .value.to->at(0)
        .default_.interval;
  };
  CHECK(interval("1h2m3s") == 3723s);
  CHECK(interval("1.5s") == 1500ms);
  for (const char* const wrong : {"«10»", "«10 s»", "«-1s»", "«1s1»", "«1d»", "«1s1s1s1s1s1s1s»"}) {
    const std::string code = std::string(wrong) == "«10»" ? "SP022" : "SP024";
    the_only_document_problem(check("{ interval: " + std::string(wrong) + ", tcp: {} }"), code);
  }
}
