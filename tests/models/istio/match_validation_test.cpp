// What admission says of matches and gateways. Expected: docs/behaviour/istio.md 11; istiod's
// pkg/config/validation/virtualservice.go (validateHTTPRouteMatchRequest), validation.go (validateStringMatch,
// validateGatewayNames), pkg/jwt/routing.go.
#include "models/istio/match_validation.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using MatchLines = test::Lines;
using MatchKind = StringMatch::Kind;

MatchLines lines_of_match(const HttpMatchRequest& match) {
  std::vector<Finding> findings;
  check_matches(std::vector<HttpMatchRequest>{match}, "", findings);
  return test::lines_of(findings);
}

// What is said of a text wherever it may stand, by field.
MatchLines lines_of_text(const StringMatch& text) {
  HttpMatchRequest match;
  match.headers["x"] = text;
  match.withoutHeaders["x"] = text;
  match.uri = match.scheme = match.method = match.authority = text;
  match.queryParams["x"] = text;
  return lines_of_match(match);
}

MatchLines everywhere(const std::string& reason) {
  MatchLines lines;
  for (const char* const field : {"headers", "withoutHeaders", "uri", "scheme", "method", "authority", "queryParams"}) {
    lines.push_back("refused " + reason + " at .match[0]." + field);
  }
  return lines;
}

MatchLines lines_of_gateways(const std::vector<std::string>& gateways) {
  std::vector<Finding> findings;
  check_gateways(gateways, "spec.gateways", findings);
  return test::lines_of(findings);
}

}  // namespace

TEST_CASE("istio admission: regular expressions of matches are such, and have 1024 characters at most") {
  CHECK(lines_of_text({MatchKind::regex, "/a(b|c).*"}).empty());
  CHECK(lines_of_text({MatchKind::regex, std::string(1024, 'a')}).empty());
  CHECK(lines_of_text({MatchKind::regex, std::string(1025, 'a')}) == everywhere("regex-too-long"));
  CHECK(lines_of_text({MatchKind::regex, "("}) == everywhere("regex-syntax"));
  CHECK(lines_of_text({MatchKind::regex, "a(?=b)"}) == everywhere("regex-syntax"));
  CHECK(lines_of_text({MatchKind::regex, ""}) == everywhere("regex-empty"));
}

TEST_CASE("istio admission: an asterisk alone is a regular expression where a header must be absent") {
  MatchLines lines = everywhere("regex-syntax");
  lines.erase(lines.begin() + 1);
  CHECK(lines_of_text({MatchKind::regex, "*"}) == lines);
}

TEST_CASE("istio admission: a prefix is not empty, but that of a path") {
  MatchLines lines = everywhere("prefix-empty");
  lines.erase(lines.begin() + 2);
  CHECK(lines_of_text({MatchKind::prefix, ""}) == lines);
  CHECK(lines_of_text({MatchKind::prefix, "a"}).empty());
  CHECK(lines_of_text({MatchKind::exact, ""}).empty());
  CHECK(lines_of_text({}).empty());
}

TEST_CASE("istio admission: matches name headers, pseudo headers, or claims of tokens") {
  const auto lines = [](const char* name) {
    HttpMatchRequest match;
    match.headers[name] = {MatchKind::exact, "a"};
    match.withoutHeaders[name] = {MatchKind::exact, "a"};
    return lines_of_match(match);
  };
  for (const char* const good : {"x-user", "X_1", "a!#$%&'*+.^`|~", ":authority", ":path", "@request.auth.claims.a"}) {
    INFO(good);
    CHECK(lines(good).empty());
  }
  for (const char* const bad : {"", "a b", ":other", "a:b", "@request.auth.claims"}) {
    INFO(bad);
    CHECK(lines(bad) ==
          MatchLines{"refused header-name at .match[0].headers", "refused header-name at .match[0].withoutHeaders"});
  }
}

TEST_CASE("istio admission: claims stand behind a dot or between brackets") {
  CHECK(is_claim("@request.auth.claims.group"));
  CHECK(is_claim("@Request.Auth.Claims[group][name]"));
  CHECK_FALSE(is_claim("@request.auth.claims"));
  CHECK_FALSE(is_claim("@request.auth.claims."));
  CHECK_FALSE(is_claim("@request.auth.claims[]"));
  CHECK_FALSE(is_claim("@request.auth.claims[a"));
  CHECK_FALSE(is_claim("x@request.auth.claims.a"));
}

TEST_CASE("istio admission: claims of tokens route at gateways alone") {
  VirtualService service;
  service.hosts = {"web"};
  service.http.resize(1);
  service.http[0].route = {{.destination = {.host = "web"}}};
  service.http[0].match.resize(2);
  service.http[0].match[1].withoutHeaders["@request.auth.claims.a"] = {MatchKind::exact, "a"};
  const MatchLines refused = {"refused claim-in-mesh at spec.http[0].match[1]"};
  CHECK(test::lines_of(validate(service)) == refused);
  service.gateways = {"mesh", "shop/gateway"};
  CHECK(test::lines_of(validate(service)) == refused);
  service.gateways = {"shop/gateway"};
  CHECK(validate(service).empty());
}

TEST_CASE("istio admission: where requests come from is checked behind what they ask for") {
  HttpMatchRequest match;
  match.port = 80;
  match.sourceLabels = {{"app", "a"}};
  match.sourceNamespace = "shop";
  match.gateways = {"mesh"};
  CHECK(lines_of_match(match).empty());
  match.port = 70'000;
  match.sourceLabels = {{"a b", "-"}};
  match.sourceNamespace = "a_b";
  match.gateways = {"Gw_", "mesh"};
  match.uri = StringMatch{MatchKind::regex, "("};
  CHECK(lines_of_match(match) ==
        MatchLines{"refused regex-syntax at .match[0].uri", "refused port-number at .match[0].port",
                   "refused label-key at .match[0].sourceLabels", "refused label-value at .match[0].sourceLabels",
                   "refused gateway-name at .match[0].gateways[0]",
                   "refused source-namespace at .match[0].sourceNamespace"});
}

TEST_CASE("istio admission: gateways are namespaces and names, and nothing behind another name is looked at") {
  CHECK(lines_of_gateways({"mesh"}).empty());
  CHECK(lines_of_gateways({"shop/gateway", "other/gateway", "mesh"}).empty());
  CHECK(lines_of_gateways({"gateway.shop.svc.cluster.local"}).empty());
  CHECK(lines_of_gateways({"shop/a.b", "/a", "shop/", "a_b/c"}) ==
        MatchLines{"refused gateway-name at spec.gateways[0]", "refused gateway-name at spec.gateways[1]",
                   "refused gateway-name at spec.gateways[2]", "refused gateway-name at spec.gateways[3]"});
  CHECK(lines_of_gateways({"mesh", "a_b"}).empty());
  CHECK(lines_of_gateways({"a_b", "c_d"}) == MatchLines{"refused gateway-name at spec.gateways[0]"});
}

}  // namespace spillway::istio
