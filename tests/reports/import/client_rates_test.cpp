// Counts as an Envoy 1.40.0 had them: 400 requests each to an aggregate cluster, and to a cluster that drops 40 %.
#include "reports/import/client_rates.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/import/import.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using reports::importing::rates_of;
using reports::importing::RatesOfClients;

namespace {

const char* const clusters = R"(
static_resources:
  clusters:
  - name: near
    type: STATIC
    load_assignment:
      cluster_name: near
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }]
  - name: far
    type: STATIC
    load_assignment:
      cluster_name: far
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }]
  - name: both
    lb_policy: CLUSTER_PROVIDED
    cluster_type:
      name: envoy.clusters.aggregate
      typed_config:
        "@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig
        clusters: [near, far]
  - name: dropping
    type: STATIC
    load_assignment:
      cluster_name: dropping
      policy: { drop_overloads: [{ category: all, drop_percentage: { numerator: 40 } }] }
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.3, port_value: 80 } } } }] }]
)";

scenario::Scenario world_of(const std::string& cluster) {
  auto reading = scenario::read_envoy_texts({{"bootstrap.yaml", clusters}}, {.cluster = cluster});
  REQUIRE(reading.scenario.has_value());
  return std::move(*reading.scenario);
}

RatesOfClients rates(reports::importing::Input input, const std::vector<std::string>& asked) {
  std::vector<scenario::Scenario> worlds;
  for (const std::string& cluster : asked) {
    worlds.push_back(world_of(cluster));
  }
  std::vector<reports::importing::CountedClient> clients;
  input.proxies.resize(1);
  for (const scenario::Scenario& world : worlds) {
    input.proxies.front().clusters.push_back(&world);
    clients.push_back({0, &world});
  }
  return rates_of(input, clients);
}

}  // namespace

TEST_CASE("an aggregate cluster's requests are those that the clusters below it count") {
  const auto found = rates({.rates = {{"near", 300.0}, {"far", 100.0}}}, {"both"});
  REQUIRE(found.of.front().rate.has_value());
  CHECK(*found.of.front().rate == Approx(400.0));
  CHECK_FALSE(found.of.front().is_guess);
  CHECK(found.findings.empty());
  // Its own count is that of its clients.
  const auto own = rates({.rates = {{"both", 390.0}, {"near", 0.0}, {"far", 0.0}}}, {"both"});
  CHECK(own.of.front().rate == Approx(390.0));
  const auto phases =
      rates({.phases = {{{"near", {{30.0, 20s}, {0.0, 20s}}}, {"far", {{0.0, 20s}, {50.0, 20s}}}}, 40s}}, {"both"});
  REQUIRE(phases.of.front().phases.size() == 2);
  CHECK(phases.of.front().phases[0].rate == Approx(30.0));
  CHECK(phases.of.front().phases[1].rate == Approx(50.0));
}

TEST_CASE("an aggregate cluster above one that others ask for has no known rate") {
  const auto found = rates({.rates = {{"near", 300.0}, {"far", 100.0}}}, {"both", "near"});
  CHECK_FALSE(found.of[0].rate.has_value());
  CHECK(found.of[1].rate == Approx(300.0));
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front() ==
        "cluster both: the clusters below it count its requests together with those of others; its rate is not known "
        "without its `upstream_rq_completed` of two --stats");
}

TEST_CASE("requests that a load assignment drops reach no counter of hosts, and were sent all the same") {
  const auto attempts = rates({.rates = {{"dropping", 240.0}}, .after_drops = {"dropping"}}, {"dropping"});
  REQUIRE(attempts.of.front().rate.has_value());
  CHECK(*attempts.of.front().rate == Approx(400.0).epsilon(1e-6));
  CHECK(attempts.findings.empty());
  const auto completed = rates({.rates = {{"dropping", 400.0}}}, {"dropping"});
  CHECK(completed.of.front().rate == Approx(400.0));
  const auto phases = rates({.phases = {{{"dropping", {{60.0, 20s}}}}, 20s, {"dropping"}}}, {"dropping"});
  REQUIRE(phases.of.front().phases.size() == 1);
  CHECK(phases.of.front().phases.front().rate == Approx(100.0).epsilon(1e-6));
}
