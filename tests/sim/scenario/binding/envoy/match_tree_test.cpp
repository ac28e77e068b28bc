// Matcher trees of virtual hosts and cluster specifiers, and filter chains. Rules: Envoy's documentation of the generic
// matching API and of FilterChainMatch, and the comments of their proto files.
#include "models/envoy/proxy/match_tree.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "models/envoy/proxy/sample_text.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/route.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

struct TreeWorld {
  static std::string input(const std::string& header) {
    return "{ name: i, typed_config: { \"@type\": "
           "type.googleapis.com/envoy.type.matcher.v3.HttpRequestHeaderMatchInput, header_name: \"" +
           header + "\" } }";
  }
  static std::string to(const std::string& cluster, const std::string& prefix = "/") {
    return "{ action: { name: route, typed_config: { \"@type\": type.googleapis.com/envoy.config.route.v3.Route, "
           "match: "
           "{ prefix: " +
           prefix + " }, route: { cluster: " + cluster + " } } } }";
  }
  static std::string clusters() {
    std::string text = "  clusters:\n";
    for (const char* const name : {"a", "b", "c", "d"}) {
      text += std::string("  - { name: ") + name + ", load_assignment: { cluster_name: " + name +
              ", endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, "
              "port_value: 80 } } } }] }] } }\n";
    }
    return text;
  }
  static std::string manager(const std::string& routes) {
    return "{ name: hcm, typed_config: { \"@type\": "
           "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
           "stat_prefix: x, route_config: { name: r, " +
           routes + " } } }";
  }
  static std::string bootstrap(const std::string& chains, const std::string& further = "") {
    return "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 0.0.0.0, "
           "port_value: 443 } }\n" +
           further + "    filter_chains:\n" + chains + clusters();
  }
  static std::string with_matcher(const std::string& matcher) {
    return bootstrap("    - filters: [" +
                     manager("virtual_hosts: [{ name: v, domains: ['*'], matcher: " + matcher + " }]") + "]\n");
  }
};

// The cluster of a request, or the code of what is wrong.
std::string cluster_by_tree(const std::string& text, const proxy::RequestDescription& request) {
  const Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = "", .request = request});
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  if (!reading.scenario) {
    return test::codes_of(reading.diagnostics).at(0);
  }
  return reading.scenario->routes.at(0).route.action.clusters.at(0).name;
}

proxy::RequestDescription asking(const std::string& path, std::vector<std::pair<std::string, std::string>> headers = {},
                                 const std::string& host = "shop.example") {
  return {.listener = "", .host = host, .path = path, .routes = "", .headers = std::move(headers)};
}

}  // namespace

TEST_CASE("A map of exact values leads to its route, and on_no_match takes the others", "[envoy][dump]") {
  const std::string text = TreeWorld::with_matcher("{ matcher_tree: { input: " + TreeWorld::input("x-version") +
                                                   ", exact_match_map: { map: { v1: " + TreeWorld::to("a") +
                                                   ", v2: " + TreeWorld::to("b", "/cart") +
                                                   " } } }, on_no_match: " + TreeWorld::to("c") + " }");
  CHECK(cluster_by_tree(text, asking("/", {{"x-version", "v1"}})) == "a");
  CHECK(cluster_by_tree(text, asking("/cart", {{"x-version", "v2"}})) == "b");
  // The route that a tree leads to has a match of its own, and no other route is tried.
  CHECK(cluster_by_tree(text, asking("/", {{"x-version", "v2"}})) == "SP150");
  CHECK(cluster_by_tree(text, asking("/", {{"x-version", "v3"}})) == "c");
  CHECK(cluster_by_tree(text, asking("/")) == "c");
}

TEST_CASE("In a map of prefixes the longest one counts, and a shorter one where that matches nothing",
          "[envoy][dump]") {
  const std::string text = TreeWorld::with_matcher(
      "{ matcher_tree: { input: " + TreeWorld::input(":path") +
      ", prefix_match_map: { map: { /: " + TreeWorld::to("a") + ", /shop: " + TreeWorld::to("b") +
      ", /shop/cart: { matcher: { matcher_tree: { input: " + TreeWorld::input("x-user") +
      ", exact_match_map: { map: { u7: " + TreeWorld::to("c") + " } } } } } } } } }");
  CHECK(cluster_by_tree(text, asking("/other")) == "a");
  CHECK(cluster_by_tree(text, asking("/shop/1")) == "b");
  CHECK(cluster_by_tree(text, asking("/shop/cart", {{"x-user", "u7"}})) == "c");
  CHECK(cluster_by_tree(text, asking("/shop/cart")) == "b");
}

