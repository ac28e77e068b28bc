// What accepted scenarios mean.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
using config::HealthStatus;
using test::accepted;
using test::scenario_with;

namespace {

std::vector<HealthStatus> reported_at_start(const Service& service) {
  std::vector<HealthStatus> reported;
  for (const auto& locality : service.load_assignment.endpoints) {
    for (const auto& endpoint : locality.lb_endpoints) {
      reported.push_back(endpoint.health_status);
    }
  }
  return reported;
}

// "hhdu" for healthy, healthy, degraded, unhealthy.
std::string letters(const std::vector<HealthStatus>& statuses) {
  std::string text;
  for (const HealthStatus status : statuses) {
    text += status == HealthStatus::healthy ? 'h' : status == HealthStatus::degraded ? 'd' : 'u';
  }
  return text;
}

std::vector<std::string> reported_later(const Scenario& scenario) {
  std::vector<std::string> all;
  for (const Change& change : scenario.changes) {
    if (const auto* reported = std::get_if<EdsHealth>(&change.effect)) {
      std::string text = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(change.at).count()) + "s:";
      for (const auto& [host, status] : reported->hosts) {
        text += " " + std::to_string(host.value) + letters({status});
      }
      all.push_back(text);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("A file's defaults are filled in", "[meaning]") {
  const Scenario scenario = accepted(scenario_with(""), "folder/my.scenario.yaml");
  CHECK(scenario.name == "my.scenario");
  CHECK(scenario.duration == 60s);
  CHECK(scenario.seed == 1);
  CHECK(scenario.mode == Mode::requests);
  CHECK(scenario.profile.envoy == config::EnvoyProfile::current);
  CHECK(scenario.profile.kuma == config::KumaProfile::release_2_14);
  const Service& service = scenario.services.at(0);
  CHECK(service.cluster.name == "backend");
  CHECK(std::holds_alternative<envoy::policies::round_robin::Config>(service.cluster.lb_policy));
  CHECK(service.cluster.common_lb_config.healthy_panic_threshold.value == 50.0);
  CHECK_FALSE(service.cluster.outlier_detection.has_value());
  CHECK(service.load_assignment.overprovisioning_factor == 140);
  CHECK(scenario.clients.at(0).count == 1);
  CHECK(scenario.clients.at(0).workload.rate == 10.0);
}

TEST_CASE("JSON and YAML of the same scenario mean the same", "[meaning]") {
  const Scenario scenario = accepted(R"(// a comment
    { "name": "j", "duration": "2s", "zones": [{"name": "a"}], /* and another */
      "services": [{"name": "s", "endpoints": [{"zone": "a"}]}],
      "clients": [{"name": "c", "node": "a", "workload": {"service": "s", "rate": "1.5rps", "arrivals": "periodic"}}] })",
                                     "x.json");
  CHECK(scenario.name == "j");
  CHECK(scenario.endpoints[0].id == "s-1");
  CHECK(scenario.clients[0].workload.arrivals == Arrivals::periodic);
  CHECK(scenario.clients[0].workload.rate == 1.5);
}

TEST_CASE("A node with a count stands for so many nodes, a zone without nodes for one of its name", "[meaning]") {
  const Scenario scenario = accepted(scenario_with(""));
  std::vector<std::string> names;
  for (const Node& node : scenario.nodes) {
    names.push_back(node.name + "@" + scenario.zones[node.zone.value].name);
  }
  CHECK(names == std::vector<std::string>{"z1-1@zone-1", "z1-2@zone-1", "z2@zone-2", "zone-3@zone-3"});
}

TEST_CASE("A phase may grow evenly to another rate, the last one until the end", "[meaning]") {
  std::string text = scenario_with("");
  text.replace(text.find("rate: 10rps"), 11, "phases: \"10rps-30rps 10s, 30rps 30s, 30rps-10rps\"");
  const Scenario scenario = accepted(text);
  CHECK(scenario.clients[0].workload.rate == 10.0);
  CHECK(scenario.clients[0].workload.slope == 2.0);
  REQUIRE(scenario.changes.size() == 2);
  CHECK(std::get<RateChange>(scenario.changes[0].effect).slope == 0.0);
  CHECK(std::get<RateChange>(scenario.changes[1].effect).rate == 30.0);
  CHECK(std::get<RateChange>(scenario.changes[1].effect).slope == -1.0);
}

TEST_CASE("Cores, queues and service times are an endpoint's own or its node's", "[meaning]") {
  std::string text =
      scenario_with("timeline: [{ at: 1s, zone: zone-1, slow: 2.5 }]\n",
                    "      - { zone: zone-1, cores: 4, queue: 10, service_time: 8ms }\n"
                    "      - { zone: zone-1, capacity: 500rps }\n"
                    "      - { zone: zone-1, capacity: 500rps, cores: 4, discipline: processor_sharing }\n"
                    "      - { node: z2, service_time: { mean: 6ms, distribution: gamma, "
                    "coefficient_of_variation: 0.5 } }\n"
                    "      - { node: z2, service_time: { empirical: [3ms, 9ms], weights: [2, 1] } }\n");
  text.replace(text.find("name: z2"), 8, "name: z2, cores: 3, speed: 1.5");
  const Scenario scenario = accepted(text);
  CHECK(scenario.endpoints[0].servers->cores == 4);
  CHECK(scenario.endpoints[0].servers->queue == 10U);
  CHECK(scenario.endpoints[0].service_time == 8ms);
  CHECK(scenario.endpoints[0].variation == nullptr);
  CHECK(scenario.endpoints[1].servers->cores == 1);
  CHECK_FALSE(scenario.endpoints[1].servers->queue);
  CHECK(scenario.endpoints[1].service_time == 2ms);
  CHECK(scenario.endpoints[2].servers->discipline == Discipline::processor_sharing);
  CHECK(scenario.endpoints[2].service_time == 8ms);
  CHECK_FALSE(scenario.endpoints[3].servers);
  CHECK(scenario.nodes[scenario.endpoints[3].node.value].servers->cores == 3);
  CHECK(scenario.endpoints[3].service_time == 4ms);
  CHECK(scenario.endpoints[3].variation->distribution == ServiceDistribution::gamma);
  CHECK(scenario.endpoints[3].variation->coefficient_of_variation == 0.5);
  CHECK(scenario.endpoints[4].service_time == 3333333ns);
  CHECK(scenario.endpoints[4].variation->measured[1].time == 6ms);
  CHECK(scenario.endpoints[4].variation->measured[0].weight == 2.0);
  REQUIRE(scenario.changes.size() == 1);
  const auto& slow = std::get<Slow>(scenario.changes[0].effect);
  CHECK(slow.slowness == 2.5);
  CHECK(slow.hosts.size() == 3);
}

TEST_CASE("Endpoints run on their zone's nodes in turn and are numbered through their service", "[meaning]") {
  const Scenario scenario = accepted(scenario_with("",
                                                   "      - { count: 3, zone: zone-1, service_time: 4ms }\n"
                                                   "      - { id: special, zone: zone-2, weight: 7 }\n"
                                                   "      - { count: 1, node: zone-3, priority: 2 }\n"));
  const Service& service = scenario.services[0];
  std::vector<std::string> endpoints;
  for (const Endpoint& endpoint : scenario.endpoints) {
    endpoints.push_back(endpoint.id + "@" + scenario.nodes[endpoint.node.value].name);
  }
  CHECK(endpoints == std::vector<std::string>{"backend-1@z1-1", "backend-2@z1-2", "backend-3@z1-1", "special@z2",
                                              "backend-5@zone-3"});
  CHECK(scenario.endpoints[0].service_time == 4ms);
  REQUIRE(service.load_assignment.endpoints.size() == 3);
  CHECK(service.load_assignment.endpoints[0].locality == config::Locality{"", "zone-1", ""});
  CHECK(service.load_assignment.endpoints[0].lb_endpoints.size() == 3);
  CHECK(service.load_assignment.endpoints[1].lb_endpoints[0].load_balancing_weight == 7);
  CHECK(service.load_assignment.endpoints[2].priority.value == 2);
}

TEST_CASE("Endpoints in several sub_zones keep the order of the file", "[meaning]") {
  const Scenario scenario = accepted(
      "duration: 1s\n"
      "zones: [{ name: z, region: r, nodes: [{ name: a, sub_zone: x }, { name: b, sub_zone: y }] }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: z }] }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 1 } }]\n");
  const auto& localities = scenario.services[0].load_assignment.endpoints;
  REQUIRE(localities.size() == 3);
  CHECK(localities[0].locality == config::Locality{"r", "z", "x"});
  CHECK(localities[1].locality == config::Locality{"r", "z", "y"});
  CHECK(localities[2].lb_endpoints[0].address == "s-3");
}

TEST_CASE("Of n of m the first n in the order of the file stay healthy", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("",
                             "      - { count: 5, zone: zone-1, healthy: \"80% 10s, 2 10s, 0%\" }\n"
                             "      - { count: 4, zone: zone-2, degraded: \"0 20s, 50%\" }\n"
                             "      - { count: 4, zone: zone-2, healthy: 1, degraded: 2 }\n"));
  CHECK(letters(reported_at_start(scenario.services[0])) == "hhhhuhhhhhddu");
  CHECK(reported_later(scenario) ==
        std::vector<std::string>{"10s: 0h 1h 2u 3u 4u", "20s: 0u 1u 2u 3u 4u", "20s: 5h 6h 7d 8d"});
}

TEST_CASE("Healthy and degraded timelines of a group are told together", "[meaning]") {
  const Scenario scenario = accepted(scenario_with(
      "", "      - { count: 4, zone: zone-1, healthy: \"4 10s, 2 20s, 1\", degraded: \"0 20s, 1 10s, 3\" }\n"));
  CHECK(letters(reported_at_start(scenario.services[0])) == "hhhh");
  CHECK(reported_later(scenario) ==
        std::vector<std::string>{"10s: 0h 1h 2u 3u", "20s: 0h 1h 2d 3u", "30s: 0h 1d 2d 3d"});
}

TEST_CASE("A last step may say its duration up to the end of the run", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("", "      - { count: 2, zone: zone-1, healthy: \"2 30s, 1 30s\" }\n"));
  CHECK(reported_later(scenario) == std::vector<std::string>{"30s: 0h 1u"});
}

