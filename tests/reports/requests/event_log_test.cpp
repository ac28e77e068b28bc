#include "reports/requests/event_log.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/workload.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using run::EventKind;
using run::EventRecord;

namespace {

scenario::Scenario reported_scenario() {
  return scenario::test::accepted(
      "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]\n"
      "clients:\n  - { name: shop, zone: a, count: 6, workload: { service: cart, rate: 1rps } }\n"
      "  - { name: gw, zone: a, workload: { service: cart, rate: 1rps } }\n");
}

EventRecord of(EventKind kind) {
  return {.at = 10s, .kind = kind, .client = {0}, .instance = 3, .endpoint = config::EndpointIndex{1}};
}

}  // namespace

TEST_CASE("an ejection is told with the numbers that decided it") {
  const scenario::Scenario scenario = reported_scenario();
  EventRecord record = of(EventKind::ejected);
  record.value = 5.0;
  record.until = 40s;
  CHECK(reports::event_text(scenario, record) == "shop[3] ejects cart-2: 5 consecutive 5xx, until 40 s at least");
  // Envoy's rule: below mean - factor * standard deviation.
  record.detection = health::Detection::success_rate;
  record.value = 41.2;
  record.limit = 63.0;
  record.mean = 91.0;
  record.deviations = 1.9;
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] ejects cart-2: success rate 41.2 % < 63 % = 91 % - 1.9 x 14.7 %, until 40 s at least");
}

TEST_CASE("an ejection that is prevented says how many hosts may be out") {
  const scenario::Scenario scenario = reported_scenario();
  EventRecord record = of(EventKind::ejection_prevented);
  record.value = 5.0;
  record.limit = 10.0;
  record.hosts = 3;
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] may not eject cart-2: 5 consecutive 5xx, but max_ejection_percent 10 lets at most 0 of 3 be out");
}

TEST_CASE("an ejection that is prevented is told with the threshold that it is below") {
  const scenario::Scenario scenario = reported_scenario();
  EventRecord record = of(EventKind::ejection_prevented);
  record.limit = 20.0;
  record.hosts = 10;
  record.detection = health::Detection::failure_percentage;
  record.value = 8.2;
  record.threshold = 5.0;
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] may not eject cart-2: 8.2 % of the requests fail, threshold 5 %, but max_ejection_percent 20 lets at "
        "most 2 of 10 be out");
  // Envoy's rule: below mean - factor * standard deviation.
  record.detection = health::Detection::success_rate;
  record.value = 41.2;
  record.threshold = 63.0;
  record.mean = 91.0;
  record.deviations = 1.9;
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] may not eject cart-2: success rate 41.2 % < 63 % = 91 % - 1.9 x 14.7 %, but max_ejection_percent 20 "
        "lets at most 2 of 10 be out");
}

// 10 % of 3 hosts is less than one. Until 1.28 Envoy looked at what is out before the host in question: 0 < 10 %.
TEST_CASE("an ejection that is prevented is told by the rule of the profile") {
  scenario::Scenario scenario = reported_scenario();
  EventRecord record = of(EventKind::ejection_prevented);
  record.value = 5.0;
  record.limit = 10.0;
  record.hosts = 3;
  scenario.profile.envoy = config::EnvoyProfile::release_1_27;
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] may not eject cart-2: 5 consecutive 5xx, but max_ejection_percent 10 lets at most 1 of 3 be out");
  scenario.profile.envoy = config::EnvoyProfile::current;
  scenario.services[0].cluster.outlier_detection = config::OutlierDetection{.always_eject_one_host = true};
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] may not eject cart-2: 5 consecutive 5xx, but max_ejection_percent 10 lets at most 1 of 3 be out");
}

TEST_CASE("alike happenings are one line with their number") {
  const scenario::Scenario scenario = reported_scenario();
  run::EventGroup group{.first = of(EventKind::ejected), .last = 50s, .times = 70, .proxies = 6, .endpoints = 3};
  group.first.value = 5.0;
  CHECK(reports::group_text(scenario, group) ==
        "6 proxies eject 3 endpoints of cart in a, 70 times: 5 consecutive 5xx");
  group = {.first = of(EventKind::panic_began), .last = 10s, .times = 6, .proxies = 6, .lasted = 60s};
  group.first.endpoint.reset();
  group.first.value = 40.0;
  group.first.limit = 50.0;
  CHECK(reports::group_text(scenario, group) ==
        "6 proxies begin to panic in P0 of cart (6 times, 10 s each in total): 40 % of the hosts are available, "
        "threshold "
        "50 %");
}

TEST_CASE("a cluster that a route splits requests to has its own name") {
  scenario::Scenario scenario = reported_scenario();
  const config::ServiceIndex asked = of(EventKind::panic_began).service;
  for (const char* const subset : {"cart{version=1}", "cart{version=2}"}) {
    scenario::Service view;
    view.name = subset;
    view.as_view = scenario::View{asked};
    scenario.services.push_back(view);
  }
  const auto views = static_cast<std::uint32_t>(scenario.services.size());
  EventRecord record = of(EventKind::panic_began);
  record.endpoint.reset();
  record.value = 20.0;
  record.limit = 50.0;
  record.service = {views - 1};
  scenario.clients[record.client.value].workload.service = {views - 1};
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] begins to panic in P0 of cart: 20 % of the hosts are available, threshold 50 %");
  scenario::Route route;
  route.clusters = {{views - 2}, {views - 1}};
  scenario.routes.push_back(route);
  scenario::RequestKind kind;
  kind.route = static_cast<std::uint32_t>(scenario.routes.size() - 1);
  scenario.clients[record.client.value].workload.requests = {kind};
  CHECK(reports::event_text(scenario, record) ==
        "shop[3] begins to panic in P0 of cart{version=2}: 20 % of the hosts are available, threshold 50 %");
}