TEST_CASE("Of a list of predicates the first that holds leads on", "[envoy][dump]") {
  const auto single = [](const std::string& header, const std::string& match) {
    return "{ single_predicate: { input: " + TreeWorld::input(header) + ", value_match: " + match + " } }";
  };
  const auto when = [](const std::string& predicate, const std::string& then) {
    return "{ predicate: " + predicate + ", on_match: " + then + " }";
  };
  const std::string text = TreeWorld::with_matcher(
      "{ matcher_list: { matchers: [" +
      when("{ and_matcher: { predicate: [" + single("x-a", "{ exact: '1' }") +
               ", { not_matcher: " + single("x-b", "{ prefix: no }") + " }] } }",
           TreeWorld::to("a")) +
      ", " +
      when("{ or_matcher: { predicate: [" + single("x-a", "{ suffix: z }") + ", " +
               single(":path", "{ safe_regex: { regex: '/v[0-9]+/.*' } }") + "] } }",
           TreeWorld::to("b")) +
      ", " +
      when(single("x-c", "{ contains: k, ignore_case: true }"), TreeWorld::to("c").insert(2, "keep_matching: true, ")) +
      ", " + when(single("x-c", "{ exact: key }"), TreeWorld::to("d")) + "] } }");
  CHECK(cluster_by_tree(text, asking("/", {{"x-a", "1"}})) == "a");
  CHECK(cluster_by_tree(text, asking("/v2/x", {{"x-a", "1"}, {"x-b", "nothing"}})) == "b");
  CHECK(cluster_by_tree(text, asking("/", {{"x-a", "xyz"}})) == "b");
  CHECK(cluster_by_tree(text, asking("/", {{"x-c", "key"}})) == "d");
  CHECK(cluster_by_tree(text, asking("/", {{"x-c", "a key"}})) == "SP150");
}

TEST_CASE("What decides and is not told is refused by name", "[envoy][dump]") {
  const std::string cel =
      "{ name: i, typed_config: { \"@type\": type.googleapis.com/xds.type.matcher.v3.HttpAttributesCelMatchInput } }";
  const std::string text = TreeWorld::with_matcher("{ matcher_tree: { input: " + cel +
                                                   ", exact_match_map: { map: { a: " + TreeWorld::to("a") + " } } } }");
  const Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = "", .request = asking("/")});
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP301");
  CHECK(reading.diagnostics.front().message.find("HttpAttributesCelMatchInput") != std::string::npos);
}

TEST_CASE("A cluster specifier's matcher names the cluster", "[envoy][dump]") {
  const auto named = [](const std::string& cluster) {
    return "{ action: { name: c, typed_config: { \"@type\": "
           "type.googleapis.com/envoy.extensions.router.cluster_specifiers.matcher.v3.ClusterAction, cluster: " +
           cluster + " } } }";
  };
  const std::string plugin =
      "{ extension: { name: p, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier, "
      "cluster_matcher: { matcher_tree: { input: " +
      TreeWorld::input("x-to") + ", exact_match_map: { map: { b: " + named("b") + " } } } } } } }";
  const std::string inline_one = TreeWorld::bootstrap(
      "    - filters: [" +
      TreeWorld::manager("virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { "
                         "inline_cluster_specifier_plugin: " +
                         plugin + " } }] }]") +
      "]\n");
  const std::string by_name = TreeWorld::bootstrap(
      "    - filters: [" +
      TreeWorld::manager("cluster_specifier_plugins: [" + plugin +
                         "], virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { "
                         "cluster_specifier_plugin: p } }] }]") +
      "]\n");
  for (const std::string& text : {inline_one, by_name}) {
    CHECK(cluster_by_tree(text, asking("/", {{"x-to", "b"}})) == "b");
    CHECK(cluster_by_tree(text, asking("/", {{"x-to", "c"}})) == "SP151");
    // Envoy 1.40 ends by a fault at a match with it.
    std::string keeping = text;
    keeping.insert(keeping.find("action: { name: c"), "keep_matching: true, ");
    CHECK(cluster_by_tree(keeping, asking("/", {{"x-to", "b"}})) == "SP301");
  }
}

