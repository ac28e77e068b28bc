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

}  // namespace

TEST_CASE("an import of a described request is refused where one of its clusters has no endpoints") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.yaml", split_to_nobody);
  const Finished refused = play({"import", documents, "--path", "/"});
  CHECK(refused.code == 2);
  CHECK(refused.output.empty());
  CHECK(refused.error.find("error[SP136]: no cluster that can be imported") != std::string::npos);
  CHECK(refused.error.find("= note: cluster none, which the request goes to: it has no endpoints") !=
        std::string::npos);
}
