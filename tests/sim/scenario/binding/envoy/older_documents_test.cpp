// Snippets as the documents of older versions print them: each is told the name of today, or read.
#include <catch2/catch.hpp>

#include "models/envoy/policies/subset/config.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

Diagnostic only_problem_of(const Reading& reading) {
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK_FALSE(reading.scenario.has_value());
  return reading.diagnostics.front();
}

// What is suggested for the marked part of a document, which is refused for nothing else.
std::string suggestion(const std::string& marked, const std::string& code = "SP028") {
  const test::Marked input = test::unmark(marked);
  INFO(input.text);
  const Diagnostic diagnostic = only_problem_of(read_envoy_texts({{"old.yaml", input.text}}));
  CHECK(diagnostic.code == code);
  CHECK(diagnostic.where.line == input.place.line);
  CHECK(diagnostic.where.column == input.place.column);
  CHECK(diagnostic.where.length == input.place.length);
  return diagnostic.helps.empty() ? "" : diagnostic.helps.front();
}

std::string meant(const std::string& name) {
  return "did you mean `" + name + "`?";
}

std::string route_suggestion(const std::string& route) {
  return test::the_only_diagnostic(
             "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: c1, endpoints: [{ zone: a }] }]\n"
             "clients: [{ name: c, zone: a, workload: { service: c1, rate: 1rps } }]\nroutes: [" +
                 route + "]\n",
             "SP028")
      .helps.front();
}

}  // namespace

TEST_CASE("Keys of older clusters are told their names of today", "[envoy]") {
  CHECK(suggestion("name: c\n«lb_type»: round_robin\n") == meant("lb_policy"));
  CHECK(suggestion("name: c\n«hosts»: [{ url: 'tcp://a:1' }]\n") == meant("load_assignment"));
  CHECK(suggestion("name: c\n«tlsContext»: { sni: a }\n") == meant("transport_socket"));
  CHECK(suggestion("name: c\n«sni»: a\n") == meant("transport_socket"));
  CHECK(suggestion("name: c\n«connect_timeout_ms»: 250\n") == meant("connect_timeout"));
  CHECK(suggestion("name: c\n«health_check»: { type: http }\n") == meant("health_checks"));
  CHECK(suggestion("name: c\nring_hash_lb_config: { «use_std_hash»: true }\nlb_policy: RING_HASH\n") ==
        meant("hash_function"));
  CHECK(suggestion("name: c\noutlier_detection: { «interval_ms»: 1 }\n") == meant("interval"));
  CHECK(suggestion("name: c\ncircuit_breakers: { «default»: { max_connections: 1 } }\n") == meant("thresholds"));
}

TEST_CASE("Words of older clusters are told their names of today", "[envoy]") {
  CHECK(suggestion("name: c\nlb_policy: «ORIGINAL_DST_LB»\n") == meant("CLUSTER_PROVIDED"));
  CHECK(suggestion("name: c\ntype: «sds»\n") == meant("EDS"));
  CHECK(suggestion("name: c\nlb_policy: «least_requests»\n", "SP025") == meant("LEAST_REQUEST"));
  CHECK(suggestion("name: c\nlb_subset_config: { fallback_policy: «NO_ENDPOINT» }\n") == meant("NO_FALLBACK"));
}

TEST_CASE("Messages of older APIs in a scenario are told their names of today", "[envoy]") {
  CHECK(route_suggestion("{ match: { prefix: / }, route: { cluster: c1, retry_policy: { retry_priority: { name: p, "
                         "typed_config: «{» '@type': "
                         "type.googleapis.com/envoy.config.retry.previous_priorities.PreviousPrioritiesConfig, "
                         "update_frequency: 2 } } } } }") ==
        meant("envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig"));
}

TEST_CASE("Routes of older APIs are told their names of today", "[envoy]") {
  CHECK(
      route_suggestion("{ match: { prefix: /, headers: [{ name: x-custom-version, «value»: pre-release }] }, route: { "
                       "cluster: c1 } }") == meant("string_match"));
  CHECK(route_suggestion("{ match: { «regex»: '/.*', prefix: / }, route: { cluster: c1 } }") == meant("safe_regex"));
  CHECK(route_suggestion("{ match: { prefix: / }, route: { cluster: c1, «timeout_ms»: 5 } }") == meant("timeout"));
  CHECK(route_suggestion("{ match: { prefix: / }, «perFilterConfig»: {}, route: { cluster: c1 } }") ==
        meant("typed_per_filter_config"));
}

// source/docs/subset_load_balancer.md of Envoy prints its example like this, and JSON has no such comma.
TEST_CASE("The example cluster of the subset document is refused for its comma alone", "[envoy]") {
  const std::string text = R"({
  "name": "c1",
  "lb_policy": "ROUND_ROBIN",
  "lb_subset_config": {
    "fallback_policy": "DEFAULT_SUBSET",
    "default_subset": {
      "stage": "prod",
      "version": "1.0",
      "type": "std"
    },
    "subset_selectors": [
      { "keys": [ "stage", "type" ] },
      { "keys": [ "stage", "version" ] },
      { "keys": [ "version" ] },
      { "keys": [ "xlarge", "version" ] },
    ]
  }
}
)";
  const Diagnostic diagnostic = only_problem_of(read_envoy_texts({{"c1.json", text}}));
  CHECK(diagnostic.code == "SP006");
  CHECK(diagnostic.where.line == 16);
  CHECK(diagnostic.where.column == 5);
  CHECK(diagnostic.helps ==
        std::vector<std::string>{"remove the comma before it: JSON allows none after the last item"});
  std::string mended = text;
  mended.erase(mended.find("] },\n    ]") + 3, 1);
  const Reading reading = read_envoy_texts({{"c1.json", mended}});
  REQUIRE(reading.scenario.has_value());
  const auto& subsets = std::get<envoy::policies::subset::Config>(reading.scenario->services.at(0).cluster.lb_policy);
  CHECK(subsets.subset_selectors.size() == 4);
  CHECK(subsets.default_subset.size() == 3);
  // YAML takes the comma.
  CHECK(read_envoy_texts({{"c1.yaml", text}}).scenario.has_value());
}
