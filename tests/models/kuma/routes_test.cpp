#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/policy_confs.hpp"
#include "models/kuma/validation.hpp"

using namespace spillway;
using config::KumaProfile;
using kuma::HttpMatch;
using kuma::HttpRule;
using Violations = std::vector<kuma::Violation>;

namespace {

HttpMatch path(std::string type, std::string value) {
  return {.path = kuma::PathMatch{std::move(type), std::move(value)}};
}

kuma::BackendRef backend_ref(std::string name) {
  return {.targetRef = {.kind = "MeshService", .name = std::move(name)}};
}

HttpRule rule(std::vector<HttpMatch> matches, std::optional<std::vector<kuma::BackendRef>> references = {}) {
  return {std::move(matches), std::move(references), {}};
}

std::vector<HttpMatch> order(std::vector<HttpMatch> matches) {
  kuma::HttpRouteConf conf;
  for (HttpMatch& match : matches) {
    conf.rules.push_back(rule({std::move(match)}));
  }
  std::vector<HttpMatch> sorted;
  for (const kuma::HttpRoute& route : kuma::http_routes(conf)) {
    sorted.push_back(route.match);
  }
  return sorted;
}

}  // namespace

TEST_CASE("routes are tried by how exact their path is, then by method, headers and query parameters") {
  HttpMatch method = path("PathPrefix", "/a");
  method.method = "GET";
  HttpMatch one_header = path("PathPrefix", "/a");
  one_header.headers = {{kuma::HeaderMatch{"Exact", "h", "1"}}};
  HttpMatch query = path("PathPrefix", "/a");
  query.queryParams = {{kuma::QueryParamsMatch{"Exact", "q", "1"}}};
  const HttpMatch exact = path("Exact", "/a");
  const HttpMatch longer = path("PathPrefix", "/a/b");
  const HttpMatch prefix = path("PathPrefix", "/a");
  const HttpMatch regex = path("RegularExpression", "/a/b/c/.*");
  const HttpMatch all = path("PathPrefix", "/");
  CHECK(order({all, regex, prefix, query, one_header, method, longer, exact}) ==
        std::vector{exact, longer, method, one_header, query, prefix, all, regex});
  CHECK(order({path("Exact", "/b"), path("Exact", "/longer")}) ==  // exact paths keep their order
        std::vector{path("Exact", "/b"), path("Exact", "/longer"), all});
}

TEST_CASE("what no rule takes goes to the destination itself, unless a rule takes everything") {
  const auto routes = kuma::http_routes({{rule({path("Exact", "/a")}, {{backend_ref("b")}})}});
  REQUIRE(routes.size() == 2);
  CHECK(routes[0].backendRefs == std::vector{backend_ref("b")});
  CHECK(routes[1] == kuma::HttpRoute{path("PathPrefix", "/"), {}, {}});
  const auto all = kuma::http_routes({{rule({path("PathPrefix", "/")}, {{backend_ref("b")}})}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].backendRefs == std::vector{backend_ref("b")});
}

TEST_CASE("a match without a path takes every path, after all that have one") {
  HttpMatch method;
  method.method = "GET";
  const auto routes = kuma::http_routes({{rule({method}, {{backend_ref("b")}})}});
  REQUIRE(routes.size() == 2);
  CHECK(routes[0].match.path == kuma::PathMatch{"PathPrefix", "/"});
  CHECK(routes[0].match.method == "GET");
}

TEST_CASE("rules of equal matches become one, the more specific policy's first") {
  kuma::HttpRouteConf conf{{rule({path("Exact", "/a")}, {{backend_ref("one")}}), rule({path("Exact", "/b")})}};
  kuma::merge_patch(conf, {{rule({path("Exact", "/c")}), rule({path("Exact", "/a")}, {{backend_ref("two")}})}});
  REQUIRE(conf.rules.size() == 3);
  CHECK(conf.rules[0].matches == std::vector{path("Exact", "/c")});
  CHECK(conf.rules[1].matches == std::vector{path("Exact", "/a")});
  CHECK(conf.rules[1].backendRefs == std::vector{backend_ref("two")});
  CHECK(conf.rules[2].matches == std::vector{path("Exact", "/b")});
  kuma::merge_patch(conf, {{rule({path("Exact", "/a")})}});  // says nothing of backends
  CHECK(conf.rules[0].backendRefs == std::vector{backend_ref("two")});
}

