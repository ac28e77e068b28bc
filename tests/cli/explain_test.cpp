// What `spillway explain` takes and refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string failover_at_seventy = SPILLWAY_SOURCE_DIR "/scenarios/examples/kuma/failover-at-seventy-percent.yaml";

bool holds_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("explain needs no choice where there is only one, and says all steps") {
  const Finished finished = run_program({"explain", failover_at_seventy, "--at", "25s"});
  CHECK(finished.code == 0);
  CHECK(holds_text(finished.output, "frontend in zone-1 calls backend at 25 s"));
  for (const char* step :
       {"policy", "priorities", "factor", "health", "availability", "load", "panic", "zones", "pick", "shares"}) {
    CHECK(holds_text(finished.output, std::string("\n ") + step));
  }
  CHECK(holds_text(finished.output, "zone-3 is reached by no rule"));
}

TEST_CASE("explain refuses with a code and the choices, exit code 2 and nothing on standard output") {
  const std::string thresholds = SPILLWAY_SOURCE_DIR "/scenarios/documented/kuma/threshold.yaml";
  struct Refused {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Refused> refusals{
      {{"explain"}, "error[SP903]: `spillway explain` needs a FILE"},
      {{"explain", thresholds}, "error[SP903]: `spillway explain` needs --client where there are several"},
      {{"explain", thresholds, "--client", "asks treshold-50"}, "did you mean `asks threshold-50`?"},
      {{"explain", failover_at_seventy, "--service", "backnd"}, "did you mean `backend`?"},
      {{"explain", failover_at_seventy, "--at", "40s"}, "error[SP904]: --at is not within the scenario"},
      {{"explain", failover_at_seventy, "--at", "soon"}, "error[SP904]: `soon` is not a valid value for --at"},
      {{"explain", failover_at_seventy, "--why", "zone-4"}, "did you mean `zone-"},
      {{"explain", failover_at_seventy, "--why", "xyz"}, "it takes one of zone-1, zone-2, zone-3, P0, P1"},
      {{"explain", failover_at_seventy, "--key", "u17"}, "error[SP910]: no policy on the way to `backend`"},
      {{"explain", failover_at_seventy, "--header", "x-user"},
       "error[SP904]: `x-user` is not a valid value for --header"},
      {{"explain", failover_at_seventy, "--header", "a=b", "--key", "u17"}, "error[SP905]"},
      {{"explain", failover_at_seventy, "-o", "csv"}, "error[SP904]: `csv` is not a valid value for --output"},
      {{"explain", failover_at_seventy, "-o", "wide"}, "it takes one of table, markdown, json"}};
  for (const Refused& refused : refusals) {
    const Finished finished = run_program(refused.arguments);
    INFO(finished.error);
    CHECK(finished.code == 2);
    CHECK(holds_text(finished.error, refused.message));
    CHECK(finished.output.empty());
  }
}

TEST_CASE("a hashed request is explained down to its place in the ring, by key and by header alike") {
  const std::string keys = SPILLWAY_SOURCE_DIR "/scenarios/documented/ring-hash-keys.yaml";
  const Finished by_header = run_program({"explain", keys, "--header", "x-user=carol", "-o", "json"});
  const Finished by_key = run_program({"explain", keys, "--key", "carol", "-o", "json"});
  REQUIRE(by_header.code == 0);
  REQUIRE(by_key.code == 0);
  const auto one = nlohmann::json::parse(by_header.output);
  const auto other = nlohmann::json::parse(by_key.output);
  REQUIRE(one["shares"].size() == 1);
  CHECK(one["shares"] == other["shares"]);
  CHECK(one["shares"][0]["exact"] == 1.0);
  CHECK(holds_text(by_key.output, "the first at or after the hash"));
}

TEST_CASE("explain reads Envoy's documents as share does") {
  const TemporaryFolder folder;
  const std::string cluster = folder.write("cluster.json", R"({
    "name": "backend", "type": "STATIC", "lb_policy": "MAGLEV",
    "load_assignment": { "cluster_name": "backend", "endpoints": [ { "lb_endpoints": [
      { "endpoint": { "address": { "socket_address": { "address": "10.0.0.1", "port_value": 80 } } } },
      { "endpoint": { "address": { "socket_address": { "address": "10.0.0.2", "port_value": 80 } } } } ] } ] } })");
  const Finished finished = run_program({"explain", cluster, "--key", "carol"});
  CHECK(finished.code == 0);
  CHECK(holds_text(finished.output, "% 65537 = "));
  CHECK(holds_text(finished.output, "100 %   10.0.0."));
}

TEST_CASE("no key decides where the routes of the documents hash nothing, whether or not a request is described") {
  const TemporaryFolder folder;
  const auto bootstrap = [&](const std::string& route) {
    return folder.write("bootstrap.yaml", R"(static_resources:
  listeners:
  - name: in
    address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config: { virtual_hosts: [{ name: v, domains: ["*"], routes: [{ match: { prefix: / }, route: )" +
                                              route + R"( }] }] }
          http_filters: [{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }]
  clusters:
  - name: web
    lb_policy: RING_HASH
    load_assignment:
      cluster_name: web
      endpoints:
      - lb_endpoints:
        - { endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }
        - { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }
)");
  };
  const std::string unhashed = bootstrap("{ cluster: web }");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--path", "/"}}) {
    std::vector<std::string> arguments{"explain", unhashed, "--key", "carol"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CHECK(holds_text(finished.error, "error[SP910]: the route to `web` has no hash_policy"));
  }
  CHECK(holds_text(run_program({"explain", unhashed}).output, "Envoy draws a random hash for each request"));
  const std::string hashed = bootstrap("{ cluster: web, hash_policy: [{ header: { header_name: x-user } }] }");
  CHECK(run_program({"explain", hashed, "--key", "carol"}).code == 0);
}
