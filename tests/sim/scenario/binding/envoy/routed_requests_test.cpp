// A request's way through listeners and routes of Envoy's documents. Rules: Envoy's router/config_impl.cc and its
// documentation of HTTP routing.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

using Names = std::vector<std::string>;

std::string listener(const std::string& name, const std::string& manager, int port = 80) {
  return "  - name: " + name +
         "\n    address: { socket_address: { address: 0.0.0.0, port_value: " + std::to_string(port) +
         " } }\n    filter_chains:\n    - filters:\n      - name: hcm\n        typed_config: { \"@type\": "
         "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
         "stat_prefix: x, " +
         manager + " }\n";
}

std::string bootstrap(const std::string& listeners) {
  std::string text = "static_resources:\n  listeners:\n" + listeners + "  clusters:\n";
  for (const char* const name : {"a", "b", "c", "d"}) {
    text +=
        std::string("  - { name: ") + name + ", load_assignment: { cluster_name: " + name +
        ", endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 "
        "} } } }] }] } }\n";
  }
  return text;
}

std::string routes(const std::string& hosts) {
  return "route_config: { name: r, virtual_hosts: [" + hosts + "] }";
}

Reading ask(const std::string& text, const proxy::RequestDescription& request) {
  return read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = "", .request = request});
}

// The clusters that a request goes to, or the codes of what is wrong.
Names clusters(const std::string& text, const proxy::RequestDescription& request) {
  const Reading reading = ask(text, request);
  UNSCOPED_INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  if (!reading.scenario) {
    return test::codes_of(reading.diagnostics);
  }
  Names names;
  for (const auto& cluster : reading.scenario->routes.at(0).route.action.clusters) {
    names.push_back(cluster.name);
  }
  return names;
}

proxy::RequestDescription to(const std::string& host, const std::string& path = "/",
                             std::vector<std::pair<std::string, std::string>> headers = {}) {
  return {.listener = "", .host = host, .path = path, .headers = std::move(headers)};
}

}  // namespace

TEST_CASE("The virtual host is the one whose domain fits best", "[envoy][dump]") {
  const auto host = [](const std::string& domain, const std::string& cluster) {
    return "{ name: " + cluster + ", domains: ['" + domain +
           "'], routes: [{ match: { prefix: / }, route: { cluster: " + cluster + " } }] }";
  };
  const std::string text = bootstrap(listener("in", routes(host("*", "d") + ", " + host("shop.*", "c") + ", " +
                                                           host("*.example", "b") + ", " + host("shop.example", "a"))));
  CHECK(clusters(text, to("shop.example")) == Names{"a"});
  CHECK(clusters(text, to("SHOP.Example")) == Names{"a"});
  CHECK(clusters(text, to("cart.example")) == Names{"b"});
  CHECK(clusters(text, to("shop.test")) == Names{"c"});
  CHECK(clusters(text, to("other.test")) == Names{"d"});
}

TEST_CASE("Of virtual hosts with stars the longest ending counts, then the longest beginning, and a star is something",
          "[envoy][dump]") {
  const auto host = [](const std::string& domain, const std::string& cluster) {
    return "{ name: " + cluster + ", domains: ['" + domain +
           "'], routes: [{ match: { prefix: / }, route: { cluster: " + cluster + " } }] }";
  };
  const std::string text =
      bootstrap(listener("in", routes(host("*.example", "a") + ", " + host("*.shop.example", "b") + ", " +
                                      host("shop.*", "c") + ", " + host("shop.cart.*", "d"))));
  CHECK(clusters(text, to("x.shop.example")) == Names{"b"});
  CHECK(clusters(text, to("shop.example")) == Names{"a"});
  CHECK(clusters(text, to(".shop.example")) == Names{"a"});
  CHECK(clusters(text, to("shop.cart.test")) == Names{"d"});
  CHECK(clusters(text, to("shop.test")) == Names{"c"});
  CHECK(clusters(text, to("shop.")) == Names{"SP150"});
}

