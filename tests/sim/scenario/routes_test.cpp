// Envoy's routes in a scenario, and workloads whose requests go by them.
#include <catch2/catch.hpp>

#include "models/envoy/routes/route.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
using envoy::routes::HeaderMatcher;
using envoy::routes::RouteMatch;

namespace {

std::string scenario_of(const std::string& workload, const std::string& routes) {
  return "duration: 60s\n"
         "zones: [{ name: zone-1 }]\n"
         "services:\n"
         "  - { name: old, endpoints: [{ count: 2, zone: zone-1 }] }\n"
         "  - { name: new, endpoints: [{ count: 2, zone: zone-1 }] }\n"
         "clients:\n"
         "  - { name: frontend, zone: zone-1, workload: { rate: 10rps" +
         (workload.empty() ? "" : ", " + workload) + " } }\n" + routes;
}

Scenario with_route(const std::string& route) {
  return test::accepted(
      scenario_of("", "routes:\n  - " + route + "\n  - { match: { prefix: / }, route: { cluster: new } }\n"));
}

const std::string three_routes =
    "routes:\n"
    "  - { match: { prefix: /cart }, route: { cluster: old } }\n"
    "  - { match: { prefix: /, headers: [{ name: x-user, string_match: { exact: key-2 } }] }, route: { cluster: new } "
    "}\n"
    "  - { match: { prefix: / }, route: { weighted_clusters: { clusters: [{ name: new, weight: 1 }, { name: old, "
    "weight: "
    "9 }] } } }\n";

RouteMatch match_of(const std::string& match) {
  return with_route("{ match: " + match + ", route: { cluster: old } }").routes[0].route.match;
}

HeaderMatcher header_of(const std::string& matcher) {
  return match_of("{ prefix: /, headers: [{ name: h, " + matcher + " }] }").headers.at(0);
}

config::RetryPolicy retries_of(const std::string& policy) {
  return *with_route("{ match: { prefix: /x }, route: { cluster: old, retry_policy: " + policy + " } }")
              .routes[0]
              .retry_policy;
}

bool matches(const std::string& matcher, const std::string& value) {
  envoy::routes::Request request;
  request.headers = {{"h", value}};
  return envoy::routes::matches(header_of(matcher), request);
}

}  // namespace

TEST_CASE("A route is matched by its path", "[routes]") {
  CHECK(match_of("{ prefix: /a }") == RouteMatch{RouteMatch::PathKind::prefix, "/a", true, {}});
  CHECK(match_of("{ path: /a, case_sensitive: false }") == RouteMatch{RouteMatch::PathKind::path, "/a", false, {}});
  CHECK(match_of("{ safeRegex: { regex: '/a.*', google_re2: {} } }") ==
        RouteMatch{RouteMatch::PathKind::regex, "/a.*", true, {}});
}

TEST_CASE("A route is matched by headers in the old form and in the new one", "[routes]") {
  using MatchKind = HeaderMatcher::Kind;
  CHECK(header_of("invert_match: true") == HeaderMatcher{.name = "h", .invert_match = true});
  CHECK(header_of("present_match: false") == HeaderMatcher{.name = "h", .present_match = false});
  CHECK(header_of("exact_match: v") == HeaderMatcher{.name = "h", .kind = MatchKind::exact, .value = "v"});
  CHECK(header_of("string_match: { exact: v }") == header_of("exact_match: v"));
  CHECK(header_of("string_match: { prefix: v }") == header_of("prefix_match: v"));
  CHECK(header_of("string_match: { suffix: v }") == header_of("suffix_match: v"));
  CHECK(header_of("string_match: { contains: v }") == header_of("contains_match: v"));
  CHECK(header_of("string_match: { safe_regex: { regex: v+ } }") == header_of("safe_regex_match: { regex: v+ }"));
  CHECK(header_of("safe_regex_match: { regex: v+ }").kind == MatchKind::regex);
  CHECK(header_of("range_match: { start: -5, end: \"7\" }") ==
        HeaderMatcher{.name = "h", .kind = MatchKind::range, .range_start = -5, .range_end = 7});
  CHECK(header_of("exact_match: v, treat_missing_header_as_empty: true").treat_missing_header_as_empty);
}

TEST_CASE("A header is matched whatever its letters' case where that is asked for", "[routes]") {
  CHECK(matches("string_match: { exact: 'a.B', ignore_case: true }", "A.b"));
  CHECK_FALSE(matches("string_match: { exact: 'a.B', ignore_case: true }", "axb"));
  CHECK_FALSE(matches("string_match: { exact: 'a.B', ignore_case: true }", "a.bc"));
  CHECK(matches("string_match: { prefix: 'a(', ignore_case: true }", "A(rest"));
  CHECK(matches("string_match: { suffix: 'a\\', ignore_case: true }", "restA\\"));
  CHECK(matches("string_match: { contains: '*', ignore_case: true }", "a*b"));
  CHECK_FALSE(matches("string_match: { exact: 'a.B' }", "A.b"));
}