TEST_CASE("A fraction of an endpoint is rounded half up, with a warning", "[meaning]") {
  const Reading reading =
      read_scenario_text("x.yaml", scenario_with("", "      - { count: 5, zone: zone-1, healthy: 50% }\n"));
  REQUIRE(reading.scenario.has_value());
  CHECK(test::codes_of(reading.diagnostics) == std::vector<std::string>{"SP201"});
  CHECK(letters(reported_at_start(reading.scenario->services[0])) == "hhhuu");
  const Reading halves = read_scenario_text(
      "x.yaml", scenario_with("", "      - { count: 5, zone: zone-1, healthy: 50%, degraded: 50% }\n"));
  REQUIRE(halves.scenario.has_value());
  CHECK(letters(reported_at_start(halves.scenario->services[0])) == "hhhdd");
}

TEST_CASE("An event tells the health of the endpoints that it narrows down to", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("timeline:\n"
                             "  - { at: 0s, priority: 1, healthy: 90% }\n"
                             "  - { at: 30s, zone: zone-1, healthy: 10% }\n"
                             "  - { at: 20s, node: z1-2, healthy: 40%, degraded: 2 }\n"
                             "  - { at: 30s, endpoints: [backend-12, backend-2], healthy: 50% }\n"
                             "  - { at: 40s, zone: zone-2, degraded: 10% }\n"));
  CHECK(letters(reported_at_start(scenario.services[0])) == "hhhhhhhhhhhhhhhhhhhu");
  CHECK(reported_later(scenario) == std::vector<std::string>{"20s: 1h 3h 5d 7d 9u",
                                                             "30s: 0h 1u 2u 3u 4u 5u 6u 7u 8u 9u", "30s: 1h 11u",
                                                             "40s: 10h 11h 12h 13h 14h 15h 16h 17h 18h 19d"});
}

