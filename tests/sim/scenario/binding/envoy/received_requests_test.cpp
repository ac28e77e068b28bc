// Envoy's codec and connection manager change a described request, and a filter chain takes its connection. Every
// answer was played on Envoy 1.40: `a` and `b` are clusters that a request reached.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

using SentHeaders = std::vector<std::pair<std::string, std::string>>;

const std::string extension_types = "type.googleapis.com/envoy.extensions.";
const std::string tls_inspector = "    listener_filters: [{ name: tls, typed_config: { \"@type\": " + extension_types +
                                  "filters.listener.tls_inspector.v3.TlsInspector } }]\n";
const std::string tls_socket = "transport_socket: { name: tls, typed_config: { \"@type\": " + extension_types +
                               "transport_sockets.tls.v3.DownstreamTlsContext } }, ";

std::string to_cluster(const std::string& match, const std::string& cluster, const std::string& more = "") {
  return "{ match: { " + match + " }, route: { cluster: " + cluster + more + " } },";
}

// Routes to `a` with the condition, else to `b`.
std::string by_condition(const std::string& name, const std::string& condition) {
  return to_cluster("prefix: /, headers: [{ name: '" + name + "', " + condition + " }]", "a") +
         to_cluster("prefix: /", "b");
}

struct ReceivingChain {
  std::string routes = {};
  std::string fields = {};   // of the filter chain, each with a comma behind it
  std::string manager = {};  // of the connection manager, likewise
  std::string host = {};     // of the virtual host, likewise
};

std::string receiver(const std::vector<ReceivingChain>& chains, const std::string& listener = "") {
  std::string text =
      "static_resources:\n  listeners:\n  - name: in\n    address: { socket_address: { address: 127.0.0.1, port_value: "
      "80 } }\n" +
      listener + "    filter_chains:\n";
  for (const ReceivingChain& chain : chains) {
    text += "    - { " + chain.fields + " filters: [{ name: hcm, typed_config: { \"@type\": " + extension_types +
            "filters.network.http_connection_manager.v3.HttpConnectionManager, stat_prefix: x, " + chain.manager +
            " http_filters: [{ name: router, typed_config: { \"@type\": " + extension_types +
            "filters.http.router.v3.Router } }], route_config: { name: r, virtual_hosts: [{ name: v, domains: ['*'], " +
            chain.host + " routes: [" + chain.routes + "] }] } } }] }\n";
  }
  text += "  clusters:\n";
  for (const char* const name : {"a", "b", "c"}) {
    text += std::string("  - { name: ") + name + ", lb_policy: RING_HASH, load_assignment: { cluster_name: " + name +
            ", endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: "
            "80 } } } }] }] } }\n";
  }
  return text;
}

proxy::RequestDescription sending(SentHeaders headers = {}, const std::string& path = "/",
                                  const std::string& host = "h.test") {
  return {.listener = "in", .host = host, .path = path, .headers = std::move(headers), .source = "127.0.0.1:0"};
}

// The cluster that the request reaches; "?" if that is not known; the code of what is wrong.
std::string reached(const std::string& text, const proxy::RequestDescription& request) {
  const Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = "", .request = request});
  UNSCOPED_INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  if (!reading.scenario) {
    return test::codes_of(reading.diagnostics).at(0);
  }
  const Route& route = reading.scenario->routes.at(0);
  return route.unknown_choice.empty() ? route.route.action.clusters.at(0).name : "?";
}

}  // namespace