TEST_CASE("A route's action says clusters with metadata and hash policies and times", "[routes]") {
  const Scenario scenario = with_route(
      "{ match: { prefix: /x }, name: r, route: { weightedClusters: { clusters: [{ name: new, weight: 10, "
      "metadata_match: { "
      "filter_metadata: { envoy.lb: { version: '1.1' } } } }, { name: old, weight: 0 }], total_weight: 100 }, "
      "metadata_match: { filter_metadata: { envoy.lb: { stage: prod } } }, hash_policy: [{ header: { header_name: "
      "x-user "
      "} }, { connection_properties: { source_ip: true }, terminal: true }], timeout: 0.5s, priority: HIGH, "
      "prefix_rewrite: / } }");
  REQUIRE(scenario.routes.size() == 2);
  const Route& route = scenario.routes[0];
  CHECK(route.clusters == std::vector<config::ServiceIndex>{{1}, {0}});
  const auto& action = route.route.action;
  REQUIRE(action.clusters.size() == 2);
  CHECK(action.clusters[0].name == "new");
  CHECK(action.clusters[0].weight == 10);
  CHECK(*action.clusters[0].metadata_match->find("version") == config::Value("1.1"));
  CHECK_FALSE(action.clusters[1].metadata_match.has_value());
  CHECK(*action.metadata_match->find("stage") == config::Value("prod"));
  CHECK(action.hash_policy ==
        std::vector<envoy::routes::HashPolicy>{{envoy::routes::HeaderHash{"x-user"}},
                                               {envoy::routes::ConnectionPropertiesHash{true}, true}});
  CHECK(route.timeout == 500ms);
  CHECK(route.priority == config::RoutingPriority::high);
  CHECK_FALSE(route.retry_policy.has_value());
  CHECK_FALSE(route.stateful_session.has_value());
  CHECK(scenario.routes[1].timeout == 15s);
}

TEST_CASE("A retry policy is read whole", "[routes]") {
  const config::RetryPolicy policy = retries_of(
      "{ retry_on: '5xx, reset', num_retries: 3, per_try_timeout: 0.25s, host_selection_retry_max_attempts: \"5\", "
      "retriable_status_codes: [409, 418], retriable_headers: [{ name: X-Retry }], retry_back_off: { base_interval: "
      "0.1s, "
      "max_interval: 2s }, rate_limited_retry_back_off: { reset_headers: [{ name: r, format: UNIX_TIMESTAMP }], "
      "max_interval: 9s }, retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts }, { name: x, "
      "typed_config: { '@type': x/envoy.extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate } }, { "
      "name: y, "
      "typed_config: { '@type': x/envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig, "
      "metadata_match: { filter_metadata: { envoy.lb: { stage: dev } } } } }], retry_priority: { name: p, "
      "typed_config: { "
      "'@type': x/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, update_frequency: 2 "
      "} } "
      "}");
  CHECK(policy.retry_on == config::parse_retry_on("5xx,reset"));
  CHECK(policy.num_retries == 3);
  CHECK(policy.per_try_timeout == 250ms);
  CHECK(policy.host_selection_retry_max_attempts == 5);
  CHECK(policy.retriable_status_codes == std::vector<std::uint32_t>{409, 418});
  CHECK(policy.retriable_headers == std::vector<std::string>{"x-retry"});
  CHECK(policy.retry_back_off.base_interval == 100ms);
  CHECK(policy.retry_back_off.max_interval == 2s);
  CHECK(policy.rate_limited_max_interval == 9s);
  REQUIRE(policy.retry_host_predicate.size() == 3);
  CHECK(std::holds_alternative<config::PreviousHosts>(policy.retry_host_predicate[0]));
  CHECK(std::holds_alternative<config::OmitCanaryHosts>(policy.retry_host_predicate[1]));
  const auto& omitted = std::get<config::OmitHostMetadata>(policy.retry_host_predicate[2]);
  CHECK(*omitted.metadata_match.find("stage") == config::Value("dev"));
  CHECK(policy.previous_priorities_update_frequency == 2);
  // Envoy takes 0 for nothing said.
  const config::RetryPolicy zero = retries_of("{ per_try_timeout: 0s, host_selection_retry_max_attempts: 0 }");
  CHECK_FALSE(zero.per_try_timeout.has_value());
  CHECK(zero.host_selection_retry_max_attempts == 1);
}

