// Every lint fires on the scenario of its page in docs/diagnostics, at its place and with the numbers that Envoy's
// rules give, and on none of those that reproduce documents.
#include "sim/scenario/lints/settings.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "models/documents/diagnostic_pages.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

bool is_settings_code(std::string_view code) {
  return code >= "SP750" && code <= "SP789";
}

std::vector<Diagnostic> lints_of(const std::string& text) {
  std::vector<Diagnostic> lints;
  const Reading reading = read_scenario_text("lint.yaml", text);
  REQUIRE(reading.scenario);
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    if (is_settings_code(diagnostic.code)) {
      lints.push_back(diagnostic);
    }
  }
  return lints;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// Returns the scenario that the page of a lint shows.
std::string scenario_of(std::string_view code) {
  const spillway::documents::DiagnosticCode* const page = spillway::documents::find_diagnostic_code(code);
  REQUIRE(page != nullptr);
  return page->scenario;
}

// The one lint of the example, whose caret stands below `marked`.
void check_example(const std::string& code, const std::string& line_part, const std::string& label) {
  INFO(code);
  const std::string text = scenario_of(code);
  const auto found = lints_of(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == code);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].label == label);
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < found[0].where.line; ++line) {
    begin = text.find('\n', begin) + 1;
  }
  CHECK(text.substr(begin, text.find('\n', begin) - begin).find(line_part) != std::string::npos);
  CHECK_FALSE(found[0].helps.empty());
}

}  // namespace

TEST_CASE("every lint of settings fires on its example alone, where the setting stands", "[lints]") {
  // 10 % of 3 hosts are 0.3.
  check_example("SP750", "outlier_detection", "10 % of 3 hosts is less than one host");
  check_example("SP751", "max_ejection_percent", "all 4 hosts may be ejected at the same time");
  // 10 % of 12 hosts are 1.2.
  check_example("SP752", "max_ejection_percent", "10 % of 12 hosts: at most 1 may be ejected");
  check_example("SP753", "unhealthy_interval",
                "also the pause after each of the first 2 failed checks of a healthy host");
  check_example("SP754", "cluster_type",
                "`near` has no health checks, no outlier detection, and EDS reports no health");
  check_example("SP755", "retry_policy",
                "a retry takes the next turn: where requests overlap, up to 1 of 3 goes to the host of `cart` that has "
                "just failed");
  // 100 a second of 20 ms each: 2 in flight, and the one that fails.
  check_example("SP756", "retry_budget", "20 % of 3 requests in flight, the failed one included");
  check_example("SP757", "max_requests", "10 concurrent requests, where 20 are in flight");
  check_example("SP758", "name: cart", "a window of 120 s, and new endpoints every 60 s");
  check_example("SP759", "hash_policy", "2 keys of all clients for 5 hosts of `cart`: at least 3 hosts get nothing");
  check_example("SP760", "LEAST_REQUEST", "each proxy knows of 0.1 requests in flight to 3 hosts");
  check_example("SP763", "detect_degraded_hosts", "no endpoint here answers requests with `x-envoy-degraded`");
  check_example("SP773", "RING_HASH", "no request for `cart` is hashed, so each goes to a random host");
  check_example("SP783", "zone_aware_lb_config", "has no effect: requests spread over all zones");
}

TEST_CASE("few hash keys are counted by their hashes, where every request has one that is known", "[lints]") {
  const auto changed = [](const std::string& part, const std::string& instead) {
    std::string text = scenario_of("SP759");
    text.replace(text.find(part), part.size(), instead);
    return lints_of(text);
  };
  // The same tenant twice is one key.
  const auto one = changed("{ headers: { x-tenant: two } }", "{ headers: { x-tenant: one, x-other: b } }");
  REQUIRE(one.size() == 1);
  CHECK(one[0].label == "1 keys of all clients for 5 hosts of `cart`: at least 4 hosts get nothing");
  // Without a hash each request goes to another host.
  CHECK(changed("{ headers: { x-tenant: two } }", "{ headers: { x-other: b } }").empty());
  // Of a cookie that Envoy makes up every connection has its own.
  CHECK(changed("header: { header_name: x-tenant }", "cookie: { name: session, ttl: 0s }").empty());
}

TEST_CASE("every code of a lint of settings has an example", "[lints]") {
  for (const spillway::documents::DiagnosticCode& code : spillway::documents::diagnostic_codes()) {
    INFO(code.code);
    CHECK(code.scenario.empty() != is_settings_code(code.code));
  }
}