TEST_CASE("of several tcp routes the most specific decides alone") {
  kuma::TcpRouteConf conf{{{{{backend_ref("one")}}}}};
  kuma::merge_patch(conf, {});
  CHECK(conf.rules.empty());
}

TEST_CASE("routes are refused in Kuma's words") {
  kuma::MeshHTTPRoute http{.name = "p"};
  HttpMatch bad = path("PathPrefix", "a/");
  bad.queryParams = {{kuma::QueryParamsMatch{"Exact", "q", "1"}, kuma::QueryParamsMatch{"Exact", "q", "2"}}};
  bad.headers = {{kuma::HeaderMatch{"Present", "h", "v"}}};
  kuma::BackendRef multi{.targetRef = {.kind = "MeshMultiZoneService", .name = "m"}};
  http.to.emplace().push_back({kuma::TargetRef{.kind = "Mesh"}, {{rule({bad}, {{multi}})}}});
  const std::string match = "spec.to[0].rules[0].matches[0]";
  CHECK(kuma::validate(http, KumaProfile::release_2_14) ==
        Violations{
            {"spec.to[0].targetRef.kind", "value 'Mesh' is not supported"},
            {match + ".path.value",
             "does not need a trailing slash because only a `/`-separated prefix or an entire path is matched"},
            {match + ".path.value", "must be an absolute path"},
            {match + ".queryParams[1].name", "multiple entries for name q"},
            {match + ".headers[0].value", "must not be defined"},
            {"spec.to[0].rules[0].default.backendRefs[0].port", "must be defined with kind MeshMultiZoneService"}});
  kuma::MeshTCPRoute tcp{.name = "p"};
  tcp.to.emplace().push_back({kuma::TargetRef{.kind = "MeshService", .name = "b"}, {{kuma::TcpRule{}}}});
  CHECK(kuma::validate(tcp, KumaProfile::release_2_14) ==
        Violations{{"spec.to[0].rules[0].default.backendRefs", "must be defined"}});
}

namespace {

// Of one rule whose filters these are; the default matches are two prefixes.
Violations of_filters(std::vector<kuma::HttpFilter> filters, KumaProfile profile = KumaProfile::release_2_14,
                      std::vector<HttpMatch> matches = {path("PathPrefix", "/a"), path("PathPrefix", "/b")},
                      const std::string& top = "Mesh") {
  kuma::MeshHTTPRoute policy{.name = "p", .targetRef = kuma::TargetRef{.kind = top}};
  if (top == "MeshGateway") {
    policy.targetRef->name = "edge";
  }
  HttpRule filtered = rule(std::move(matches), {{backend_ref("b")}});
  filtered.filters = std::move(filters);
  if (profile == KumaProfile::head) {
    filtered.backendRefs->front().targetRef = {.kind = "MeshService", .labels = kuma::Tags{{"app", "b"}}};
  }
  kuma::TargetRef to{.kind = "MeshService", .name = "b"};
  if (profile == KumaProfile::head) {
    to = {.kind = "MeshService", .labels = kuma::Tags{{"app", "b"}}};
  } else if (top == "MeshGateway") {
    to = {.kind = "Mesh"};
  }
  policy.to.emplace().push_back({to, {{filtered}}});
  return kuma::validate(policy, profile);
}

Violations of_host(const std::string& hostname) {
  return of_filters({{.type = "URLRewrite", .urlRewrite = kuma::UrlRewrite{.hostname = hostname}}});
}

const std::string first_filter = "spec.to[0].rules[0].default.filters[0]";

}  // namespace

// validateFilters and validateHeaderModifier in meshhttproute/api/v1alpha1/validation.go of v2.14.3 and of head.
TEST_CASE("a filter has the body of its type") {
  CHECK(of_filters({{.type = "RequestHeaderModifier"}}) ==
        Violations{{first_filter + ".requestHeaderModifier", "must be defined"}});
  CHECK(of_filters({{.type = "ResponseHeaderModifier", .requestHeaderModifier = kuma::HeaderModifier{}}}) ==
        Violations{{first_filter + ".responseHeaderModifier", "must be defined"}});
  CHECK(of_filters({{.type = "URLRewrite"}}) == Violations{{first_filter + ".urlRewrite", "must be defined"}});
}

