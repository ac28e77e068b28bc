// What admission says of VirtualServices. Expected: docs/behaviour/istio.md 10.3 and 11; istiod's
// pkg/config/validation/virtualservice.go and agent/validation.go (route-never-reached).
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/validation.hpp"
#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using namespace std::chrono_literals;
using test::Lines;
using test::lines_of;

HttpMatchRequest prefix_match(std::string path) {
  HttpMatchRequest match;
  match.uri = StringMatch{.kind = StringMatch::Kind::prefix, .text = std::move(path)};
  return match;
}

// Routes that have somewhere to go.
std::vector<HttpRoute> routes(std::size_t count) {
  HttpRoute route;
  route.route.push_back({.destination = {.host = "web"}});
  return std::vector<HttpRoute>(count, route);
}

Lines findings_of(const std::vector<HttpMatchRequest>& matches) {
  VirtualService service;
  for (const HttpMatchRequest& match : matches) {
    service.http.emplace_back(routes(1)[0]).match = {match};
  }
  return lines_of(validate(service));
}

bool second_is_covered(const HttpMatchRequest& first, const HttpMatchRequest& second) {
  return findings_of({first, second}) == Lines{"warned route-never-reached at spec.http[1].match[0]"};
}

}  // namespace

TEST_CASE("istio admission: several destinations need a weight, one does not") {
  const auto findings = [](const std::vector<std::uint32_t>& weights) {
    VirtualService service;
    service.http = routes(2);
    service.http[0].match = {prefix_match("/a")};
    service.http[1].route.clear();
    for (const std::uint32_t weight : weights) {
      service.http[1].route.push_back({.destination = {.host = "web"}, .weight = weight});
    }
    return lines_of(validate(service));
  };
  const Lines refused = {"refused route-weights-sum-zero at spec.http[1].route"};
  CHECK(findings({0, 0}) == refused);
  CHECK(findings({0, 0, 0}) == refused);
  CHECK(findings({0, 1}).empty());
  CHECK(findings({1, 0}).empty());
  CHECK(findings({0}).empty());
  CHECK(findings({}) == Lines{"refused route-without-action at spec.http[1]"});
}

TEST_CASE("istio admission: retries that are off have no other field") {
  const auto findings = [](const HttpRetry& retries) {
    VirtualService service;
    service.http = routes(1);
    service.http[0].retries = retries;
    return lines_of(validate(service));
  };
  const Lines refused = {"refused retries-disabled-with-fields at spec.http[0].retries"};
  CHECK(findings({}).empty());
  CHECK(findings({.perTryTimeout = 1s}) == refused);
  CHECK(findings({.retryOn = "5xx"}) == refused);
  CHECK(findings({.retryRemoteLocalities = false}) == refused);
  CHECK(findings({.retryIgnorePreviousHosts = true}).empty());
  CHECK(findings({.backoff = 1ms}).empty());
  CHECK(findings({.attempts = 1, .perTryTimeout = 1s, .retryOn = "5xx"}).empty());
}

TEST_CASE("istio admission: retries have conditions that Envoy knows, or codes of answers") {
  const auto findings = [](const char* conditions) {
    VirtualService service;
    service.http = routes(1);
    service.http[0].retries = HttpRetry{.attempts = 1, .retryOn = conditions};
    return lines_of(validate(service));
  };
  const std::string at = " at spec.http[0].retries.retryOn";
  for (const char* const good : {"", "5xx", "5xx,reset", "503,504", "418,retriable-4xx", "511", "unavailable,103"}) {
    INFO(good);
    CHECK(findings(good).empty());
  }
  for (const char* const bad : {"often", "5xx, reset", "5xx,", ",5xx", "509", "306", "99", "512", "5xx-", "503x"}) {
    INFO(bad);
    CHECK(findings(bad) == Lines{"refused retry-condition" + at});
  }
  CHECK(findings("a,b").size() == 2);
}

TEST_CASE("istio admission: durations of routes have whole milliseconds, and one at least") {
  const auto findings = [](Duration duration) {
    VirtualService service;
    service.http = routes(1);
    service.http[0].timeout = duration;
    service.http[0].retries = HttpRetry{.attempts = 1, .perTryTimeout = duration, .backoff = duration};
    service.http[0].fault.emplace().delay = HttpFault::Delay{.percentage = 1.0, .fixedDelay = duration};
    return lines_of(validate(service));
  };
  CHECK(findings(1ms).empty());
  CHECK(findings(0s) == Lines{"refused duration-too-short at spec.http[0].fault.delay.fixedDelay",
                              "refused duration-too-short at spec.http[0].retries.perTryTimeout",
                              "refused duration-too-short at spec.http[0].retries.backoff",
                              "refused duration-too-short at spec.http[0].timeout"});
  CHECK(findings(1500us).size() == 4);
}

