// Whatever a plan recommends is applied to the scenario, which then runs by requests with real outages that the
// scenario writes itself: after a warm-up endpoints of a zone stop to answer, and proxies are told at the same moment,
// or find out. Generated are clusters of an Envoy, and meshes of Kuma whose clients keep to their zone while it has
// endpoints, then reach the others through zone proxies: over one connection each, or one a request.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/run/run.hpp"

using namespace spillway;

namespace {

constexpr double served_rate = 100.0;
constexpr double allowed = 0.8;
constexpr int warm_up = 20;

// A generated scenario; what plans recommend are other numbers in it.
struct Generated {
  std::vector<std::uint32_t> counts;  // by zone
  double rate = 0.0;                  // of the clients in each zone
  bool retries = false;
  std::string told;  // of what is lost
  int outage = 60;   // seconds
  std::string panic;
  std::string policy = "ROUND_ROBIN";
  std::string work;          // of an endpoint on a request
  std::string cluster = {};  // more of it
  double failing = 0.0;      // objective: part of the requests
  bool mesh = false;
  std::uint32_t clients = 1;      // in each zone
  std::string protocol = "http";  // of a mesh
  std::string threshold = "50";   // likewise: for failover

  [[nodiscard]] std::string zone(std::size_t index) const { return fmt::format("z{}", index); }

  [[nodiscard]] std::string text(int seconds, const std::string& rest) const {
    std::string zones;
    std::string endpoints;
    std::string senders;
    for (std::size_t index = 0; index < counts.size(); ++index) {
      zones += fmt::format("{}{{ name: {} }}", index == 0 ? "" : ", ", zone(index));
      endpoints += fmt::format("      - {{ count: {}, zone: {}, {}, tags: {{ kuma.io/protocol: {} }} }}\n",
                               counts[index], zone(index), work, protocol);
      senders += fmt::format(
          "  - {{ name: c{0}, zone: {1}, count: {2}, workload: {{ {3}, rate: {4:.4f}rps, arrivals: periodic }} }}\n",
          index, zone(index), clients, retries ? "requests: [{ path: / }]" : "service: s", rate / clients);
    }
    return fmt::format("duration: {}s\nzones: [{}]\nservices:\n  - name: s\n    endpoints:\n{}clients:\n{}", seconds,
                       zones, endpoints, senders) +
           (mesh ? mesh_text() : cluster_text()) + rest;
  }

  [[nodiscard]] std::string cluster_text() const {
    std::string text = fmt::format(
        "clusters:\n  - name: s\n    lb_policy: {}\n    common_lb_config: {{ healthy_panic_threshold: "
        "{{ value: {} }} }}\n    circuit_breakers: {{ thresholds: [{{ max_retries: 1000, max_requests: 100000 }}] "
        "}}\n{}",
        policy, panic, cluster);
    if (retries) {
      text +=
          "routes:\n  - match: { prefix: / }\n    route:\n      cluster: s\n      retry_policy: { retry_on: "
          "connect-failure, num_retries: 1 }\n";
    }
    return text;
  }

  [[nodiscard]] std::string mesh_text() const {
    return fmt::format(
        "policies:\n  - type: MeshLoadBalancingStrategy\n    name: local-first\n    mesh: default\n    spec:\n      "
        "to:\n"
        "        - targetRef: {{ kind: MeshService, name: s }}\n          default: {{ localityAwareness: {{ crossZone: "
        "{{ "
        "failover: [{{ to: {{ type: Any }} }}], failoverThreshold: {{ percentage: {} }} }} }} }}\n",
        threshold);
  }

  [[nodiscard]] std::string planned_text() const {
    return text(outage, fmt::format("failures: [{{ each: zone, told: {} }}]\nobjectives: [{{ utilisation: 80%, "
                                    "error_share: {}% }}]\n",
                                    told, 100.0 * failing));
  }

  [[nodiscard]] std::string played_text(std::size_t lost) const {
    std::string timeline;
    if (lost < counts.size()) {
      const std::string place = fmt::format("at: {}s, service: s, zone: {}", warm_up, zone(lost));
      const std::string change = told == "removed" ? "remove: 100%" : "healthy: 0%";
      timeline = told == "nothing" ? "timeline:\n" : fmt::format("timeline:\n  - {{ {}, {} }}\n", place, change);
      timeline += fmt::format("  - {{ {}, outage: true }}\n", place);
    }
    return text(warm_up + outage, timeline);
  }
};

struct Seen {
  double utilisation = 0.0;  // of the busiest endpoint
  double half_width = 0.0;   // relative, of a count
  std::uint64_t failed = 0;
  std::uint64_t sent = 0;