TEST_CASE("Outages, links and failures become changes in the order of time, then of the file", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("timeline:\n"
                             "  - { at: 20s, zone: zone-1, outage: true }\n"
                             "  - { at: 10s, link: [zone-2, zone-1], latency: 8ms }\n"
                             "  - { at: 0s, node: z2, outage: true }\n"
                             "  - { at: 20s, link: [zone-1, zone-2], outage: true }\n"
                             "  - { at: 15s, priority: 1, fails: 25.5% }\n"));
  REQUIRE(scenario.changes.size() == 6);
  CHECK(std::get<NodeOutage>(scenario.changes[0].effect).node.value == 2);
  CHECK_FALSE(std::get<NodeOutage>(scenario.changes[0].effect).on);
  const auto& latency = std::get<LinkChange>(scenario.changes[1].effect);
  CHECK(latency.latency == 8ms);
  CHECK_FALSE(latency.on.has_value());
  const auto& fails = std::get<Fails>(scenario.changes[2].effect);
  CHECK(fails.fraction == 0.255);
  CHECK(fails.hosts.size() == 10);
  CHECK(fails.hosts.front().value == 10);
  CHECK(std::get<NodeOutage>(scenario.changes[3].effect).node.value == 0);
  CHECK(std::get<NodeOutage>(scenario.changes[4].effect).node.value == 1);
  CHECK(std::get<LinkChange>(scenario.changes[5].effect).on == false);
  CHECK(scenario.changes[3].where.line == scenario.changes[4].where.line);
}