TEST_CASE("istio admission: a route goes somewhere or answers, and not both") {
  const auto findings = [](const HttpRoute& route) {
    VirtualService service;
    service.hosts = {"web"};
    service.http = {route};
    return lines_of(validate(service));
  };
  HttpRoute route;
  CHECK(findings(route) == Lines{"refused route-without-action at spec.http[0]"});
  for (const char* const other : {"redirect", "directResponse", "delegate"}) {
    route.other = other;
    CHECK(findings(route).empty());
  }
  route = routes(1)[0];
  route.other = "redirect";
  CHECK(findings(route) == Lines{"refused route-and-answer at spec.http[0]"});
  route.other = "delegate";
  CHECK(findings(route) == Lines{"refused route-and-delegate at spec.http[0]"});
}

TEST_CASE("istio admission: a route that answers has no fault and no rewrite") {
  VirtualService service;
  service.hosts = {"web"};
  service.http.resize(1);
  service.http[0].other = "directResponse";
  service.http[0].fault.emplace().abort = HttpFault::Abort{.percentage = 1.0, .httpStatus = 503};
  service.http[0].rewrites = true;
  service.http[0].rewrite_uri = "/";
  CHECK(lines_of(validate(service)) ==
        Lines{"refused fault-and-answer at spec.http[0]", "refused rewrite-and-answer at spec.http[0]"});
  service.http[0].other = "delegate";
  CHECK(validate(service).empty());
}

TEST_CASE("istio admission: a rewrite says something, and copies go by mirror or by mirrors") {
  VirtualService service;
  service.hosts = {"web"};
  service.http = routes(1);
  service.http[0].rewrites = true;
  CHECK(lines_of(validate(service)) == Lines{"refused empty-rewrite at spec.http[0].rewrite"});
  service.http[0].rewrite_authority = "web";
  CHECK(validate(service).empty());
  service.http[0].mirrors.resize(2);
  service.http[0].mirrors[0].destination.host = "one";
  service.http[0].mirrors[1].destination.host = "two";
  CHECK(validate(service).empty());
  service.http[0].mirror_and_mirrors = true;
  CHECK(lines_of(validate(service)) == Lines{"refused mirror-and-mirrors at spec.http[0]"});
}

TEST_CASE("istio admission: destinations are names of hosts, with names of subsets and ports") {
  const auto findings = [](const Destination& destination) {
    VirtualService service;
    service.hosts = {"web"};
    service.http = routes(1);
    service.http[0].route[0].destination = destination;
    return lines_of(validate(service));
  };
  const std::string at = " at spec.http[0].route[0].destination";
  CHECK(findings({.host = "web.shop.svc.cluster.local", .subset = "v1", .port = 80}).empty());
  CHECK(findings({.host = "*.example"}).empty());
  for (const char* const bad : {"", "*", "we_b", "10.0.0.1"}) {
    INFO(bad);
    CHECK(findings({.host = bad}) == Lines{"refused destination-host" + at + ".host"});
  }
  CHECK(findings({.host = "web", .subset = "v_1", .port = 0}) ==
        Lines{"refused subset-name" + at + ".subset", "refused port-number" + at + ".port.number"});
  VirtualService service;
  service.hosts = {"web"};
  service.http = routes(1);
  service.http[0].mirrors.resize(1);
  CHECK(lines_of(validate(service)) == Lines{"refused destination-host at spec.http[0].mirrors.host"});
}

