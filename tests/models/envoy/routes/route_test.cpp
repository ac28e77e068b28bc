// Which requests a route takes by their query.
#include "models/envoy/routes/route.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace spillway::envoy::routes;

namespace {

bool takes(const QueryParameterMatcher& matcher, const std::string& path) {
  const RouteMatch match{.query_parameters = {matcher}};
  return matches(match, Request{.headers = {{":path", path}}});
}

}  // namespace

TEST_CASE("a query parameter is there, or its first value is what is asked for") {
  using Kind = QueryParameterMatcher::Kind;
  CHECK(takes({.name = "beta"}, "/?beta"));
  CHECK(takes({.name = "beta"}, "/cart?user=1&beta=0"));
  CHECK_FALSE(takes({.name = "beta"}, "/beta=1"));
  CHECK(takes({.name = "beta", .kind = Kind::exact, .value = "1"}, "/?beta=1&beta=2"));
  CHECK_FALSE(takes({.name = "beta", .kind = Kind::exact, .value = "2"}, "/?beta=1&beta=2"));
  CHECK(takes({.name = "user", .kind = Kind::prefix, .value = "u"}, "/?user=u17"));
  CHECK(takes({.name = "user", .kind = Kind::regex, .value = "u[0-9]+"}, "/?user=u17"));
  CHECK_FALSE(takes({.name = "user", .kind = Kind::regex, .value = "u[0-9]+"}, "/?user=u17x"));
}

// docs/behaviour/envoy-host-pick.md 12.
TEST_CASE("each kind of header matcher takes what it names and nothing else") {
  using Kind = HeaderMatcher::Kind;
  const auto takes_value = [](const HeaderMatcher& matcher, const std::string& value) {
    return matches(matcher, Request{.headers = {{"x-v", value}}});
  };
  const auto of = [](Kind kind, std::string value) {
    return HeaderMatcher{.name = "x-v", .kind = kind, .value = std::move(value)};
  };
  CHECK(takes_value(of(Kind::exact, "abc"), "abc"));
  CHECK_FALSE(takes_value(of(Kind::exact, "abc"), "abcd"));
  CHECK(takes_value(of(Kind::prefix, "ab"), "abc"));
  CHECK_FALSE(takes_value(of(Kind::prefix, "bc"), "abc"));
  CHECK(takes_value(of(Kind::suffix, "bc"), "abc"));
  CHECK_FALSE(takes_value(of(Kind::suffix, "ab"), "abc"));
  CHECK(takes_value(of(Kind::contains, "b"), "abc"));
  CHECK(takes_value(of(Kind::contains, "abc"), "abc"));
  CHECK_FALSE(takes_value(of(Kind::contains, "x"), "abc"));
  CHECK(takes_value(of(Kind::regex, "a.c"), "abc"));
  CHECK_FALSE(takes_value(of(Kind::regex, "a."), "abc"));
  CHECK(takes_value(of(Kind::present, ""), ""));
  const HeaderMatcher range{.name = "x-v", .kind = Kind::range, .range_start = -2, .range_end = 10};
  // absl::SimpleAtoi: white space around it, and a sign.
  for (const char* const inside : {"-2", "0", "9", "+3", " 3\t"}) {
    CHECK(takes_value(range, inside));
  }
  for (const char* const outside : {"-3", "10", "", "5x", "five", "5.0", "+", "+-1", "-+1", "3 3", "0x3", " "}) {
    CHECK_FALSE(takes_value(range, outside));
  }
}

TEST_CASE("a header that is missing meets no wish for a value, or counts as empty where that is said") {
  using Kind = HeaderMatcher::Kind;
  const Request bare{.headers = {{":path", "/"}}};
  const Request with{.headers = {{"x-v", ""}}};
  CHECK_FALSE(matches(HeaderMatcher{.name = "x-v"}, bare));
  CHECK(matches(HeaderMatcher{.name = "x-v", .present_match = false}, bare));
  CHECK(matches(HeaderMatcher{.name = "x-v", .invert_match = true}, bare));
  CHECK_FALSE(matches(HeaderMatcher{.name = "x-v", .present_match = false, .invert_match = true}, bare));
  CHECK_FALSE(matches(HeaderMatcher{.name = "x-v", .present_match = false}, with));
  HeaderMatcher exact{.name = "x-v", .kind = Kind::exact, .value = ""};
  CHECK_FALSE(matches(exact, bare));
  CHECK(matches(exact, with));
  exact.treat_missing_header_as_empty = true;
  CHECK(matches(exact, bare));
  exact.invert_match = true;
  CHECK_FALSE(matches(exact, bare));
  exact.treat_missing_header_as_empty = false;
  CHECK_FALSE(matches(exact, bare));
  HeaderMatcher present{.name = "x-v", .treat_missing_header_as_empty = true};
  CHECK(matches(present, bare));
  present.present_match = false;
  CHECK_FALSE(matches(present, bare));
}

TEST_CASE("each value of a repeated header is matched, and an inverted wish is that none does") {
  // As an Envoy 1.40.0 answered.
  using Kind = HeaderMatcher::Kind;
  const Request two{.headers = {{"X-V", "3"}, {"x-v", "b"}}};
  const auto is_met = [&](Kind kind, const std::string& value, bool inverted) {
    return matches(HeaderMatcher{.name = "x-v", .kind = kind, .value = value, .range_end = 5, .invert_match = inverted},
                   two);
  };
  CHECK(is_met(Kind::exact, "3", false));
  CHECK(is_met(Kind::exact, "b", false));
  CHECK_FALSE(is_met(Kind::exact, "3,b", false));
  CHECK_FALSE(is_met(Kind::contains, "3,", false));
  CHECK_FALSE(is_met(Kind::regex, "3.*b", false));
  CHECK(is_met(Kind::range, "", false));
  CHECK_FALSE(is_met(Kind::exact, "b", true));
  CHECK(is_met(Kind::exact, "3,b", true));
  CHECK_FALSE(is_met(Kind::range, "", true));
}

