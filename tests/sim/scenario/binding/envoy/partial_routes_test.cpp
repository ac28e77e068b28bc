// Routes for a part of the requests, and choices that a described request decides. Each answer is that of a live
// Envoy 1.40.0; of parts and weights it counted 4,000 requests.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario::partial_routes {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;
using Weights = std::vector<std::pair<std::string, std::uint32_t>>;

// `options`: of cluster a.
std::string with_routes(const std::string& routes, const std::string& options = "") {
  std::string text =
      "static_resources:\n  listeners:\n  - name: in\n    filter_chains:\n    - filters:\n      - name: hcm\n"
      "        typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
      "stat_prefix: x, route_config: { name: r, virtual_hosts: [{ name: v, domains: ['*'], routes: [" +
      routes + "] }] } }\n  clusters:\n";
  for (const char* const name : {"a", "b", "c", "d"}) {
    text += std::string("  - { name: ") + name + (name[0] == 'a' ? options : "") +
            ", load_assignment: { cluster_name: " + name +
            ", endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, "
            "port_value: 80 } } } }] }] } }\n";
  }
  return text;
}

Reading ask_for(const std::string& routes, const std::string& path = "/", const Headers& headers = {}) {
  proxy::RequestDescription request;
  request.host = "h";
  request.path = path;
  request.headers = headers;
  return read_envoy_texts({{"bootstrap.yaml", with_routes(routes)}}, {.cluster = "", .request = request});
}

// The clusters of the request with their weights; the codes of errors, with 0.
Weights weights_of(const std::string& routes, const std::string& path = "/", const Headers& headers = {}) {
  const Reading reading = ask_for(routes, path, headers);
  UNSCOPED_INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  Weights weights;
  if (!reading.scenario) {
    for (const std::string& code : test::codes_of(reading.diagnostics)) {
      weights.emplace_back(code, 0);
    }
    return weights;
  }
  for (const auto& cluster : reading.scenario->routes.at(0).route.action.clusters) {
    weights.emplace_back(cluster.name, cluster.weight);
  }
  return weights;
}

std::string part(const std::string& fraction, const std::string& action) {
  return "{ match: { prefix: /, runtime_fraction: { default_value: { " + fraction +
         " }, runtime_key: k } }, route: { " + action + " } }, ";
}

std::string all_to(const std::string& action) {
  return "{ match: { prefix: / }, route: { " + action + " } }";
}

std::string split(const std::string& a, int of_a, const std::string& b, int of_b, const std::string& more = "") {
  return "weighted_clusters: { clusters: [{ name: " + a + ", weight: " + std::to_string(of_a) + " }, { name: " + b +
         ", weight: " + std::to_string(of_b) + " }]" + more + " }";
}

}  // namespace

