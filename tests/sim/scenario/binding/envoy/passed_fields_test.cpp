// What a described request passes that is not simulated, and what of it is. Every answer was played on Envoy 1.40.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

const std::string filter_types = "type.googleapis.com/envoy.extensions.filters.http.";

struct PassedSetting {
  std::string manager = {};        // more fields of the connection manager, each with a comma behind it
  std::string filters = {};        // HTTP filters, likewise
  std::string configuration = {};  // of the route configuration, likewise
  std::string host = {};           // of the virtual host, likewise
  std::string route = {};          // of the route, likewise
  std::string action = {};         // of the route's action, a comma before each
  std::string cluster = {};        // of the cluster, likewise
};

std::string passing_bootstrap(const PassedSetting& with) {
  return "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 127.0.0.1, "
         "port_value: 80 } }\n    filter_chains:\n    - filters:\n      - name: hcm\n        typed_config: { "
         "\"@type\": "
         "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, "
         "stat_prefix: x, " +
         with.manager + " http_filters: [" + with.filters +
         " { name: router, typed_config: { \"@type\": " + filter_types +
         "router.v3.Router } }], route_config: { name: r, " + with.configuration +
         " virtual_hosts: [{ name: v, domains: ['*'], " + with.host + " routes: [{ " + with.route +
         " match: { prefix: / }, route: { cluster: c" + with.action + " } }] }] } }\n" +
         "  clusters:\n  - { name: c, load_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: ["
         "{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } }, "
         "metadata: { filter_metadata: { envoy.lb: { v: '1' } } } }, "
         "{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }] }" +
         with.cluster + " }\n";
}

std::string filter_of(const std::string& name, const std::string& type, const std::string& config,
                      const std::string& more = "") {
  return "{ name: " + name + ", typed_config: { \"@type\": " + filter_types + type +
         (config.empty() ? "" : ", " + config) + " }" + more + " },";
}

proxy::RequestDescription described_request(std::vector<std::pair<std::string, std::string>> headers,
                                            std::optional<std::string> source = std::nullopt) {
  return {.listener = "", .host = "x", .headers = std::move(headers), .source = std::move(source)};
}

Reading pass_request(const PassedSetting& with, proxy::RequestDescription request = described_request({})) {
  Reading reading =
      read_envoy_texts({{"bootstrap.yaml", passing_bootstrap(with)}}, {.cluster = "", .request = request});
  UNSCOPED_INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  return reading;
}

// Why nothing of its way is known; "SP151" and so on if it is refused.
std::string unknown_of(const PassedSetting& with, proxy::RequestDescription request = described_request({})) {
  const Reading reading = pass_request(with, std::move(request));
  if (!reading.scenario) {
    return test::codes_of(reading.diagnostics).front();
  }
  return reading.scenario->routes.at(0).unknown_choice;
}

std::vector<std::string> passed_by(const PassedSetting& with) {
  const Reading reading = pass_request(with);
  REQUIRE(reading.scenario);
  // What is passed is among what is assumed, which every output prints.
  for (const std::string& passed : reading.scenario->passed) {
    const auto& assumed = reading.scenario->assumptions;
    CHECK(std::find(assumed.begin(), assumed.end(), passed) != assumed.end());
  }
  return reading.scenario->passed;
}

using PassedNotes = std::vector<std::string>;
const std::string by_user_header = ", hash_policy: [{ header: { header_name: x-user } }]";
const std::string by_ring = ", lb_policy: RING_HASH";

}  // namespace

TEST_CASE("a filter that may answer is named, and shares stay those of the requests that it lets pass", "[envoy]") {
  const std::string abort = "abort: { http_status: 503, percentage: { numerator: 30 } }";
  const PassedSetting fault{.filters = filter_of("fault", "fault.v3.HTTPFault", abort)};
  CHECK(passed_by(fault) == PassedNotes{"HTTP filter `fault` lets the request pass"});
  CHECK(unknown_of(fault).empty());
  // Istio's proxies have the filter without anything to do.
  CHECK(passed_by({.filters = filter_of("fault", "fault.v3.HTTPFault", "")}).empty());
  // Of the route, in place of the manager's.
  const std::string per_route =
      "typed_per_filter_config: { fault: { \"@type\": " + filter_types + "fault.v3.HTTPFault, " + abort + " } },";
  CHECK(passed_by({.filters = filter_of("fault", "fault.v3.HTTPFault", ""), .route = per_route}).size() == 1);
  CHECK(passed_by({.filters = filter_of("check", "health_check.v3.HealthCheck", "pass_through_mode: false")}).size() ==
        1);
  CHECK(passed_by({.filters = filter_of("rbac", "rbac.v3.RBAC", "shadow_rules: {}")}).empty());
  CHECK(passed_by({.filters = filter_of("rbac", "rbac.v3.RBAC", "rules: { action: DENY }")}).size() == 1);
  CHECK(passed_by({.filters = filter_of("cors", "cors.v3.Cors", "")}).empty());
}

