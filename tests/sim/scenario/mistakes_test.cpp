// Slips of a newcomer: what is said of each names the cure. The words are what people would need, not what the program
// said once.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/grammar/suggestion_table.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/json_schema.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

const std::string good =
    "name: small\n"
    "duration: 10s\n"
    "mode: requests\n"
    "zones:\n"
    "  - name: zone-1\n"
    "  - name: zone-2\n"
    "services:\n"
    "  - name: backend\n"
    "    endpoints:\n"
    "      - { count: 2, zone: zone-1, cores: 4, service_time: 5ms }\n"
    "      - { count: 2, zone: zone-2, cores: 4, service_time: 5ms }\n"
    "clients:\n"
    "  - name: frontend\n"
    "    zone: zone-1\n"
    "    workload: { service: backend, rate: 20rps }\n"
    "timeline:\n"
    "  - { at: 5s, zone: zone-1, healthy: 1 }\n";

struct Mistake {
  std::string from;
  std::string to;
  std::string suggestion;
};

std::string with(const Mistake& mistake) {
  std::string text = good;
  const std::size_t at = text.find(mistake.from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, mistake.from.size(), mistake.to);
}

void check_suggestions(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::string said = test::rendered(with(mistake));
    INFO(mistake.to << '\n' << said);
    CHECK(said.find(mistake.suggestion) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("A value with the unit of another program is told in ours", "[mistakes]") {
  check_suggestions({
      {"20rps", "200 rps", "did you mean `200rps`?"},
      {"20rps", "200/s", "did you mean `200rps`?"},
      {"20rps", "200 req/s", "did you mean `200rps`?"},
      {"20rps", "200RPS", "did you mean `200rps`?"},
      {"20rps", "200qps", "did you mean `200rps`?"},
      {"20rps", "2k", "did you mean `2000rps`?"},
      {"20rps", "1200rpm", "did you mean `20rps`?"},
      {"duration: 10s", "duration: 10", "did you mean `10s`?"},
      {"duration: 10s", "duration: 10 seconds", "did you mean `10s`?"},
      {"duration: 10s", "duration: 10sec", "did you mean `10s`?"},
      {"duration: 10s", "duration: 2min", "did you mean `2m`?"},
      {"duration: 10s", "duration: 00:10", "did you mean `10s`?"},
      {"duration: 10s", "duration: 1m30s", "did you mean `90s`?"},
      {"at: 5s", "at: 5", "did you mean `5s`?"},
      {"timeline:", "objectives: [{ p99: 50 }]\ntimeline:", "did you mean `50ms`?"},
      {"timeline:", "links: [{ between: [zone-1, zone-2], latency: 2.5 }]\ntimeline:", "did you mean `2.5ms`?"},
      {"healthy: 1", "healthy: 0.5", "did you mean `50%`?"},
      {"healthy: 1", "healthy: 50 %", "did you mean `50%`?"},
      {"healthy: 1", "healthy: false", "`0%` none"},
      {"count: 2", "count: \"2\"", "remove the quotes"},
      {"cores: 4", "cores: \"4\"", "remove the quotes"},
  });
}

TEST_CASE("A key by another name is told by ours", "[mistakes]") {
  check_suggestions({
      {"- name: frontend", "- id: frontend", "did you mean `name`?"},
      {"- name: backend", "- id: backend", "did you mean `name`?"},
      {"- name: zone-2", "- id: zone-2", "did you mean `name`?"},
      {"{ count: 2", "{ replicas: 2", "did you mean `count`?"},
      {"{ count: 2", "{ instances: 2", "did you mean `count`?"},
      {"service_time: 5ms", "latency: 5ms", "did you mean `service_time`?"},
      {"service_time: 5ms", "responseTime: 5ms", "did you mean `service_time`?"},
      {"cores: 4", "cpus: 4", "did you mean `cores`?"},
      {"at: 5s", "time: 5s", "did you mean `at`?"},
      {"rate: 20rps", "qps: 20", "did you mean `rate`?"},
      {"service: backend", "target: backend", "did you mean `service`?"},
      {"healthy: 1", "down: true", "did you mean `outage`?"},
      {"timeline:", "events:", "did you mean `timeline`?"},
      {"clients:", "client:", "did you mean `clients`?"},
      {"    endpoints:", "    lb_policy: ROUND_ROBIN\n    endpoints:",
       "`clusters: [{ name: SERVICE, lb_policy: ... }]`"},
      {"    workload: { service: backend, rate: 20rps }", "    service: backend\n    rate: 20rps",
       "it belongs to the client's workload"},
  });
}

TEST_CASE("Every key that the table of suggestions means is one of a scenario", "[mistakes]") {
  const std::string schema = json_schema();
  for (const grammar::Suggestion& row : grammar::suggestion_table()) {
    if (row.kind == grammar::MistakeKind::key || row.kind == grammar::MistakeKind::place) {
      const std::string_view key = row.kind == grammar::MistakeKind::key ? row.meant : row.beside;
      INFO(row.written << " -> " << key);
      CHECK(schema.find("\"" + std::string(key) + "\":") != std::string::npos);
    }
  }
}

TEST_CASE("An endpoint may have a name as zones, services and clients have it", "[mistakes]") {
  const Scenario scenario = test::accepted(with({"{ count: 2, zone: zone-2", "{ name: blue, zone: zone-2", ""}));
  REQUIRE(scenario.endpoints.size() == 3);
  CHECK(scenario.endpoints[2].id == "blue");
  CHECK(test::rendered(with({"{ count: 2, zone: zone-2", "{ name: blue, id: green, zone: zone-2", ""}))
            .find("`id` and `name` are mutually exclusive") != std::string::npos);
}

TEST_CASE("What stands in the wrong form is told in the right one", "[mistakes]") {
  const std::string endpoints =
      "    endpoints:\n"
      "      - { count: 2, zone: zone-1, cores: 4, service_time: 5ms }\n"
      "      - { count: 2, zone: zone-2, cores: 4, service_time: 5ms }\n";
  check_suggestions({
      {"  - name: zone-1\n  - name: zone-2\n", "  [zone-1, zone-2]\n", "did you mean `{ name: zone-1 }`?"},
      {"  - name: zone-1\n  - name: zone-2\n", "  zone-1:\n  zone-2:\n", "`- name: zone-1`"},
      {"  - name: backend\n", "  backend:\n", "`- name: backend`"},
      {endpoints, "    endpoints: 3\n", "`endpoints: [{ count: 3, zone: NAME }]`"},
      {endpoints, "    endpoints: { count: 3, zone: zone-1 }\n", "a list of one"},
      {"{ service: backend, rate: 20rps }", "20rps", "`workload: { service: NAME, rate: 100rps }`"},
      {"{ service: backend, rate: 20rps }", "[{ service: backend, rate: 20rps }]", "one object, not a list"},
  });
}

TEST_CASE("Text that is not YAML is told by what to do about it", "[mistakes]") {
  check_suggestions({
      {"  - name: zone-2", "   - name: zone-2", "begin in the same column"},
      {"  - name: zone-2", " - name: zone-2", "begin in the same column"},
      {"    workload:", "   workload:", "begin in the same column"},
      {"    zone: zone-1\n", "\tzone: zone-1\n", "YAML is indented by spaces"},
      {"duration: 10s", "duration 10s", "a key ends in a colon and a space: `duration: 10s`"},
      {"duration: 10s", "duration:10s", "a key ends in a colon and a space: `duration: 10s`"},
      {"duration: 10s", "duration = 10s", "a key ends in a colon and a space: `duration: 10s`"},
      {"duration: 10s", "password hunter2", "a key ends in a colon and a space: `password: *******`"},
      {"rate: 20rps }", "rate: 20rps", "this bracket is never closed"},
      {"backend, rate", "backend rate", "a comma between two values"},
      {"name: small", "name: \"small", "this quote is never closed"},
      {"name: small", "name: a: b", "put a text with a colon in it into quotes"},
  });
  // The column is that of the first letter.
  const std::string said = test::rendered(with({"    workload:", "   workload:", ""}));
  INFO(said);
  CHECK(said.find("this line begins in column 4") != std::string::npos);
  CHECK(said.find("begin in column 3 or 5") != std::string::npos);
}

TEST_CASE("Documents of other programs are told by their name", "[mistakes]") {
  const std::vector<std::pair<std::string, std::string>> documents = {
      {"version: \"3\"\nservices:\n  web:\n    image: nginx\n", "this is a configuration of docker-compose"},
      {"name: ci\non: push\njobs: { a: { runs-on: ubuntu } }\n", "this is a workflow of GitHub Actions"},
      {"name: x\nversion: 1.0.0\ndependencies: { a: '1' }\n", "this is a package of a program"},
      {"openapi: 3.0.0\ninfo: { title: x }\npaths: {}\n", "this is a description of an API"},
      {"scrape_configs: [{ job_name: a }]\n", "this is a configuration of Prometheus"},
      {"replicaCount: 3\nimage: { repository: nginx }\n", "this is values of a Helm chart"},
      {"format_version: 1\nscenario: x\nepochs: []\n", "this is what Spillway printed as JSON"},
      {"apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n", "this is a Deployment of Kubernetes"},
      {"import http from 'k6/http';\n", "`spillway docs tutorial`"},
      {"---\n", "nothing in the file"},
      {"null\n", "nothing in the file"},
  };
  for (const auto& [text, said] : documents) {
    for (const bool as_scenario : {true, false}) {
      Sources sources = {{"other.yaml", text}};
      std::string shown;
      if (as_scenario) {
        shown = test::rendered(text, "other.yaml");
      } else {
        auto proxy = ProxyConfiguration::read(std::move(sources), {}, {});
        if (proxy.is_scenario()) {
          const Reading reading = std::move(proxy).into_scenario();
          shown = documents::render_diagnostics(reading.diagnostics, reading.sources);
        } else {
          shown = documents::render_diagnostics(proxy.diagnostics(), proxy.sources());
        }
      }
      INFO(text << '\n' << shown);
      CHECK(shown.find(said) != std::string::npos);
    }
  }
}

TEST_CASE("What breaks the text of a scenario is told by those who read Envoy's documents too", "[mistakes]") {
  auto proxy = ProxyConfiguration::read({{"twice.yaml", good + "name: other\n"}}, {}, {});
  REQUIRE(proxy.is_scenario());
  const Reading reading = std::move(proxy).into_scenario();
  CHECK(test::codes_of(reading.diagnostics) == std::vector<std::string>{"SP010"});
  CHECK_FALSE(reading.scenario);
}

TEST_CASE("Several scenarios in a file are told by where the second begins", "[mistakes]") {
  const auto proxy = ProxyConfiguration::read({{"two.yaml", good + "---\n" + good}}, {}, {});
  CHECK(test::codes_of(proxy.diagnostics()) == std::vector<std::string>{"SP013"});
  CHECK(proxy.diagnostics().front().where.line == 18);
}

TEST_CASE("Merge keys bring the members that an object does not have itself", "[mistakes]") {
  std::string merged = good;
  const std::string second = "      - { count: 2, zone: zone-2, cores: 4, service_time: 5ms }\n";
  merged.replace(merged.find("- { count: 2, zone: zone-1"), 3, "- &first {");
  merged.replace(merged.find(second), second.size(), "      - { <<: *first, zone: zone-2 }\n");
  const Reading plain = read_scenario_text("plain.yaml", good);
  const Reading reading = read_scenario_text("merged.yaml", merged);
  INFO(test::rendered(merged));
  REQUIRE(reading.scenario);
  REQUIRE(reading.scenario->endpoints.size() == plain.scenario->endpoints.size());
  for (std::size_t i = 0; i < plain.scenario->endpoints.size(); ++i) {
    CHECK(reading.scenario->endpoints[i].node == plain.scenario->endpoints[i].node);
    CHECK(reading.scenario->endpoints[i].service_time == plain.scenario->endpoints[i].service_time);
  }
  CHECK(test::rendered(with({"cores: 4", "<<: 4", ""})).find("unknown key `<<`") != std::string::npos);
}

TEST_CASE("Of many keys the first are named, and where all of them are", "[mistakes]") {
  const std::string said = test::rendered(with({"cores: 4", "zzz: 4", ""}));
  INFO(said);
  CHECK(said.find(" more") != std::string::npos);
  CHECK(said.find("`spillway docs scenario-keys` has them all") != std::string::npos);
}
