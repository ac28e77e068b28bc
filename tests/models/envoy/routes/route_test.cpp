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