TEST_CASE("a client that is one has no number") {
  const scenario::Scenario scenario = reported_scenario();
  EventRecord record = of(EventKind::returned);
  record.client = {1};
  record.instance = 0;
  CHECK(reports::event_text(scenario, record) == "gw takes cart-2 back: the ejection time is over");
}

TEST_CASE("a line of JSON has the names that docs/output.md gives") {
  const scenario::Scenario scenario = reported_scenario();
  const auto object = nlohmann::json::parse(reports::event_json(scenario)(of(EventKind::ejected)));
  CHECK(object["start_s"] == 10.0);
  CHECK(object["kind"] == "ejected");
  CHECK(object["client"] == "shop");
  CHECK(object["instance"] == 3);
  CHECK(object["service"] == "cart");
  CHECK(object["endpoint"] == "cart-2");
  CHECK(object["zone"] == "a");
  CHECK(object["times"] == 1);
}

TEST_CASE("filters look at client, endpoint, kind and time") {
  const scenario::Scenario scenario = reported_scenario();
  const EventRecord record = of(EventKind::ejected);
  CHECK(reports::passes(scenario, {}, record));
  CHECK(reports::passes(scenario, {.client = "shop", .endpoint = "cart-2", .kind = "ejected"}, record));
  CHECK_FALSE(reports::passes(scenario, {.client = "gw"}, record));
  CHECK_FALSE(reports::passes(scenario, {.endpoint = "cart-1"}, record));
  CHECK_FALSE(reports::passes(scenario, {.kind = "returned"}, record));
  CHECK_FALSE(reports::passes(scenario, {.from = 11s}, record));
  CHECK_FALSE(reports::passes(scenario, {.to = 9s}, record));
  CHECK(reports::passes(scenario, {.from = 10s, .to = 10s}, record));
}

TEST_CASE("a summary names three kinds at most, what is prevented first") {
  const scenario::Scenario scenario = reported_scenario();
  run::Events logged_events;
  for (const EventKind kind : {EventKind::returned, EventKind::ejected, EventKind::marked_unhealthy,
                               EventKind::breaker_opened, EventKind::ejection_prevented}) {
    logged_events.groups.push_back({.first = of(kind), .last = 20s, .times = 1, .proxies = 1, .endpoints = 1});
  }
  const auto lines = reports::most_important(scenario, logged_events);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find("may not eject") != std::string::npos);
  CHECK(lines[1].find("circuit breaker") != std::string::npos);
  CHECK(lines[2].find("unhealthy") != std::string::npos);
}

TEST_CASE("what the author lets happen is told in words, with no proxy") {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 60s\nzones: [{ name: a, nodes: [{ name: n, count: 2 }] }, { name: b }]\n"
      "links: [{ between: [a, b], latency: 1ms }]\n"
      "services: [{ name: cart, endpoints: [{ count: 3, zone: a }, { count: 3, zone: b }] }]\n"
      "clients: [{ name: shop, zone: a, count: 6, workload: { service: cart, phases: \"1rps 50s, 2rps\" } }]\n"
      "timeline:\n"
      "  - { at: 10s, zone: a, fails: 50% }\n"
      "  - { at: 20s, endpoints: [cart-1], slow: 3 }\n"
      "  - { at: 30s, link: [a, b], latency: 40ms }\n"
      "  - { at: 40s, zone: b, healthy: 1 }\n");
  std::vector<std::string> texts;
  for (std::uint32_t change = 0; change < scenario.changes.size(); ++change) {
    const auto record = run::authored_event(scenario, change);
    REQUIRE(record);
    texts.push_back(reports::event_text(scenario, *record));
  }
  CHECK(texts == std::vector<std::string>{"3 endpoints of cart in a fail 50 % of their requests with status 503",
                                          "cart-1 takes 3 times as long", "the link a - b has a latency of 40 ms",
                                          "proxies are told by EDS of 3 endpoints of cart in b: 1 healthy, 2 unhealthy",
                                          "each of shop sends 2 requests a second"});
  const auto record = run::authored_event(scenario, 0);
  const auto object = nlohmann::json::parse(reports::event_json(scenario)(*record));
  CHECK(object["kind"] == "fails");
  CHECK(object["client"].is_null());
  CHECK(object["service"] == "cart");
  CHECK(object["endpoints"] == 3);
  CHECK(object["proxies"] == 0);
  CHECK(reports::passes(scenario, {.endpoint = "cart-2"}, *record));
  CHECK_FALSE(reports::passes(scenario, {.endpoint = "cart-5"}, *record));
  CHECK_FALSE(reports::passes(scenario, {.client = "shop"}, *record));
}