TEST_CASE("a modifier of headers changes something, and each header once") {
  CHECK(of_filters({{.type = "RequestHeaderModifier", .requestHeaderModifier = kuma::HeaderModifier{}}}) ==
        Violations{{first_filter + ".requestHeaderModifier", "must have at least one defined: set, add, remove"}});
  const kuma::HeaderModifier twice{.set = {{{"a"}, {"b"}}}, .add = {{{"b"}}}, .remove = {{"c", "a"}}};
  const std::string modifier = first_filter + ".responseHeaderModifier";
  CHECK(of_filters({{.type = "ResponseHeaderModifier", .responseHeaderModifier = twice}}) ==
        Violations{{modifier + ".add[0].name", "duplicate header name"},
                   {modifier + ".remove[1].name", "duplicate header name"}});
}

TEST_CASE("a prefix is replaced where all matches are of prefixes") {
  const kuma::HttpFilter filter{
      .type = "URLRewrite", .urlRewrite = kuma::UrlRewrite{.path = kuma::PathRewrite{"ReplacePrefixMatch", {}, "/c"}}};
  const Violations refused = {
      {first_filter + ".urlRewrite.path.replacePrefixMatch", "can only appear if all matches match a path prefix"}};
  CHECK(of_filters({filter}).empty());
  CHECK(of_filters({filter}, KumaProfile::release_2_14, {path("PathPrefix", "/a"), path("Exact", "/a")}) == refused);
  CHECK(of_filters({filter}, KumaProfile::head, {HttpMatch{}}) == refused);
}

TEST_CASE("a rewritten host is a name and no address") {
  const std::string host = first_filter + ".urlRewrite.hostname";
  CHECK(of_host("a-1.example").empty());
  CHECK(of_host("1.2.3").empty());
  CHECK(of_host("1.2.3.256").empty());
  for (const char* const address : {"1.2.3.4", "010.0.0.255"}) {
    CHECK(of_host(address) == Violations{{host, "cannot be an IP address"}});
  }
  // The schema's pattern speaks before the validator.
  for (const char* const name : {"A", "a_b", "-a", "a..b", "a.", "::1"}) {
    CHECK(of_host(name) == Violations{{host,
                                       "in body should match "
                                       "'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'"}});
  }
  CHECK(of_host("") == Violations{{host, "in body should be at least 1 chars long"}});
  CHECK(of_host(std::string(254, 'a')) == Violations{{host, "in body should be at most 253 chars long"}});
}

TEST_CASE("a host is rewritten to the backend's for gateways of 2.14 alone") {
  const std::string field = first_filter + ".urlRewrite.hostToBackendHostname";
  kuma::HttpFilter filter{.type = "URLRewrite", .urlRewrite = kuma::UrlRewrite{.hostToBackendHostname = true}};
  const std::vector<HttpMatch> prefix = {path("PathPrefix", "/")};
  CHECK(of_filters({filter}) == Violations{{field, "can only be set with MeshGateway"}});
  CHECK(of_filters({filter}, KumaProfile::head) == Violations{{field, "must not be set"}});
  CHECK(of_filters({filter}, KumaProfile::release_2_14, prefix, "MeshGateway").empty());
  filter.urlRewrite->hostname = "a";
  CHECK(of_filters({filter}, KumaProfile::release_2_14, prefix, "MeshGateway") ==
        Violations{{field, "cannot be set together with hostname"}});
}

// kubebuilder:validation in meshhttproute.go and meshtcproute.go; the words are those of the OpenAPI validator.
TEST_CASE("an http rule has a match, and a tcp route one rule at most") {
  CHECK(of_filters({{.type = "URLRewrite"}}, KumaProfile::head, {}) ==
        Violations{{"spec.to[0].rules[0].matches", "in body should have at least 1 items"}});
  kuma::MeshTCPRoute tcp{.name = "p"};
  const kuma::TcpRule once{{{backend_ref("b")}}};
  tcp.to.emplace().push_back({kuma::TargetRef{.kind = "MeshService", .name = "b"}, {{once}}});
  CHECK(kuma::validate(tcp, KumaProfile::release_2_14).empty());
  tcp.to->front().default_.rules.push_back(once);
  CHECK(kuma::validate(tcp, KumaProfile::release_2_14) ==
        Violations{{"spec.to[0].rules", "in body should have at most 1 items"}});
}