TEST_CASE("a request over TLS counts as https, and so does what x-forwarded-proto says", "[envoy][received]") {
  const auto tls = [](const std::string& routes, const std::string& manager = "", const std::string& host = "") {
    return receiver(
        {{.routes = routes,
          .fields = "filter_chain_match: { transport_protocol: tls, server_names: [h.test] }, " + tls_socket,
          .manager = manager,
          .host = host}},
        tls_inspector);
  };
  const std::string by_scheme = by_condition(":scheme", "string_match: { exact: https }");
  const std::string by_proto = by_condition("x-forwarded-proto", "string_match: { exact: https }");
  for (const SentHeaders& sent : {SentHeaders{}, SentHeaders{{":scheme", "https"}}}) {
    CHECK(reached(tls(to_cluster("prefix: /", "a"), "", "require_tls: ALL, "), sending(sent)) == "a");
    CHECK(reached(tls(by_scheme), sending(sent)) == "a");
    CHECK(reached(tls(by_proto), sending(sent)) == "a");
    CHECK(reached(tls(by_proto, "use_remote_address: true, "), sending(sent)) == "a");
  }
  // Over a plain connection.
  const auto plain = [](const std::string& routes, const std::string& manager = "") {
    return receiver({{.routes = routes, .manager = manager}});
  };
  const proxy::RequestDescription forwarded = sending({{"x-forwarded-proto", "https"}});
  CHECK(reached(plain(by_scheme), sending()) == "b");
  CHECK(reached(plain(by_scheme), forwarded) == "a");
  CHECK(reached(plain(by_scheme), sending({{"x-forwarded-proto", "ftp"}})) == "b");
  CHECK(reached(plain(by_scheme, "use_remote_address: true, "), forwarded) == "b");
  CHECK(reached(plain(by_proto, "use_remote_address: true, "), forwarded) == "b");
  CHECK(reached(plain(by_proto, "use_remote_address: true, xff_num_trusted_hops: 1, "), forwarded) == "a");
}

TEST_CASE("a plain connection takes no chain that needs TLS, a server name or an application protocol",
          "[envoy][received]") {
  const auto two = [](const std::string& match, const std::string& listener = "") {
    return receiver({{.routes = to_cluster("prefix: /", "a"), .fields = "filter_chain_match: { " + match + " }, "},
                     {.routes = to_cluster("prefix: /", "b")}},
                    listener);
  };
  for (const char* const match :
       {"server_names: [h.test]", "transport_protocol: tls", "application_protocols: [http/1.1]", "source_ports: [1]",
        "source_prefix_ranges: [{ address_prefix: 10.0.0.0, prefix_len: 8 }]", "source_type: EXTERNAL"}) {
    INFO(match);
    proxy::RequestDescription request = sending();
    request.source = "127.0.0.1:40000";
    CHECK(reached(two(match), request) == "b");
    request.headers = {{":scheme", "http"}};
    CHECK(reached(two(match), request) == "b");
  }
  CHECK(reached(two("direct_source_prefix_ranges: [{ address_prefix: 127.0.0.1, prefix_len: 32 }]"), sending()) == "a");
  CHECK(reached(two("source_type: SAME_IP_OR_LOOPBACK"), sending()) == "a");
  // The chain's only route is for another path: the answer is 404, not the other chain.
  CHECK(reached(receiver({{.routes = to_cluster("prefix: /", "a"),
                           .fields = "filter_chain_match: { server_names: [h.test] }, "},
                          {.routes = to_cluster("path: /only", "b")}}),
                sending()) == "SP150");
  // No chain takes the connection.
  CHECK(reached(receiver({{.routes = to_cluster("prefix: /", "a"),
                           .fields = "filter_chain_match: { server_names: [h.test] }, "}}),
                sending()) == "SP150");
}

TEST_CASE("headers of one hop, and those that a client may not bring, are gone before routes read them",
          "[envoy][received]") {
  const auto with = [](const std::string& header, const std::string& value, const std::string& manager = "",
                       const std::string& condition = "present_match: true") {
    return reached(receiver({{.routes = by_condition(header, condition), .manager = manager}}),
                   sending({{header, value}}));
  };
  CHECK(with("te", "gzip") == "b");
  CHECK(with("te", "trailers;q=0.5") == "b");
  CHECK(with("te", "gzip, trailers", "", "string_match: { exact: trailers }") == "a");
  CHECK(with("keep-alive", "5") == "b");
  CHECK(with("proxy-connection", "x") == "b");
  CHECK(with("connection", "keep-alive") == "b");
  CHECK(with("upgrade", "websocket") == "b");
  CHECK(with("transfer-encoding", "chunked") == "b");
  CHECK(with("x-forwarded-client-cert", "a") == "b");
  const std::string edge = "use_remote_address: true, ";
  CHECK(with("x-envoy-original-path", "/q") == "a");
  CHECK(with("x-envoy-original-path", "/q", edge) == "b");
  CHECK(with("x-envoy-original-path", "/q", edge + "internal_address_config: {}, ") == "a");
  const std::string own_id = "string_match: { exact: abc }";
  CHECK(with("x-request-id", "abc", "", own_id) == "a");
  CHECK(with("x-request-id", "abc", edge, own_id) == "b");
  CHECK(with("x-request-id", "abc", edge + "preserve_external_request_id: true, ", own_id) == "a");
  CHECK(with("x-request-id", "abc", edge + "internal_address_config: {}, ", own_id) == "a");
}