TEST_CASE("a route with a runtime fraction takes its part, and the next one the rest", "[envoy][routes]") {
  CHECK(weights_of(part("numerator: 30", "cluster: a") + all_to("cluster: b")) == Weights{{"a", 3}, {"b", 7}});
  CHECK(weights_of(part("numerator: 1, denominator: MILLION", "cluster: a") + all_to("cluster: b")) ==
        Weights{{"a", 1}, {"b", 999'999}});
  CHECK(weights_of(part("numerator: 0", "cluster: a") + all_to("cluster: b")) == Weights{{"b", 1}});
  CHECK(weights_of(part("numerator: 100", "cluster: a") + all_to("cluster: b")) == Weights{{"a", 1}});
  // The rest gets a 404, or an answer of the proxy: not all requests have a cluster.
  CHECK(weights_of(part("numerator: 30", "cluster: a")) == Weights{{"SP301", 0}});
  CHECK(weights_of(part("numerator: 30", "cluster: a") + "{ match: { prefix: / }, redirect: { path_redirect: / } }") ==
        Weights{{"SP151", 0}});
}

TEST_CASE("one draw decides all fractions of a request, and its weighted cluster", "[envoy][routes]") {
  // 2,000, 0 and 2,000 of 4,000.
  CHECK(weights_of(part("numerator: 50", "cluster: a") + part("numerator: 50", "cluster: c") + all_to("cluster: b")) ==
        Weights{{"a", 1}, {"c", 0}, {"b", 1}});
  // 1,988, 987 and 1,025.
  CHECK(weights_of(part("numerator: 50", "cluster: a") + part("numerator: 75", "cluster: c") + all_to("cluster: b")) ==
        Weights{{"a", 2}, {"c", 1}, {"b", 1}});
  // 2,008, 980 and 1,012: of 10,000 the draws below 5,000 are not those below 50 of 100.
  CHECK(weights_of(part("numerator: 50", "cluster: a") +
                   part("numerator: 5000, denominator: TEN_THOUSAND", "cluster: c") + all_to("cluster: b")) ==
        Weights{{"a", 2}, {"c", 1}, {"b", 1}});
  // 2,019, 0 and 1,981.
  CHECK(weights_of(part("numerator: 50", split("a", 50, "c", 50)) + all_to("cluster: b")) ==
        Weights{{"a", 1}, {"c", 0}, {"b", 1}});
  // 2,049, 998 and 953; then 2,014, 401 and 1,585.
  CHECK(weights_of(part("numerator: 50", "cluster: a") + all_to(split("c", 1, "d", 1))) ==
        Weights{{"a", 2}, {"c", 1}, {"d", 1}});
  CHECK(weights_of(part("numerator: 50", "cluster: a") + all_to(split("c", 60, "d", 40))) ==
        Weights{{"a", 5}, {"c", 1}, {"d", 4}});
}

TEST_CASE("routes for parts of a request differ in nothing but their clusters", "[envoy][routes]") {
  CHECK(weights_of(part("numerator: 30", "cluster: a, timeout: 1s") + all_to("cluster: b, timeout: 1s")) ==
        Weights{{"a", 3}, {"b", 7}});
  CHECK(weights_of(part("numerator: 30", "cluster: a, timeout: 1s") + all_to("cluster: b")) == Weights{{"SP301", 0}});
}

TEST_CASE("a header chooses the weighted cluster by its number", "[envoy][routes]") {
  const std::string routes = all_to(split("a", 30, "b", 70, ", header_name: x-r"));
  const Weights by_weight = {{"a", 30}, {"b", 70}};
  for (const char* const value : {"0", "29", "18446744073709551615"}) {
    CHECK(weights_of(routes, "/", {{"x-r", value}}) == Weights{{"a", 30}});
  }
  for (const char* const value : {"30", "99", "130"}) {
    CHECK(weights_of(routes, "/", {{"x-r", value}}) == Weights{{"b", 70}});
  }
  for (const char* const value : {"-1", "x", "", "1.5", "0x1e"}) {
    CHECK(weights_of(routes, "/", {{"x-r", value}}) == by_weight);
  }
  CHECK(weights_of(routes) == by_weight);
  CHECK(weights_of(routes, "/", {{"x-r", "10"}, {"x-r", "40"}}) == by_weight);
}

TEST_CASE("the route's hash policy chooses the weighted cluster", "[envoy][routes]") {
  const std::string routes =
      all_to(split("a", 30, "b", 70, ", use_hash_policy: true") + ", hash_policy: [{ header: { header_name: k } }]");
  const std::map<std::string, std::string> answered = {{"u1", "b"}, {"u2", "b"}, {"u3", "b"},
                                                       {"u4", "a"}, {"u5", "a"}, {"u6", "b"}};
  for (const auto& [key, cluster] : answered) {
    INFO(key);
    const Weights weights = weights_of(routes, "/", {{"k", key}});
    REQUIRE(weights.size() == 1);
    CHECK(weights.front().first == cluster);
  }
  CHECK(weights_of(routes) == Weights{{"a", 30}, {"b", 70}});
  CHECK(weights_of(all_to(split("a", 30, "b", 70, ", use_hash_policy: true"))) == Weights{{"a", 30}, {"b", 70}});
}

TEST_CASE("a route matches by cookies", "[envoy][routes]") {
  const auto takes = [](const std::string& condition, const Headers& headers) {
    return weights_of(
               "{ match: { prefix: /, cookies: [" + condition + "] }, route: { cluster: a } }, " + all_to("cluster: b"),
               "/", headers) == Weights{{"a", 1}};
  };
  const auto cookie = [](const std::string& text) { return Headers{{"cookie", text}}; };
  const std::string is_one = "{ name: s, string_match: { exact: '1' } }";
  for (const char* const text : {"s=1", "a=2; s=1", "a=2;s=1", "s=1; s=2", "s=\"1\""}) {
    INFO(text);
    CHECK(takes(is_one, cookie(text)));
  }
  for (const char* const text : {"s=2; s=1", "S=1", "s=", "s", "s = 1", "s=12; t=axb"}) {
    INFO(text);
    CHECK_FALSE(takes(is_one, cookie(text)));
    CHECK(takes("{ name: s, string_match: { exact: '1' }, invert_match: true }", cookie(text)));
  }
  CHECK(takes(is_one, {{"cookie", "a=2"}, {"cookie", "s=1"}}));
  CHECK(takes("{ name: s, string_match: { exact: '1' }, invert_match: true }", {}));
  CHECK_FALSE(takes("{ name: s, string_match: { exact: '1' }, invert_match: true }", cookie("s=1")));
  CHECK(takes("{ name: s, string_match: { exact: AB, ignore_case: true } }", cookie("s=ab")));
  CHECK(takes("{ name: s, string_match: { safe_regex: { regex: '[0-9]+' } } }", cookie("s=12")));
  CHECK_FALSE(takes("{ name: s, string_match: { safe_regex: { regex: '[0-9]+' } } }", cookie("s=abc")));
  CHECK(takes("{ name: s, string_match: { exact: '' } }", cookie("s=")));
  CHECK_FALSE(takes("{ name: s, string_match: { exact: '' } }", cookie("s")));
  const std::string two = is_one + ", { name: t, string_match: { contains: x } }";
  CHECK(takes(two, cookie("s=1; t=axb")));
  CHECK_FALSE(takes(two, cookie("s=12; t=axb")));
}

TEST_CASE("a route matches by a path template", "[envoy][routes]") {
  const std::vector<std::string> paths = {"/a/1",
                                          "/a/",
                                          "/a",
                                          "/a/1/2",
                                          "/a/1/c",
                                          "/a/x%20y/c",
                                          "/a/~!$&()+,;:@=-._/c",
                                          "/p/",
                                          "/p",
                                          "/p/1/2/3",
                                          "/p//",
                                          "/q/1/r",
                                          "/q//r",
                                          "/s/",
                                          "/s",
                                          "/s/a/b",
                                          "/t/1/2/3.m3u8",
                                          "/t/1/.m3u8",
                                          "/u/1/y/2",
                                          "/u/1/2",
                                          "/v/a.txt",
                                          "/v/.txt",
                                          "/v/a/b.txt",
                                          "/x/preA",
                                          "/x/pre",
                                          "/x/A",
                                          "/AbC",
                                          "/abc",
                                          "/y/en",
                                          "/y/en/",
                                          "/y/en/a",
                                          "/z/a/b/end",
                                          "/z/end",
                                          "/z//end",
                                          "/a/1?x=/c"};
  const std::map<std::string, std::vector<std::string>> taken = {
      {"/a/{b}", {"/a/1", "/a/1?x=/c"}},
      {"/a/{b=*}/c", {"/a/1/c", "/a/x%20y/c", "/a/~!$&()+,;:@=-._/c"}},
      {"/p/{rest=**}", {"/p/", "/p/1/2/3", "/p//"}},
      {"/q/*/r", {"/q/1/r"}},
      {"/s/**", {"/s/", "/s/a/b"}},
      {"/t/{x}/{y=**}.m3u8", {"/t/1/2/3.m3u8", "/t/1/.m3u8"}},
      {"/u/{x=*/y/*}", {"/u/1/y/2"}},
      {"/v/*.txt", {"/v/a.txt"}},
      {"/x/{name=pre*}", {"/x/pre"}},
      {"/AbC", {"/AbC"}},
      {"/y/{lang}/**", {"/y/en/", "/y/en/a"}},
      {"/z/{a=**}/end", {"/z/a/b/end", "/z//end"}}};
  for (const auto& [path_template, expected] : taken) {
    INFO(path_template);
    const std::string routes =
        "{ match: { case_sensitive: false, path_match_policy: { name: t, typed_config: { \"@type\": "
        "type.googleapis.com/envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig, path_template: '" +
        path_template + "' } } }, route: { cluster: a } }, " + all_to("cluster: b");
    std::vector<std::string> own;
    for (const std::string& path : paths) {
      if (weights_of(routes, path) == Weights{{"a", 1}}) {
        own.push_back(path);
      }
    }
    CHECK(own == expected);
  }
}

TEST_CASE("a request that meets none of retriable_request_headers is not retried", "[envoy][routes]") {
  const auto retries = [](const std::string& matchers, const Headers& headers) {
    const Reading reading =
        ask_for(all_to("cluster: a, retry_policy: { retry_on: 5xx, num_retries: 2, retriable_request_headers: [" +
                       matchers + "] }"),
                "/", headers);
    REQUIRE(reading.scenario);
    const auto& policy = reading.scenario->routes.at(0).retry_policy;
    return policy ? policy->num_retries : 0;
  };
  const std::string either = "{ name: x-m, string_match: { exact: a } }, { name: x-n }";
  CHECK(retries(either, {}) == 0);
  CHECK(retries(either, {{"x-m", "GET"}}) == 0);
  CHECK(retries(either, {{"x-m", "a"}}) == 2);
  CHECK(retries(either, {{"x-n", "z"}}) == 2);
  CHECK(retries("{ name: ':method', string_match: { exact: GET } }", {}) == 2);
  CHECK(retries("", {}) == 2);
}

// Envoy tried three times with any route, and hashed by the cluster's header although the route names another.
TEST_CASE("policies of a cluster's HttpProtocolOptions replace those of the route", "[envoy][routes]") {
  const std::string name = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  const std::string options =
      ", typed_extension_protocol_options: { " + name + ": { \"@type\": type.googleapis.com/" + name +
      ", explicit_http_config: { http_protocol_options: {} }, retry_policy: { retry_on: 5xx, num_retries: 2 }, "
      "hash_policy: [{ header: { header_name: k } }] } }";
  const auto read = [&](const std::string& routes) {
    proxy::RequestDescription request;
    request.host = "h";
    return read_envoy_texts({{"bootstrap.yaml", with_routes(routes, options)}}, {.cluster = "", .request = request});
  };
  for (const char* const own :
       {"", ", retry_policy: { retry_on: 5xx, num_retries: 1 }, hash_policy: [{ header: { header_name: j } }]"}) {
    INFO(own);
    const Reading reading = read(all_to(std::string("cluster: a") + own));
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario);
    const Route& route = reading.scenario->routes.at(0);
    REQUIRE(route.retry_policy);
    CHECK(route.retry_policy->num_retries == 2);
    REQUIRE(route.route.action.hash_policy.size() == 1);
    const auto& hash = std::get<envoy::routes::HeaderHash>(route.route.action.hash_policy[0].policy_specifier);
    CHECK(hash.header_name == "k");
  }
  CHECK(test::codes_of(read(all_to(split("a", 1, "b", 1))).diagnostics) == std::vector<std::string>{"SP301"});
}

}  // namespace spillway::scenario::partial_routes
