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
  CHECK_FALSE(matches(header, request));
  request.headers.emplace_back("x-canary", "2");
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

TEST_CASE("hashes of several policies are turned by one bit and joined, and a terminal one with a hash is the last") {
  const std::vector<HashPolicy> both = {{HeaderHash{"a"}}, {HeaderHash{"b"}}};
  const std::vector<HashPolicy> terminal = {{HeaderHash{"a"}, true}, {HeaderHash{"b"}}};
  const std::uint64_t first = numeric::xxhash64("1");
  const std::uint64_t second = numeric::xxhash64("2");
  const Request request{.headers = {{"a", "1"}, {"b", "2"}}};
  CHECK(hash_of(both, request).hash == (((first << 1U) | (first >> 63U)) ^ second));
  CHECK(hash_of(terminal, request).hash == first);
  CHECK(hash_of(terminal, {.headers = {{"b", "2"}}}).hash == second);
  CHECK(hash_of(both, {.headers = {{"b", "2"}}}).hash == second);
}

TEST_CASE("query parameters, filter state and rewritten headers are hashed as they are") {
  const auto hash = [](const HashPolicy& policy, const Request& request) {
    return hash_of(std::vector<HashPolicy>{policy}, request).hash;
  };
  const Request request{.headers = {{":path", "/?user=7&user=8"}, {"x-user", "u-7"}}};
  CHECK(hash({QueryParameterHash{"user"}}, request) == numeric::xxhash64("7"));
  CHECK_FALSE(hash({QueryParameterHash{"use"}}, request).has_value());
  CHECK(hash({HeaderHash{"x-user", RegexRewrite("u-", "")}}, request) == numeric::xxhash64("7"));
  Request with_state;
  with_state.filter_state["key"] = 99;
  CHECK(hash({FilterStateHash{"key"}}, with_state) == 99U);
  CHECK_FALSE(hash({FilterStateHash{"other"}}, with_state).has_value());
  ConnectionPropertiesHash nothing;
  nothing.source_ip = false;
  Request connected;
  connected.remote_address = "10.0.0.1:1";
  CHECK_FALSE(hash({nothing}, connected).has_value());
  CHECK(hash({ConnectionPropertiesHash{}}, connected) == numeric::xxhash64("10.0.0.1"));
}

TEST_CASE("a cookie without a lifetime is not made up, and one of no seconds is, for the session") {
  Request request;
  request.remote_address = "10.0.0.1:1000";
  request.local_address = "10.0.0.2:80";
  CHECK_FALSE(hash_of(std::vector<HashPolicy>{{CookieHash{.name = "s"}}}, request).hash.has_value());
  const auto session = hash_of(std::vector<HashPolicy>{{CookieHash{.name = "s", .ttl_seconds = 0}}}, request);
  REQUIRE(session.set_cookies.size() == 1);
  CHECK(session.set_cookies.front() == "s=\"" + *generated_cookie(request) + "\"; HttpOnly");
  CHECK(set_cookie({.name = "s", .ttl_seconds = 1, .attributes = {{"SameSite", "Lax"}, {"Secure", ""}}}, "v") ==
        "s=\"v\"; Max-Age=1; SameSite=Lax; Secure; HttpOnly");
  request.local_address.reset();
  CHECK_FALSE(generated_cookie(request).has_value());
}

TEST_CASE("of an address that nobody told nothing is known of the hash, unless a terminal policy found one before") {
  const std::vector<HashPolicy> policies = {{HeaderHash{"x-user"}, true}, {ConnectionPropertiesHash{}}};
  Request request;
  request.headers = {{"x-user", "7"}};
  request.remote_address_unknown = true;
  const auto of_header = hash_of(policies, request).hash;
  REQUIRE(of_header);
  CHECK(of_header == hash_of(std::vector<HashPolicy>{{HeaderHash{"x-user"}}}, request).hash);
  CHECK_FALSE(hash_of(std::vector<HashPolicy>{{HeaderHash{"x-user"}}, {ConnectionPropertiesHash{}}}, request).hash);
  request.headers.clear();
  CHECK_FALSE(hash_of(policies, request).hash);
  request.remote_address_unknown = false;
  request.remote_address = "10.0.0.1:1";
  CHECK(hash_of(policies, request).hash);
}

TEST_CASE("a request id that Envoy makes up is by chance, so that nothing is known of the hash") {
  const std::vector<HashPolicy> policies = {{HeaderHash{"x-request-id"}}, {HeaderHash{"x-user"}}};
  CHECK_FALSE(hash_of(policies, {.headers = {{"x-user", "7"}}}).hash.has_value());
  CHECK(hash_of(policies, {.headers = {{"x-request-id", "1"}}}).hash == numeric::xxhash64("1"));
}