TEST_CASE("A route keeps users at their hosts by cookie or by header", "[routes]") {
  const auto session_of = [](const std::string& state, const std::string& rest) {
    return with_route(
               "{ match: { prefix: /x }, route: { cluster: old }, typed_per_filter_config: { "
               "envoy.filters.http.stateful_session: { '@type': "
               "x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute, " +
               (state.empty() ? rest
                              : "stateful_session: { session_state: { name: s, typed_config: { '@type': "
                                "x/envoy.extensions.http.stateful_session." +
                                    state + " } }" + rest + " }") +
               " } } }")
        .routes[0]
        .stateful_session;
  };
  const auto cookie =
      session_of("cookie.v3.CookieBasedSessionState, cookie: { name: c, ttl: 60s, path: /p }", ", strict: true");
  REQUIRE(cookie.has_value());
  CHECK(cookie->state == envoy::SessionState::cookie);
  CHECK(cookie->name == "c");
  CHECK(cookie->ttl == 60s);
  CHECK(cookie->path == "/p");
  CHECK(cookie->strict);
  const auto header = session_of("header.v3.HeaderBasedSessionState, name: h", "");
  REQUIRE(header.has_value());
  CHECK(header->state == envoy::SessionState::header);
  CHECK(header->name == "h");
  CHECK_FALSE(header->strict);
  CHECK_FALSE(session_of("", "disabled: true").has_value());
}

TEST_CASE("A workload without a service goes by the first route that matches", "[routes]") {
  const Scenario scenario = test::accepted(
      scenario_of("headers: { X-User: key-1, accept: [' a ', b] }, source_address: 10.1.2.3, requests: [{ name: one }, "
                  "{ weight: 3, "
                  "path: '/cart?x=1', source_address: '[2001:db8::1]:7' }, { headers: { x-user: key-2, host: h } }]",
                  three_routes));
  const Workload& workload = scenario.clients[0].workload;
  REQUIRE(workload.requests.size() == 3);
  CHECK(workload.service.value == 1);
  const RequestKind& one = workload.requests[0];
  CHECK(one.name == "one");
  CHECK(one.route == 2);
  CHECK(one.weight == 1.0);
  CHECK(one.request.remote_address == "10.1.2.3:0");
  using Headers = std::vector<std::pair<std::string, std::string>>;
  CHECK(one.request.headers ==
        Headers{{":method", "GET"}, {":path", "/"}, {"X-User", "key-1"}, {"accept", "a"}, {"accept", "b"}});
  const RequestKind& cart = workload.requests[1];
  CHECK(cart.route == 0);
  CHECK(cart.weight == 3.0);
  CHECK(cart.name == "/cart?x=1 from [2001:db8::1]:7");
  CHECK(cart.request.remote_address == "[2001:db8::1]:7");
  const RequestKind& user = workload.requests[2];
  CHECK(user.route == 1);
  CHECK(user.name == "x-user: key-2, host: h");
  CHECK(*envoy::routes::first_value(user.request, ":authority") == "h");
  CHECK(envoy::routes::all_values(user.request, "x-user") == std::vector<std::string>{"key-2"});
  CHECK(services_of(scenario, scenario.clients[0]) == std::vector<config::ServiceIndex>{{1}, {0}});
}

TEST_CASE("A workload without kinds of requests is of one kind", "[routes]") {
  const Scenario scenario = test::accepted(scenario_of("path: /cart", three_routes));
  REQUIRE(scenario.clients[0].workload.requests.size() == 1);
  CHECK(scenario.clients[0].workload.requests[0].name == "/cart");
  CHECK(scenario.clients[0].workload.service.value == 0);
}

TEST_CASE("Keys make a kind of requests for each value", "[routes]") {
  const auto kinds_of = [](const std::string& keys) {
    return test::accepted(scenario_of("path: '/p', keys: " + keys, three_routes)).clients[0].workload.requests;
  };
  const auto headers = kinds_of("{ header: x-user, count: 3, popularity: zipf 2 }");
  REQUIRE(headers.size() == 3);
  CHECK(headers[0].name == "x-user: key-1");
  CHECK(headers[0].weight == 1.0);
  CHECK(headers[1].weight == 0.25);
  CHECK(headers[2].weight == Approx(1.0 / 9.0).epsilon(1e-15));
  CHECK(headers[0].route == 2);
  CHECK(headers[1].route == 1);
  CHECK(headers[2].route == 2);
  CHECK(*envoy::routes::first_value(headers[2].request, "x-user") == "key-3");
  const auto cookies = kinds_of("{ cookie: c, count: 2, prefix: u }");
  CHECK(envoy::routes::cookie_value(cookies[1].request, "c") == "u2");
  CHECK(cookies[1].weight == 1.0);
  const auto parameters = kinds_of("{ query_parameter: q, count: 2, popularity: uniform, prefix: '' }");
  CHECK(*envoy::routes::first_value(parameters[1].request, ":path") == "/p?q=2");
  const auto addresses = kinds_of("{ source_address: true, count: 300 }");
  CHECK(addresses[299].request.remote_address == "10.0.1.44:40000");
  CHECK(addresses[299].name == "from 10.0.1.44");
}