TEST_CASE("Filter chains are chosen criterion by criterion, the most specific first", "[envoy][dump]") {
  const auto chain = [](const std::string& match, const std::string& cluster) {
    return "    - filter_chain_match: " + match + "\n      filters: [" +
           TreeWorld::manager(
               "virtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { prefix: / }, route: { "
               "cluster: " +
               cluster + " } }] }]") +
           "]\n";
  };
  const std::string inspector =
      "    listener_filters: [{ name: tls, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector } }]\n";
  SECTION("by port, then by server name") {
    const std::string text =
        TreeWorld::bootstrap(chain("{ server_names: [shop.example] }", "a") +
                                 chain("{ destination_port: 443, server_names: ['*.example'] }", "b") +
                                 chain("{ destination_port: 8443, server_names: [shop.example] }", "c"),
                             inspector);
    // The port is looked at first, so the very name of the chain without one does not count.
    CHECK(cluster_by_tree(text, asking("/")) == "b");
  }
  SECTION("of a listener that takes connections for others the request's port counts") {
    const std::string text = TreeWorld::bootstrap(chain("{ destination_port: 8080 }", "a") + chain("{}", "b"),
                                                  "    use_original_dst: true\n");
    CHECK(cluster_by_tree(text, asking("/", {}, "shop.example:8080")) == "a");
    CHECK(cluster_by_tree(text, asking("/", {}, "shop.example:9090")) == "b");
    CHECK(cluster_by_tree(text, asking("/")) == "SP152");  // the port is not told
  }
  SECTION("by address") {
    const std::string text = TreeWorld::bootstrap(
        chain("{ prefix_ranges: [{ address_prefix: 10.1.0.0, prefix_len: 16 }] }", "a") +
        chain("{ prefix_ranges: [{ address_prefix: 10.1.2.0, prefix_len: 24 }] }", "b") + chain("{}", "c"));
    CHECK(cluster_by_tree(text, asking("/", {}, "10.1.2.9")) == "b");
    CHECK(cluster_by_tree(text, asking("/", {}, "10.1.3.9")) == "a");
    CHECK(cluster_by_tree(text, asking("/", {}, "10.2.0.1")) == "c");
  }
  SECTION("by transport protocol") {
    const std::string socket =
        "transport_socket: { name: tls, typed_config: { \"@type\": "
        "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext } }";
    std::string secure = chain("{ transport_protocol: tls }", "a");
    secure.insert(secure.find('-') + 2, socket + "\n      ");
    const std::string text = TreeWorld::bootstrap(secure + chain("{ transport_protocol: raw_buffer }", "b"), inspector);
    CHECK(cluster_by_tree(text, asking("/", {{":scheme", "https"}})) == "a");
    CHECK(cluster_by_tree(text, asking("/", {{":scheme", "http"}})) == "b");
    CHECK(cluster_by_tree(text, asking("/")) == "SP152");
  }
  SECTION("by a matcher tree") {
    const std::string ports =
        "    filter_chain_matcher: { matcher_tree: { input: { name: port, typed_config: { \"@type\": "
        "type.googleapis.com/envoy.extensions.matching.common_inputs.network.v3.DestinationPortInput } }, "
        "exact_match_map: { map: { '443': { action: { name: two, typed_config: { \"@type\": "
        "type.googleapis.com/google.protobuf.StringValue, value: two } } } } } } }\n";
    const auto named_chain = [&](const std::string& name, const std::string& cluster) {
      return chain("{}", cluster).insert(6, "name: " + name + "\n      ");
    };
    CHECK(cluster_by_tree(TreeWorld::bootstrap(named_chain("one", "a") + named_chain("two", "b"), ports),
                          asking("/")) == "b");
  }
}

TEST_CASE("Addresses lie in ranges of their family", "[envoy]") {
  CHECK(proxy::lies_within("10.1.2.3", "10.0.0.0", 8));
  CHECK(proxy::lies_within("10.1.2.3", "10.1.2.2", 31));
  CHECK_FALSE(proxy::lies_within("10.1.2.3", "10.1.2.2", 32));
  CHECK(proxy::lies_within("fd00::7", "fd00::", 64));
  CHECK_FALSE(proxy::lies_within("fd00::7", "10.0.0.0", 0));
  CHECK_FALSE(proxy::lies_within("shop.example", "0.0.0.0", 0));
}