TEST_CASE("a generated x-request-id is there, and what else it meets is not known", "[envoy][received]") {
  const auto by_id = [](const std::string& condition, SentHeaders headers = {}) {
    return reached(receiver({{.routes = by_condition("x-request-id", condition)}}), sending(std::move(headers)));
  };
  CHECK(by_id("present_match: true") == "a");
  CHECK(by_id("present_match: true, invert_match: true") == "b");
  CHECK(by_id("string_match: { exact: abc }") == "b");
  CHECK(by_id("string_match: { contains: a }") == "SP301");  // 54 of 60 requests reached `a`
  CHECK(by_id("string_match: { prefix: a }, invert_match: true") == "SP301");
  CHECK(by_id("string_match: { contains: a }", {{"x-request-id", "a"}}) == "a");
  // Without one Envoy goes to `b`.
  const std::string none = "generate_request_id: false, ";
  const std::string text = receiver({{.routes = by_condition("x-request-id", "present_match: true"), .manager = none}});
  CHECK(reached(text, sending()) == "b");
  CHECK(reached(text, sending({{"x-request-id", "7"}})) == "a");
}

TEST_CASE("a route is chosen before filters write metadata", "[envoy][received]") {
  const auto by_metadata = [](const std::string& more) {
    return reached(receiver({{.routes = to_cluster("prefix: /, dynamic_metadata: [{ filter: f, path: [{ key: k }], "
                                                   "value: { present_match: false }" +
                                                       more + " }]",
                                                   "a") +
                                        to_cluster("prefix: /", "b")}}),
                   sending());
  };
  CHECK(by_metadata("") == "b");
  CHECK(by_metadata(", invert: true") == "a");
}

TEST_CASE("a client shows a certificate only where it is asked for one", "[envoy][received]") {
  const auto by_certificate = [](const std::string& condition, const std::string& fields = "") {
    return reached(receiver({{.routes = to_cluster("prefix: /, tls_context: { " + condition + " }", "a") +
                                        to_cluster("prefix: /", "b"),
                              .fields = fields}}),
                   sending());
  };
  const auto secure = [](const std::string& common, const std::string& more = "") {
    return "transport_socket: { name: tls, typed_config: { \"@type\": " + extension_types +
           "transport_sockets.tls.v3.DownstreamTlsContext, common_tls_context: { " + common + " }" + more + " } }, ";
  };
  for (const std::string& chain : {std::string(), secure("tls_certificates: []")}) {
    CHECK(by_certificate("presented: true", chain) == "b");
    CHECK(by_certificate("validated: true, presented: false", chain) == "b");
    CHECK(by_certificate("presented: false, validated: false", chain) == "a");
    CHECK(by_certificate("", chain) == "a");
  }
  CHECK(by_certificate("presented: false", secure("validation_context: {}")) == "SP301");
  CHECK(by_certificate("presented: false", secure("", ", require_client_certificate: true")) == "SP301");
}

TEST_CASE("what acts on redirects, time-outs or an unread path alone changes no first attempt", "[envoy][received]") {
  const auto with = [](const std::string& fields, const std::string& host = "") {
    return reached(receiver({{.routes = to_cluster("prefix: /", "a", ", " + fields), .host = host}}), sending());
  };
  const std::string by_path = "hash_policy: [{ header: { header_name: ':path' } }], ";
  const std::string rewrite = "path_rewrite: /b";
  CHECK(with("internal_redirect_policy: { max_internal_redirects: 2 }") == "a");
  CHECK(with("hedge_policy: { initial_requests: 1 }") == "a");
  CHECK(with("timeout: 1s", "hedge_policy: { hedge_on_per_try_timeout: true }, ") == "a");
  CHECK(
      with("retry_policy: { retry_on: 5xx, per_try_timeout: 1s }, hedge_policy: { hedge_on_per_try_timeout: true }") ==
      "SP301");
  CHECK(with(rewrite) == "a");
  CHECK(with(by_path + rewrite) == "SP301");
}

