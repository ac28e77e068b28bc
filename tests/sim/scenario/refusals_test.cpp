// Every kind of mistake: one diagnostic, with its code, at its place. What is wrong stands between « and ».
#include <catch2/catch.hpp>

#include "models/documents/diagnostic_pages.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using test::scenario_with;

namespace {

struct Refusal {
  const char* code;
  std::string marked;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string groups(const std::string& line) {
  return scenario_with("", "      - " + line + "\n");
}
std::string event(const std::string& line) {
  return scenario_with("timeline:\n  - " + line + "\n");
}
std::string expect(const std::string& line) {
  return scenario_with("expect:\n  - " + line + "\n");
}
std::string cluster(const std::string& line) {
  return scenario_with("clusters:\n  - " + line + "\n");
}
constexpr const char* aggregate_type = "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig";
// A second service `all` that is an aggregate.
std::string aggregate(const std::string& line) {
  return replaced(cluster("{ name: all, " + line + " }"), "clients:", "  - { name: all }\nclients:");
}
std::string outlier(const std::string& line) {
  return cluster("{ name: backend, outlier_detection: { enforcing_success_rate: 0, " + line + " } }");
}
std::string table(const std::string& columns, const std::string& row) {
  return expect("{ table: t, columns: [" + columns + "], rows: [" + row + "] }");
}

std::vector<Refusal> structural() {
  const std::string base = scenario_with("");
  return {
      {"SP020", scenario_with("«durration»: 5s\n")},
      {"SP020", groups("{ count: 1, zone: zone-1, «serviceTime»: 1s }")},
      {"SP021", replaced(base, "duration: 60s\nzones", "«zones»")},
      {"SP021", groups("«{» count: 1 }")},
      {"SP021", event("«{» at: 1s, zone: zone-1 }")},
      {"SP022", replaced(base, "duration: 60s", "duration: «60»")},
      {"SP022", scenario_with("name: «12»\n")},
      {"SP022", scenario_with("seed: «\"1\"»\n")},
      {"SP022", scenario_with("seed: «1.5»\n")},
      {"SP022", "«-» 1\n"},
      {"SP022", scenario_with("«description»:\n")},
      {"SP022", event("{ at: 1s, link: [zone-1, zone-2], outage: «1» }")},
      {"SP023", groups("{ count: «0», zone: zone-1 }")},
      {"SP023", groups("{ count: «-1», zone: zone-1 }")},
      {"SP023", groups("{ zone: zone-1, weight: «0» }")},
      {"SP023", groups("{ zone: zone-1, weight: «4294967296» }")},
      {"SP023", groups("{ zone: zone-1, priority: «129» }")},
      {"SP023", scenario_with("seed: «-1»\n")},
      {"SP023", scenario_with("seed: «9007199254740992»\n")},
      {"SP023", cluster("{ name: backend, common_lb_config: { healthy_panic_threshold: { value: «100.1» } } }")},
      {"SP023", outlier("max_ejection_percent: «101»")},
      {"SP023", outlier("enforcing_failure_percentage: «101»")},
      {"SP023",
       scenario_with("load_assignments: [{ cluster_name: backend, policy: { overprovisioning_factor: «0» } }]\n")},
      {"SP023", groups("{ zone: zone-1, healthy: «-1» }")},
      {"SP024", replaced(base, "duration: 60s", "duration: «60sec»")},
      {"SP024", replaced(base, "duration: 60s", "duration: «-60s»")},
      {"SP024", replaced(base, "rate: 10rps", "rate: «10rpm»")},
      {"SP024", groups("{ zone: zone-1, healthy: «\"100% 10s, 110%\"» }")},
      {"SP024", groups("{ zone: zone-1, healthy: «\"100%, 50%\"» }")},
      {"SP024", event("{ at: 1s, fails: «half» }")},
      {"SP024", scenario_with("name: «\"\"»\n")},
      {"SP024", cluster("{ name: backend, common_lb_config: { update_merge_window: «20ms» } }")},
      {"SP024", table("P0", "[«maybe»]")},
      {"SP024", expect("always: { ok: «\"< 5\"» }")},
      {"SP025", scenario_with("mode: «exactly»\n")},
      {"SP025", scenario_with("profile: { envoy: «currant» }\n")},
      {"SP025", replaced(base, "rate: 10rps", "rate: 10rps, arrivals: «normal»")},
      {"SP026", scenario_with("", "      «[»]\n")},
      {"SP026", event("{ at: 1s, link: «[»zone-1], outage: true }")},
      {"SP026", event("{ at: 1s, endpoints: «[»], healthy: 1 }")},
      {"SP027", groups("{ id: a, «count»: 2, zone: zone-1 }")},
      {"SP027", groups("{ zone: zone-1, «node»: z2 }")},
      {"SP027", expect("{ always: { ok: 1 }, «columns»: [P0] }")},
      {"SP027", expect("{ «table»: t, columns: [P0] }")},
      {"SP024", groups("{ zone: zone-1, price: «4/month» }")},
      {"SP024", replaced(base, "latency: 2ms", "price: «1 cent»")},
      {"SP024", scenario_with("objectives: [{ cross_zone_cost: «5/GB» }]\n")},
      {"SP025", scenario_with("failures: [{ each: «rack» }]\n")},
      {"SP027", scenario_with("failures: [{ «any»: 2 }]\n")},
      {"SP301", scenario_with("", "      - { count: 1, zone: zone-1, «fails»: 1% }\n")},
      {"SP301", cluster("{ name: backend, healthChecks: [{ «customHealthCheck»: {}, timeout: 1s, "
                        "interval: 1s, "
                        "healthy_threshold: 1, unhealthy_threshold: 1 }] }")},
      {"SP025", scenario_with("mode: «simgrid»\n")},
  };
}

std::vector<Refusal> of_meaning() {
  const std::string base = scenario_with("");
  return {
      {"SP023", replaced(base, "latency: 2ms", "bandwidth: «0bps»")},
      {"SP024", replaced(base, "latency: 2ms", "bandwidth: «1Gbit»")},
      {"SP027", base + "cla_cache: «none»\n"},
      {"SP101", replaced(base, "name: zone-3", "name: «zone-1», nodes: [{ name: z9 }]")},
      {"SP101", replaced(base, "name: z2 ", "name: «z1-2» ")},
      {"SP101", groups("{ id: a, zone: zone-1 }\n      - { id: «a», zone: zone-1 }")},
      {"SP101", groups("{ id: backend-2, zone: zone-1 }\n      - { zone: «zone-1» }")},
      {"SP101", cluster("{ name: backend }\n  - { name: «backend» }")},
      {"SP101", replaced(base, "latency: 2ms }", "latency: 2ms }, { between: «[»zone-2, zone-1] }")},
      {"SP102", replaced(base, "name: frontend", "name: «\"a\\u001bb\"»")},
      {"SP023", groups("{ zone: zone-1, capacity: «0rps» }")},
      {"SP023", groups("{ zone: zone-1, service_time: { mean: 1ms, distribution: hyperexponential, "
                       "coefficient_of_variation: «0.5» } }")},
      {"SP104", scenario_with("failures: [{ any: 1, of: nodes, zone: «zone-9» }]\n")},
      {"SP105", scenario_with("failures: [{ together: [{ node: «z9» }] }]\n")},
      {"SP107", scenario_with("objectives: [{ service: «front», utilisation: 80% }]\n")},
      {"SP111", scenario_with("failures: [{ any: 1, of: endpoints, «clients»: lost }]\n")},
      {"SP023", scenario_with("failures: [{ degraded: { from: «60%», to: 40% } }]\n")},
      {"SP023", scenario_with("failures: [{ degraded: { step: «0%» } }]\n")},
      {"SP026", groups("{ zone: zone-1, service_time: { empirical: [1ms, 2ms], weights: «[»1] } }")},
      {"SP027", groups("{ zone: zone-1, service_time: { mean: 1ms, distribution: «gamma» } }")},
      {"SP027", groups("{ zone: zone-1, service_time: { mean: 1ms, distribution: exponential, "
                       "«coefficient_of_variation»: 2 } }")},
      {"SP027", groups("{ zone: zone-1, «queue»: 3 }")},
      {"SP104", groups("{ count: 5, zone: «zone-4», service_time: 4ms }")},
      {"SP104", event("{ at: 1s, zone: «zone-4», outage: true }")},
      {"SP104", replaced(base, "between: [zone-1, zone-2]", "between: [zone-1, «zone-9»]")},
      {"SP105", groups("{ node: «z1» }")},
      {"SP106", event("{ at: 1s, link: «[»zone-1, zone-3], outage: true }")},
      {"SP107", replaced(base, "service: backend", "service: «backhand»")},
      {"SP107", cluster("{ name: «bakend» }")},
      {"SP107", scenario_with("load_assignments: [{ cluster_name: «bakend» }]\n")},
      {"SP108", event("{ at: 1s, endpoints: [backend-1, «backend-21»], healthy: 0% }")},
      {"SP109", expect("{ table: t, client: «frontent», columns: [P0], rows: [[1]] }")},
      {"SP110", expect("share: { sub_zone: «x», at: 1s, equals: 1% }")},
      {"SP111", event("{ at: 1s, link: [zone-1, zone-2], outage: true, «zone»: zone-1 }")},
      {"SP111", event("{ at: 1s, zone: zone-1, outage: true, «fails»: 10% }")},
      {"SP111", event("{ at: 1s, «outage»: true }")},
      {"SP111", event("{ at: 1s, healthy: 10%, «latency»: 1ms }")},
      {"SP112", event("{ at: «60s», healthy: 10% }")},
      {"SP112", expect("share: { zone: zone-1, at: «61s», equals: 1% }")},
      {"SP112", expect("always: { ok: 1, to: «61s» }")},
      {"SP112", expect("utilisation: { at_most: 1%, from: 20s, to: «10s» }")},
      {"SP154", expect("share: { priority: «9», at: 1s, at_most: 1% }")},
      {"SP110", expect("utilisation: { at_most: 1%, sub_zone: «x» }")},
      {"SP112", expect("always: { ok: 1, from: 20s, to: «10s» }")},
      {"SP113", groups("{ count: 2, zone: zone-1, healthy: «\"100% 60s, 50%\"» }")},
      {"SP113", groups("{ count: 2, zone: zone-1, healthy: «\"100% 50s, 50% 11s\"» }")},
      {"SP114", event("«{» at: 1s, zone: zone-1, priority: 1, healthy: 10% }")},
      {"SP115", groups("{ count: 3, zone: zone-1, healthy: «4» }")},
      {"SP115", groups("{ count: 3, zone: zone-1, healthy: 2, degraded: «2» }")},
      {"SP116", replaced(base, "rate: 10rps", "rate: «0rps»")},
      {"SP118", replaced(event("«{» at: 1s, healthy: 10% }"),
                         "clients:", "  - { name: other, endpoints: [{ zone: zone-1 }] }\nclients:")},
      {"SP118", replaced(expect("«table»: t\n    columns: [P0]\n    rows: [[1]]"),
                         "expect:", "  - { name: b, zone: zone-1, workload: { service: backend, rate: 1 } }\nexpect:")},
      {"SP119", table("«zone-4»", "[1]")},
      {"SP119", table("«P2»", "[1]")},
      {"SP119", table("«zone-1 load»", "[1]")},
      {"SP119", table("«zone-1 zone-2»", "[1]")},
      {"SP120", replaced(replaced(table("«both»", "[1]"), "name: zone-3", "name: both, nodes: [{ name: z9 }]"),
                         "name: z2 ", "name: both ")},
      {"SP121", replaced(base, "between: [zone-1, zone-2]", "between: [zone-1, «zone-1»]")},
      {"SP122", groups("{ count: 1000000, zone: zone-1 }\n      - «{» count: 1, zone: zone-1 }")},
      {"SP123", table("P0 panic", "[«50%»]")},
      {"SP123", table("P0", "[«yes»]")},
      {"SP124", table("P0, P1", "«[»1]")},
      {"SP125", outlier("base_ejection_time: 60s, max_ejection_time: «30s»")},
      {"SP138", replaced(base, "rate: 10rps", "rate: «999999999rps»")},
      {"SP126", replaced(base, "duration: 60s", "duration: «0s»")},
      {"SP126", outlier("interval: «0s»")},
      {"SP126", groups("{ count: 2, zone: zone-1, healthy: «\"100% 0s, 50%\"» }")},
      {"SP127", expect("«always»: { from: 1s }")},
      {"SP103", aggregate("cluster_type: { name: a, typed_config: { '@type': " + std::string(aggregate_type) +
                          ", clusters: [«all»] } }, lb_policy: CLUSTER_PROVIDED")},
      {"SP107", aggregate("cluster_type: { name: a, typed_config: { '@type': " + std::string(aggregate_type) +
                          ", clusters: [backend, «backent»] } }, lb_policy: CLUSTER_PROVIDED")},
      {"SP131", aggregate("«cluster_type»: { name: a, typed_config: { '@type': " + std::string(aggregate_type) +
                          ", clusters: [backend] } }")},
      {"SP020", aggregate("cluster_type: { name: a, typed_config: { '@type': " + std::string(aggregate_type) +
                          ", clusters: [backend], «cluster»: 1 } }, lb_policy: CLUSTER_PROVIDED")},
      {"SP128", replaced(base, "clients:", "  - { name: «empty» }\nclients:")},
      {"SP128",
       replaced(cluster("{ name: backend, lb_policy: CLUSTER_PROVIDED, «cluster_type»: { name: a, typed_config: "
                        "{ '@type': " +
                        std::string(aggregate_type) + ", clusters: [other] } } }"),
                "clients:", "  - { name: other, endpoints: [{ zone: zone-1 }] }\nclients:")},
      {"SP129", scenario_with("local_cluster: «backend»\n")},
      {"SP130", cluster("{ name: backend, «load_balancing_policy»: { policies: [{ typed_extension_config: "
                        "{ name: x, typed_config: { '@type': x/y } } }] } }")},
      {"SP131", cluster("{ name: backend, lb_policy: «CLUSTER_PROVIDED» }")},
      {"SP131", cluster("{ name: backend, lb_policy: «LOAD_BALANCING_POLICY_CONFIG» }")},
      {"SP302",
       cluster("{ name: backend, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, "
               "typed_config: «{» '@type': "
               "x/envoy.extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality } } }] } }")},
      {"SP139", cluster("{ name: backend, lb_policy: MAGLEV, maglev_lb_config: { table_size: «8» } }")},
      {"SP139",
       cluster(
           "{ name: backend, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: "
           "{ '@type': x/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash, minimumRingSize: «20», "
           "maximum_ring_size: 10 } } }] } }")},
      {"SP139", cluster("{ name: backend, common_lb_config: { consistent_hashing_lb_config: { hash_balance_factor: "
                        "«99» } } }")},
      {"SP139", cluster("{ name: backend, lb_subset_config: { subset_selectors: [{ keys: [a], fallback_policy: "
                        "KEYS_SUBSET, fallback_keys_subset: «[»b] }] } }")},
      {"SP131", cluster("{ name: backend, lb_subset_config: { locality_weight_aware: «true», subset_selectors: "
                        "[{ keys: [a] }] } }")},
      {"SP139", cluster("{ name: backend, health_checks: [«{» tcp_health_check: {}, timeout: 1s, healthy_threshold: 1, "
                        "unhealthy_threshold: 1 }] }")},
      {"SP139",
       cluster("{ name: backend, health_checks: [{ http_health_check: { path: / }, timeout: 1s, interval: «0s», "
               "healthy_threshold: 1, unhealthy_threshold: 1 }] }")},
      {"SP139",
       cluster("{ name: backend, health_checks: [{ http_health_check: { path: /, expectedStatuses: [{ start: 200, end: "
               "300 }, { start: «9», end: 300 }] }, timeout: 1s, interval: 1s, healthy_threshold: 1, "
               "unhealthy_threshold: 1 }] }")},
      {"SP139",
       cluster("{ name: backend, health_checks: [{ name: a, tcp_health_check: {}, timeout: 1s, interval: 1s, "
               "healthy_threshold: 1, unhealthy_threshold: 1 }, { name: «a», tcp_health_check: {}, timeout: 1s, "
               "interval: 1s, healthy_threshold: 1, unhealthy_threshold: 1 }] }")},
      {"SP024", cluster("{ name: backend, health_checks: [{ tcp_health_check: { send: { text: «zz» } }, timeout: 1s, "
                        "interval: 1s, healthy_threshold: 1, unhealthy_threshold: 1 }] }")},
      {"SP139", cluster("{ name: backend, circuit_breakers: { per_host_thresholds: «[»{ max_connections: 1, "
                        "max_requests: 1 }] } }")},
      {"SP126", cluster("{ name: backend, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, cleanup_interval: «0s» }")},
      {"SP131", cluster("{ name: backend, type: ORIGINAL_DST, lb_policy: «RANDOM» }")},
      {"SP023", event("{ at: 1s, fails: 10%, fails_with: «200» }")},
      {"SP025", event("{ at: 1s, fails: 10%, fails_with: «resets» }")},
      {"SP027", event("{ at: 1s, healthy: 1, «fails_with»: 503 }")},
      {"SP025", event("{ at: 1s, answers_checks: «ill» }")},
      {"SP023", event("{ at: 1s, answers_checks: «600» }")},
      {"SP024", event("{ at: 1s, fails: «every 0th» }")},
      {"SP024", event("{ at: 1s, fails: «every third» }")},
      {"SP027", event("{ at: 1s, healthy: 1, «fails_checks»: false }")},
      {"SP027", event("{ at: 1s, healthy: 1, «lives_on»: true }")},
      {"SP023", event("{ at: 1s, weight: «0» }")},
      {"SP023", event("{ at: 1s, locality_weight: «0» }")},
      {"SP025", event("{ at: 1s, health_status: «ILL» }")},
      {"SP111", event("{ at: 1s, zone: zone-1, outage: true, «weight»: 2 }")},
      {"SP111", event("{ at: 1s, answers_checks: degraded, «delay»: 1s }")},
      {"SP143",
       "profile: { envoy: seed }\n" +
           cluster("{ name: backend, lb_subset_config: { subset_selectors: [{ keys: [a] }] }, common_lb_config: { "
                   "«locality_weighted_lb_config»: {} } }")},
      {"SP206", cluster("{ name: backend, «maglev_lb_config»: {} }")},
      {"SP024", groups("{ zone: zone-1, address: «localhost:80» }")},
      {"SP231", groups("{ zone: zone-1, address: 10.0.0.1:80 }\n      - { zone: zone-1, address: «10.0.0.1:80» }")},
      {"SP101", replaced(groups("{ zone: zone-1, address: 10.0.0.1:80 }\n      - { zone: zone-1, address: "
                                "«10.0.0.1:80» }"),
                         "clients:",
                         "clusters: [{ name: backend, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED }]\n"
                         "clients:")},
      {"SP022", groups("{ zone: zone-1, metadata: { filter_metadata: { envoy.lb: «7» } } }")},
      {"SP020", groups("{ zone: zone-1, metadata: { filter_metadata: {}, «version»: 1 } }")},
      {"SP027", groups("{ zone: zone-1, hostname: h, «count»: 2 }")},
      {"SP132", scenario_with("load_assignments: [{ cluster_name: backend, endpoints: [{ locality: { zone: «zone-2» }, "
                              "load_balancing_weight: 2 }] }]\n")},
      {"SP133", event("{ at: 1s, add: [{ zone: zone-1, «healthy»: 50% }] }")},
      {"SP111", event("{ at: 1s, add: [{ zone: zone-1 }], «remove»: 1 }")},
      {"SP111", event("{ at: 1s, add: [{ zone: zone-1 }], «zone»: zone-1 }")},
      {"SP111", event("{ at: 1s, fails: 10%, «delay»: 1s }")},
      {"SP115", event("{ at: 1s, zone: zone-1, remove: «11» }")},
      {"SP104", event("{ at: 1s, zone: zone-1, remove: 1, audience: [zone-1, «zone-5»] }")},
      {"SP116", replaced(base, "rate: 10rps", "phases: «\"0rps 10s, 0rps\"»")},
      {"SP113", replaced(base, "rate: 10rps", "phases: «\"1rps 60s, 0rps\"»")},
      {"SP201", groups("{ count: 7, zone: zone-1, healthy: «60%» }")},
  };
}

}  // namespace

TEST_CASE("Every structural mistake is told once, with its code, at its place", "[refusals]") {
  for (const Refusal& refusal : structural()) {
    test::the_only_diagnostic(refusal.marked, refusal.code);
  }
}

TEST_CASE("Every mistake of meaning is told once, with its code, at its place", "[refusals]") {
  for (const Refusal& refusal : of_meaning()) {
    test::the_only_diagnostic(refusal.marked, refusal.code);
  }
}

TEST_CASE("Every code in use has a page", "[refusals]") {
  for (const auto& refusals : {structural(), of_meaning()}) {
    for (const Refusal& refusal : refusals) {
      INFO(refusal.code);
      CHECK(spillway::documents::find_diagnostic_code(refusal.code) != nullptr);
    }
  }
}

TEST_CASE("All mistakes of a file are told at once, in the order of the file", "[refusals]") {
  const Reading reading = read_scenario_text("test.yaml",
                                             "duration: 60s\n"
                                             "colour: red\n"
                                             "zones: [{ name: zone-1 }, { name: zone-1 }]\n"
                                             "services:\n"
                                             "  - { name: backend, endpoints: [{ count: -1, zone: zone-2 }] }\n"
                                             "clients:\n"
                                             "  - { name: c, zone: zone-3, workload: { service: backand, rate: 0 } }\n"
                                             "timeline: [{ at: 61s, healthy: 10% }]\n");
  CHECK(test::codes_of(reading.diagnostics) ==
        std::vector<std::string>{"SP020", "SP101", "SP023", "SP104", "SP104", "SP107", "SP116", "SP112"});
}

TEST_CASE("A list that cannot be read makes no unknown names", "[refusals]") {
  const Reading reading =
      read_scenario_text("test.yaml",
                         "duration: 60s\n"
                         "zonez: [{ name: zone-1 }]\n"
                         "services: [{ name: backend, endpoints: [{ zone: zone-1 }] }]\n"
                         "clients: [{ name: c, zone: zone-1, workload: { service: backend, rate: 1 } }]\n");
  CHECK(test::codes_of(reading.diagnostics) == std::vector<std::string>{"SP021", "SP020"});
}

TEST_CASE("Suggestions are made for keys, values and names", "[refusals]") {
  const auto help_of = [](const std::string& marked, const std::string& code) {
    const Diagnostic diagnostic = test::the_only_diagnostic(marked, code);
    REQUIRE(diagnostic.helps.size() == 1);
    return diagnostic.helps.front();
  };
  CHECK(help_of(scenario_with("«timline»: []\n"), "SP020") == "did you mean `timeline`?");
  CHECK(help_of(scenario_with("«polices»: []\n"), "SP020") == "did you mean `policies`?");
  CHECK(help_of(scenario_with("mode: «request»\n"), "SP025") == "did you mean `requests`?");
  CHECK(help_of(groups("{ zone: «zone-4» }"), "SP104") == "did you mean `zone-3`?");
  CHECK(help_of(groups("{ node: «z1-3» }"), "SP105") == "did you mean `z1-2`?");
  CHECK(help_of(expect("always: { «no_healthy_upsteam»: 0, ok: 1 }"), "SP020") ==
        "did you mean `no_healthy_upstream`?");
  CHECK(help_of(table("«zone-1 helthy»", "[1]"), "SP119") == "did you mean `healthy`?");
  CHECK(help_of(table("«healthy zone-1»", "[1]"), "SP119") == "did you mean `zone-1 healthy`?");
  CHECK(help_of(cluster("{ name: backend, commonLbConfig: { «healthyPanicTreshold»: {} } }"), "SP020") ==
        "did you mean `healthyPanicThreshold`?");
}

TEST_CASE("A list of names where objects stand is refused with how to write one, and not as twice the same name") {
  const Reading reading = read_scenario_text("names.yaml", R"(
duration: 1s
zones: [a, b]
services: [cart, order]
clients: [{ name: c, zone: a, workload: { service: cart, rate: 1rps } }]
)");
  CHECK_FALSE(reading.scenario);
  std::vector<std::string> helps;
  for (const Diagnostic& problem : reading.diagnostics) {
    INFO(problem.message);
    CHECK(problem.code == "SP022");
    helps.insert(helps.end(), problem.helps.begin(), problem.helps.end());
  }
  CHECK(helps == std::vector<std::string>{"did you mean `{ name: a }`?", "did you mean `{ name: b }`?",
                                          "did you mean `{ name: cart }`?", "did you mean `{ name: order }`?"});
}