TEST_CASE("Envoy's messages stand in a scenario in either spelling", "[meaning]") {
  const std::string snake = scenario_with(
      "clusters:\n"
      "  - name: backend\n"
      "    lb_policy: RANDOM\n"
      "    connect_timeout: 0.25s\n"
      "    common_lb_config: { healthy_panic_threshold: { value: 70.9 }, update_merge_window: 0s }\n"
      "    outlier_detection: { consecutive_5xx: 3, base_ejection_time: 400s, enforcing_success_rate: 0 }\n"
      "load_assignments: [{ cluster_name: backend, policy: { overprovisioning_factor: 200 } }]\n");
  const std::string camel = scenario_with(
      "clusters:\n"
      "  - name: backend\n"
      "    lbPolicy: RANDOM\n"
      "    connectTimeout: 0.25s\n"
      "    commonLbConfig: { healthyPanicThreshold: { value: 70.9 }, updateMergeWindow: 0s }\n"
      "    outlierDetection: { consecutive5xx: 3, baseEjectionTime: 400s, enforcingSuccessRate: 0 }\n"
      "load_assignments: [{ clusterName: backend, policy: { overprovisioningFactor: 200 } }]\n");
  for (const std::string& text : {snake, camel}) {
    const Service service = accepted(text).services[0];
    CHECK(std::holds_alternative<envoy::policies::random::Config>(service.cluster.lb_policy));
    CHECK(service.cluster.common_lb_config.healthy_panic_threshold.value == 70.9);
    CHECK(service.cluster.common_lb_config.update_merge_window == 0s);
    REQUIRE(service.cluster.outlier_detection.has_value());
    CHECK(service.cluster.outlier_detection->consecutive_5xx == 3);
    CHECK(service.cluster.outlier_detection->base_ejection_time == 400s);
    CHECK(config::effective_max_ejection_time(*service.cluster.outlier_detection) == 400s);
    CHECK(service.cluster.outlier_detection->enforcing_success_rate == 0);
    CHECK(service.load_assignment.overprovisioning_factor == 200);
  }
}