TEST_CASE("a fixed delay of the fault filter is simulated, and not one with conditions", "[envoy]") {
  using namespace std::chrono_literals;
  const auto delay_of = [](const PassedSetting& with) {
    const Reading reading = pass_request(with);
    REQUIRE(reading.scenario);
    const Route& route = reading.scenario->routes[0];
    return std::pair(route.delayed_per_million, route.delay);
  };
  const std::string delay = "delay: { fixed_delay: 2s, percentage: { numerator: 30 } }";
  const PassedSetting of_manager{.filters = filter_of("fault", "fault.v3.HTTPFault", delay)};
  CHECK(passed_by(of_manager).empty());
  CHECK(delay_of(of_manager) == std::pair<std::uint32_t, std::chrono::nanoseconds>(300'000, 2s));
  const auto of_route = [](const std::string& config) {
    return PassedSetting{.filters = filter_of("fault", "fault.v3.HTTPFault", ""),
                         .route = "typed_per_filter_config: { fault: { \"@type\": " + filter_types +
                                  "fault.v3.HTTPFault, " + config + " } },"};
  };
  CHECK(delay_of(of_route("delay: { fixed_delay: 0.5s, percentage: { numerator: 7, denominator: MILLION } }")) ==
        std::pair<std::uint32_t, std::chrono::nanoseconds>(7, 500ms));
  for (const std::string more :
       {", abort: { http_status: 503, percentage: { numerator: 1 } }", ", max_active_faults: 1",
        ", headers: [{ name: x, present_match: true }]", ", upstream_cluster: c"}) {
    INFO(more);
    CHECK(passed_by(of_route(delay + more)) == PassedNotes{"HTTP filter `fault` lets the request pass"});
    CHECK(delay_of(of_route(delay + more)) == std::pair<std::uint32_t, std::chrono::nanoseconds>());
  }
}

TEST_CASE("what is not known may answer and change the request", "[envoy]") {
  const PassedSetting own{.filters = "{ name: own, typed_config: { \"@type\": type.googleapis.com/acme.Filter } },",
                          .action = by_user_header,
                          .cluster = by_ring};
  CHECK(passed_by(own).front() == "HTTP filter `own` lets the request pass unchanged");
  CHECK(unknown_of(own) == "HTTP filter `own` may change `x-user`, which a hash policy reads");
  CHECK(passed_by({.manager = "new_field_of_tomorrow: 1,"}) ==
        PassedNotes{"`new_field_of_tomorrow` of the connection manager lets the request pass unchanged"});
  CHECK(passed_by({.host = "newFieldOfTomorrow: 1,"}) ==
        PassedNotes{"`new_field_of_tomorrow` of virtual host `v` lets the request pass unchanged"});
}

TEST_CASE("no share is exact once something may write what decides", "[envoy]") {
  const std::string mutation = "mutations: { request_mutations: [{ append: { header: { key: x-user, value: a } } }] }";
  PassedSetting mutated{.filters = filter_of("m", "header_mutation.v3.HeaderMutation", mutation)};
  // Round robin reads no header, and the only route takes every request.
  CHECK(unknown_of(mutated).empty());
  mutated.action = by_user_header;
  CHECK(unknown_of(mutated).empty());
  mutated.cluster = by_ring;
  CHECK(unknown_of(mutated) == "HTTP filter `m` may change `x-user`, which a hash policy reads");
  mutated.action = ", hash_policy: [{ header: { header_name: x-other } }]";
  CHECK(unknown_of(mutated).empty());

  const std::string headers = "request_headers_to_add: [{ header: { key: X-User, value: a } }],";
  CHECK_FALSE(unknown_of({.host = headers, .action = by_user_header, .cluster = by_ring}).empty());
  CHECK_FALSE(unknown_of({.configuration = headers, .action = by_user_header, .cluster = by_ring}).empty());
  CHECK_FALSE(unknown_of({.host = "request_headers_to_remove: [x-user],", .action = by_user_header, .cluster = by_ring})
                  .empty());
  CHECK(unknown_of({.host = "request_headers_to_remove: [x-user],", .action = by_user_header}).empty());

  const std::string subsets =
      ", lb_subset_config: { fallback_policy: ANY_ENDPOINT, subset_selectors: [{ keys: [v] }] }";
  const auto set_metadata = [](const std::string& name_space) {
    return filter_of("s", "set_metadata.v3.Config",
                     "metadata: [{ metadata_namespace: " + name_space + ", value: { v: '1' } }]");
  };
  CHECK(unknown_of({.filters = set_metadata("envoy.lb"), .cluster = subsets}) ==
        "HTTP filter `s` may change dynamic metadata, which a subset reads");
  CHECK(unknown_of({.filters = set_metadata("envoy.lb")}).empty());
  CHECK(unknown_of({.filters = set_metadata("other"), .cluster = subsets}).empty());

  // The connection manager strips or sets these of every request.
  CHECK_FALSE(unknown_of({.action = ", hash_policy: [{ header: { header_name: x-envoy-external-address } }]",
                          .cluster = by_ring})
                  .empty());
  const std::string by_client = ", hash_policy: [{ header: { header_name: x-forwarded-for } }]";
  const PassedSetting edge{.manager = "use_remote_address: true,", .action = by_client, .cluster = by_ring};
  CHECK_FALSE(unknown_of(edge).empty());
  CHECK(unknown_of(edge, described_request({}, "192.0.2.9:4000")).empty());
  // Of a loopback address Envoy appends the machine's own one, which nothing here tells.
  CHECK_FALSE(unknown_of(edge, described_request({}, "127.0.0.1:4000")).empty());
  CHECK(pass_request(edge, described_request({{"x-forwarded-for", "10.0.0.2"}}, "192.0.2.9:4000"))
            .scenario->clients[0]
            .workload.requests[0]
            .request.headers.back() == std::pair<std::string, std::string>("x-forwarded-for", "10.0.0.2,192.0.2.9"));
}

TEST_CASE("what may change the request before its route is chosen makes the route unknown if there is another one",
          "[envoy]") {
  const std::string early =
      "early_header_mutation_extensions: [{ name: e, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation, mutations: "
      "[{ remove: x-stage }] } }],";
  CHECK(unknown_of({.manager = early}).empty());
  const std::string other =
      "routes: [{ match: { prefix: /, headers: [{ name: x-stage, present_match: true }] }, "
      "route: { cluster: c } }, { match: { prefix: / }, route: { cluster: c } }] }, { name: w, "
      "domains: [w], ";
  CHECK_FALSE(unknown_of({.manager = early, .host = other}).empty());
  // Filters run once the route is chosen, unless they choose it anew.
  const std::string mutation = "mutations: { request_mutations: [{ append: { header: { key: x-stage, value: a } } }] }";
  CHECK(unknown_of({.filters = filter_of("m", "header_mutation.v3.HeaderMutation", mutation), .host = other}).empty());
  CHECK_FALSE(unknown_of({.filters = filter_of("l", "lua.v3.Lua", "inline_code: x"), .host = other}).empty());
}

TEST_CASE("a filter that is switched off does nothing", "[envoy]") {
  const std::string rules =
      "request_rules: [{ header: x-v, on_header_present: { metadata_namespace: envoy.lb, key: v } }]";
  const auto has_rules = [&](const std::string& more, const std::string& per_route) {
    const PassedSetting with{.filters = filter_of("h", "header_to_metadata.v3.Config", rules, more),
                             .route = per_route};
    const Reading reading = pass_request(with);
    REQUIRE(reading.scenario);
    return !reading.scenario->routes[0].header_to_metadata.request_rules.empty();
  };
  const std::string off =
      "typed_per_filter_config: { h: { \"@type\": "
      "type.googleapis.com/envoy.config.route.v3.FilterConfig, disabled: true } },";
  const std::string on =
      "typed_per_filter_config: { h: { \"@type\": "
      "type.googleapis.com/envoy.config.route.v3.FilterConfig, config: { \"@type\": " +
      filter_types + "header_to_metadata.v3.Config, " + rules + " } } },";
  CHECK(has_rules("", ""));
  CHECK_FALSE(has_rules(", disabled: true", ""));
  CHECK_FALSE(has_rules("", off));
  CHECK(has_rules(", disabled: true", on));
  CHECK(passed_by({.filters = filter_of("l", "lua.v3.Lua", "inline_code: x", ", disabled: true")}).empty());
}

TEST_CASE("what comes without TLS ends at a virtual host that requires it", "[envoy]") {
  const proxy::RequestDescription over_tls = described_request({{"x-forwarded-proto", "https"}});
  for (const char* const which : {"ALL", "EXTERNAL_ONLY"}) {
    const PassedSetting with{.host = std::string("require_tls: ") + which + ","};
    CHECK(unknown_of(with) == "SP151");
    CHECK(unknown_of(with, over_tls).empty());
    CHECK(unknown_of(with, described_request({{":scheme", "https"}})) == "SP151");
    PassedSetting edge = with;
    edge.manager = "use_remote_address: true,";
    CHECK(unknown_of(edge, over_tls) == "SP151");
  }
  CHECK(unknown_of({.host = "require_tls: NONE,"}).empty());
  // Envoy takes words in any case, and numbers.
  CHECK(unknown_of({.host = "require_tls: all,"}) == "SP151");
  CHECK(unknown_of({.host = "require_tls: 2,"}) == "SP151");
  const proxy::RequestDescription underscore = described_request({{"x_y", "1"}});
  for (const char* const word : {"REJECT_REQUEST", "reject-request", "1"}) {
    INFO(word);
    CHECK(unknown_of({.manager = std::string("common_http_protocol_options: {headers_with_underscores_action: ") +
                                 word + "},"},
                     underscore) == "SP151");
  }
  for (const char* const word : {"REJECT_REQUEST", "reject_request", "2", "unescape_and_redirect"}) {
    INFO(word);
    proxy::RequestDescription slashes = described_request({});
    slashes.path = "/a%2Fb";
    CHECK(unknown_of({.manager = std::string("path_with_escaped_slashes_action: ") + word + ","}, slashes) == "SP151");
  }
}

TEST_CASE("the scheme that a connection manager writes decides what counts as TLS", "[envoy]") {
  for (const char* const edge : {"", "use_remote_address: true,"}) {
    for (const char* const forwarded : {"http", "https"}) {
      const proxy::RequestDescription request = described_request({{"x-forwarded-proto", forwarded}});
      const auto with = [&](const char* scheme) {
        return PassedSetting{
            .manager = std::string(edge) + "scheme_header_transformation: {scheme_to_overwrite: " + scheme + "},",
            .host = "require_tls: ALL,"};
      };
      CHECK(unknown_of(with("https"), request).empty());
      CHECK(unknown_of(with("http"), request) == "SP151");
    }
  }
}

TEST_CASE("require_tls lets what comes from an internal address pass, as Envoy finds it", "[envoy]") {
  const auto passes = [](const std::string& manager, const char* forwarded_for, const char* source = "") {
    proxy::RequestDescription request = described_request({});
    if (*forwarded_for != '\0') {
      request.headers.emplace_back("x-forwarded-for", forwarded_for);
    }
    if (*source != '\0') {
      request.source = source;
    }
    return unknown_of({.manager = manager, .host = "require_tls: EXTERNAL_ONLY,"}, request).empty();
  };
  const std::string usual = "internal_address_config: {},";
  const std::string nine = "internal_address_config: {cidr_ranges: [{address_prefix: 9.0.0.0, prefix_len: 8}]},";
  const std::string edge = "use_remote_address: true,";
  CHECK_FALSE(passes("", "10.0.0.1"));
  CHECK_FALSE(passes(usual, ""));
  CHECK(passes(usual, "10.0.0.1"));
  CHECK(passes(usual, "192.168.1.1"));
  CHECK(passes(usual, "fd00::1"));
  CHECK_FALSE(passes(usual, "8.8.8.8"));
  CHECK_FALSE(passes(usual, "10.0.0.1, 10.0.0.2"));
  CHECK(passes(nine, "9.1.1.1"));
  CHECK_FALSE(passes(nine, "10.0.0.1"));
  CHECK_FALSE(passes(edge, "", "127.0.0.1:40000"));
  CHECK(passes(edge + usual, "", "127.0.0.1:40000"));
  CHECK_FALSE(passes(edge + usual, "", "8.8.8.8:40000"));
  CHECK_FALSE(passes(edge + usual, "10.0.0.1", "127.0.0.1:40000"));
  // Its source is not known.
  CHECK_FALSE(passes(edge + usual, ""));
}

TEST_CASE("a request that the connection manager changes is asked for as it is then", "[envoy]") {
  const auto authority = [](const std::string& manager, const std::string& host) {
    const Reading reading = pass_request({.manager = manager}, {.listener = "", .host = host});
    REQUIRE(reading.scenario);
    const auto& request = reading.scenario->clients[0].workload.requests[0].request;
    return *envoy::routes::first_value(request, ":authority");
  };
  CHECK(authority("strip_any_host_port: true,", "a.com:8080") == "a.com");
  CHECK(authority("strip_any_host_port: true,", "a.com:x") == "a.com:x");
  CHECK(authority("strip_any_host_port: true,", "[::1]:80") == "[::1]");
  CHECK(authority("strip_any_host_port: true,", "::1") == "::1");
  CHECK(authority("strip_matching_host_port: true,", "a.com:80") == "a.com");
  CHECK(authority("strip_matching_host_port: true,", "a.com:81") == "a.com:81");
  CHECK(authority("strip_trailing_host_dot: true,", "a.com.") == "a.com");
  CHECK(authority("strip_trailing_host_dot: true,", "a.com.:80") == "a.com:80");
  proxy::RequestDescription by_name = described_request({{"Host", "a.com:8080"}});
  by_name.host.clear();
  const Reading named = pass_request({.manager = "strip_any_host_port: true,"}, by_name);
  REQUIRE(named.scenario);
  CHECK(*envoy::routes::first_value(named.scenario->clients[0].workload.requests[0].request, ":authority") == "a.com");

  const auto client = [](const std::string& manager, const std::string& forwarded) {
    const Reading reading =
        pass_request({.manager = manager}, described_request({{"x-forwarded-for", forwarded}}, "192.0.2.1:7"));
    REQUIRE(reading.scenario);
    return *reading.scenario->clients[0].workload.requests[0].request.remote_address;
  };
  CHECK(client("", "10.0.0.9, 10.0.0.4") == "10.0.0.4:0");
  CHECK(client("", "10.0.0.1 , x") == "192.0.2.1:7");
  CHECK(client("xff_num_trusted_hops: 1,", "10.0.0.4") == "192.0.2.1:7");
  CHECK(client("xff_num_trusted_hops: 1,", "10.0.0.9, 10.0.0.4") == "10.0.0.9:0");
  CHECK(client("use_remote_address: true,", "10.0.0.4") == "192.0.2.1:7");
  CHECK(client("use_remote_address: true, xff_num_trusted_hops: 1,", "10.0.0.9, 10.0.0.4") == "10.0.0.4:0");

  const proxy::RequestDescription odd = described_request({{"x_a", "1"}});
  const auto options = [](const std::string& action) {
    return PassedSetting{.manager =
                             "common_http_protocol_options: { headers_with_underscores_action: " + action + " },"};
  };
  CHECK(unknown_of(options("REJECT_REQUEST"), odd) == "SP151");
  const Reading dropped = pass_request(options("DROP_HEADER"), odd);
  REQUIRE(dropped.scenario);
  CHECK(envoy::routes::first_value(dropped.scenario->clients[0].workload.requests[0].request, "x_a") == nullptr);
}

TEST_CASE("a TCP proxy hashes the address that a connection comes from", "[envoy]") {
  const auto proxy = [](const std::string& policy) {
    return "static_resources:\n  listeners:\n  - name: in\n    filter_chains:\n    - filters:\n      - name: tcp\n"
           "        typed_config: { \"@type\": "
           "type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: t, cluster: c, "
           "hash_policy: [" +
           policy +
           "] }\n  clusters:\n  - { name: c, lb_policy: RING_HASH, load_assignment: { cluster_name: c, endpoints: [{ "
           "lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } "
           "}\n";
  };
  const auto read = [&](const std::string& policy) {
    return read_envoy_texts({{"bootstrap.yaml", proxy(policy)}},
                            {.cluster = "", .request = proxy::RequestDescription{.listener = "in", .host = ""}});
  };
  const Reading by_source = read("{ source_ip: {} }");
  INFO(documents::render_diagnostics(by_source.diagnostics, by_source.sources));
  REQUIRE(by_source.scenario);
  const auto& policies = by_source.scenario->routes.at(0).route.action.hash_policy;
  REQUIRE(policies.size() == 1);
  CHECK(std::get<envoy::routes::ConnectionPropertiesHash>(policies[0].policy_specifier).source_ip);
  CHECK(read("{ filter_state: { key: k } }").scenario);
  // Envoy: field policy_specifier is required; and it knows no header of a connection.
  CHECK_FALSE(read("{}").scenario);
  CHECK_FALSE(read("{ header: { header_name: x } }").scenario);
}

}  // namespace spillway::scenario
