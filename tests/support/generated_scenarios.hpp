// Scenarios drawn at random, as text: policies, failures, ejections, checks, retries, sessions, slow start, bounded
// loads, several clients and workers, in all mixtures.
//
//   support::Draws draws(7);
//   scenario::read_scenario_text("drawn.yaml", support::generated_scenario(draws));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/draws.hpp"

namespace spillway::support {

class ScenarioGenerator {
 public:
  explicit ScenarioGenerator(Draws& draws) : draws_(draws) {}

  std::string text() {
    two_zones_ = chance(60);
    takes_time_ = chance(60);
    std::string text = "duration: 6s\nzones: [{ name: a }" + std::string(two_zones_ ? ", { name: b }" : "") + "]\n";
    text += two_zones_ && chance(30) ? "links: [{ between: [a, b], latency: 2ms }]\n" : "";
    text += profile();
    text += services() + clusters() + routes() + clients() + timeline();
    return text;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return draws_() % bound; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  std::string one_of(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }

  std::string profile() { return chance(10) ? "profile: { envoy: seed }\n" : ""; }

  std::string group(const std::string& zone, std::uint64_t priority) {
    const std::uint64_t count = 1 + below(5);
    endpoints_ += count;
    std::string text = "{ count: " + std::to_string(count) + ", zone: " + zone;
    text += priority > 0 ? ", priority: " + std::to_string(priority) : "";
    if (takes_time_) {
      const std::string mean = one_of({"2ms", "2ms", "10ms", "40ms"});
      text += ", service_time: " + (chance(20) ? "{ mean: " + mean + ", distribution: exponential }" : mean);
    }
    text += takes_time_ && chance(20) ? ", cores: 4" : "";
    text += chance(25) ? ", weight: " + one_of({"2", "3", "10"}) : "";
    return text + " }";
  }

  std::string services() {
    std::string groups = group("a", 0);
    groups += chance(50) ? ", " + group("a", 0) : "";
    if (two_zones_) {
      groups += ", " + group("b", below(2));
    }
    return "services: [{ name: s, endpoints: [" + groups + "] }]\n";
  }

  std::string policy() {
    switch (below(9)) {
      case 0:
      case 1:
        return "lb_policy: ROUND_ROBIN";
      case 2:
        return "lb_policy: RANDOM";
      case 3:
      case 4:
        return "lb_policy: LEAST_REQUEST";
      case 5:
        hashes_ = true;
        return "lb_policy: RING_HASH";
      case 6:
        hashes_ = true;
        bounded_ = chance(60);
        return "lb_policy: MAGLEV";
      case 7:
        return "lb_policy: ROUND_ROBIN\n    round_robin_lb_config: { slow_start_config: { slow_start_window: 2s } }";
      default:
        return "lb_policy: LEAST_REQUEST\n    least_request_lb_config: { slow_start_config: { slow_start_window: 2s } "
               "}";
    }
  }

  std::string clusters() {
    std::string text = "clusters:\n  - name: s\n    " + policy();
    text += "\n    common_lb_config: { healthy_panic_threshold: { value: " + one_of({"0", "50", "50"}) + " }";
    text += bounded_ ? ", consistent_hashing_lb_config: { hash_balance_factor: " + one_of({"110", "150", "300"}) + " }"
                     : "";
    text += " }\n";
    if (chance(40)) {
      text += "    outlier_detection: { consecutive_5xx: " + one_of({"2", "5"}) +
              ", interval: " + one_of({"0.2s", "1s"}) + ", base_ejection_time: " + one_of({"0.3s", "2s"}) +
              ", max_ejection_percent: " + one_of({"40", "100"}) + " }\n";
    }
    if (chance(30)) {
      text += "    health_checks: [{ timeout: 0.1s, interval: " + one_of({"0.3s", "1s"}) +
              ", unhealthy_threshold: 1, healthy_threshold: 1, http_health_check: { path: / } }]\n";
    }
    return text;
  }

  std::string routes() {
    routed_ = hashes_ || chance(45);
    if (!routed_) {
      return "";
    }
    std::string route = "cluster: s";
    route += hashes_ ? ", hash_policy: [{ header: { header_name: x-user } }]" : "";
    if (chance(50)) {
      route += ", retry_policy: { retry_on: \"" + one_of({"5xx", "connect-failure", "5xx,reset"}) +
               "\", num_retries: " + one_of({"1", "2"}) +
               (chance(30) ? ", retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts }]" : "") +
               " }";
    }
    std::string text = "routes:\n  - match: { prefix: / }\n    route: { " + route + " }\n";
    if (chance(15)) {
      text +=
          "    typed_per_filter_config:\n      envoy.filters.http.stateful_session:\n"
          "        \"@type\": x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
          "        stateful_session:\n          session_state:\n"
          "            name: envoy.http.stateful_session.cookie\n"
          "            typed_config: { \"@type\": "
          "x/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { name: s } }\n";
    }
    return text;
  }

  std::string client(const std::string& name, const std::string& zone) {
    std::string workload = "rate: " + one_of({"300rps", "600rps", "1000rps"});
    workload += chance(30) ? ", arrivals: periodic" : "";
    workload += !routed_ ? ", service: s" : "";
    if (hashes_) {
      workload += ", keys: { header: x-user, count: " + one_of({"20", "300"}) + ", prefix: u }";
    }
    std::string text = "  - { name: " + name + ", zone: " + zone;
    text += chance(30) ? ", count: 3" : "";
    text += chance(20) ? ", concurrency: 2" : "";
    return text + ", workload: { " + workload + " } }\n";
  }

  std::string clients() {
    std::string text = "clients:\n" + client("x", "a");
    return text + (two_zones_ && chance(40) ? client("y", "b") : "");
  }

  std::string endpoint() { return "s-" + std::to_string(1 + below(endpoints_)); }

  std::string event() {
    const std::string head = "  - { at: " + one_of({"0s", "1s", "2s", "3.5s"}) + ", service: s, ";
    switch (below(6)) {
      case 0:
        return head + "endpoints: [" + endpoint() + "], outage: true }\n";
      case 1:
        return head + "endpoints: [" + endpoint() + "], fails: " + one_of({"5%", "60%", "100%"}) +
               ", fails_with: " + one_of({"503", "500", "reset", "connect_failure"}) + " }\n";
      case 2:
        return head + "endpoints: [" + endpoint() + "], slow: " + one_of({"0.5", "4"}) + " }\n";
      case 3:
        return head + "endpoints: [" + endpoint() + "], fails: 0% }\n";
      default:
        return head + "priority: 0, healthy: " + one_of({"0%", "40%", "70%", "100%"}) + " }\n";
    }
  }

  std::string timeline() {
    std::string events;
    for (std::uint64_t number = below(4); number > 0; --number) {
      events += event();
    }
    return events.empty() ? "" : "timeline:\n" + events;
  }

  Draws& draws_;
  bool two_zones_ = false;
  bool takes_time_ = false;
  bool hashes_ = false;
  bool bounded_ = false;
  bool routed_ = false;
  std::uint64_t endpoints_ = 0;
};

inline std::string generated_scenario(Draws& draws) {
  return ScenarioGenerator(draws).text();
}

}  // namespace spillway::support