TEST_CASE("the codec settles the target of a request, and refuses what HTTP/1.1 does not have", "[envoy][received]") {
  const auto sent = [](proxy::RequestDescription request, const std::string& manager = "") {
    INFO(request.path << " " << request.host);
    const std::string host_x = "prefix: /, headers: [{ name: ':authority', string_match: { exact: x.test } }]";
    return reached(receiver({{.routes = to_cluster(host_x, "a") + to_cluster("prefix: ''", "b"), .manager = manager}}),
                   std::move(request));
  };
  for (const char* const path : {"http://x.test/a", "https://x.test/a", "HTTP://x.test", "http://x.test/?b=1"}) {
    CHECK(sent(sending({}, path)) == "a");
  }
  for (const char* const path : {"ftp://x.test/a", "http://x.test?b=1", "*", "a", "/a b", "/\xC3\xA9"}) {
    CHECK(sent(sending({}, path)) == "SP151");
  }
  CHECK(sent(sending({}, "/a\"<b>\\{c}|^`")) == "b");
  for (const char* const host : {"h test", "h\xC3\xA9.test", "h/test", "h|t", "h<t>", "h?t", "h#t", "h\\t"}) {
    CHECK(sent(sending({}, "/", host)) == "SP151");
  }
  for (const char* const host : {"h_test", "h!test", "h%20t", "u:p@h", "[::1]", "h.test:8a", "h,t"}) {
    CHECK(sent(sending({}, "/", host)) == "b");
  }
  for (const char* const method : {"get", "FOO", "M-SEARCH", "QUERY"}) {
    CHECK(sent(sending({{":method", method}})) == "SP151");
    CHECK(sent(sending({{":method", method}}), "http_protocol_options: { allow_custom_methods: true }, ") == "b");
  }
  for (const char* const method : {"PURGE", "MSEARCH", "OPTIONS", "PROPFIND", "TRACE"}) {
    CHECK(sent(sending({{":method", method}})) == "b");
  }
  CHECK(sent(sending({{":method", "OPTIONS"}}, "*")) == "SP151");
  CHECK(sent(sending({{":method", "CONNECT"}}, "/b")) == "SP151");
  CHECK(sent(sending({{"transfer-encoding", "chunked"}, {"content-length", "5"}})) == "SP151");
  CHECK(sent(sending({{"transfer-encoding", "gzip"}})) == "SP151");
  CHECK(sent(sending({{"transfer-encoding", "chunked"}})) == "b");
}

TEST_CASE("an upgrade needs upgrade_configs of the connection manager or the route", "[envoy][received]") {
  const std::string websocket = ", upgrade_configs: [{ upgrade_type: websocket";
  const std::string routes = to_cluster("prefix: /off", "a", websocket + ", enabled: false }]") +
                             to_cluster("prefix: /on", "b", websocket + " }]") + to_cluster("prefix: /", "c");
  const auto upgraded = [&](const std::string& path, const std::string& to, const std::string& manager) {
    return reached(receiver({{.routes = routes, .manager = manager}}),
                   sending({{"connection", "keep-alive, Upgrade"}, {"upgrade", to}}, path));
  };
  const std::string allowing = "upgrade_configs: [{ upgrade_type: websocket }], ";
  CHECK(upgraded("/x", "websocket", "") == "SP151");
  CHECK(upgraded("/x", "TLS/1.0", allowing) == "SP151");
  CHECK(upgraded("/x", "h2c", "") == "c");
  CHECK(upgraded("/x", "WebSocket", allowing) == "c");
  CHECK(upgraded("/on", "websocket", "") == "b");
  CHECK(upgraded("/off", "websocket", allowing) == "SP151");
}