  [[nodiscard]] bool fails_more(double part) const {
    return static_cast<double>(failed) > part * static_cast<double>(sent);
  }
};

// What a run shows after the outage of one zone began; of no zone: all of it.
Seen played(const Generated& layout, std::size_t lost) {
  const std::string text = layout.played_text(lost);
  CAPTURE(text);
  const scenario::ScenarioTemplate base("played.yaml", text);
  REQUIRE(base.reading().scenario);
  run::Options options;
  options.mode = scenario::Mode::requests;
  const bool is_lost = lost < layout.counts.size();
  options.measured_from = std::chrono::seconds{is_lost ? warm_up : 0};
  const run::Results results = run::run(*base.reading().scenario, options);
  Seen seen;
  std::map<std::string, std::uint64_t> attempts;
  for (const run::Share& share : results.shares) {
    if (!is_lost || share.zone != layout.zone(lost)) {
      attempts[share.endpoint] += *share.attempts;
    }
  }
  for (const run::Outcomes& outcomes : results.outcomes) {
    seen.failed += outcomes.sent - outcomes.ok;
    seen.sent += outcomes.sent;
  }
  REQUIRE(seen.sent > 0);
  const double seconds = is_lost ? layout.outage : layout.outage + warm_up;
  for (const auto& [endpoint, number] : attempts) {
    const double utilisation = static_cast<double>(number) / (seconds * served_rate);
    if (utilisation > seen.utilisation) {
      // Five standard deviations of a Poisson count, of the largest of some: once in millions.
      constexpr double deviations = 5.0;
      seen.utilisation = utilisation;
      seen.half_width = deviations / std::sqrt(static_cast<double>(number));
    }
  }
  return seen;
}

// Whether no failure of the layout is seen to violate an objective.
bool meets(const Generated& layout) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = played(layout, lost);
    if (seen.fails_more(layout.failing) || seen.utilisation * (1.0 - seen.half_width) > allowed) {
      UNSCOPED_INFO("lost " << lost << ": " << seen.utilisation << ", " << seen.failed << " of " << seen.sent);
      return false;
    }
  }
  return true;
}

// Whether some failure violates an objective by what is counted; `undecided`: or is too close to it to tell.
bool violates(const Generated& layout, bool undecided = false) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = played(layout, lost);
    if (seen.fails_more(layout.failing) || seen.utilisation * (undecided ? 1.0 + seen.half_width : 1.0) > allowed) {
      return true;
    }
    UNSCOPED_INFO("lost " << lost << ": " << seen.utilisation << ", " << seen.failed << " of " << seen.sent);
  }
  return false;
}