TEST_CASE("Of a virtual host's routes the first that matches counts", "[envoy][dump]") {
  const std::string text = bootstrap(listener(
      "in",
      routes(
          "{ name: v, domains: ['*'], routes: ["
          "{ match: { path_separated_prefix: /cart }, route: { cluster: a } },"
          "{ match: { prefix: /, query_parameters: [{ name: beta, string_match: { exact: '1' } }] }, route: { cluster: "
          "b } },"
          "{ match: { prefix: /, grpc: {} }, route: { cluster: c } },"
          "{ match: { prefix: /, headers: [{ name: x-user, string_match: { prefix: u } }] }, route: { "
          "weighted_clusters: { "
          "clusters: [{ name: a, weight: 30 }, { name: b, weight: 70 }] } } },"
          "{ match: { prefix: /old }, redirect: { path_redirect: / } },"
          "{ match: { prefix: /some, runtime_fraction: { default_value: { numerator: 5 } } }, route: { cluster: a } },"
          "{ match: { prefix: /d }, route: { cluster: d } }] }")));
  CHECK(clusters(text, to("x", "/cart")) == Names{"a"});
  CHECK(clusters(text, to("x", "/cart/1?beta=1")) == Names{"a"});
  CHECK(clusters(text, to("x", "/carts?beta=1")) == Names{"b"});
  CHECK(clusters(text, to("x", "/d", {{"content-type", "application/grpc+proto"}})) == Names{"c"});
  CHECK(clusters(text, to("x", "/d", {{"x-user", "u7"}})) == Names{"a", "b"});
  CHECK(clusters(text, to("x", "/d")) == Names{"d"});
  CHECK(clusters(text, to("x", "/old/1")) == Names{"SP151"});
  CHECK(clusters(text, to("x", "/none")) == Names{"SP150"});
  CHECK(clusters(text, to("x", "/something")) == Names{"SP301"});
}

// By yaml-cpp; a live Envoy 1.40 has 8 to 16 of these.
TEST_CASE("Numbers with a leading zero are octal in YAML of Envoy's, and words are booleans", "[envoy][dump]") {
  const std::string text = bootstrap(listener(
      "in", routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: /, case_sensitive: off }, route: { "
                   "weighted_clusters: { clusters: [{ name: a, weight: 010 }, { name: b, weight: 0x10 }] } } }] }")));
  const Reading reading = ask(text, to("x"));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  const auto& route = reading.scenario->routes.at(0).route;
  CHECK_FALSE(route.match.case_sensitive);
  CHECK(route.action.clusters.at(0).weight == 8);
  CHECK(route.action.clusters.at(1).weight == 16);
}

TEST_CASE("Values of static runtime layers are those of routes that name their keys", "[envoy][dump]") {
  const auto fraction = [](const std::string& key, const std::string& cluster) {
    return "{ match: { prefix: /" + key + ", runtime_fraction: { default_value: { numerator: 100 }, runtime_key: f." +
           key + " } }, route: { cluster: " + cluster + " } },";
  };
  const std::string layers =
      "layered_runtime:\n  layers:\n"
      "  - { name: one, static_layer: { w: { a: 90, b: 10 }, f: { off: 0, text: '0', below: -1, ten: { numerator: "
      "2500, "
      "denominator: TEN_THOUSAND } } } }\n"
      "  - { name: two, static_layer: { w.b: 30 } }\n";
  const std::string text =
      bootstrap(
          listener("in", routes("{ name: v, domains: ['*'], routes: [" + fraction("off", "a") + fraction("text", "a") +
                                fraction("below", "b") + fraction("ten", "c") + fraction("unset", "c") +
                                "{ match: { prefix: /w }, route: { weighted_clusters: { runtime_key_prefix: w, "
                                "clusters: [{ name: a, weight: 50 }, { name: b, weight: 50 }] } } },"
                                "{ match: { prefix: / }, route: { cluster: d } }] }"))) +
      layers;
  // As an Envoy 1.40.0 answered, which sent 758 of 1,000 requests of /w to the first cluster.
  CHECK(clusters(text, to("x", "/off")) == Names{"d"});
  CHECK(clusters(text, to("x", "/text")) == Names{"d"});
  CHECK(clusters(text, to("x", "/below")) == Names{"b"});
  CHECK(clusters(text, to("x", "/unset")) == Names{"c"});
  CHECK(clusters(text, to("x", "/ten")) == Names{"c", "d"});
  const Reading split = ask(text, to("x", "/w"));
  REQUIRE(split.scenario.has_value());
  const auto& weighted = split.scenario->routes.at(0).route.action.clusters;
  REQUIRE(weighted.size() == 2);
  CHECK(weighted[0].weight == 90);
  CHECK(weighted[1].weight == 30);
}