TEST_CASE("a prefix looks at the query too, a whole path and a pattern do not, and cases may not matter") {
  using Kind = RouteMatch::PathKind;
  const auto takes_path = [](Kind kind, const std::string& wanted, const std::string& path, bool sensitive = true) {
    const RouteMatch match{.path_kind = kind, .path = wanted, .case_sensitive = sensitive};
    return matches(match, Request{.headers = {{":path", path}}});
  };
  CHECK(takes_path(Kind::prefix, "/a?b", "/a?b=1"));
  CHECK(takes_path(Kind::prefix, "/a", "/a"));
  CHECK(takes_path(Kind::prefix, "/a", "/ab"));
  CHECK_FALSE(takes_path(Kind::prefix, "/ab", "/a"));
  CHECK_FALSE(takes_path(Kind::prefix, "/A", "/ab"));
  CHECK(takes_path(Kind::prefix, "/A", "/ab", false));
  CHECK(takes_path(Kind::path, "/a", "/a?b"));
  CHECK(takes_path(Kind::path, "/a", "/a#b"));
  CHECK_FALSE(takes_path(Kind::path, "/a", "/ab"));
  CHECK_FALSE(takes_path(Kind::path, "/ab", "/a"));
  CHECK_FALSE(takes_path(Kind::path, "/A", "/a"));
  CHECK(takes_path(Kind::path, "/A", "/a", false));
  CHECK(takes_path(Kind::regex, "/[a-z]+", "/ab?c=1"));
  CHECK_FALSE(takes_path(Kind::regex, "/[a-z]", "/ab"));
  CHECK_FALSE(matches(RouteMatch{}, Request{}));
  // Every header and every parameter that is named.
  const RouteMatch both{.headers = {{.name = "x"}, {.name = "y"}}, .query_parameters = {{.name = "q"}, {.name = "r"}}};
  CHECK(matches(both, Request{.headers = {{":path", "/?q&r"}, {"x", ""}, {"y", ""}}}));
  CHECK_FALSE(matches(both, Request{.headers = {{":path", "/?q&r"}, {"x", ""}}}));
  CHECK_FALSE(matches(both, Request{.headers = {{":path", "/?q"}, {"x", ""}, {"y", ""}}}));
}

TEST_CASE("a draw walks along the weights, and weights of nothing leave nobody") {
  const RouteAction action{.clusters = {{.name = "a", .weight = 2}, {.name = "b", .weight = 0}, {.name = "c"}}};
  std::string order;
  for (std::uint64_t draw = 0; draw < 7; ++draw) {
    order += choose_cluster(action, draw)->name;
  }
  CHECK(order == "aacaaca");
  CHECK(choose_cluster({.clusters = {{.name = "a", .weight = 0}, {.name = "b", .weight = 0}}}, 5) == nullptr);
  CHECK(choose_cluster({.clusters = {{.name = "a", .weight = 0}}}, 5)->name == "a");
}

// RFC 6265 4.1.1: a value may stand in double quotes, which are not part of it.
TEST_CASE("a cookie's value is what stands between its quotes, where there are two of them") {
  const auto value = [](const std::string& cookies) {
    return cookie_value(Request{.headers = {{"x", "s=0"}, {"Cookie", cookies}}}, "s");
  };
  CHECK(value("s=1") == "1");
  CHECK(value("s=\"\"") == "");
  CHECK(value("s=\"a\"") == "a");
  CHECK(value("s=\"") == "\"");
  CHECK(value("s=\"a") == "\"a");
  CHECK(value("s=a\"") == "a\"");
  CHECK(value("s=") == "");
  CHECK(value("t=0; s=1; s=2") == "1");
  CHECK(value("t=0;s=1") == "1");
  CHECK(value("ss=1;s") == std::nullopt);
  CHECK(value("s =1") == std::nullopt);
  CHECK(cookie_value(Request{.headers = {{"cookie", "t=1"}, {"cookie", "s=2"}, {"cookie", "s=3"}}}, "s") == "2");
}

TEST_CASE("what Envoy adds to a request counts where nobody brought it") {
  const Request bare{.headers = {{"Host", "shop.example"}}};
  CHECK(*first_value(bare, ":authority") == "shop.example");
  CHECK(*first_value(bare, ":scheme") == "http");
  CHECK(*first_value(bare, "X-Forwarded-Proto") == "http");
  CHECK(first_value(bare, "x-other") == nullptr);
  CHECK(is_generated_id(bare, "x-request-id"));
  CHECK_FALSE(is_generated_id(bare, "x-other"));
  CHECK(all_values(bare, "x-request-id").size() == 1);
  const Request brought{.headers = {{":scheme", "https"}, {"x-request-id", "7"}}};
  CHECK(*first_value(brought, ":scheme") == "https");
  CHECK_FALSE(is_generated_id(brought, "X-Request-Id"));
  CHECK(all_values(brought, "x-request-id") == std::vector<std::string>{"7"});
  CHECK(all_values(brought, "x-other").empty());
  CHECK(same_header_name("AZ-az", "az-AZ"));
  CHECK_FALSE(same_header_name("a", "ab"));
  CHECK_FALSE(same_header_name("@[", "`{"));  // neighbours of A and Z have no other case
}