TEST_CASE("A sample of a regular expression takes the first way through it", "[envoy]") {
  using proxy::sample_of_regex;
  CHECK(sample_of_regex("/v[12]/users/\\d+(/.*)?") == "/v1/users/0");
  CHECK(sample_of_regex("(?i)shop|cart") == "shop");
  CHECK(sample_of_regex("/(?P<name>[^/]+)/(a|b){2}\\.html") == "/a/aa.html");
  CHECK(sample_of_regex("^/x[[:digit:]]?.+$") == "/xa");
}

// One request for each route that leads to a cluster; what such a request is must be taken by that very route.
TEST_CASE("Each route of the documents gets a request that it takes", "[envoy][dump]") {
  const std::string hosts =
      "virtual_hosts: [{ name: v, domains: ['*.example'], routes: ["
      "{ name: one, match: { path: /one, headers: [{ name: x-user, string_match: { prefix: u } }, { name: x-no, "
      "present_match: true, invert_match: true }, { name: x-not, string_match: { exact: none }, invert_match: true }] "
      "}, "
      "route: { cluster: a } },"
      "{ name: two, match: { safe_regex: { regex: '/v[0-9]/.+' }, query_parameters: [{ name: q, string_match: { exact: "
      "z } }] }, route: { weighted_clusters: { clusters: [{ name: a, weight: 1 }, { name: b, weight: 3 }] } } },"
      "{ name: three, match: { prefix: / }, redirect: { path_redirect: / } },"
      "{ name: four, match: { prefix: /never }, route: { cluster: c } }] },"
      "{ name: s, domains: [secret.example], routes: [{ name: five, match: { prefix: /, headers: [{ name: "
      "Authorization, string_match: { exact: t0ken } }] }, route: { cluster: c } }] },"
      "{ name: w, domains: ['*'], matcher: { matcher_tree: { input: " +
      TreeWorld::input("x-version") + ", exact_match_map: { map: { v1: " + TreeWorld::to("c", "/c") + " } } } } }]";
  const auto proxy = ProxyConfiguration::read(
      Sources{{"b.yaml", TreeWorld::bootstrap("    - filters: [" + TreeWorld::manager(hosts) + "]\n")}});
  const proxy::DescribedRoutes described = proxy.described_routes();
  std::vector<std::string> found;
  for (const proxy::RequestDescription& request : described.requests) {
    const auto reading = proxy.asked(request);
    INFO(documents::render_diagnostics(reading.diagnostics, proxy.sources()));
    REQUIRE(reading.scenario.has_value());
    std::string line = request.host + request.path + " ->";
    for (const auto& cluster : reading.scenario->routes.at(0).route.action.clusters) {
      line += " " + cluster.name;
    }
    found.push_back(line);
  }
  CHECK(found == std::vector<std::string>{"any.example/one -> a", "any.example/v0/a?q=z -> a b", "any.test/c -> c"});
  REQUIRE(described.passed_over.size() == 2);
  CHECK(described.passed_over.front() == "route `four`: a route before it takes the request that was tried");
  CHECK(described.passed_over.back() ==
        "route `five`: the header `Authorization` that it requires may contain a secret");
}

TEST_CASE("A route that is left out for what one before it says names that one", "[envoy][dump]") {
  const auto left_out = [](const std::string& condition) {
    const std::string hosts = "virtual_hosts:\n- { name: v, domains: ['*'], routes: [{ name: first, match: { " +
                              condition +
                              " }, route: { cluster: a } },\n{ name: last, match: { prefix: / }, "
                              "route: { cluster: b } }] }\n";
    const auto proxy = ProxyConfiguration::read(
        Sources{{"r.yaml", "name: r\n" + hosts},
                {"c.yaml", "clusters: [{ name: a, type: STATIC }, { name: b, type: STATIC }]\n"}});
    return proxy.described_routes().passed_over;
  };
  const std::string policy = "prefix: /, filter_state: [{ key: k, string_match: { exact: a } }]";
  const auto both = left_out(policy);
  REQUIRE(both.size() == 2);
  CHECK(both[0] == "route `first`: `filter_state` is not supported yet");
  CHECK(both[1].starts_with("route `last`: of a route before it, line 3, column "));
  CHECK(both[1].ends_with(": `filter_state` is not supported yet"));
  // Its other conditions keep it from requests without the header.
  CHECK(left_out("headers: [{ name: x-a, present_match: true }], " + policy).size() == 1);
}

}  // namespace spillway::scenario