TEST_CASE("A request says its listener where listeners differ", "[envoy][dump]") {
  const auto all_to = [](const std::string& cluster) {
    return routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { cluster: " + cluster +
                  " } }] }");
  };
  const std::string text = bootstrap(listener("in", all_to("a")) + listener("out", all_to("b"), 81));
  CHECK(clusters(text, to("x")) == Names{"SP152"});
  CHECK(clusters(text, {.listener = "out", .host = "x"}) == Names{"b"});
  CHECK(clusters(text, {.listener = ":80", .host = "x"}) == Names{"a"});
  CHECK(clusters(text, {.listener = "0.0.0.0:81", .host = "x"}) == Names{"b"});
  CHECK(clusters(text, {.listener = "none", .host = "x"}) == Names{"SP150"});
}

TEST_CASE("A listener that only forwards connections is no 404 of a request", "[envoy][dump]") {
  const std::string text = bootstrap(
      "  - name: db\n    address: { socket_address: { address: 0.0.0.0, port_value: 5432 } }\n    filter_chains: [{ "
      "filters: [{ name: tcp, typed_config: { \"@type\": type.googleapis.com/"
      "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: x, cluster: a } }] }]\n");
  const Reading reading = ask(text, {.listener = "", .host = "x"});
  REQUIRE(reading.diagnostics.size() == 1);
  const Diagnostic& problem = reading.diagnostics.front();
  CHECK(problem.code == "SP150");
  CHECK(problem.label == "this TCP proxy forwards connections, and reads no requests");
  CHECK(problem.notes.empty());
  CHECK(problem.helps == Names{"--listener describes a connection that a TCP proxy forwards: `db`"});
  CHECK(clusters(text, {.listener = "db", .host = "x"}) == Names{"a"});
}

TEST_CASE("Routes are found by RDS and by scope", "[envoy][dump]") {
  const auto configuration = [](const std::string& name, const std::string& cluster) {
    return "{ \"@type\": type.googleapis.com/envoy.config.route.v3.RouteConfiguration, name: " + name +
           ", virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { cluster: " +
           cluster + " } }] }] }";
  };
  const auto scope = [](const std::string& key, const std::string& name) {
    return "{ \"@type\": type.googleapis.com/envoy.config.route.v3.ScopedRouteConfiguration, name: " + key +
           ", route_configuration_name: " + name + ", key: { fragments: [{ string_key: " + key + " }] } }";
  };
  const auto ask_of = [&](const std::string& manager, const proxy::RequestDescription& request) {
    const Reading reading =
        read_envoy_texts({{"bootstrap.yaml", bootstrap(listener("in", manager))},
                          {"rds.yaml", "resources: [" + configuration("one", "a") + ", " + configuration("two", "b") +
                                           ", " + scope("blue", "one") + ", " + scope("green", "two") + "]"}},
                         {.cluster = "", .request = request});
    UNSCOPED_INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    return reading.scenario ? reading.scenario->routes[0].route.action.clusters[0].name
                            : reading.diagnostics.front().code;
  };
  CHECK(ask_of("rds: { route_config_name: two }", to("x")) == "b");
  CHECK(ask_of("rds: { route_config_name: three }", to("x")) == "SP150");
  const std::string scoped =
      "scoped_routes: { name: s, scoped_rds: {}, scope_key_builder: { fragments: [{ header_value_extractor: { name: "
      "x-set, element_separator: ';', element: { key: color, separator: '=' } } }] } }";
  CHECK(ask_of(scoped, to("x", "/", {{"x-set", "size=1;color=green"}})) == "b");
  CHECK(ask_of(scoped, to("x", "/", {{"x-set", "color=blue"}})) == "a");
  CHECK(ask_of(scoped, to("x")) == "SP150");
}

