#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/policy_confs.hpp"

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
  CHECK(routes[1] == kuma::HttpRoute{path("PathPrefix", "/"), {}});
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
