#include <catch2/catch.hpp>

#include "models/envoy/routes/route.hpp"

using namespace spillway::envoy::routes;

namespace {

Request get(const std::string& path, const std::string& host = "shop.example") {
  return {.headers = {{":method", "GET"}, {":path", path}, {":authority", host}}};
}

std::string header_after(const Rewrite& rewrite, const std::string& header, const Request& request,
                         const RouteMatch& match = {}) {
  Route route{.match = match, .action = {.clusters = {{"cart"}}, .rewrite = rewrite}};
  const Request result = rewritten(route, route.action.clusters.front(), request);
  const std::string* const value = first_value(result, header);
  return value == nullptr ? "(none)" : *value;
}

}  // namespace

TEST_CASE("prefix_rewrite replaces what the route matched and keeps the query") {
  CHECK(header_after({.prefix_rewrite = "/"}, ":path", get("/api/7?a=b"), {.path = "/api/"}) == "/7?a=b");
  CHECK(header_after({.prefix_rewrite = "/v2"}, ":path", get("/api?a"),
                     {.path_kind = RouteMatch::PathKind::path, .path = "/api"}) == "/v2?a");
  CHECK(header_after({.prefix_rewrite = "/v2"}, ":path", get("/api/7?a"),
                     {.path_kind = RouteMatch::PathKind::regex, .path = "/api/.*"}) == "/v2?a");
  CHECK(header_after({.prefix_rewrite = "/"}, "x-envoy-original-path", get("/api/7"), {.path = "/api/"}) == "/api/7");
}

TEST_CASE("regex_rewrite changes the path and leaves the query alone") {
  const Rewrite rewrite{.regex_rewrite = RegexRewrite("/user/\\d+", "/user/N")};
  CHECK(header_after(rewrite, ":path", get("/user/12?x=/user/3")) == "/user/N?x=/user/3");
}

// A live Envoy 1.40 hashes such texts as these.
TEST_CASE("a substitution that names a group too many changes nothing, and one with a wrong escape ends there") {
  const RegexRewrite rewrite("[0-9]", "\\1");
  CHECK(rewrite.error().empty());
  CHECK(rewrite.apply("u23") == "u23");
  CHECK(RegexRewrite("[0-9]", "a\\xb").apply("u2c") == "uac");
  CHECK(RegexRewrite("[0-9]", "\\0\\0").apply("u2") == "u22");
  CHECK_FALSE(RegexRewrite("(", "").error().empty());
}

TEST_CASE("the host becomes a literal, a header's value, or is made of the path as it came") {
  CHECK(header_after({.host_rewrite_literal = "a.example"}, ":authority", get("/")) == "a.example");
  Request request = get("/t7/list");
  request.headers.emplace_back("X-Tenant", "tenant.example");
  CHECK(header_after({.host_rewrite_header = "x-tenant"}, ":authority", request) == "tenant.example");
  CHECK(header_after({.host_rewrite_header = "x-other"}, ":authority", request) == "shop.example");
  const Rewrite both{.prefix_rewrite = "/", .host_rewrite_path_regex = RegexRewrite("^/(\\w+)/.*$", "\\1.example")};
  CHECK(header_after(both, ":authority", request, {.path = "/t7/"}) == "t7.example");
  CHECK(header_after(both, ":path", request, {.path = "/t7/"}) == "/list");
}

TEST_CASE("the host before is appended to x-forwarded-host once") {
  const Rewrite rewrite{.host_rewrite_literal = "new.example", .append_x_forwarded_host = true};
  CHECK(header_after(rewrite, "x-forwarded-host", get("/")) == "shop.example");
  Request request = get("/");
  request.headers.emplace_back("x-forwarded-host", "first.example");
  CHECK(header_after(rewrite, "x-forwarded-host", request) == "first.example,shop.example");
  request.headers.back().second = "first.example, shop.example";
  CHECK(header_after(rewrite, "x-forwarded-host", request) == "first.example, shop.example");
}

TEST_CASE("a weighted cluster's host comes before the route's") {
  Route route{.action = {.clusters = {{.name = "cart", .host_rewrite_literal = "cart.example"}}}};
  CHECK(rewrites(route, route.action.clusters.front()));
  CHECK(*first_value(rewritten(route, route.action.clusters.front(), get("/")), "host") == "cart.example");
  route.action.rewrite.host_rewrite_literal = "route.example";
  CHECK(*first_value(rewritten(route, route.action.clusters.front(), get("/")), "host") == "route.example");
}
