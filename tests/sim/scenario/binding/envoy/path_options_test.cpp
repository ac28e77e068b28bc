// As an Envoy 1.40.0 showed routes the path of a request, by its connection manager's options.
#include "models/envoy/proxy/path_options.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/documents/parse.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::scenario {
namespace {

std::string seen_path(const std::string& options, const std::string& path) {
  Sources sources = {{"manager.yaml", options}};
  Diagnostics problems;
  const auto manager = documents::parse(sources, 0, problems);
  REQUIRE(manager.has_value());
  return proxy::forwarded_path(&*manager, path).value_or("answered");
}

}  // namespace

TEST_CASE("A normalized path has no segments of dots and no escapes of unreserved characters", "[envoy][dump]") {
  const auto [path, seen] = GENERATE(table<std::string, std::string>({{"//admin", "//admin"},
                                                                      {"/x/../admin", "/admin"},
                                                                      {"/%61dmin", "/admin"},
                                                                      {"/a%2Fb", "/a%2Fb"},
                                                                      {"/a\\b", "/a/b"},
                                                                      {"/a/./b", "/a/b"},
                                                                      {"/a/..", "/"},
                                                                      {"/a/.", "/a/"},
                                                                      {"/", "/"},
                                                                      {"/../a", "/a"},
                                                                      {"/a//../b", "/a/b"},
                                                                      {"/a%2e%2E/b", "/a../b"},
                                                                      {"/x/%2e%2e/b", "/b"},
                                                                      {"/a%7Eb%2db%5Fc%2Ec", "/a~b-b_c.c"},
                                                                      {"/a%21%24%41", "/a%21%24A"},
                                                                      {"/a%zz", "/a%zz"},
                                                                      {"/a%", "/a%"},
                                                                      {"/a//b?c=//d/../e", "/a//b?c=//d/../e"},
                                                                      {"/a;b=1/../c", "/c"},
                                                                      {"/a...b/...", "/a...b/..."},
                                                                      {"/a\"b<c>", "/a%22b%3Cc%3E"},
                                                                      {"/a|b^c`d{e}", "/a%7Cb%5Ec%60d%7Be%7D"}}));
  CHECK(seen_path("normalize_path: true", path) == seen);
}

TEST_CASE("Slashes of a path are merged and unescaped where the connection manager says so", "[envoy][dump]") {
  CHECK(seen_path("merge_slashes: true", "//admin") == "/admin");
  CHECK(seen_path("merge_slashes: true", "/a//../b") == "/a/../b");
  CHECK(seen_path("merge_slashes: true", "/a//b?c=//d/../e") == "/a/b?c=//d/../e");
  const std::string action = "path_with_escaped_slashes_action: ";
  CHECK(seen_path(action + "UNESCAPE_AND_FORWARD", "/a%2f../b") == "/a/../b");
  CHECK(seen_path(action + "UNESCAPE_AND_FORWARD", "/a%5cb") == "/a\\b");
  CHECK(seen_path(action + "REJECT_REQUEST", "/a%2Fb") == "answered");
  CHECK(seen_path(action + "UNESCAPE_AND_REDIRECT", "/a%2Fb") == "answered");
  CHECK(seen_path(action + "KEEP_UNCHANGED", "/a%2Fb") == "/a%2Fb");
  const std::string all = "{ normalize_path: true, merge_slashes: true, " + action + "UNESCAPE_AND_FORWARD }";
  CHECK(seen_path(all, "/%2F%2fa") == "/a");
  CHECK(seen_path(all, "/a%2f../b") == "/b");
  CHECK(seen_path("{}", "//x/../%61?a") == "//x/../%61?a");
}

TEST_CASE("Routes take the path that the connection manager forwards", "[envoy][dump]") {
  const auto asked = [](const std::string& path) {
    const Reading reading = read_envoy_texts(
        {{"bootstrap.yaml",
          "static_resources:\n  listeners:\n  - name: in\n    filter_chains:\n    - filters:\n      - name: hcm\n"
          "        typed_config: { \"@type\": type.googleapis.com/envoy.extensions.filters.network."
          "http_connection_manager.v3.HttpConnectionManager, stat_prefix: x, normalize_path: true, merge_slashes: "
          "true, path_with_escaped_slashes_action: REJECT_REQUEST, route_config: { virtual_hosts: [{ name: v, domains: "
          "['*'], routes: [{ match: { prefix: /admin }, route: { cluster: admin } }, { match: { prefix: / }, route: { "
          "cluster: rest } }] }] } }\n  clusters:\n"
          "  - { name: admin, load_assignment: { cluster_name: admin, endpoints: [{ lb_endpoints: [{ endpoint: { "
          "address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } }\n"
          "  - { name: rest, load_assignment: { cluster_name: rest, endpoints: [{ lb_endpoints: [{ endpoint: { "
          "address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] } }\n"}},
        {.cluster = "", .request = proxy::RequestDescription{.listener = "", .host = "x", .path = path}});
    return reading.scenario ? reading.scenario->routes.at(0).route.action.clusters.at(0).name
                            : reading.diagnostics.front().code;
  };
  CHECK(asked("//admin") == "admin");
  CHECK(asked("/x/../admin") == "admin");
  CHECK(asked("/%61dmin") == "admin");
  CHECK(asked("/adm") == "rest");
  CHECK(asked("/a%2Fb") == "SP151");
  CHECK(asked("/admin#top") == "SP151");  // a live Envoy 1.40 answers 400
}

}  // namespace spillway::scenario