TEST_CASE("istio admission: routes of TCP go somewhere, by weight, and match as those of HTTP do") {
  VirtualService service;
  service.hosts = {"web"};
  service.tcp.resize(1);
  CHECK(lines_of(validate(service)) == Lines{"refused route-without-action at spec.tcp[0]"});
  service.tcp[0].route = {{.destination = {.host = "a"}}, {.destination = {.host = "b"}}};
  CHECK(lines_of(validate(service)) == Lines{"refused route-weights-sum-zero at spec.tcp[0].route"});
  service.tcp[0].route.pop_back();
  service.tcp[0].match = {{.port = 65'535, .sourceLabels = {{"app", "a"}}, .gateways = {"mesh"}}};
  CHECK(validate(service).empty());
  service.tcp[0].match = {{.port = 70'000, .sourceLabels = {{"a b", ""}}, .gateways = {"Gw_"}}};
  CHECK(lines_of(validate(service)) == Lines{"refused port-number at spec.tcp[0].match[0].port",
                                             "refused label-key at spec.tcp[0].match[0].sourceLabels",
                                             "refused gateway-name at spec.tcp[0].match[0].gateways[0]"});
}

TEST_CASE("istio admission: a VirtualService without hosts is a delegate, which has routes of HTTP alone") {
  VirtualService service;
  service.http = routes(1);
  CHECK(validate(service).empty());
  service.gateways = {"mesh"};
  service.tls = true;
  service.tcp.resize(1);
  service.tcp[0].route = {{.destination = {.host = "a"}}};
  CHECK(lines_of(validate(service)) == Lines{"refused delegate-fields at spec.gateways",
                                             "refused delegate-fields at spec.tls",
                                             "refused delegate-fields at spec.tcp"});
  VirtualService nested;
  nested.http.resize(1);
  nested.http[0].other = "delegate";
  CHECK(lines_of(validate(nested)) ==
        Lines{"refused delegate-of-delegate at spec.http[0].delegate", "refused route-without-action at spec.http[0]"});
}

TEST_CASE("istio admission: hosts of a VirtualService are domains or addresses") {
  VirtualService service;
  service.http = routes(1);
  service.hosts = {"web", "*.example", "10.0.0.1", "fd00::1"};
  CHECK(validate(service).empty());
  // Hosts are not compared then.
  service.hosts = {"we_b", "web", "web"};
  CHECK(lines_of(validate(service)) == Lines{"refused host-name at spec.hosts[0]"});
}

TEST_CASE("istio admission: a fault is one, and its status is that of an answer") {
  const auto findings = [](const HttpFault& fault) {
    VirtualService service;
    service.http = routes(1);
    service.http[0].fault = fault;
    return lines_of(validate(service));
  };
  CHECK(findings({}) == Lines{"refused empty-fault at spec.http[0].fault"});
  const auto aborts = [&](std::uint32_t status) {
    return findings({.abort = HttpFault::Abort{.percentage = 1.0, .httpStatus = status}});
  };
  const Lines refused = {"refused abort-status at spec.http[0].fault.abort.httpStatus"};
  CHECK(aborts(199) == refused);
  CHECK(aborts(200).empty());
  CHECK(aborts(600).empty());
  CHECK(aborts(601) == refused);
}

TEST_CASE("istio admission: a VirtualService has routes, and hosts that stand for different ones") {
  VirtualService service;
  CHECK(lines_of(validate(service)) == Lines{"refused no-routes at spec"});
  service.hosts = {"web", "other"};
  service.tls = true;
  CHECK(validate(service).empty());
  service.tls = false;
  service.tcp.resize(1);
  service.tcp[0].route = {{.destination = {.host = "web"}}};
  CHECK(validate(service).empty());
  service.hosts = {"web", "web"};
  CHECK(lines_of(validate(service)) == Lines{"refused host-twice at spec.hosts[1]"});
  service.hosts = {"a.example", "*.example"};
  CHECK(lines_of(validate(service)) == Lines{"refused host-twice at spec.hosts[1]"});
  service.hosts = {"*"};
  CHECK(lines_of(validate(service)) == Lines{"refused any-host-of-mesh at spec.hosts[0]"});
  service.gateways = {"shop/gateway"};
  CHECK(validate(service).empty());
}

TEST_CASE("istio admission: a VirtualService is exported to all or to some") {
  VirtualService service;
  service.hosts = {"web"};
  service.http = routes(1);
  service.exportTo = {".", "other"};
  CHECK(validate(service).empty());
  service.exportTo = {"*", "other"};
  CHECK(lines_of(validate(service)) == Lines{"refused export-public-and-more at spec.exportTo"});
  service.exportTo = {"~"};
  CHECK(lines_of(validate(service)) == Lines{"refused export-to-none at spec.exportTo[0]"});
}

TEST_CASE("istio admission: what stands behind a rule without matches is never reached") {
  VirtualService service;
  service.http = routes(2);
  service.http[0].match = {prefix_match("/a")};
  CHECK(lines_of(validate(service)).empty());
  service.http.push_back(routes(1)[0]);
  CHECK(lines_of(validate(service)) == Lines{"warned route-never-reached at spec.http[2]"});
  service.http[2].match = {prefix_match("/b"), prefix_match("/c")};
  CHECK(lines_of(validate(service)) == Lines{"warned route-never-reached at spec.http[2].match[0]",
                                             "warned route-never-reached at spec.http[2].match[1]"});
}

TEST_CASE("istio admission: a match that was there before is never reached") {
  CHECK(second_is_covered(prefix_match("/a"), prefix_match("/a")));
  HttpMatchRequest exact;
  exact.uri = StringMatch{.kind = StringMatch::Kind::exact, .text = "/a"};
  CHECK(second_is_covered(exact, exact));
  CHECK(findings_of({prefix_match("/a"), exact}).empty());
  HttpMatchRequest port = prefix_match("/a");
  port.port = 80;
  CHECK(findings_of({prefix_match("/a"), port}).empty());
}

TEST_CASE("istio admission: a longer prefix behind a shorter one is never reached, and one of its own is") {
  CHECK(second_is_covered(prefix_match("/a"), prefix_match("/ab")));
  CHECK(second_is_covered(prefix_match("/"), prefix_match("/a")));
  CHECK(findings_of({prefix_match("/ab"), prefix_match("/a")}).empty());
  CHECK(findings_of({prefix_match("/a"), prefix_match("/b")}).empty());
  CHECK(findings_of({prefix_match(""), prefix_match("/b")}).empty());
  HttpMatchRequest regex;
  regex.uri = StringMatch{.kind = StringMatch::Kind::regex, .text = "/a.*"};
  CHECK(findings_of({prefix_match("/a"), regex}).empty());
}

TEST_CASE("istio admission: a prefix covers another only where all else that it asks for covers it too") {
  const HttpMatchRequest shorter = prefix_match("/a");
  const HttpMatchRequest longer = prefix_match("/ab");
  const auto exact = [](const char* text) { return StringMatch{.kind = StringMatch::Kind::exact, .text = text}; };
  const auto prefix = [](const char* text) { return StringMatch{.kind = StringMatch::Kind::prefix, .text = text}; };
  const auto with = [](HttpMatchRequest match, auto change) {
    change(match);
    return match;
  };
  const auto covered = [&](auto of_first, auto of_second) {
    return second_is_covered(with(shorter, of_first), with(longer, of_second));
  };
  const auto nothing = [](HttpMatchRequest&) {};
  CHECK_FALSE(covered([](auto& match) { match.port = 80; }, nothing));
  CHECK_FALSE(covered(nothing, [](auto& match) { match.port = 80; }));
  CHECK(covered([](auto& match) { match.port = 80; }, [](auto& match) { match.port = 80; }));
  // A method that nobody names counts as GET.
  CHECK(covered(nothing, [&](auto& match) { match.method = exact("GET"); }));
  CHECK(covered([&](auto& match) { match.method = exact("GET"); }, nothing));
  CHECK_FALSE(covered(nothing, [&](auto& match) { match.method = exact("PUT"); }));
  CHECK_FALSE(covered([&](auto& match) { match.method = exact("PUT"); }, nothing));
  // What the earlier one asks for begins with what the later one does: istiod compares them this way round.
  CHECK_FALSE(covered(nothing, [&](auto& match) { match.authority = exact("a"); }));
  CHECK(covered([&](auto& match) { match.authority = exact("a"); }, nothing));
  CHECK(covered([&](auto& match) { match.authority = prefix("ab"); },
                [&](auto& match) { match.authority = prefix("a"); }));
  CHECK_FALSE(covered([&](auto& match) { match.authority = prefix("ab"); },
                      [&](auto& match) { match.authority = exact("a"); }));
  for (const auto member :
       {&HttpMatchRequest::headers, &HttpMatchRequest::queryParams, &HttpMatchRequest::withoutHeaders}) {
    const auto named = [&](const char* name, const StringMatch& value) {
      return [=](HttpMatchRequest& match) { (match.*member)[name] = value; };
    };
    CHECK(covered(named("x", prefix("12")), named("x", prefix("1"))));
    CHECK_FALSE(covered(named("x", prefix("1")), named("x", prefix("12"))));
    CHECK_FALSE(covered(named("x", prefix("1")), named("y", prefix("1"))));
    CHECK_FALSE(covered(named("x", prefix("1")), nothing));
    CHECK_FALSE(covered(nothing, named("x", prefix("1"))));
  }
}

}  // namespace spillway::istio