TEST_CASE("A route brings retries, hash policies and timeouts, its own before those around it", "[envoy][dump]") {
  const std::string text = bootstrap(listener(
      "in",
      "http_filters: [{ name: sessions, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession, session_state: { name: "
      "c, "
      "typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, "
      "cookie: { name: host } } } } }, { name: mine, typed_config: { \"@type\": type.googleapis.com/my.Filter } }], " +
          routes("{ name: v, domains: ['*'], retry_policy: { retry_on: 5xx, num_retries: 3 }, routes: ["
                 "{ match: { prefix: /own }, request_headers_to_add: [{ header: { key: x, value: y } }], route: { "
                 "cluster: a, "
                 "timeout: 2s, hash_policy: [], request_mirror_policies: [{ cluster: b }], retry_policy: { retry_on: "
                 "reset } } },"
                 "{ match: { prefix: / }, typed_per_filter_config: { sessions: { \"@type\": "
                 "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute, "
                 "disabled: true } }, "
                 "route: { cluster: b, hash_policy: [{ header: { header_name: x-user } }] } }] }")));
  const Reading plain = ask(text, to("x", "/"));
  INFO(documents::render_diagnostics(plain.diagnostics, plain.sources));
  REQUIRE(plain.scenario.has_value());
  const Route& route = plain.scenario->routes[0];
  CHECK(route.route.action.hash_policy.size() == 1);
  REQUIRE(route.retry_policy.has_value());
  CHECK(route.retry_policy->num_retries == 3);
  CHECK_FALSE(route.stateful_session.has_value());
}

TEST_CASE("A TCP proxy's listener goes to its clusters", "[envoy][dump]") {
  const std::string proxy =
      "  - name: db\n    filter_chains:\n    - filters:\n      - name: tcp\n        typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: x, weighted_clusters: "
      "{ "
      "clusters: [{ name: a, weight: 1 }, { name: b, weight: 3 }] } }\n";
  CHECK(clusters(bootstrap(proxy), {.listener = "db", .host = ""}) == Names{"a", "b"});
}

TEST_CASE("a filter chain is chosen by the server name that the request's host is, and named by what it takes") {
  const auto chain = [](const std::string& match, const std::string& cluster) {
    return "    - filter_chain_match: " + match +
           "\n      filters:\n      - name: hcm\n        typed_config: { \"@type\": "
           "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
           "stat_prefix: x, route_config: { virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / "
           "}, route: { cluster: " +
           cluster + " } }] }] } }\n";
  };
  const std::string text = bootstrap(
      "  - name: in\n    address: { socket_address: { address: 0.0.0.0, port_value: 443 } }\n    listener_filters: [{ "
      "name: tls, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector } }]\n    filter_chains:\n" +
      chain("{ server_names: [shop.example] }", "a") + chain("{ server_names: ['*.example'] }", "b") +
      chain("{ server_names: ['*.shop.example'] }", "c") +
      chain("{ source_prefix_ranges: [{ address_prefix: "
            "10.0.0.0, prefix_len: 8 }] }",
            "d"));
  const auto over_tls = [](const std::string& host) { return to(host, "/", {{":scheme", "https"}}); };
  // The longest suffix is taken, as Envoy's listener documentation says.
  CHECK(clusters(text, over_tls("shop.example")) == Names{"a"});
  CHECK(clusters(text, over_tls("shop.example:443")) == Names{"a"});
  CHECK(clusters(text, over_tls("other.example")) == Names{"b"});
  CHECK(clusters(text, over_tls("deep.shop.example")) == Names{"c"});
  const Reading reading = ask(text, over_tls("shop.example"));
  REQUIRE(reading.scenario);
  CHECK(reading.scenario->assumptions.front().find("filter chain of server_names `shop.example`") != std::string::npos);
  // None names another host's chain, so that several may take it; each is told by what it takes.
  const Reading several = ask(text, to(""));
  CHECK(test::codes_of(several.diagnostics) == Names{"SP152"});
  CHECK(documents::render_diagnostics(several.diagnostics, several.sources).find("source_prefix_ranges `10.0.0.0/8`") !=
        std::string::npos);
}

