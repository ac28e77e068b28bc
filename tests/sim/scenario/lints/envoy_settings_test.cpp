// Warnings about settings stand at the fields of Envoy's own documents too.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

std::string hosts(int first, int count, int priority) {
  std::string text = "    - priority: " + std::to_string(priority) + "\n      lb_endpoints:\n";
  for (int host = first; host < first + count; ++host) {
    text += "        - { endpoint: { address: { socket_address: { address: 10.0.0." + std::to_string(host) +
            ", port_value: 80 } } } }\n";
  }
  return text;
}

std::string cluster(const std::string& settings, const std::string& endpoints) {
  return "name: c\n" + settings + "load_assignment:\n  cluster_name: c\n  endpoints:\n" + endpoints;
}

// Code and line of each warning about settings.
std::vector<std::pair<std::string, std::uint32_t>> found(const std::string& text,
                                                         const proxy::EnvoyOptions& options = {}) {
  const Reading reading = read_envoy_texts({{"c.yaml", text}}, options);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  std::vector<std::pair<std::string, std::uint32_t>> codes;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    if (diagnostic.code >= "SP750" && diagnostic.code <= "SP789") {
      CHECK(diagnostic.severity == Severity::warning);
      codes.emplace_back(diagnostic.code, diagnostic.where.line);
    }
  }
  return codes;
}

using Found = std::vector<std::pair<std::string, std::uint32_t>>;

}  // namespace

TEST_CASE("outlier detection of a proxy's cluster that never ejects, panics or cannot fail over is told at its field",
          "[lints]") {
  // 10 % of 6 hosts is less than one.
  CHECK(found(cluster("outlier_detection: { consecutive_5xx: 3 }\n", hosts(1, 6, 0))) == Found{{"SP750", 2}});
  CHECK(found(cluster("outlier_detection:\n  max_ejection_percent: 100\n", hosts(1, 6, 0))) == Found{{"SP751", 3}});
  // Of 10 hosts in priority 0, 3 have to be out: 72 % of them are below all by the factor of 1.4. 10 % of 20 are 2.
  CHECK(found(cluster("outlier_detection: {}\n", hosts(1, 10, 0) + hosts(11, 10, 1))) == Found{{"SP752", 2}});
  CHECK(found(cluster("outlier_detection: { max_ejection_percent: 50 }\n", hosts(1, 10, 0))).empty());
}

TEST_CASE("checks of a proxy's cluster that inherit a long unhealthy_interval are told", "[lints]") {
  const std::string check =
      "health_checks:\n  - { timeout: 1s, interval: 5s, unhealthy_threshold: 3, healthy_threshold: 1,\n"
      "      unhealthy_interval: 600s, tcp_health_check: {} }\n";
  CHECK(found(cluster(check, hosts(1, 6, 0))) == Found{{"SP753", 4}});
}

TEST_CASE("documents with an error have no warnings about numbers that may be wrong", "[lints]") {
  const Reading reading =
      read_envoy_texts({{"c.yaml", cluster("outlier_detection: {}\nlb_policy: NONE_OF_ENVOYS\n", hosts(1, 6, 0))}});
  CHECK_FALSE(reading.scenario);
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    CHECK(diagnostic.code != "SP750");
  }
}

TEST_CASE("a described request whose retries may meet the failed host again is told at the route's policy", "[lints]") {
  const auto bootstrap = [](const std::string& predicates) {
    return "static_resources:\n"
           "  listeners:\n"
           "    - name: in\n"
           "      address: { socket_address: { address: 0.0.0.0, port_value: 8080 } }\n"
           "      filter_chains:\n"
           "        - filters:\n"
           "            - name: envoy.filters.network.http_connection_manager\n"
           "              typed_config:\n"
           "                '@type': "
           "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager\n"
           "                stat_prefix: in\n"
           "                route_config:\n"
           "                  virtual_hosts:\n"
           "                    - name: all\n"
           "                      domains: ['*']\n"
           "                      routes:\n"
           "                        - match: { prefix: / }\n"
           "                          route:\n"
           "                            cluster: c\n"
           "                            retry_policy: { retry_on: 5xx, num_retries: 2" +
           predicates +
           " }\n"
           "  clusters:\n"
           "    - name: c\n"
           "      load_assignment:\n"
           "        cluster_name: c\n"
           "        endpoints:\n"
           "          - lb_endpoints:\n"
           "              - { endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }\n"
           "              - { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }\n";
  };
  proxy::EnvoyOptions options;
  options.request = proxy::RequestDescription{.listener = "", .host = "shop.example"};
  CHECK(found(bootstrap(""), options) == Found{{"SP755", 19}});
  CHECK(found(bootstrap(", retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts, typed_config: { "
                        "'@type': type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3."
                        "PreviousHostsPredicate } }]"),
              options)
            .empty());
}
