// Routes of VirtualServices and without one. Expected: docs/behaviour/istio.md 10.
#include "models/istio/routes.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"
#include "models/istio/rule_index.hpp"

namespace spillway::istio {

namespace {

using namespace std::chrono_literals;
using envoy::routes::HeaderMatcher;
using envoy::routes::RouteMatch;
using Names = std::vector<std::string>;

StringMatch text_match(StringMatch::Kind kind, std::string text) {
  return {.kind = kind, .text = std::move(text)};
}
StringMatch exactly(std::string text) {
  return text_match(StringMatch::Kind::exact, std::move(text));
}
StringMatch by_prefix(std::string text) {
  return text_match(StringMatch::Kind::prefix, std::move(text));
}
StringMatch by_regex(std::string text) {
  return text_match(StringMatch::Kind::regex, std::move(text));
}

// Services web (80 http, 90 tcp, 53 udp) and api (8080) of namespace shop, and a client in it.
class Shop {
 public:
  Shop() {
    KubernetesService web;
    web.meta = {.kind = "Service", .name = "web", .name_space = "shop"};
    web.ports = {
        {.name = "http", .port = 80}, {.name = "tcp", .port = 90}, {.name = "dns", .port = 53, .protocol = "UDP"}};
    KubernetesService api = web;
    api.meta.name = "api";
    api.ports = {{.name = "http", .port = 8080}};
    documents.clusters[0].services = {web, api};
  }

  VirtualService& add(const std::string& name, std::vector<std::string> hosts = {"web"}) {
    VirtualService& service = documents.virtual_services.emplace_back();
    service.meta = {
        .kind = "VirtualService", .name = name, .name_space = "shop", .age = documents.virtual_services.size()};
    service.hosts = std::move(hosts);
    return service;
  }

  [[nodiscard]] Routes routes(std::uint32_t port = 80) const {
    const Registry registry = make_registry(documents);
    const RuleIndex rules(documents.destination_rules, documents.mesh);
    const auto web = registry.of_host("web.shop.svc.cluster.local");
    Routes made = routes_of({.documents = &documents,
                             .registry = &registry,
                             .rules = &rules,
                             .proxy = &proxy,
                             .service = web.front(),
                             .port = port});
    return made;
  }

  [[nodiscard]] Names clusters(std::uint32_t port = 80) const {
    Names names;
    for (const Route& route : routes(port).http) {
      for (const Target& target : route.targets) {
        names.push_back(target.cluster);
      }
    }
    return names;
  }

  [[nodiscard]] std::string in_force() const {
    const VirtualService* const found = virtual_service_for(documents, proxy, "web.shop.svc.cluster.local");
    return found == nullptr ? "" : found->meta.name;
  }