plan::Plan plan_for(const Generated& layout, bool rows_alone = false) {
  const scenario::ScenarioTemplate base("plan.yaml", layout.planned_text());
  REQUIRE(base.reading().scenario);
  plan::Request request;
  request.effort = {.replications = 3, .jobs = 2};
  request.rows_alone = rows_alone;
  auto made = plan::make_plan(base, request);
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

class Draws {
 public:
  explicit Draws(std::uint32_t seed) : draws_(seed) {}
  std::uint32_t operator()(std::uint32_t from, std::uint32_t to) {
    return from + static_cast<std::uint32_t>(draws_() % (to - from + 1));
  }

 private:
  std::minstd_rand draws_;
};

Generated drawn_layout(Draws& draw) {
  Generated layout;
  layout.work = fmt::format("capacity: {}rps", served_rate);
  const std::uint32_t zones = draw(2, 3);
  for (std::uint32_t zone = 0; zone < zones; ++zone) {
    layout.counts.push_back(draw(3, 6));
  }
  return layout;
}

Generated cluster_layout(std::uint32_t seed) {
  Draws draw(seed);
  Generated layout = drawn_layout(draw);
  layout.retries = seed % 3 == 1 && layout.counts.size() == 3;
  layout.told = seed % 2 == 0 ? "unhealthy" : "removed";
  layout.panic = std::to_string(25 * draw(0, 2));
  layout.rate = 10.0 * draw(5, 14);
  return layout;
}

// With connections of few clients or of many, or with one a request.
Generated mesh_layout(std::uint32_t seed) {
  Draws draw(seed);
  Generated layout = drawn_layout(draw);
  layout.mesh = true;
  layout.told = seed % 2 == 0 ? "unhealthy" : "removed";
  layout.protocol = seed % 3 == 0 ? "tcp" : "http";
  layout.clients = draw(1, 12);
  layout.rate = 10.0 * draw(5, 14);
  return layout;
}

// Nothing is told, and active checks find out within two seconds; requests that fail until then are allowed.
Generated checked_layout(std::uint32_t seed) {
  Generated layout = cluster_layout(seed);
  layout.retries = false;
  layout.told = "nothing";
  layout.panic = "0";
  layout.failing = 0.1;
  layout.outage = 15;
  layout.cluster =
      "    health_checks: [{ timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, "
      "tcp_health_check: {} }]\n";
  return layout;
}

// Least request, whose picks depend on requests in flight, with drawn service times.
Generated least_request_layout(std::uint32_t seed) {
  Generated layout = cluster_layout(seed);
  layout.retries = false;
  layout.policy = "LEAST_REQUEST";
  layout.outage = 15;
  layout.work = "cores: 1, service_time: { mean: 10ms, distribution: exponential }";
  return layout;
}

Generated grown(Generated layout, double growth) {
  layout.rate *= growth;
  return layout;
}

void check_headroom(const Generated& layout, const plan::Headroom& headroom) {
  CHECK(meets(grown(layout, headroom.growth)));
  CHECK(violates(grown(layout, 1.05 * headroom.fails.value_or(headroom.growth))));
}

// `bounded`: the search says that it was cut short, so that fewer may do.
void check_fewest(const Generated& layout, const plan::Fewest& of, bool bounded) {
  Generated fewest = layout;
  for (std::size_t zone = 0; zone < layout.counts.size(); ++zone) {
    fewest.counts[zone] = of.parts[zone].count;
  }
  CHECK(meets(fewest));
  for (std::size_t zone = 0; zone < layout.counts.size() && !bounded; ++zone) {
    Generated fewer = fewest;
    CAPTURE(zone, fewest.counts);
    if (--fewer.counts[zone] > 0) {
      const plan::Plan plan = plan_for(fewer, true);
      const bool counted =
          std::any_of(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return !row.exact; });
      CHECK(violates(fewer, counted));
    }
  }
}

void check_settings(const Generated& layout, const std::vector<plan::WhatIf>& what_ifs) {
  for (const plan::WhatIf& what_if : what_ifs) {
    Generated set = layout;
    if (what_if.setting == "failoverThreshold") {
      set.threshold = what_if.value.substr(0, what_if.value.find(' '));
    } else if (what_if.setting == "healthy_panic_threshold" && !layout.mesh) {
      set.panic = what_if.value;
    } else {
      continue;
    }
    CAPTURE(what_if.setting, what_if.value);
    CHECK((!what_if.worst.holds() || meets(set)));
  }
}

// How many of them have a highest rate.
std::size_t check_layouts(Generated (*generate)(std::uint32_t), std::uint32_t seeds) {
  std::size_t held = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const Generated layout = generate(seed);
    CAPTURE(seed, layout.planned_text());
    const plan::Plan plan = plan_for(layout);
    if (plan.judgement() != plan::Judgement::open) {
      CHECK((plan.holds() ? meets(layout) : violates(layout)));
    }
    if (plan.headroom.growth > 0.0 && std::isfinite(plan.headroom.growth)) {
      ++held;
      check_headroom(layout, plan.headroom);
    }
    if (plan.fewest) {
      check_fewest(layout, *plan.fewest, plan.fewest_bounded);
    }
    for (std::size_t zone = 0; zone < plan.additions.size(); ++zone) {
      const double growth = plan.additions[zone].headroom.growth;
      if (growth > plan.headroom.growth && std::isfinite(growth) && !layout.retries) {
        Generated more = layout;
        ++more.counts[zone];
        CAPTURE(zone);
        CHECK(meets(grown(more, growth)));
      }
    }
    check_settings(layout, plan.what_ifs);
  }
  return held;
}

}  // namespace

// Not all layouts are beyond help.
TEST_CASE("what a plan of a cluster recommends holds under real outages, and what it rules out does not", "[plan]") {
  CHECK(check_layouts(cluster_layout, 9) >= 3);
}

TEST_CASE("what a plan of a mesh recommends holds under real outages, and what it rules out does not", "[plan]") {
  CHECK(check_layouts(mesh_layout, 12) >= 6);
}

TEST_CASE("what a plan recommends holds where only active checks find out", "[plan]") {
  CHECK(check_layouts(checked_layout, 1) >= 1);
}

TEST_CASE("what a plan recommends holds under least request with drawn service times", "[plan]") {
  CHECK(check_layouts(least_request_layout, 1) >= 1);
}