TEST_CASE("What is wrong with routes and their requests is told at its place", "[routes]") {
  const auto check = [](const std::string& code, const std::string& workload, const std::string& routes) {
    return test::the_only_diagnostic(scenario_of(workload, routes), code);
  };
  const auto route = [&](const std::string& code, const std::string& action) {
    return check(code, "", "routes: [{ match: { prefix: / }, route: { " + action + " } }]\n");
  };
  const auto retries = [&](const std::string& code, const std::string& policy) {
    return route(code, "cluster: new, retry_policy: " + policy);
  };
  const Diagnostic nowhere =
      check("SP140", "path: «/other»", "routes: [{ match: { prefix: /a }, route: { cluster: new } }]\n");
  CHECK(nowhere.label == "no route is for `/other`");
  route("SP107", "cluster: «newer»");
  CHECK(route("SP139", "weighted_clusters: «{» clusters: [{ name: new, weight: 0 }] }").label ==
        "Sum of weights in the weighted_cluster must be greater than 0.");
  route("SP301", "cluster: new, «request_mirror_policies»: []");
  CHECK(retries("SP139", "{ retry_back_off: { base_interval: 1s, max_interval: «0.5s» } }").label ==
        "retry_policy.max_interval must greater than or equal to the base_interval");
  retries("SP207", "{ retry_on: «5xxx» }");
  retries("SP302", "{ retry_host_predicate: [{ name: «mine» }] }");
  retries("SP302", "{ retriable_headers: [«{» name: h, exact_match: v }] }");
  retries("SP139", "{ retry_priority: «{» name: envoy.retry_priorities.previous_priorities } }");
  check("SP139", "", "routes: [{ match: { safe_regex: { regex: «'('» } }, route: { cluster: new } }]\n");
  check("SP301", "", "routes: [{ match: { prefix: /, «query_parameters»: [] }, route: { cluster: new } }]\n");
  CHECK(check("SP139", "",
              "routes: [{ match: { prefix: / }, route: { cluster: new }, typed_per_filter_config: { f: { '@type': "
              "x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute, stateful_session: { "
              "session_state: { name: s, typed_config: { '@type': "
              "x/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState, name: «''» } } } } } }]\n")
            .label == "HeaderBasedSessionStateValidationError.Name: value length must be at least 1 characters");
  check("SP141", "headers: { «':path'»: / }", three_routes);
  check("SP141", "headers: { «a b»: v }", three_routes);
  check("SP141", "path: «cart»", three_routes);
  check("SP024", "source_address: «here»", three_routes);
  check("SP024", "destination_address: «10.0.0.1»", three_routes);
  check("SP024", "keys: { header: h, count: 1, popularity: «zipf 10» }", three_routes);
  check("SP023", "keys: { header: h, count: «0» }", three_routes);
  check("SP025", "keys: { source_address: «false», count: 1 }", three_routes);
  check("SP142",
        "keys: { header: h, count: 600000 } } }\n  - { name: other, zone: zone-1, workload: { rate: 1rps, keys: "
        "{ header: h, count: «600000» }",
        three_routes);
  check("SP101", "requests: [{ name: a }, { name: «a», path: /b }]", three_routes);
  check("SP116", "requests: «[»{ name: a, weight: 0 }]", three_routes);
  check("SP027", "keys: { header: h, count: 1 }, «requests»: [{}]", three_routes);
  check("SP118", "", three_routes + "expect: [{ «table»: t, columns: [P0], rows: [[100%]] }]\n");
  CHECK(test::accepted(
            scenario_of("", three_routes + "expect: [{ table: t, service: old, columns: [P0], rows: [[100%]] }]\n"))
            .expectations.size() == 1);
}

TEST_CASE("A scenario of everything is read without a word", "[routes]") {
  const Reading reading = read_scenario_file(SPILLWAY_SOURCE_DIR "/tests/support/whole_scenario.yaml");
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK(reading.diagnostics.empty());
  REQUIRE(reading.scenario.has_value());
  const Scenario& scenario = *reading.scenario;
  REQUIRE(scenario.clients.size() == 3);
  CHECK(scenario.clients[0].workload.requests.empty());
  CHECK(scenario.clients[1].workload.requests.size() == 100);
  std::vector<std::uint32_t> routes;
  for (const RequestKind& kind : scenario.clients[2].workload.requests) {
    routes.push_back(kind.route);
  }
  CHECK(routes == std::vector<std::uint32_t>{1, 0, 3, 4});
  CHECK(scenario.clients[1].workload.requests[0].route == 2);
}