TEST_CASE("Columns name priorities, zones, nodes, endpoints and clusters, and what they show", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("expect:\n"
                             "  - table: t\n"
                             "    columns: [P0, P1 load, P0 panic, zone-1 healthy, P0 zone-1 degraded, z1-2, node z2 "
                             "unhealthy, backend-3, backend,"
                             " zone-3, total, priority 1, endpoint backend-1]\n"
                             "    rows: [[1, 1, yes, 1, 1, 1, 1, 1, 1, 1, 1, 1, -]]\n"));
  const auto& table = std::get<ExpectedTable>(scenario.expectations.at(0));
  const auto& columns = table.columns;
  CHECK(columns[0].selector.priority == config::Priority{0});
  CHECK(columns[1].quantity == Quantity::load);
  CHECK(columns[2].quantity == Quantity::panic);
  CHECK(columns[3].quantity == Quantity::healthy);
  CHECK(columns[3].selector.zone == "zone-1");
  CHECK(columns[3].title == "zone-1 healthy");
  CHECK(columns[4].selector.priority == config::Priority{0});
  CHECK(columns[4].selector.zone == "zone-1");
  CHECK(columns[4].quantity == Quantity::degraded);
  CHECK(columns[5].selector.node == "z1-2");
  CHECK(columns[6].selector.node == "z2");
  CHECK(columns[6].quantity == Quantity::unhealthy);
  CHECK(columns[7].selector.endpoint == "backend-3");
  CHECK(columns[8].selector.cluster == "backend");
  CHECK(columns[9].selector.zone == "zone-3");
  CHECK(columns[9].selector.node.empty());
  CHECK(columns[10].quantity == Quantity::total_availability);
  CHECK(columns[11].selector.priority == config::Priority{1});
  CHECK(columns[12].selector.endpoint == "backend-1");
  CHECK(table.rows[0][2].documented.number == 1.0);
  CHECK(table.rows[0][12].documented.text == "-");
}

TEST_CASE("Names with spaces and with quantities in them can be columns", "[meaning]") {
  const Scenario scenario = accepted(
      "duration: 1s\n"
      "zones: [{ name: always healthy }, { name: two words }]\n"
      "services: [{ name: s, endpoints: [{ zone: two words }] }]\n"
      "clients: [{ name: c, zone: two words, workload: { service: s, rate: 1 } }]\n"
      "expect: [{ table: t, columns: [always healthy, always healthy healthy, P0 two words], rows: [[1, 1, 1]] }]\n");
  const auto& columns = std::get<ExpectedTable>(scenario.expectations.at(0)).columns;
  CHECK(columns[0].quantity == Quantity::share);
  CHECK(columns[0].selector.zone == "always healthy");
  CHECK(columns[1].quantity == Quantity::healthy);
  CHECK(columns[2].selector.zone == "two words");
}

TEST_CASE("Figures keep the precision that they are printed with", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("expect:\n"
                             "  - table: t\n"
                             "    columns: [P0, P1]\n"
                             "    rows:\n"
                             "      - [99%, 0.90]\n"
                             "      - [6.50%, { documented: 7%, exact: 8.0%, reason: the remainder goes to P0 }]\n"));
  const auto& table = std::get<ExpectedTable>(scenario.expectations.at(0));
  CHECK(table.rows[0][0].documented.number == 99.0);
  CHECK(table.rows[0][0].documented.decimals == 0);
  CHECK(table.rows[0][0].documented.text == "99%");
  CHECK(table.rows[0][1].documented.decimals == 2);
  CHECK(table.rows[1][0].documented.number == 6.5);
  CHECK(table.rows[1][0].documented.decimals == 2);
  const Cell& cell = table.rows[1][1];
  CHECK(cell.documented.text == "7%");
  REQUIRE(cell.exact.has_value());
  CHECK(cell.exact->number == 8.0);
  CHECK(cell.exact->decimals == 1);
  CHECK(cell.reason == "the remainder goes to P0");
  CHECK(cell.where.line == 19);
}

TEST_CASE("Assertions have their window, bound and selector", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("expect:\n"
                             "  - always: { no_healthy_upstream: 0, timeout: \"<= 5\" }\n"
                             "  - always: { ok: \">= 10\", from: 10s, to: 20s }\n"
                             "  - share: { of: frontend, zone: zone-2, priority: 1, at: 15s, at_most: 20% }\n"));
  REQUIRE(scenario.expectations.size() == 4);
  const auto& none = std::get<OutcomeAssertion>(scenario.expectations[0]);
  CHECK(none.outcome == Outcome::no_healthy_upstream);
  CHECK(none.comparison == Comparison::equals);
  CHECK(none.from == 0s);
  CHECK(none.to == 60s);
  const auto& few = std::get<OutcomeAssertion>(scenario.expectations[1]);
  CHECK(few.comparison == Comparison::at_most);
  CHECK(few.count == 5.0);
  const auto& window = std::get<OutcomeAssertion>(scenario.expectations[2]);
  CHECK(window.from == 10s);
  CHECK(window.to == 20s);
  const auto& share = std::get<ShareAssertion>(scenario.expectations[3]);
  CHECK(share.selector.zone == "zone-2");
  CHECK(share.selector.priority == config::Priority{1});
  CHECK(share.at == 15s);
  CHECK(share.comparison == Comparison::at_most);
  CHECK(share.figure.number == 20.0);
}