TEST_CASE("blanks around a header's value are no part of it, and a number may have a plus sign", "[envoy][received]") {
  const std::string routes =
      "{ match: { prefix: / }, route: { weighted_clusters: { header_name: x-num, clusters: [{ name: a, weight: 3 }, { "
      "name: b, weight: 1 }] } } }";
  const auto by_number = [&](const char* number) {
    return reached(receiver({{.routes = routes}}), sending({{"x-num", number}}));
  };
  CHECK(by_number("+5") == "a");  // 5 % 4 = 1
  CHECK(by_number(" 7\t") == "b");
  CHECK(by_number("7") == "b");
  const std::string by_value = by_condition("x-user", "string_match: { exact: pad }");
  CHECK(reached(receiver({{.routes = by_value}}), sending({{"x-user", " pad "}})) == "a");
}

TEST_CASE("an address with a port or in brackets in x-forwarded-for does not count", "[envoy][received]") {
  const std::string routes =
      to_cluster("prefix: /", "a", ", hash_policy: [{ connection_properties: { source_ip: true } }]");
  const auto client = [&](const char* value, const std::string& manager = "") {
    const Reading reading = read_envoy_texts({{"b.yaml", receiver({{.routes = routes, .manager = manager}})}},
                                             {.cluster = "", .request = sending({{"x-forwarded-for", value}})});
    REQUIRE(reading.scenario);
    return *reading.scenario->clients[0].workload.requests[0].request.remote_address;
  };
  CHECK(client("1.2.3.4") == "1.2.3.4:0");
  CHECK(client("::1") == "[::1]:0");
  for (const char* const value : {"1.2.3.4:80", "[::1]:80", "[::1]", "bad"}) {
    CHECK(client(value) == "127.0.0.1:0");
    CHECK(client(value, "use_remote_address: true, xff_num_trusted_hops: 1, ") == "127.0.0.1:0");
  }
}

TEST_CASE("changes of headers that nothing reads leave shares exact", "[envoy][received]") {
  const std::string cookie = ", hash_policy: [{ cookie: { name: s } }]";
  const std::string user = ", hash_policy: [{ header: { header_name: X-User } }]";
  const auto changed = [](const std::string& hash, const std::string& change) {
    return reached(
        receiver({{.routes = "{ " + change + ", match: { prefix: / }, route: { cluster: a" + hash + " } }"}}),
        sending({{"x-user", "7"}}));
  };
  const std::string adds_other = "request_headers_to_add: [{ header: { key: x-other, value: v } }]";
  const std::string adds_user = "request_headers_to_add: [{ header: { key: x-user, value: v } }]";
  CHECK(changed(cookie, adds_other) == "a");
  CHECK(changed(cookie, adds_user) == "a");
  CHECK(changed(user, adds_other) == "a");
  CHECK(changed(user, adds_user) == "SP301");
  CHECK(changed(user, "request_headers_to_remove: [x-other]") == "a");
  CHECK(changed(user, "request_headers_to_remove: [x-user]") == "SP301");

  const auto mutated = [&](const std::string& header) {
    const std::string early =
        "early_header_mutation_extensions: [{ name: e, typed_config: { \"@type\": " + extension_types +
        "http.early_header_mutation.header_mutation.v3.HeaderMutation, mutations: [{ append: { "
        "header: { key: " +
        header + ", value: '1' } } }] } }], ";
    return reached(receiver({{.routes = to_cluster("prefix: /", "a", user), .manager = early}}),
                   sending({{"x-user", "7"}}));
  };
  CHECK(mutated("x-z") == "a");
  CHECK(mutated("x-user") == "?");
}

TEST_CASE("a route that is not evaluated reads nothing", "[envoy][received]") {
  const std::string internal = "headers: [{ name: x-envoy-internal, present_match: true }]";
  const std::string first = to_cluster("prefix: /h", "a");
  const std::string reads = to_cluster("prefix: /int, " + internal, "b");
  const auto path = [](const std::string& routes, const char* of) {
    return reached(receiver({{.routes = routes + to_cluster("prefix: /", "c")}}), sending({}, of));
  };
  CHECK(path(first + reads, "/h") == "a");
  CHECK(path(reads + first, "/h") == "a");
  CHECK(path(first + reads, "/int") == "?");
  CHECK(path(first + reads, "/x") == "c");
}

}  // namespace spillway::scenario