// A request whose source is not described may come by either chain.
TEST_CASE("a filter chain that answers itself is a way of its own") {
  const auto chain = [](const std::string& match, const std::string& route) {
    return "    - filter_chain_match: " + match +
           "\n      filters:\n      - name: hcm\n        typed_config: { \"@type\": "
           "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
           "stat_prefix: x, route_config: { virtual_hosts: [{ name: v, domains: ['*'], routes: [" +
           route + "] }] } }\n";
  };
  const auto of_chains = [&](const std::string& plain) {
    return bootstrap(
        "  - name: in\n    address: { socket_address: { address: 0.0.0.0, port_value: 443 } }\n"
        "    filter_chains:\n" +
        chain("{ source_prefix_ranges: [{ address_prefix: 10.0.0.0, prefix_len: 8 }] }",
              "{ match: { prefix: / }, route: { cluster: a } }") +
        chain("{}", plain));
  };
  for (const char* const plain : {"{ match: { prefix: / }, redirect: { https_redirect: true } }",
                                  "{ match: { prefix: / }, direct_response: { status: 200 } }",
                                  "{ match: { prefix: /only }, route: { cluster: b } }"}) {
    INFO(plain);
    const Reading reading = ask(of_chains(plain), to("x"));
    CHECK(test::codes_of(reading.diagnostics) == Names{"SP152"});
    CHECK(documents::render_diagnostics(reading.diagnostics, reading.sources).find(": to no cluster") !=
          std::string::npos);
    proxy::RequestDescription inside = to("x");
    inside.source = "10.1.2.3:40000";
    CHECK(clusters(of_chains(plain), inside) == Names{"a"});
  }
  CHECK(clusters(of_chains("{ match: { prefix: / }, route: { cluster: a } }"), to("x")) == Names{"a"});
}

TEST_CASE("require_tls of a virtual host also holds for requests that no route takes") {
  const std::string text = bootstrap(
      listener("in", routes("{ name: v, domains: ['*'], require_tls: ALL, routes: [{ match: { prefix: /a }, route: { "
                            "cluster: a } }] }")));
  CHECK(clusters(text, to("h", "/z")) == Names{"SP151"});
  CHECK(clusters(text, to("h", "/z", {{"x-forwarded-proto", "https"}})) == Names{"SP150"});
}

TEST_CASE("a part of weighted clusters without the header that names it ends at the proxy, not the whole request") {
  const std::string text = bootstrap(listener(
      "in",
      routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { weighted_clusters: { clusters: "
             "[{ name: a, weight: 50 }, { cluster_header: x-to, weight: 1 }] } } }] }")));
  const Reading reading = ask(text, to("h"));
  CHECK(test::codes_of(reading.diagnostics) == Names{"SP151"});
  CHECK(reading.diagnostics.back().message == "a part of the requests ends at the proxy");
}

TEST_CASE("a header that names the cluster is taken from the request, and asked for where it is missing") {
  const std::string text = bootstrap(listener(
      "in",
      routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { cluster_header: x-to } }] }")));
  CHECK(clusters(text, to("h", "/", {{"x-to", "b"}})) == Names{"b"});
  CHECK(clusters(text, to("h")) == Names{"SP151"});
  const Reading missing = ask(text, to("h"));
  CHECK(documents::render_diagnostics(missing.diagnostics, missing.sources).find("--header x-to=CLUSTER") !=
        std::string::npos);
  CHECK(clusters(text, to("h", "/", {{"x-to", "none"}})) == Names{"none"});
}