TEST_CASE("An assertion on utilisation has its window, bound and selector", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("expect:\n"
                             "  - utilisation: { zone: zone-2, node: z2, from: 10s, to: 20s, at_most: 80% }\n"
                             "  - utilisation: { service: backend, at_least: 12.5% }\n"
                             "  - utilisation: { endpoint: backend-1, from: 10s, to: 20s, equals: 30% }\n"));
  const auto& zone = std::get<UtilisationAssertion>(scenario.expectations.at(0));
  CHECK(zone.selector.zone == "zone-2");
  CHECK(zone.selector.node == "z2");
  CHECK(zone.from == 10s);
  CHECK(zone.to == 20s);
  CHECK(zone.comparison == Comparison::at_most);
  CHECK(zone.figure.number == 80.0);
  const auto& service = std::get<UtilisationAssertion>(scenario.expectations.at(1));
  CHECK(service.selector.cluster == "backend");
  CHECK(service.to == 60s);
  CHECK(service.comparison == Comparison::at_least);
  CHECK(service.figure.decimals == 1);
  CHECK(utilisation_windows(scenario.expectations) == std::vector<Window>{{10s, 20s}, {0s, 60s}});
}

TEST_CASE("An outage of endpoints ends their existence and tells nobody", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("timeline:\n"
                             "  - { at: 10s, priority: 1, outage: true }\n"
                             "  - { at: 20s, endpoints: [backend-11], outage: false }\n"));
  REQUIRE(scenario.changes.size() == 2);
  const auto& gone = std::get<Existence>(scenario.changes[0].effect);
  CHECK(gone.hosts.size() == 10);
  CHECK_FALSE(gone.exists);
  const auto& back = std::get<Existence>(scenario.changes[1].effect);
  CHECK(back.hosts == std::vector{config::HostIndex{10}});
  CHECK(back.exists);
}

TEST_CASE("Added endpoints come at once, and the proxies hear of it after the delay", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("timeline:\n"
                             "  - { at: 10s, add: [{ count: 2, zone: zone-3, priority: 2 }], delay: 3s }\n"
                             "  - { at: 20s, endpoints: [backend-21], remove: 100%, audience: [zone-1] }\n"
                             "  - { at: 30s, zone: zone-3, add: 1, delay: 40s }\n"));
  const Service& service = scenario.services[0];
  REQUIRE(scenario.endpoints.size() == 22);
  CHECK(scenario.endpoints[21].id == "backend-22");
  CHECK(service.load_assignment.endpoints.back().priority.value == 2);
  CHECK(service.absent_at_start == std::vector{config::HostIndex{20}, config::HostIndex{21}});
  REQUIRE(scenario.changes.size() == 5);
  CHECK(scenario.changes[0].at == 10s);
  CHECK(std::get<Existence>(scenario.changes[0].effect).exists);
  CHECK(scenario.changes[1].at == 13s);
  const auto& reported = std::get<EdsMembership>(scenario.changes[1].effect);
  CHECK(reported.member);
  CHECK(reported.hosts.size() == 2);
  CHECK(reported.audience.empty());
  CHECK_FALSE(std::get<Existence>(scenario.changes[2].effect).exists);
  const auto& left = std::get<EdsMembership>(scenario.changes[3].effect);
  CHECK_FALSE(left.member);
  CHECK(left.audience == std::vector{config::ZoneIndex{0}});
  // What would be heard after the end of the run is not heard.
  CHECK(scenario.changes[4].at == 30s);
}

