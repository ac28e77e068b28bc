// The routes of VirtualServices. Expected: docs/behaviour/istio.md 10.2.
#include "models/istio/routes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/validation.hpp"

namespace spillway::istio {
namespace {

Service service_named(const std::string& hostname, Protocol protocol) {
  Service service{.hostname = hostname, .name_space = "shop", .kind = "Service"};
  service.ports = {{"port", 80, protocol}};
  return service;
}

// The routes of clients in "shop" to port 80 of web, as these VirtualServices have them.
Routes routed(std::vector<VirtualService> virtual_services, Protocol protocol = Protocol::http,
              std::vector<Service> more = {}) {
  static Documents documents;
  documents.virtual_services = std::move(virtual_services);
  static Registry registry;
  registry.services = {service_named("web.shop.svc.cluster.local", protocol)};
  registry.services.insert(registry.services.end(), more.begin(), more.end());
  registry.by_host.clear();
  for (std::size_t i = 0; i < registry.services.size(); ++i) {
    registry.by_host[registry.services[i].hostname].push_back(i);
  }
  const RuleIndex rules({}, documents.mesh);
  const Proxy proxy{.name_space = "shop"};
  return routes_of({.documents = &documents,
                    .registry = &registry,
                    .rules = &rules,
                    .proxy = &proxy,
                    .service = &registry.services.front(),
                    .port = 80});
}

VirtualService named(const std::string& name, std::size_t age) {
  return {.meta = {.kind = "VirtualService", .name = name, .name_space = "shop", .age = age}, .hosts = {"web"}};
}

RouteDestination to(const std::string& host, std::uint32_t weight = 0) {
  return {.destination = {.host = host}, .weight = weight};
}

envoy::routes::HeaderMatcher matcher_of(const StringMatch& match) {
  VirtualService service = named("web", 0);
  HttpRoute route;
  route.match = {{.headers = {{"x-user", match}}}};
  route.route = {to("web")};
  service.http = {route};
  const Routes routes = routed({service});
  REQUIRE(routes.http.size() == 1);
  REQUIRE(routes.http.front().match.headers.size() == 1);
  return routes.http.front().match.headers.front();
}

// The places that a warning says are never reached, of a VirtualService of one route for each list of matches.
std::vector<std::string> never_reached(const std::vector<std::vector<HttpMatchRequest>>& matches) {
  VirtualService service = named("web", 0);
  for (const std::vector<HttpMatchRequest>& match : matches) {
    HttpRoute& route = service.http.emplace_back();
    route.match = match;
    route.route = {to("web")};
  }
  std::vector<std::string> paths;
  for (const Finding& finding : validate(service)) {
    CHECK_FALSE(finding.refused);
    CHECK(finding.reason == "route-never-reached");
    paths.push_back(finding.path);
  }
  return paths;
}

HttpMatchRequest by_prefix(const std::string& prefix) {
  return {.uri = StringMatch{.kind = StringMatch::Kind::prefix, .text = prefix}};
}

}  // namespace

TEST_CASE("istio: a route behind one of a shorter prefix is never reached if all else is matched before as well") {
  using Paths = std::vector<std::string>;
  CHECK(never_reached({{by_prefix("/a")}, {by_prefix("/ab")}}) == Paths{"spec.http[1].match[0]"});
  CHECK(never_reached({{by_prefix("/a")}, {by_prefix("/b")}}).empty());
  CHECK(never_reached({{by_prefix("/ab")}, {by_prefix("/a")}}).empty());
  CHECK(never_reached({{by_prefix("/a")}, {by_prefix("/b"), by_prefix("/a/c")}}) == Paths{"spec.http[1].match[1]"});
  HttpMatchRequest narrow = by_prefix("/a");
  narrow.port = 80;
  CHECK(never_reached({{narrow}, {by_prefix("/ab")}}).empty());
  narrow = by_prefix("/a");
  narrow.method = StringMatch{.kind = StringMatch::Kind::exact, .text = "POST"};
  CHECK(never_reached({{narrow}, {by_prefix("/ab")}}).empty());
  narrow = by_prefix("/a");
  narrow.headers = {{"x-user", {.kind = StringMatch::Kind::exact, .text = "u1"}}};
  CHECK(never_reached({{narrow}, {by_prefix("/ab")}}).empty());
  HttpMatchRequest as_narrow = narrow;
  as_narrow.uri->text = "/ab";
  CHECK(never_reached({{narrow}, {as_narrow}}) == Paths{"spec.http[1].match[0]"});
}

TEST_CASE("istio: a route behind one of the same match, or behind one of none, is never reached") {
  using Paths = std::vector<std::string>;
  CHECK(never_reached({{by_prefix("/a")}, {by_prefix("/a")}}) == Paths{"spec.http[1].match[0]"});
  CHECK(never_reached({{}, {by_prefix("/a")}}) == Paths{"spec.http[1].match[0]"});
  CHECK(never_reached({{}, {}}) == Paths{"spec.http[1]"});
  CHECK(never_reached({{by_prefix("/a")}, {}}).empty());
}

TEST_CASE("istio: an empty match, and `*` as a regular expression, ask whether a header is there") {
  using Kind = StringMatch::Kind;
  CHECK(matcher_of({.kind = Kind::present}).value.empty());
  CHECK(matcher_of({.kind = Kind::regex, .text = "*"}).value.empty());
  CHECK(matcher_of({.kind = Kind::exact, .text = "*"}).value == "*");
  CHECK(matcher_of({.kind = Kind::prefix, .text = "*"}).value == "*");
  CHECK(matcher_of({.kind = Kind::regex, .text = "a.*"}).value == "a.*");
}

TEST_CASE("istio: a VirtualService is in force in the mesh if it names no gateway, or `mesh` among others") {
  VirtualService service = named("web", 0);
  service.http = {{.name = "own", .route = {to("web")}}};
  CHECK(routed({service}).http.front().name == "own");
  service.gateways = {"ingress", "mesh"};
  CHECK(routed({service}).http.front().name == "own");
  service.gateways = {"ingress"};
  CHECK(routed({service}).http.front().name == "default");
}

TEST_CASE("istio: a destination that is another name goes to the host that it names") {
  Service alias = service_named("old.shop.svc.cluster.local", Protocol::http);
  alias.external_name = "new.example.com";
  VirtualService service = named("web", 0);
  service.http = {{.route = {to("old")}}};
  const Routes routes = routed({service}, Protocol::http, {alias});
  CHECK(routes.http.front().targets.front().cluster == "outbound|80||new.example.com");
}

TEST_CASE("istio: the rewritten authority of a route is the host that Envoy writes") {
  VirtualService service = named("web", 0);
  service.http = {{.route = {to("web")}, .rewrite_authority = "inner.example.com"}};
  CHECK(routed({service}).http.front().host_rewrite == "inner.example.com");
}

TEST_CASE("istio: of several TCP destinations those of weight 0 are left out, a single one stays whatever its weight") {
  VirtualService service = named("web", 0);
  TcpRoute route;
  route.route = {to("web", 0)};
  service.tcp = {route};
  CHECK(routed({service}, Protocol::tcp).tcp->targets.size() == 1);
  service.tcp.front().route = {to("web", 0), to("other", 7), to("third", 3)};
  const Routes routes = routed({service}, Protocol::tcp);
  REQUIRE(routes.tcp->targets.size() == 2);
  CHECK(routes.tcp->targets[0].weight == 7);
  CHECK(routes.tcp->targets[1].weight == 3);
}

}  // namespace spillway::istio
