#include "models/kuma/proxy/outbound_listener.hpp"

#include <catch2/catch.hpp>

#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/proxy/resource_names.hpp"
#include "models/kuma/proxy/route_matches.hpp"

namespace kuma = spillway::kuma;
using Catch::Detail::Approx;
using spillway::envoy::routes::Request;

namespace {

Request get(const std::string& path) {
  return {.headers = {{":method", "GET"}, {":path", path}}};
}

kuma::OutboundRoute route(const std::string& prefix) {
  return {.name = prefix, .match = {.path = prefix}};
}

}  // namespace

TEST_CASE("fractions have the smallest denominator that is exact", "[kuma]") {
  CHECK(kuma::fractional_percent(1, 2) == kuma::FractionalPercent{50, 100});
  CHECK(kuma::fractional_percent(1, 16) == kuma::FractionalPercent{625, 10'000});
  CHECK(kuma::fractional_percent(9, 14) == kuma::FractionalPercent{642'857, 1'000'000});
  CHECK(kuma::fractional_percent(2, 3) == kuma::FractionalPercent{666'667, 1'000'000});
}

TEST_CASE("a PathPrefix is the path itself and everything below it", "[kuma]") {
  const auto matches = kuma::route_matches({.path = kuma::PathMatch{.type = "PathPrefix", .value = "/api"}});
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].path == "/api");
  CHECK(matches[1].path == "/api/");
  CHECK(kuma::route_matches({.path = kuma::PathMatch{.type = "PathPrefix", .value = "/"}}).size() == 1);
}

TEST_CASE("a part answered 500 goes no further, the rest takes the next route", "[kuma]") {
  kuma::OutboundListener listener;
  listener.routes = {route("/"), route("/")};
  listener.routes[0].answers_500 = true;
  listener.routes[0].runtime_fraction = kuma::FractionalPercent{25, 100};
  const kuma::Taken taken = kuma::taken_by(listener, get("/x"));
  CHECK(taken.route == &listener.routes[1]);
  CHECK(taken.answered_500 == Approx(0.25));
}

TEST_CASE("listeners of HTTP normalise paths and do not merge slashes", "[kuma]") {
  kuma::OutboundListener listener;
  const auto path = [&](const std::string& written) {
    return *spillway::envoy::routes::first_value(kuma::normalized(listener, get(written)), ":path");
  };
  CHECK(path("/x/../api?q=1") == "/api?q=1");
  CHECK(path("//api") == "//api");
  listener.is_http = false;
  CHECK(path("/x/../api") == "/x/../api");
}

TEST_CASE("names are those that Kuma gives", "[kuma]") {
  CHECK(kuma::kri("msvc", {.mesh = "default", .zone = "z1", .name = "backend", .section = "8080"}) ==
        "kri_msvc_default_z1__backend_8080");
  CHECK(kuma::subset_name("a", {}) == "a");
  CHECK(kuma::subset_name("a", {{"v", "1a"}}) == "a-d7df5462922386ed");
  const kuma::HttpMatch every{.path = kuma::PathMatch{.type = "PathPrefix", .value = "/"}};
  CHECK(kuma::matches_name({&every, 1}) == "9Zuf5Tg79OuZcQITwBbQykxAk2u4fRKrwYn3//AL4Yo=");
}
