#include "models/envoy/routes/hash_policy.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/routes/route.hpp"
#include "models/numeric/hash.hpp"

using namespace spillway;
using namespace spillway::envoy::routes;

TEST_CASE("several values of a header count as one set, whatever their order") {
  const std::vector<HashPolicy> policies = {{HeaderHash{"x-tag"}}};
  Request request;
  request.headers = {{"X-Tag", "b"}, {"x-tag", "a"}};
  Request reordered;
  reordered.headers = {{"x-tag", "a"}, {"x-tag", "b"}};
  CHECK(hash_of(policies, request).hash == hash_of(policies, reordered).hash);
  CHECK(hash_of(policies, request).hash != numeric::xxhash64("ab"));
}

TEST_CASE("a cookie with a ttl is made up from the connection's addresses") {
  const std::vector<HashPolicy> policies = {{CookieHash{.name = "sid", .ttl_seconds = 60, .path = "/"}}};
  Request request;
  request.remote_address = "10.0.0.1:1000";
  request.local_address = "10.0.0.2:80";
  const auto result = hash_of(policies, request);
  const auto value = generated_cookie(request);
  REQUIRE(value);
  CHECK(value->size() == 16);
  CHECK(result.hash == numeric::xxhash64(*value));
  CHECK(result.set_cookies == std::vector<std::string>{"sid=\"" + *value + "\"; Max-Age=60; Path=/; HttpOnly"});
  request.headers = {{"cookie", "a=1; sid=\"mine\"; b=2"}};
  CHECK(hash_of(policies, request).hash == numeric::xxhash64("mine"));
  CHECK(hash_of(policies, request).set_cookies.empty());
}

TEST_CASE("an address hashes without its port, and a text that is no address does not") {
  const std::vector<HashPolicy> policies = {{ConnectionPropertiesHash{}}};
  Request request;
  request.remote_address = "[2001:DB8:0::1]:443";
  CHECK(hash_of(policies, request).hash == numeric::xxhash64("2001:db8::1"));
  request.remote_address = "/var/run/socket";
  CHECK_FALSE(hash_of(policies, request).hash);
}

TEST_CASE("routes match by path and headers, and weighted clusters by the draw") {
  Route exact;
  exact.match.path_kind = RouteMatch::PathKind::path;
  exact.match.path = "/cart";
  Route canary;
  canary.match.path = "/";
  HeaderMatcher header{.name = "x-canary", .kind = HeaderMatcher::Kind::exact, .value = "1"};
  canary.match.headers = {header};
  Route rest;
  rest.action.clusters = {{"a", 9}, {"b", 0}, {"c", 1}};
  const std::vector<Route> table = {exact, canary, rest};
  Request request;
  request.headers = {{":path", "/cart?x=1"}};
  CHECK(match(table, request) == &table[0]);
  request.headers = {{":path", "/cart/1"}, {"x-canary", "1"}};
  CHECK(match(table, request) == &table[1]);
  request.headers = {{":path", "/cart/1"}};
  CHECK(match(table, request) == &table[2]);
  CHECK(choose_cluster(rest.action, 8)->name == "a");
  CHECK(choose_cluster(rest.action, 19)->name == "c");
  header.invert_match = true;
  CHECK(matches(header, request));
}

TEST_CASE("the example in the header: a header, else the client's address") {
  const std::vector<HashPolicy> policies = {{HeaderHash{"x-user"}}, {ConnectionPropertiesHash{}}};
  Request request;
  CHECK_FALSE(hash_of(policies, request).hash.has_value());
  request.headers = {{"x-user", "7"}};
  CHECK(hash_of(policies, request).hash == numeric::xxhash64("7"));
  request.remote_address = "10.0.0.1:40000";
  CHECK(hash_of(policies, request).hash != numeric::xxhash64("7"));
}