TEST_CASE("Health that is told late reaches its audience after the delay", "[meaning]") {
  const Scenario scenario =
      accepted(scenario_with("timeline: [{ at: 0s, zone: zone-1, healthy: 0%, delay: 2s, audience: [zone-2] }]\n"));
  REQUIRE(scenario.changes.size() == 1);
  CHECK(scenario.changes[0].at == 2s);
  CHECK(std::get<EdsHealth>(scenario.changes[0].effect).audience == std::vector{config::ZoneIndex{1}});
  CHECK(letters(reported_at_start(scenario.services[0])) == "hhhhhhhhhhhhhhhhhhhh");
}

TEST_CASE("Phases change the rate of a client", "[meaning]") {
  std::string text = scenario_with("");
  text.replace(text.find("rate: 10rps"), 11, "phases: \"10rps 10s, 0rps 5s, 2.5rps\"");
  const Scenario scenario = accepted(text);
  CHECK(scenario.clients[0].workload.rate == 10.0);
  REQUIRE(scenario.changes.size() == 2);
  CHECK(scenario.changes[0].at == 10s);
  CHECK(std::get<RateChange>(scenario.changes[0].effect).rate == 0.0);
  CHECK(scenario.changes[1].at == 15s);
  CHECK(std::get<RateChange>(scenario.changes[1].effect).rate == 2.5);
}

TEST_CASE("The load report of an endpoint is taken over", "[meaning]") {
  const Scenario scenario = accepted(
      "duration: 1s\n"
      "zones: [{ name: z }]\n"
      "services:\n"
      "  - name: s\n"
      "    endpoints:\n"
      "      - { count: 2, zone: z, load_report: { rps_fractional: 100, eps: 1, named_metrics: { queue: 0.5 } } }\n"
      "      - { zone: z }\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 1 } }]\n");
  const auto& endpoints = scenario.endpoints;
  REQUIRE(endpoints[1].load_report.has_value());
  CHECK(endpoints[1].load_report->rps_fractional == 100.0);
  CHECK(endpoints[1].load_report->eps == 1.0);
  CHECK(endpoints[1].load_report->application_utilization == 0.0);
  CHECK(endpoints[1].load_report->named_metrics.at("queue") == 0.5);
  CHECK_FALSE(endpoints[2].load_report.has_value());
}

TEST_CASE("Locality weights, the local cluster and typed policies are taken over", "[meaning]") {
  const Scenario scenario = accepted(scenario_with(
      "load_assignments:\n"
      "  - cluster_name: backend\n"
      "    policy: { weighted_priority_health: true }\n"
      "    endpoints:\n"
      "      - { locality: { zone: zone-1 }, load_balancing_weight: 3 }\n"
      "      - { locality: { zone: zone-2 }, priority: 1, load_balancing_weight: 4 }\n"
      "local_cluster: callers\n"
      "clusters:\n"
      "  - name: backend\n"
      "    load_balancing_policy:\n"
      "      policies:\n"
      "        - typed_extension_config: { name: unknown, typed_config: { '@type': type.googleapis.com/some.Other } }\n"
      "        - typed_extension_config:\n"
      "            name: envoy.load_balancing_policies.random\n"
      "            typed_config:\n"
      "              '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random\n"
      "              localityLbConfig: { zoneAwareLbConfig: { minClusterSize: '3', forceLocalZone: { minSize: 2 },"
      " localityBasis: HEALTHY_HOSTS_WEIGHT } }\n",
      "      - { count: 2, zone: zone-1 }\n"
      "      - { count: 2, zone: zone-2, priority: 1 }\n"
      "  - name: callers\n"
      "    endpoints: [{ count: 3, zone: zone-1 }]\n"));
  const Service& service = scenario.services[0];
  CHECK(service.load_assignment.weighted_priority_health);
  CHECK(service.load_assignment.endpoints[0].load_balancing_weight == 3);
  CHECK(service.load_assignment.endpoints[1].load_balancing_weight == 4);
  CHECK(scenario.local_cluster == config::ServiceIndex{1});
  CHECK(std::holds_alternative<envoy::policies::random::Config>(service.cluster.lb_policy));
  const auto& zone_aware =
      std::get<config::ZoneAwareLbConfig>(service.cluster.common_lb_config.locality_config_specifier);
  CHECK(zone_aware.min_cluster_size == 3);
  CHECK(zone_aware.force_local_zone->min_size == 2);
  CHECK(zone_aware.locality_basis == config::LocalityBasis::healthy_hosts_weight);
}

