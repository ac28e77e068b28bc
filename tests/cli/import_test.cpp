#include <catch2/catch.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

// A listener whose route splits all requests between two clusters; the second one has no endpoints.
const char* const split_to_nobody = R"(
static_resources:
  listeners:
  - name: in
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: x
          route_config:
            virtual_hosts:
            - name: v
              domains: ["*"]
              routes:
              - match: { prefix: / }
                route: { weighted_clusters: { clusters: [{ name: one, weight: 50 }, { name: none, weight: 50 }] } }
  clusters:
  - name: one
    type: STATIC
    load_assignment:
      cluster_name: one
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.1.1, port_value: 80 } } } }] }]
  - { name: none, type: STATIC, load_assignment: { cluster_name: none } }
)";

// Two routes lead to one cluster.
const char* const two_ways = R"(
static_resources:
  listeners:
  - name: in
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: x
          route_config:
            virtual_hosts:
            - name: v
              domains: ["*"]
              routes:
              - { match: { prefix: /a }, route: { cluster: one } }
              - { match: { prefix: / }, route: { cluster: one } }
  clusters:
  - name: one
    type: STATIC
    load_assignment:
      cluster_name: one
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.1.1, port_value: 80 } } } }] }]
)";

}  // namespace

TEST_CASE("an import of a described request is refused where one of its clusters has no endpoints") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.yaml", split_to_nobody);
  const Finished refused = run_program({"import", documents, "--path", "/"});
  CHECK(refused.code == 2);
  CHECK(refused.output.empty());
  CHECK(refused.error.find("error[SP136]: no cluster that can be imported") != std::string::npos);
  CHECK(refused.error.find("= note: cluster none, which the request goes to: it has no endpoints") !=
        std::string::npos);
}

TEST_CASE("an address belongs to its cluster however many routes lead there, for logs that name no clusters") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.yaml", two_ways);
  std::string log;
  for (int request = 0; request < 20; ++request) {  // 10 a second
    log += "{\"start_time\": \"2026-11-23T06:27:1" + std::to_string(request / 10) + "." + std::to_string(request % 10) +
           "00Z\", \"upstream_host\": \"10.0.1.1:80\"}\n";
  }
  const Finished imported = run_program({"import", documents, "--access-log", folder.write("access.log", log)});
  INFO(imported.output << imported.error);
  REQUIRE(imported.code == 0);
  CHECK(imported.output.find("duration: 2s  # as long as requests were counted") != std::string::npos);
  CHECK(imported.output.find("phases: \"5rps 2s\"") != std::string::npos);
}

TEST_CASE("two outputs of /clusters in one file are an error, since nobody can tell them from one") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.yaml", two_ways);
  const std::string both = folder.write("clusters.txt",
                                        "one::added_via_api::false\none::10.0.1.1:80::rq_total::100\n"
                                        "one::added_via_api::false\none::10.0.1.1:80::rq_total::700\n");
  const Finished compared = run_program({"compare", documents, "--clusters", both});
  CHECK(compared.code == 2);
  CHECK(compared.output.empty());
  CHECK(compared.error.find("error[SP798]: two outputs of /clusters in one file") != std::string::npos);
  CHECK(compared.error.find("clusters.txt:3:1") != std::string::npos);
}
