#include "sim/compare/route_subsets.hpp"

#include <catch2/catch.hpp>

#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/compare/compared.hpp"

using namespace test_compare;

namespace {

// Two hosts of version 1 and one of version 2. Without metadata, requests go to any of them.
std::string with_routes(const std::string& routes) {
  const auto host = [](const std::string& address, const std::string& version) {
    return "    - lb_endpoints: [{ endpoint: { address: { socket_address: { address: " + address +
           ", port_value: 80 } } }, metadata: { filter_metadata: { envoy.lb: { v: '" + version + "' } } } }]\n";
  };
  std::string text = R"(clusters:
- name: backend
  type: STATIC
  lb_subset_config: { fallback_policy: ANY_ENDPOINT, subset_selectors: [{ keys: [v] }] }
  load_assignment:
    cluster_name: backend
    endpoints:
)";
  text += host("10.0.0.1", "1") + host("10.0.0.2", "1") + host("10.0.0.3", "2");
  return routes.empty() ? text : text + R"(routes:
- name: public
  virtual_hosts:
  - name: all
    domains: ["*"]
    routes:
)" + routes;
}

std::string route(const std::string& path, const std::string& action) {
  return "    - { match: { prefix: " + path + " }, route: { " + action + " } }\n";
}

std::string bringing(const std::string& version) {
  return "metadata_match: { filter_metadata: { envoy.lb: { v: '" + version + "' } } }";
}

compare::ClusterComparison compared_by_routes(const std::string& documents, const std::vector<std::uint64_t>& counts) {
  const auto after = moment(
      "backend", {{"10.0.0.1:80", "", counts[0]}, {"10.0.0.2:80", "", counts[1]}, {"10.0.0.3:80", "", counts[2]}});
  const auto proxy = scenario::ProxyConfiguration::read(Sources{{"proxy.yaml", documents}});
  compare::RouteSubsets routes;
  for (const auto& request : proxy.described_routes().requests) {
    const auto reading = proxy.asked(request);
    REQUIRE(reading.scenario.has_value());
    routes.add(*reading.scenario);
  }
  compare::Input input{.names = {"backend"}, .observed = {.clusters_after = &after}};
  input.read = [&](const std::string& name) {
    compare::ClusterReading read{proxy.cluster(name).scenario};
    REQUIRE(read.scenario.has_value());
    routes.apply(read);
    return read;
  };
  return compare::compare(input).clusters.front();
}

}  // namespace

TEST_CASE("requests are predicted in the subset that their route chooses") {
  const std::string documents = with_routes(route("/", "cluster: backend, " + bringing("1")));
  const auto fitting = compared_by_routes(documents, {1'500, 1'500, 0});
  CHECK(fitting.verdict == study::Verdict::met);
  CHECK(fitting.hosts[0].predicted == Approx(0.5));
  CHECK(fitting.hosts[2].predicted == Approx(0.0));
  CHECK(fitting.notes.empty());
  CHECK(compared_by_routes(documents, {1'000, 1'000, 1'000}).verdict == study::Verdict::missed);
}

TEST_CASE("metadata of a weighted cluster counts before its route's, and a cluster of weight 0 brings none") {
  const std::string split = "weighted_clusters: { clusters: [{ name: backend, weight: 1, " + bringing("2") +
                            " }, { name: backend, weight: 0, " + bringing("1") + " }] }, " + bringing("1");
  CHECK(compared_by_routes(with_routes(route("/", split)), {0, 0, 900}).verdict == study::Verdict::met);
  CHECK(compared_by_routes(with_routes(route("/", split)), {450, 450, 0}).verdict == study::Verdict::missed);
}

TEST_CASE("routes that choose different subsets mix in the parts that fit, and a note says so") {
  const std::string documents = with_routes(route("/new", "cluster: backend, " + bringing("2")) +
                                            route("/", "cluster: backend, " + bringing("1")));
  // A quarter by /new: 1,000 of 4,000 to the third host, the others evenly.
  const auto mixed = compared_by_routes(documents, {1'500, 1'500, 1'000});
  CHECK(mixed.verdict == study::Verdict::met);
  CHECK(mixed.hosts[2].predicted == Approx(0.25).epsilon(1e-3));
  REQUIRE(mixed.notes.size() == 1);
  CHECK(mixed.notes.front() ==
        "routes to it bring 2 different metadata for its subsets: their parts of the requests are those that fit the "
        "counts best");
  // Whatever their parts are, the first two hosts get the same.
  CHECK(compared_by_routes(documents, {2'500, 500, 1'000}).verdict == study::Verdict::missed);
}

TEST_CASE("where no route leads to a cluster of subsets, requests without metadata are assumed, and it is said") {
  const auto plain = compared_by_routes(with_routes(""), {1'000, 1'000, 1'000});
  CHECK(plain.verdict == study::Verdict::met);
  REQUIRE(plain.notes.size() == 1);
  CHECK(plain.notes.front() == "assumed: requests bring no metadata, as no route to it was read");
}
