// Documents against the tables. Each verdict is that of `envoy --mode validate` of Envoy 1.40 for a bootstrap with this
// part; the forms of protobuf's JSON were asked one by one.
#include "models/envoy/api/check_document.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/grammar/protobuf_json.hpp"
#include "models/documents/parse.hpp"

namespace spillway::api {
namespace {

// Returns "SP020 1:9" for each error, joined by commas.
std::string errors_of(const std::string& text, const char* message) {
  Diagnostics problems;
  Sources sources{{.name = "d.yaml", .text = text}};
  auto tree = documents::parse(sources, 0, problems);
  REQUIRE(tree);
  grammar::settle_envoy_document(*tree);
  check_document(*tree, message, problems);
  std::string found;
  for (const Diagnostic& problem : problems) {
    found += (found.empty() ? "" : ", ") + problem.code + " " + std::to_string(problem.where.line) + ":" +
             std::to_string(problem.where.column);
  }
  return found;
}

std::string errors_of_action(const std::string& fields) {
  return errors_of("{cluster: a, " + fields + "}", "envoy.config.route.v3.RouteAction");
}

std::string errors_of_manager(const std::string& fields) {
  return errors_of(
      "{stat_prefix: a, route_config: {}, http_filters: [{name: r, typed_config: {'@type': "
      "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}], " +
          fields + "}",
      "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager");
}

}  // namespace

TEST_CASE("unknown keys, both members of a oneof and missing members have their place") {
  CHECK(errors_of_action("timeot: 1s") == "SP020 1:14");
  CHECK(errors_of_action("cluster_header: x") == "SP027 1:14");
  CHECK(errors_of("{timeout: 1s}", "envoy.config.route.v3.RouteAction") == "SP021 1:1");
  CHECK(errors_of_action("hashPolicy: [{header: {headerName: a}}], hostRewriteLiteral: b").empty());
  CHECK(errors_of_action("hash_policy: [{}]") == "SP021 1:28");
}

TEST_CASE("scalars take every form that Envoy takes, and no other") {
  for (const char* const right :
       {"append_x_forwarded_host: 'TRUE'", "append_x_forwarded_host: '1'", "priority: high", "priority: 1",
        "timeout: {seconds: 1}", "retry_policy: {num_retries: '0x2'}", "retry_policy: {num_retries: 1.0}",
        "retry_policy: {num_retries: {value: 1}}", "hash_policy: {header: {header_name: a}}",
        "hash_policy: [[{header: {header_name: a}}]]", "cluster_header: null"}) {
    INFO(right);
    CHECK(errors_of_action(right).empty());
  }
  for (const char* const wrong :
       {"append_x_forwarded_host: 1", "append_x_forwarded_host: [true]", "prefix_rewrite: 1", "timeout: 1",
        "timeout: 1ms", "timeout: '1.1234567890s'", "timeout: -1s", "timeout: 315576000000s", "priority: LOW",
        "priority: 7", "retry_policy: {num_retries: -1}", "retry_policy: {num_retries: 1.5}", "retry_policy: x",
        "retry_policy: []"}) {
    INFO(wrong);
    CHECK_FALSE(errors_of_action(wrong).empty());
  }
}

TEST_CASE("rules of the API hold for set and unset fields") {
  CHECK(errors_of_manager("max_request_headers_kb: 8192").empty());
  CHECK(errors_of_manager("max_request_headers_kb: 8193").starts_with("SP023"));
  CHECK(errors_of_manager("server_name: \"a\\nb\"").starts_with("SP024"));
  CHECK(errors_of_manager("codec_type: 9").starts_with("SP025"));
  CHECK(errors_of_action("hedge_policy: {initial_requests: 0}").starts_with("SP023"));
  CHECK(errors_of("{name: v, routes: []}", "envoy.config.route.v3.VirtualHost") == "SP021 1:1");
  CHECK(errors_of("{status: 99}", "envoy.config.route.v3.DirectResponseAction") == "SP023 1:10");
}

TEST_CASE("an Any is followed by its type, a TypedStruct by its type_url, and unknown types are passed over") {
  const auto with_filter = [](const std::string& config) {
    return errors_of("{name: f, typed_config: " + config + "}",
                     "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter");
  };
  const std::string cors = "type.googleapis.com/envoy.extensions.filters.http.cors.v3.Cors";
  CHECK(with_filter("{'@type': " + cors + "}").empty());
  CHECK(with_filter("{'@type': " + cors + ", x: 1}").starts_with("SP020"));
  CHECK(with_filter("{'@type': type.googleapis.com/xds.type.v3.TypedStruct, type_url: " + cors + ", value: {x: 1}}")
            .starts_with("SP020"));
  CHECK(with_filter("{'@type': type.googleapis.com/istio.telemetry.Stats, x: 1}").empty());
  CHECK(with_filter("{'@type': envoy.extensions.filters.http.cors.v3.Cors}").starts_with("SP024"));
  CHECK(with_filter("{x: 1}").starts_with("SP021"));
  // A message that is no filter.
  CHECK(with_filter("{'@type': type.googleapis.com/envoy.config.core.v3.Metadata}").starts_with("SP139"));
  CHECK(with_filter("{}").starts_with("SP139"));
}

TEST_CASE("each place takes the extensions that Envoy registers for it, and no other message") {
  const std::string at = "{'@type': type.googleapis.com/envoy.extensions.";
  const auto as_filter = [&](const std::string& config) {
    return errors_of("{stat_prefix: a, route_config: {}, http_filters: [{name: f, typed_config: " + at + config +
                         "}, {name: r, typed_config: " + at + "filters.http.router.v3.Router}}]}",
                     "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager");
  };
  CHECK(as_filter("filters.http.cors.v3.Cors}").empty());
  CHECK(as_filter("filters.http.ext_authz.v3.ShadowDecision}").starts_with("SP139"));
  CHECK(as_filter("filters.http.ext_proc.v3.ProcessingMode}").starts_with("SP139"));
  const auto on_route = [&](const std::string& config) {
    return errors_of("{typed_per_filter_config: {f: " + at + "filters.http." + config + "}}",
                     "envoy.config.route.v3.RouteConfiguration");
  };
  CHECK(on_route("lua.v3.LuaPerRoute, disabled: true}").empty());
  CHECK(on_route("lua.v3.Lua, stat_prefix: a}").starts_with("SP139"));
  CHECK(on_route("tap.v3.Tap}").starts_with("SP139"));
  // An empty message of a filter counts as an empty one for routes, with the rules of that.
  CHECK(on_route("ratelimit.v3.RateLimit}").empty());
  CHECK(on_route("oauth2.v3.OAuth2}").starts_with("SP021"));
  const auto socket_of = [&](const char* message, const std::string& context) {
    return errors_of(
        "{name: a, transport_socket: {name: s, typed_config: " + at + "transport_sockets.tls.v3." + context + "}}}",
        message);
  };
  CHECK(socket_of("envoy.config.cluster.v3.Cluster", "UpstreamTlsContext").empty());
  CHECK(socket_of("envoy.config.cluster.v3.Cluster", "DownstreamTlsContext").starts_with("SP139"));
  // Another Envoy may have contributed extensions, and a filter that may be missing is left out.
  CHECK(as_filter("filters.http.golang.v3alpha.Config}").empty());
  CHECK(errors_of("{name: f, is_optional: true, typed_config: " + at + "filters.http.ext_proc.v3.ProcessingMode}}",
                  "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter")
            .empty());
}

TEST_CASE("what Envoy's code refuses in routes is refused") {
  for (const char* const wrong :
       {"prefix_rewrite: /x, regex_rewrite: {pattern: {regex: a}, substitution: b}",
        "host_rewrite_path_regex: {pattern: {regex: '['}, substitution: b}", "path_rewrite: '%FOO%'",
        "upgrade_configs: [{upgrade_type: a}, {upgrade_type: A}]",
        "upgrade_configs: [{upgrade_type: websocket, connect_config: {}}]", "request_mirror_policies: [{}]",
        "request_mirror_policies: [{cluster: a, cluster_header: b}]",
        "retry_policy: {retry_back_off: {base_interval: 2s, max_interval: 1s}}"}) {
    INFO(wrong);
    CHECK(errors_of_action(wrong).starts_with("SP139"));
  }
  CHECK(errors_of_action("upgrade_configs: [{upgrade_type: CONNECT-UDP, connect_config: {}}]").empty());
  const char* const routes = "envoy.config.route.v3.RouteConfiguration";
  CHECK(errors_of("{virtual_hosts: [{name: a, domains: [x.com, X.com]}]}", routes).starts_with("SP139"));
  CHECK(errors_of("{virtual_hosts: [{name: a, domains: [x.com]}, {name: a, domains: ['*']}]}", routes).empty());
  CHECK(errors_of("{request_headers_to_add: [{header: {key: Host, value: a}}]}", routes).starts_with("SP139"));
  CHECK(errors_of("{request_headers_to_remove: [':path']}", routes).starts_with("SP139"));
}

TEST_CASE("a rewrite by a path template has variables of the match's template only") {
  const auto rewrite = [](const std::string& match, const std::string& to) {
    const std::string at = "{name: x, typed_config: {'@type': type.googleapis.com/envoy.extensions.path.";
    return errors_of("{match: {" + match + "}, route: {cluster: a, path_rewrite_policy: " + at +
                         "rewrite.uri_template.v3.UriTemplateRewriteConfig, path_template_rewrite: '" + to + "'}}}}",
                     "envoy.config.route.v3.Route");
  };
  const std::string match =
      "path_match_policy: {name: m, typed_config: {'@type': "
      "type.googleapis.com/envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig, path_template: '/{x}'}}";
  for (const char* const right : {"/a", "/a{x}", "/*", "/{x}{x}", "/{x}/"}) {
    INFO(right);
    CHECK(rewrite(match, right).empty());
  }
  for (const char* const wrong : {"{x}", "a{x}", "/a//b", "/a{x", "/{y}", "/a b", "/a}", "/{1}", "/{}"}) {
    INFO(wrong);
    CHECK(rewrite(match, wrong).starts_with("SP139"));
  }
  CHECK(rewrite("prefix: /", "/a").starts_with("SP139"));
}

TEST_CASE("what Envoy's code refuses in a connection manager is refused") {
  CHECK(errors_of_manager("strip_matching_host_port: true").empty());
  for (const char* const wrong :
       {"strip_matching_host_port: true, strip_any_host_port: true",
        "upgrade_configs: [{upgrade_type: a}, {upgrade_type: a}]",
        "http2_protocol_options: {custom_settings_parameters: [{identifier: 2, value: 1}]}"}) {
    INFO(wrong);
    CHECK(errors_of_manager(wrong).starts_with("SP139"));
  }
}

namespace {

std::string errors_of_listener(const std::string& fields) {
  return errors_of("{address: {socket_address: {address: 127.0.0.1, port_value: 1}}, " + fields + "}",
                   "envoy.config.listener.v3.Listener");
}

}  // namespace

TEST_CASE("filter chains may not take the same connections") {
  const auto chains = [](const std::string& first, const std::string& second) {
    return errors_of_listener("filter_chains: [{filter_chain_match: {" + first + "}}, {filter_chain_match: {" + second +
                              "}}]");
  };
  CHECK(chains("destination_port: 1", "destination_port: 2").empty());
  CHECK(chains("transport_protocol: tls", "transport_protocol: raw_buffer").empty());
  CHECK(chains("server_names: ['*.a']", "server_names: [a, '*.b.a', '*.a.*']").empty());
  CHECK(chains("prefix_ranges: [{address_prefix: 10.0.0.0, prefix_len: 8}]",
               "prefix_ranges: [{address_prefix: 10.0.0.0, prefix_len: 16}]")
            .empty());
  for (const auto& [first, second] :
       {std::pair("destination_port: 1", "destination_port: 1"), std::pair("server_names: [a]", "server_names: [b, A]"),
        std::pair("server_names: [a, a]", ""),
        std::pair("prefix_ranges: [{address_prefix: 10.0.0.0, prefix_len: 8}]",
                  "prefix_ranges: [{address_prefix: 10.1.0.0, prefix_len: 8}]"),
        std::pair("source_type: ANY", ""), std::pair("source_ports: [1, 2]", "source_ports: [2]")}) {
    INFO(first << " and " << second);
    CHECK(chains(first, second).starts_with("SP139"));
  }
  CHECK(errors_of_listener("filter_chains: [{}, {}], filter_chain_matcher: {}").find("SP139") != std::string::npos);
}

TEST_CASE("whole numbers of 64 bits are compared exactly") {
  const auto ends_at = [](const std::string& number) {
    return errors_of("{name: a, range_match: {start: 0, end: " + number + "}}", "envoy.config.route.v3.HeaderMatcher");
  };
  CHECK(ends_at("9223372036854775807").empty());
  CHECK(ends_at("'9223372036854775807'").empty());
  CHECK(ends_at("-9223372036854775808").empty());
  CHECK(ends_at("9223372036854775808").starts_with("SP022"));
}

TEST_CASE("lists in a list count as one list") {
  const std::string host = "envoy.config.route.v3.VirtualHost";
  CHECK(errors_of("{name: v, domains: [[a, [b]], c]}", host.c_str()).empty());
  CHECK_FALSE(errors_of("{name: v, domains: [[]]}", host.c_str()).empty());  // Envoy: at least one
}

TEST_CASE("messages that Envoy keeps unread have to have the right shape only") {
  const auto retry = [](const std::string& fields) {
    return errors_of_action(
        "retry_policy_typed_config: {'@type': type.googleapis.com/envoy.config.route.v3.RetryPolicy, " + fields + "}");
  };
  CHECK(retry("retry_back_off: {}").empty());
  CHECK(retry("retry_priority: {name: x}").empty());
  CHECK(retry("retriable_headers: [{}]").empty());
  CHECK_FALSE(retry("retry_back_of: {}").empty());
  CHECK_FALSE(retry("num_retries: -1").empty());
  CHECK_FALSE(errors_of_action("retry_policy: {retry_back_off: {}}").empty());
}

namespace {

// A matcher of an input, with an action that fits the owner.
std::string matcher_of(const std::string& input, const std::string& action) {
  return "{matcher_list: {matchers: [{predicate: {single_predicate: {input: {name: i, typed_config: {'@type': "
         "type.googleapis.com/" +
         input +
         "}}, value_match: {exact: x}}}, on_match: {action: {name: a, typed_config: {'@type': "
         "type.googleapis.com/" +
         action + "}}}}]}}";
}

}  // namespace

TEST_CASE("which inputs a matcher may have depends on its place") {
  const std::string network = "envoy.extensions.matching.common_inputs.network.v3.";
  const std::string header = "envoy.type.matcher.v3.HttpRequestHeaderMatchInput, header_name: a";
  const std::string answer = "envoy.type.matcher.v3.HttpResponseHeaderMatchInput, header_name: a";
  const auto routes = [](const std::string& input) {
    return errors_of("{name: v, domains: [a], matcher: " +
                         matcher_of(input, "envoy.config.route.v3.Route, match: {prefix: /}, route: {cluster: a}") +
                         "}",
                     "envoy.config.route.v3.VirtualHost");
  };
  const auto chains = [](const std::string& input) {
    return errors_of(
        "{address: {socket_address: {address: 1.1.1.1, port_value: 1}}, filter_chains: [{name: c}], "
        "filter_chain_matcher: " +
            matcher_of(input, "google.protobuf.StringValue, value: c") + "}",
        "envoy.config.listener.v3.Listener");
  };
  const auto rbac = [](const std::string& input, const std::string& kind) {
    return errors_of("{matcher: " + matcher_of(input, "envoy.config.rbac.v3.Action, name: a") +
                         (kind == "network" ? ", stat_prefix: s}" : "}"),
                     ("envoy.extensions.filters." + kind + ".rbac.v3.RBAC").c_str());
  };
  CHECK(routes(header).empty());
  CHECK(routes(network + "FilterStateInput, key: a").empty());
  CHECK(routes("envoy.extensions.matching.common_inputs.environment_variable.v3.Config, name: a").empty());
  CHECK_FALSE(routes(answer).empty());
  CHECK_FALSE(routes(network + "SourceIPInput").empty());
  CHECK_FALSE(routes(network + "ApplicationProtocolInput").empty());

  CHECK(chains(network + "SourceIPInput").empty());
  CHECK(chains(network + "ApplicationProtocolInput").empty());
  CHECK_FALSE(chains(header).empty());
  CHECK_FALSE(chains("envoy.extensions.matching.common_inputs.transport_socket.v3.FilterStateInput, key: a").empty());

  CHECK(rbac(header, "http").empty());
  CHECK(rbac(network + "SourceIPInput", "http").empty());
  CHECK_FALSE(rbac(answer, "http").empty());
  CHECK_FALSE(rbac(network + "SourceTypeInput", "http").empty());
  CHECK_FALSE(rbac(header, "network").empty());
  CHECK(rbac(network + "SourceIPInput", "network").empty());
}

TEST_CASE("a message says its type only as an Any") {
  CHECK(errors_of_action("'@type': type.googleapis.com/envoy.config.route.v3.RouteAction").empty());
  CHECK(errors_of_manager("access_log: [{'@type': x}]").starts_with("SP020 1:"));
}

TEST_CASE("conditions in CEL call the functions that Envoy has, with their numbers of arguments") {
  const auto with = [](const std::string& condition) {
    return errors_of("{permissions: [{any: true}], principals: [{any: true}], condition: {" + condition + "}}",
                     "envoy.config.rbac.v3.Policy");
  };
  const auto call = [&](const std::string& function, int arguments, bool of_target = false) {
    std::string list;
    for (int i = 0; i < arguments; ++i) {
      list += "{const_expr: {string_value: a}},";
    }
    return with("call_expr: {" + std::string(of_target ? "target: {const_expr: {string_value: a}}, " : "") +
                "function: '" + function + "', args: [" + list + "]}");
  };
  CHECK(with("const_expr: {bool_value: true}").empty());
  CHECK(with("ident_expr: {name: request}").empty());
  CHECK(with("select_expr: {operand: {ident_expr: {name: request}}, field: path}").empty());
  CHECK(with("struct_expr: {}").empty());
  CHECK(call("_==_", 2).empty());
  CHECK(call("_&&_", 3).empty());
  CHECK(call("contains", 1, true).empty());
  CHECK(call("getHours", 0, true).empty());
  for (const std::string& errors :
       {with(""), with("const_expr: {}"), with("ident_expr: {}"), with("select_expr: {field: a}"),
        with("select_expr: {operand: {ident_expr: {name: request}}}"), with("struct_expr: {message_name: x}"),
        with("comprehension_expr: {}"), call("_==_", 1), call("foo", 0), call("lowerAscii", 0, true), call("_&&_", 1),
        call("getHours", 1), call("contains", 0, true)}) {
    CHECK(errors.starts_with("SP139"));
  }
}

TEST_CASE("types of clusters may be found by their names") {
  const auto typed = [](const std::string& type) {
    return errors_of("{name: a, connect_timeout: 1s, cluster_type: {" + type + "}}", "envoy.config.cluster.v3.Cluster");
  };
  for (const char* const name : {"static", "strict_dns", "logical_dns", "dns"}) {
    CHECK(typed(std::string("name: envoy.cluster.") + name).empty());
  }
  CHECK(typed("name: envoy.clusters.static").starts_with("SP139"));
}

TEST_CASE("a port has a name only where names are looked up") {
  const auto cluster = [](const std::string& type, const std::string& fields = "") {
    return errors_of("{name: a, connect_timeout: 1s, type: " + type +
                         ", load_assignment: {cluster_name: a, endpoints: [{lb_endpoints: [{endpoint: {address: "
                         "{socket_address: {address: 127.0.0.1, " +
                         (fields.empty() ? "named_port: http" : "port_value: 1") + "}}}}]}]}" + fields + "}",
                     "envoy.config.cluster.v3.Cluster");
  };
  CHECK(cluster("STRICT_DNS").empty());
  CHECK(cluster("STATIC").starts_with("SP139"));
  const std::string resolvers = "[{socket_address: {address: 127.0.0.1, named_port: x}}]";
  for (const std::string& fields :
       {", dns_resolvers: " + resolvers, ", dns_resolution_config: {resolvers: " + resolvers + "}"}) {
    CHECK(cluster("STATIC", fields).empty());
    CHECK(cluster("STRICT_DNS", fields).starts_with("SP139"));
  }
}

TEST_CASE("policies that Envoy does not validate are still built") {
  const auto policy = [](const std::string& name, const std::string& fields) {
    return errors_of("{" + fields + "}", ("envoy.extensions.load_balancing_policies." + name).c_str());
  };
  const std::string aware = "load_aware_locality.v3.LoadAwareLocality";
  const std::string child =
      "endpoint_picking_policy: {policies: [{typed_extension_config: {name: r, typed_config: {'@type': "
      "type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin}}}]}";
  CHECK(policy(aware, child).empty());
  CHECK(policy(aware, "").starts_with("SP139"));
  CHECK(policy(aware, child + ", remote_probe_fraction: 1").starts_with("SP139"));
  CHECK(policy("dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "").starts_with("SP139"));
  CHECK(policy("dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "dynamic_module_config: {name: a}").empty());
}

}  // namespace spillway::api