TEST_CASE("A service without endpoints can be an aggregate of others", "[meaning]") {
  const Scenario scenario = accepted(
      scenario_with("clusters:\n"
                    "  - name: all\n"
                    "    lb_policy: CLUSTER_PROVIDED\n"
                    "    cluster_type:\n"
                    "      name: envoy.clusters.aggregate\n"
                    "      typed_config:\n"
                    "        '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig\n"
                    "        clusters: [canary, backend]\n",
                    "      - { count: 2, zone: zone-1 }\n"
                    "  - { name: all }\n"
                    "  - { name: canary, endpoints: [{ zone: zone-1 }] }\n"));
  CHECK(scenario.services[1].cluster.aggregate_clusters == std::vector<std::string>{"canary", "backend"});
  CHECK(members_of(scenario, config::ServiceIndex{1}) == std::vector{config::ServiceIndex{2}, config::ServiceIndex{0}});
}

TEST_CASE("Columns of an aggregate name its clusters with their priorities and endpoints", "[meaning]") {
  std::string text = scenario_with(
      "clusters:\n"
      "  - name: all\n"
      "    lb_policy: CLUSTER_PROVIDED\n"
      "    cluster_type:\n"
      "      name: envoy.clusters.aggregate\n"
      "      typed_config:\n"
      "        '@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig\n"
      "        clusters: [backend]\n"
      "expect:\n"
      "  - { table: t, columns: [backend, backend P1 healthy, backend-2], rows: [[1, 1, 1]] }\n",
      "      - { count: 2, zone: zone-1, priority: 1 }\n"
      "  - { name: all }\n");
  text.replace(text.find("service: backend"), 16, "service: all");
  const auto table = std::get<ExpectedTable>(accepted(text).expectations.at(0));
  CHECK(table.columns[1].selector.cluster == "backend");
  CHECK(table.columns[1].selector.priority == config::Priority{1});
  CHECK(table.columns[2].selector.endpoint == "backend-2");
}

TEST_CASE("The scenario in the page on scenario files is accepted without a warning", "[meaning]") {
  std::ifstream in(SPILLWAY_SOURCE_DIR "/docs/scenario-file.md");
  std::ostringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::string open = "```yaml\n";
  const std::size_t begin = text.find(open) + open.size();
  const Reading reading = read_scenario_text("page.yaml", text.substr(begin, text.find("```", begin) - begin));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK(reading.scenario.has_value());
  CHECK(reading.diagnostics.empty());
}

TEST_CASE("clients of a zone run on its nodes in turn, and those of a node on that one") {
  const Scenario scenario = accepted(
      "duration: 1s\nzones: [{ name: y }, { name: z, nodes: [{ name: n, count: 3 }] }]\n"
      "services: [{ name: s, endpoints: [{ zone: z }] }]\nclients:\n"
      "  - { name: many, zone: z, count: 5, workload: { service: s, rate: 1 } }\n"
      "  - { name: few, zone: z, count: 2, workload: { service: s, rate: 1 } }\n"
      "  - { name: one, zone: z, workload: { service: s, rate: 1 } }\n"
      "  - { name: named, node: n-2, count: 5, workload: { service: s, rate: 1 } }\n");
  const auto nodes_of = [&](std::size_t entry) {
    std::vector<std::string> names;
    for (std::uint32_t client = 0; client < scenario.clients[entry].count; ++client) {
      names.push_back(scenario.nodes[node_of(scenario.clients[entry], client).value].name);
    }
    return names;
  };
  CHECK(nodes_of(0) == std::vector<std::string>{"n-1", "n-2", "n-3", "n-1", "n-2"});
  CHECK(nodes_of(1) == std::vector<std::string>{"n-1", "n-2"});
  CHECK(nodes_of(2) == std::vector<std::string>{"n-1"});
  CHECK(nodes_of(3) == std::vector<std::string>(5, "n-2"));
}