// Each host was asked of a live Envoy 1.40.
TEST_CASE("ignore_port_in_host_matching ignores what follows the last colon", "[envoy]") {
  const std::string text =
      bootstrap(listener("in",
                         "route_config: { name: r, ignore_port_in_host_matching: true, virtual_hosts: ["
                         "{ name: v, domains: [a.com], routes: [{ match: { prefix: / }, route: { cluster: a } }] },"
                         "{ name: w, domains: ['[::1]'], routes: [{ match: { prefix: / }, route: { cluster: b } }] },"
                         "{ name: x, domains: ['*'], routes: [{ match: { prefix: / }, route: { cluster: c } }] }] }"));
  for (const char* const host : {"a.com", "a.com:80", "a.com:q", "a.com:", "a.com:8x"}) {
    INFO(host);
    CHECK(clusters(text, to(host)) == Names{"a"});
  }
  for (const char* const host : {"[::1]", "[::1]:80", "[::1]:q"}) {
    INFO(host);
    CHECK(clusters(text, to(host)) == Names{"b"});
  }
  for (const char* const host : {"a.com:1:2", "[::1", "a.com]:80"}) {
    INFO(host);
    CHECK(clusters(text, to(host)) == Names{"c"});
  }
}

TEST_CASE("headers name weighted clusters too, and those without a weight do not count", "[envoy]") {
  const auto split = [](const char* weight) {
    return bootstrap(listener(
        "in", routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { weighted_clusters: { "
                     "clusters: [{ cluster_header: x-to, weight: " +
                     std::string(weight) + " }, { name: a, weight: 1 }] } } }] }")));
  };
  CHECK(clusters(split("9"), to("h", "/", {{"x-to", "b"}})) == Names{"b", "a"});
  CHECK(clusters(split("9"), to("h", "/", {{"x-to", "none"}})) == Names{"none", "a"});
  CHECK(clusters(split("9"), to("h")) == Names{"SP151"});
  CHECK(clusters(split("0"), to("h")) == Names{"a"});
  // A header with a number chooses first: 9 of 10 numbers are of the cluster that is not named.
  const std::string text = bootstrap(listener(
      "in",
      routes("{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { weighted_clusters: { header_name: "
             "x-w, clusters: [{ cluster_header: x-to, weight: 9 }, { name: a, weight: 1 }] } } }] }")));
  CHECK(clusters(text, to("h", "/", {{"x-w", "9"}})) == Names{"a"});
  CHECK(clusters(text, to("h", "/", {{"x-w", "8"}})) == Names{"SP151"});
  CHECK(clusters(text, to("h", "/", {{"x-w", "8"}, {"x-to", "b"}})) == Names{"b"});
}

// Envoy 1.40: `--mode validate` of the second says "route: unknown weighted cluster 'none'"; with validate_clusters:
// false, by RDS and by cluster_header it answers with a 503 and counts http.no_cluster.
TEST_CASE("a cluster that is not there fails its part of the requests where Envoy does not look for it", "[envoy]") {
  const auto split = [](const std::string& settings) {
    return "route_config: { name: r, " + settings +
           "virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { weighted_clusters: { "
           "clusters: [{ name: a, weight: 9 }, { name: none, weight: 1 }] } } }] }] }";
  };
  const std::string unchecked = bootstrap(listener("in", split("validate_clusters: false, ")));
  CHECK(clusters(unchecked, to("h")) == Names{"a", "none"});
  CHECK(clusters(bootstrap(listener("in", split(""))), to("h")) == Names{"SP103"});
  const Reading reading = ask(unchecked, to("h"));
  REQUIRE(reading.scenario);
  CHECK(test::codes_of(reading.diagnostics) == Names{"SP205"});
  const Scenario& scenario = *reading.scenario;
  const std::vector<config::ServiceIndex>& clusters_of_route = scenario.routes.at(0).clusters;
  CHECK(std::as_const(scenario.services)[clusters_of_route[0].value].missing == nullptr);
  REQUIRE(std::as_const(scenario.services)[clusters_of_route[1].value].missing != nullptr);
  CHECK(std::as_const(scenario.services)[clusters_of_route[1].value].hosts.empty());
}

}  // namespace spillway::scenario