  Documents documents;
  Proxy proxy{.name_space = "shop", .labels = {{"app", "client"}}};
};

HttpRoute route_to(const std::string& host, std::vector<HttpMatchRequest> matches = {}) {
  HttpRoute route;
  route.match = std::move(matches);
  route.route = {{.destination = {.host = host}}};
  return route;
}

constexpr const char* web_80 = "outbound|80||web.shop.svc.cluster.local";
constexpr const char* api_8080 = "outbound|8080||api.shop.svc.cluster.local";

// The only matcher of a route that has `match`.
HeaderMatcher matcher_of(HttpMatchRequest match) {
  Shop shop;
  shop.add("one").http = {route_to("web", {std::move(match)})};
  const Routes routes = shop.routes();
  REQUIRE(routes.http.size() == 1);
  REQUIRE(routes.http[0].match.headers.size() == 1);
  return routes.http[0].match.headers[0];
}

}  // namespace

TEST_CASE("istio: without a VirtualService there is one route with the default retries and no timeout") {
  const Routes routes = Shop().routes();
  REQUIRE(routes.http.size() == 1);
  const Route& route = routes.http[0];
  CHECK(route.match.path == "/");
  CHECK(route.targets.at(0).cluster == web_80);
  CHECK(route.timeout == 0s);
  CHECK(route.retry_policy->num_retries == 2);
  CHECK(route.retry_policy->previous_hosts);
  CHECK_FALSE(routes.tcp.has_value());
  CHECK(routes.virtual_service == nullptr);
  CHECK(Shop().routes(53).http.empty());
  CHECK(Shop().routes(81).http.empty());
  Shop gateway;
  gateway.proxy.router = true;
  CHECK(gateway.routes().http.empty());
}

TEST_CASE("istio: a VirtualService counts with gateways absent or naming mesh, exported to the client") {
  Shop shop;
  CHECK(shop.in_force().empty());
  VirtualService& service = shop.add("one");
  CHECK(shop.in_force() == "one");
  service.gateways = {"outer"};
  CHECK(shop.in_force().empty());
  service.gateways = {"outer", "mesh"};
  CHECK(shop.in_force() == "one");
  service.exportTo = {"elsewhere"};
  CHECK(shop.in_force().empty());
  service.exportTo = {"elsewhere", "shop"};
  CHECK(shop.in_force() == "one");
}

TEST_CASE(
    "istio: of several VirtualServices exact hosts go first, then longer ones, then private ones, then older ones") {
  Shop shop;
  shop.add("all", {"*"});
  CHECK(shop.in_force() == "all");
  shop.add("long", {"*.shop.svc.cluster.local"});
  shop.add("short", {"*.cluster.local"});
  CHECK(shop.in_force() == "long");
  shop.add("public");
  CHECK(shop.in_force() == "public");
  shop.add("younger");
  CHECK(shop.in_force() == "public");
  shop.add("named").exportTo = {"shop"};
  CHECK(shop.in_force() == "named");
  shop.add("private").exportTo = {"."};
  CHECK(shop.in_force() == "private");
  shop.add("another host", {"api"}).exportTo = {"."};
  CHECK(shop.in_force() == "private");
  shop.documents.virtual_services.clear();
  shop.add("public").exportTo = {"shop", "*"};
  shop.add("named").exportTo = {"shop", "other"};
  CHECK(shop.in_force() == "named");
  shop.documents.virtual_services.clear();
  shop.add("of 2024").meta.created = 1'704'067'200;
  shop.add("of 2020").meta.created = 1'577'836'800;
  CHECK(shop.in_force() == "of 2020");
}

TEST_CASE("istio: a Sidecar that does not import a VirtualService's host leaves it out") {
  Shop shop;
  shop.add("one");
  Sidecar sidecar;
  sidecar.meta.name_space = "shop";
  sidecar.egress = {{.hosts = {"shop/web.shop.svc.cluster.local"}}};
  shop.documents.sidecars = {sidecar};
  CHECK(shop.in_force() == "one");
  shop.documents.sidecars[0].egress = {{.hosts = {"shop/api.shop.svc.cluster.local"}}};
  CHECK(shop.in_force().empty());
}

TEST_CASE("istio: matches are decided by port, gateways, labels and namespace before routes are made") {
  const auto kept = [](HttpMatchRequest match) {
    match.uri = by_prefix("/a");
    Shop shop;
    shop.add("one").http = {route_to("api", {match}), route_to("web")};
    const Names clusters = shop.clusters();
    return clusters.size() == 2;
  };
  CHECK(kept({}));
  CHECK(kept({.port = 80, .gateways = {}}));
  CHECK_FALSE(kept({.port = 81}));
  CHECK(kept({.gateways = {"outer", "mesh"}}));
  CHECK_FALSE(kept({.gateways = {"outer"}}));
  CHECK(kept({.sourceLabels = {{"app", "client"}}}));
  CHECK_FALSE(kept({.sourceLabels = {{"app", "other"}}}));
  CHECK(kept({.sourceNamespace = "shop"}));
  CHECK_FALSE(kept({.sourceNamespace = "other"}));
}

TEST_CASE("istio: a rule without matches or with a bare prefix ends the list") {
  const auto routes_before = [](const HttpMatchRequest& match) {
    Shop shop;
    shop.add("one").http = {route_to("api", {match}), route_to("web"), route_to("api")};
    return shop.clusters();
  };
  const Names ended = {api_8080};
  const Names both = {api_8080, web_80};
  CHECK(routes_before({.uri = by_prefix("/")}) == ended);
  CHECK(routes_before({.uri = by_prefix("/a")}) == both);
  CHECK(routes_before({.uri = exactly("/")}) == both);
  CHECK(routes_before({.uri = by_regex("*")}) == ended);
  CHECK(routes_before({.uri = by_regex(".*")}) == both);
  CHECK(routes_before({.uri = by_prefix("/"), .headers = {{"x", exactly("1")}}}) == both);
  CHECK(routes_before({.uri = by_prefix("/"), .queryParams = {{"x", exactly("1")}}}) == both);
  CHECK(routes_before({.sourceNamespace = "shop"}) == ended);
}

TEST_CASE("istio: matches become Envoy's, an empty one and the pattern of a star ask for presence alone") {
  using Kind = HeaderMatcher::Kind;
  CHECK(matcher_of({.headers = {{"x", exactly("a")}}}) ==
        HeaderMatcher{.name = "x", .kind = Kind::exact, .value = "a"});
  CHECK(matcher_of({.headers = {{"x", by_prefix("a")}}}) ==
        HeaderMatcher{.name = "x", .kind = Kind::prefix, .value = "a"});
  CHECK(matcher_of({.headers = {{"x", by_regex("a.")}}}) ==
        HeaderMatcher{.name = "x", .kind = Kind::regex, .value = "a."});
  CHECK(matcher_of({.headers = {{"x", by_regex("*")}}}) == HeaderMatcher{.name = "x"});
  CHECK(matcher_of({.headers = {{"x", exactly("*")}}}) ==
        HeaderMatcher{.name = "x", .kind = Kind::exact, .value = "*"});
  CHECK(matcher_of({.headers = {{"x", {}}}}) == HeaderMatcher{.name = "x"});
  CHECK(
      matcher_of({.withoutHeaders = {{"x", exactly("a")}}}) ==
      HeaderMatcher{
          .name = "x", .kind = Kind::exact, .value = "a", .invert_match = true, .treat_missing_header_as_empty = true});
  CHECK(matcher_of({.withoutHeaders = {{"x", {}}}}) == HeaderMatcher{.name = "x", .invert_match = true});
  CHECK(matcher_of({.scheme = exactly("http")}) ==
        HeaderMatcher{.name = ":scheme", .kind = Kind::exact, .value = "http"});
  CHECK(matcher_of({.method = exactly("GET")}).name == ":method");
  CHECK(matcher_of({.authority = by_prefix("a")}) ==
        HeaderMatcher{.name = ":authority", .kind = Kind::prefix, .value = "a"});

  Shop shop;
  shop.add("one").http = {route_to("web", {{.uri = exactly("/a"),
                                            .method = exactly("GET"),
                                            .headers = {{"b", {}}, {"z", {}}},
                                            .withoutHeaders = {{"a", {}}},
                                            .queryParams = {{"p", by_regex("*")}, {"q", by_prefix("1")}},
                                            .ignoreUriCase = true}})};
  const RouteMatch match = shop.routes().http.at(0).match;
  CHECK(match.path == "/a");
  CHECK(match.path_kind == RouteMatch::PathKind::path);
  CHECK_FALSE(match.case_sensitive);
  Names headers;
  for (const HeaderMatcher& header : match.headers) {
    headers.push_back(header.name);
  }
  CHECK(headers == Names{"a", "b", "z", ":method"});
  using Query = envoy::routes::QueryParameterMatcher;
  CHECK(match.query_parameters ==
        std::vector<Query>{{.name = "p"}, {.name = "q", .kind = Query::Kind::prefix, .value = "1"}});
}

TEST_CASE("istio: a destination's port is its own, else the only one of the service, else the listener's") {
  const auto cluster_of = [](const Destination& destination) {
    Shop shop;
    shop.add("one").http = {route_to("web")};
    shop.documents.virtual_services[0].http[0].route = {{.destination = destination}};
    return shop.clusters().at(0);
  };
  CHECK(cluster_of({.host = "web"}) == web_80);
  CHECK(cluster_of({.host = "web", .port = 90}) == "outbound|90||web.shop.svc.cluster.local");
  CHECK(cluster_of({.host = "api"}) == api_8080);
  CHECK(cluster_of({.host = "api", .port = 81}) == "outbound|81||api.shop.svc.cluster.local");
  CHECK(cluster_of({.host = "api", .subset = "v1"}) == "outbound|8080|v1|api.shop.svc.cluster.local");
  CHECK(cluster_of({.host = "nobody"}) == "outbound|80||nobody.shop.svc.cluster.local");
  CHECK(cluster_of({.host = "web.other"}) == "outbound|80||web.other");
}

TEST_CASE("istio: requests for a service of type ExternalName go to the host that it names") {
  Shop shop;
  KubernetesService alias;
  alias.meta = {.kind = "Service", .name = "alias", .name_space = "shop"};
  alias.type = "ExternalName";
  alias.externalName = "example.com";
  alias.ports = {{.name = "http", .port = 81}};
  shop.documents.clusters[0].services.push_back(alias);
  shop.add("one").http = {route_to("alias")};
  const Routes routes = shop.routes();
  CHECK(routes.http.at(0).targets.at(0).cluster == "outbound|81||example.com");
  CHECK(routes.http[0].targets[0].host == "example.com");
}

TEST_CASE("istio: of several destinations those of weight 0 are left out, and one alone counts whatever its weight") {
  Shop shop;
  VirtualService& service = shop.add("one");
  service.http = {route_to("web")};
  service.http[0].route = {{.destination = {.host = "web"}, .weight = 0},
                           {.destination = {.host = "api"}, .weight = 1}};
  CHECK(shop.clusters() == Names{api_8080});
  CHECK(shop.routes().http[0].weighted);
  service.http[0].route.pop_back();
  CHECK(shop.clusters() == Names{web_80});
  CHECK_FALSE(shop.routes().http[0].weighted);
}

TEST_CASE("istio: a route of one destination that hashes keeps its host, one of several adds a policy for each") {
  Shop shop;
  DestinationRule rule;
  rule.meta = {.kind = "DestinationRule", .name = "web", .name_space = "shop"};
  rule.host = "web";
  rule.trafficPolicy.emplace().loadBalancer.emplace().consistentHash.emplace().httpHeaderName = "x-user";
  shop.documents.destination_rules = {rule};
  // Without a VirtualService the predicate stays.
  CHECK(shop.routes().http.at(0).hash_policy.size() == 1);
  CHECK(shop.routes().http[0].retry_policy->previous_hosts);
  VirtualService& service = shop.add("one");
  service.http = {route_to("web")};
  CHECK(shop.routes().http.at(0).hash_policy.size() == 1);
  CHECK_FALSE(shop.routes().http[0].retry_policy->previous_hosts);
  service.http = {route_to("api")};
  CHECK(shop.routes().http.at(0).hash_policy.empty());
  CHECK(shop.routes().http[0].retry_policy->previous_hosts);
  service.http[0].route = {{.destination = {.host = "web"}, .weight = 1},
                           {.destination = {.host = "web"}, .weight = 2}};
  CHECK(shop.routes().http.at(0).hash_policy.size() == 2);
  CHECK(shop.routes().http[0].retry_policy->previous_hosts);
}

TEST_CASE("istio: hash keys become policies, the first that is there") {
  using namespace envoy::routes;
  ConsistentHash hash;
  CHECK_FALSE(to_envoy(hash).has_value());
  hash.httpQueryParameterName = "q";
  CHECK(std::get<QueryParameterHash>(to_envoy(hash)->policy_specifier).name == "q");
  hash.useSourceIp = true;
  CHECK(std::get<ConnectionPropertiesHash>(to_envoy(hash)->policy_specifier).source_ip);
  hash.httpCookie = {.name = "c", .path = "/p", .ttl = 90s};
  const auto cookie = std::get<CookieHash>(to_envoy(hash)->policy_specifier);
  CHECK(cookie.name == "c");
  CHECK(cookie.path == "/p");
  CHECK(cookie.ttl_seconds == 90);
  hash.httpCookie->ttl.reset();
  CHECK_FALSE(std::get<CookieHash>(to_envoy(hash)->policy_specifier).ttl_seconds.has_value());
  hash.httpHeaderName = "h";
  CHECK(std::get<HeaderHash>(to_envoy(hash)->policy_specifier).header_name == "h");
}

TEST_CASE("istio: a TCP route that concerns the port leads to its clusters, else the service's own is used") {
  Shop shop;
  VirtualService& service = shop.add("one");
  CHECK(shop.routes(90).tcp->targets.at(0).cluster == "outbound|90||web.shop.svc.cluster.local");
  service.tcp = {{.match = {{.port = 91}, {.port = 92}}, .route = {{.destination = {.host = "web"}}}},
                 {.match = {{.port = 91}, {.port = 90}}, .route = {{.destination = {.host = "api"}}}},
                 {.match = {}, .route = {{.destination = {.host = "web"}}}}};
  CHECK(shop.routes(90).tcp->targets.at(0).cluster == api_8080);
  CHECK_FALSE(shop.routes(90).tcp->weighted);
  service.tcp[1].route = {{.destination = {.host = "web", .port = 90}, .weight = 1},
                          {.destination = {.host = "api"}, .weight = 0},
                          {.destination = {.host = "api"}, .weight = 3}};
  const auto proxy = shop.routes(90).tcp;
  REQUIRE(proxy->targets.size() == 2);
  CHECK(proxy->weighted);
  CHECK(proxy->targets[0].weight == 1);
  CHECK(proxy->targets[1].weight == 3);
  CHECK(shop.routes(90).http.empty());
  service.tcp.erase(service.tcp.begin() + 1);
  CHECK(shop.routes(90).tcp->targets.at(0).cluster == "outbound|90||web.shop.svc.cluster.local");
  service.tcp.pop_back();
  CHECK(shop.routes(90).tcp->targets.at(0).cluster == "outbound|90||web.shop.svc.cluster.local");
  CHECK(shop.routes(90).tcp->targets[0].weight == 100);
}

TEST_CASE("istio: of TCP only a source address is hashed") {
  Shop shop;
  DestinationRule rule;
  rule.meta = {.kind = "DestinationRule", .name = "web", .name_space = "shop"};
  rule.host = "web";
  ConsistentHash& hash = rule.trafficPolicy.emplace().loadBalancer.emplace().consistentHash.emplace();
  hash.httpHeaderName = "x-user";
  const auto hashes = [&] {
    shop.documents.destination_rules = {rule};
    return shop.routes(90).tcp->source_ip_hash;
  };
  CHECK_FALSE(hashes());
  hash.httpHeaderName.clear();
  hash.useSourceIp = false;
  CHECK_FALSE(hashes());
  hash.useSourceIp = true;
  CHECK(hashes());
  VirtualService& service = shop.add("one");
  service.tcp = {{.match = {}, .route = {{.destination = {.host = "web", .port = 90}}}}};
  CHECK(hashes());
  service.tcp = {{.match = {}, .route = {{.destination = {.host = "api"}}}}};
  CHECK_FALSE(hashes());
}

TEST_CASE("istio: mirrors of nothing are left out, and one whose percentage is not said gets all") {
  Shop shop;
  HttpRoute route = route_to("web");
  route.mirrors = {{.destination = {.host = "api"}},
                   {.destination = {.host = "web"}, .percentage = 0.0},
                   {.destination = {.host = "web"}, .percentage = 0.5}};
  route.timeout = 3s;
  route.name = "r";
  route.match = {{.name = "m", .uri = by_prefix("/m")}, {.uri = by_prefix("/n")}};
  shop.add("one").http = {route};
  const auto routes = shop.routes().http;
  REQUIRE(routes.size() == 2);
  REQUIRE(routes[0].mirrors.size() == 2);
  CHECK(routes[0].mirrors[0].cluster == api_8080);
  CHECK(routes[0].mirrors[0].percent == 100.0);
  CHECK(routes[0].mirrors[1].percent == 0.5);
  CHECK(routes[0].timeout == 3s);
  CHECK(routes[0].name == "r.m");
  CHECK(routes[1].name == "r");
}

TEST_CASE("istio: a redirect goes to no cluster") {
  Shop shop;
  HttpRoute route = route_to("web");
  route.other = "redirect";
  route.rewrite_uri = "/";
  shop.add("one").http = {route};
  CHECK(shop.clusters().empty());
  CHECK(shop.routes().http.at(0).prefix_rewrite.empty());
}

TEST_CASE("istio: retries follow the route, else the mesh, and numbers among their conditions become codes") {
  Shop shop;
  shop.documents.mesh.defaultHttpRetryPolicy = HttpRetry{.attempts = 7};
  CHECK(shop.routes().http.at(0).retry_policy->num_retries == 7);
  VirtualService& service = shop.add("one");
  service.http = {route_to("web")};
  CHECK(shop.routes().http.at(0).retry_policy->num_retries == 7);
  service.http[0].retries = HttpRetry{.attempts = 1,
                                      .perTryTimeout = 2s,
                                      .retryOn = "503",
                                      .retryRemoteLocalities = true,
                                      .retryIgnorePreviousHosts = false,
                                      .backoff = 5ms};
  const RetryPolicy policy = *shop.routes().http.at(0).retry_policy;
  CHECK(policy.num_retries == 1);
  CHECK(policy.per_try_timeout == 2s);
  CHECK(policy.retry_on == ",retriable-status-codes");
  CHECK(policy.retriable_status_codes == std::vector<std::uint32_t>{503});
  CHECK(policy.previous_priorities);
  CHECK_FALSE(policy.previous_hosts);
  CHECK(policy.base_interval == Duration(5ms));
  const config::RetryPolicy made = to_envoy(policy);
  CHECK(made.previous_priorities_update_frequency == 2);
  CHECK(made.retry_host_predicate.empty());
  CHECK(made.host_selection_retry_max_attempts == 5);
  service.http[0].retries = HttpRetry{};
  CHECK_FALSE(shop.routes().http.at(0).retry_policy.has_value());
}

// Go's net/http: StatusText is empty for all others.
TEST_CASE("istio: status codes are those that have a name, at the edges of each range") {
  const auto codes = [](const std::string& retry_on) {
    return retry_policy_of(HttpRetry{.attempts = 1, .retryOn = retry_on}, false)->retriable_status_codes.size();
  };
  for (const char* const named : {"100", "103", "200", "208", "226", "300", "305", "307", "308", "400", "418",
                                  "421", "426", "428", "429", "431", "451", "500", "508", "510", "511"}) {
    INFO(named);
    CHECK(codes(named) == 1);
  }
  for (const char* const nameless : {"99",  "104", "199", "209", "225", "227", "299", "306", "309", "399",
                                     "419", "420", "427", "430", "432", "450", "452", "499", "509", "512"}) {
    INFO(nameless);
    CHECK(codes(nameless) == 0);
  }
  const auto text = [](const std::string& retry_on) {
    return retry_policy_of(HttpRetry{.attempts = 1, .retryOn = retry_on}, false)->retry_on;
  };
  CHECK(text("reset, 503 ,,retriable-status-codes") == "reset,retriable-status-codes");
  CHECK(text("5xx") == "5xx");
  CHECK(text("503x") == "503x");
}

}  // namespace spillway::istio