TEST_CASE("lints of settings are silent once what they help with is written", "[lints]") {
  const auto silent = [](const char* code, const std::string& from, const std::string& to) {
    INFO(code);
    CHECK(lints_of(replaced(scenario_of(code), from, to)).empty());
  };
  // 34 % of 3 hosts are one host.
  silent("SP750", "consecutive_5xx: 5", "consecutive_5xx: 5, max_ejection_percent: 34");
  silent("SP750", "consecutive_5xx: 5", "consecutive_5xx: 5, always_eject_one_host: true");
  silent("SP751", "max_ejection_percent: 100", "max_ejection_percent: 50");
  // Priority 0 begins to lose requests with 2 of its 6 hosts out: 4/6 x 1.4 is below 1. 17 % of 12 hosts are 2.
  silent("SP752", "max_ejection_percent: 10", "max_ejection_percent: 17");
  silent("SP753", "unhealthy_threshold: 3", "unhealthy_threshold: 3\n        unhealthy_edge_interval: 5s");
  silent("SP754", "clusters:\n", "clusters:\n  - { name: near, outlier_detection: { max_ejection_percent: 50 } }\n");
  silent("SP755", "num_retries: 1",
         "num_retries: 1, retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts }]");
  silent("SP756", "min_retry_concurrency: 0", "min_retry_concurrency: 1");
  // 34 % of 3 are one retry; 33 % are none.
  silent("SP756", "value: 20", "value: 34");
  silent("SP757", "max_requests: 10", "max_requests: 41");
  silent("SP758", "120s } }", "60s } }");
  silent("SP760", "count: 50", "count: 5");
  silent("SP763", "detect_degraded_hosts: true", "detect_degraded_hosts: false");
  silent("SP773", "RING_HASH", "RANDOM");
  silent("SP783", "duration: 60s", "duration: 60s\nlocal_cluster: shop");
}

TEST_CASE("a hash that no route asks for is told wherever the policy stands", "[lints]") {
  const auto with_route = [](const std::string& balancer, const std::string& action, const std::string& request) {
    return lints_of(
        "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: cart, endpoints: [{ count: 3, zone: a }] }]\n"
        "clusters: [{ name: cart, " +
        balancer +
        " }]\n"
        "routes: [{ match: { prefix: / }, route: { cluster: cart" +
        action +
        " } }]\n"
        "clients: [{ name: c, zone: a, workload: { rate: 10rps, " +
        request + " } }]\n");
  };
  const std::string typed =
      "load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.load_balancing_policies.maglev.v3.Maglev";
  const std::string keys = "keys: { header: x-user, count: 10 }";
  const auto none = with_route("lb_policy: RING_HASH", "", keys);
  REQUIRE(none.size() == 1);
  CHECK(none[0].code == "SP773");
  CHECK(with_route(typed + " } } }] }", "", keys).size() == 1);
  const std::string by_user = "hash_policy: [{ header: { header_name: x-user } }]";
  CHECK(with_route("lb_policy: RING_HASH", ", " + by_user, keys).empty());
  CHECK(with_route(typed + ", consistent_hashing_lb_config: { " + by_user + " } } } }] }", "", keys).empty());
}

TEST_CASE("a retry that takes turns alone meets no failed host, and none is warned of", "[lints]") {
  const std::string text = scenario_of("SP755");
  // 20 requests a second at even distances: 50 ms, and a retry comes after 25 ms at most.
  CHECK(lints_of(replaced(text, "rate: 100rps", "rate: 20rps, arrivals: periodic")).empty());
  CHECK(lints_of(replaced(text, "rate: 100rps", "rate: 20rps")).size() == 1);
  CHECK(lints_of(replaced(text, "rate: 100rps", "rate: 100rps, arrivals: periodic")).size() == 1);
  CHECK(lints_of("clusters: [{ name: cart, lb_policy: RANDOM }]\n" +
                 replaced(text, "rate: 100rps", "rate: 20rps, arrivals: periodic"))
            .size() == 1);
}

TEST_CASE("outlier detection of which nothing is enforced is not blamed on its cap", "[lints]") {
  const std::string off = "consecutive_5xx: 5, enforcing_consecutive_5xx: 0";
  const auto few = lints_of(replaced(scenario_of("SP750"), "consecutive_5xx: 5", off + ", max_ejection_percent: 34"));
  REQUIRE(few.size() == 1);
  CHECK(few[0].code == "SP750");
  CHECK(few[0].label == "no detection is enforced among 3 hosts");
  CHECK(few[0].helps == std::vector<std::string>{"write `enforcing_consecutive_5xx: 100`"});
  // Success rates of five hosts and more are judged by default.
  const std::string many = replaced(scenario_of("SP750"), "count: 3", "count: 5");
  CHECK(lints_of(replaced(many, "consecutive_5xx: 5", off + ", max_ejection_percent: 34")).empty());
}

TEST_CASE("before Envoy 1.28 the first host is ejected whatever the percentage says", "[lints]") {
  CHECK(lints_of("profile: { envoy: seed }\n" + scenario_of("SP750")).empty());
}

TEST_CASE("no scenario that reproduces a document has settings without effect but those of the document", "[lints]") {
  // Istio's tasks leave maxEjectionPercent out; the other two are about rings and tables that get no hash.
  const std::set<std::pair<std::string, std::string>> of_the_document = {
      {"istio/weighted-distribution.yaml", "SP750"},
      {"istio/locality-failover.yaml", "SP750"},
      {"kuma/ring-hash-affinity.yaml", "SP773"},
      {"aggregate-policies.yaml", "SP773"},
  };
  const std::string folder = SPILLWAY_SOURCE_DIR "/scenarios/documented/";
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios/documented")) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || !(path.ends_with(".yaml") || path.ends_with(".json"))) {
      continue;
    }
    ++read;
    INFO(path);
    for (const Diagnostic& diagnostic : read_scenario_file(path).diagnostics) {
      CHECK((!is_settings_code(diagnostic.code) ||
             of_the_document.contains({path.substr(folder.size()), diagnostic.code})));
    }
  }
  CHECK(read > 20);
}
