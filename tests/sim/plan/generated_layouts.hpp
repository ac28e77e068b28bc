// Generated clusters of an Envoy, and meshes of Kuma, whose plans are checked: whatever a plan recommends is applied to
// the scenario, which then runs by requests with real outages that the scenario writes itself: after a warm-up
// endpoints of a zone stop to answer, and proxies are told at the same moment, or find out.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::support {

inline constexpr double served_rate = 100.0;
inline constexpr double allowed = 0.8;
inline constexpr int warm_up = 20;

// A generated scenario; what plans recommend are other numbers in it.
struct Generated {
  std::vector<std::uint32_t> counts;  // by zone
  double rate = 0.0;                  // of the clients in each zone
  bool retries = false;
  std::string reported;  // of what is lost
  int outage = 60;       // seconds
  std::string panic;
  std::string policy = "ROUND_ROBIN";
  std::string work;             // of an endpoint on a request
  std::string cluster = {};     // more of it
  double failing = 0.0;         // objective: part of the requests
  std::optional<int> p99 = {};  // objective: milliseconds
  bool sessions = false;
  bool clients_lost = false;  // with the endpoints of their zone
  bool mesh = false;
  std::uint32_t clients = 1;      // in each zone
  std::string protocol = "http";  // of a mesh
  std::string threshold = "50";   // likewise: for failover

  [[nodiscard]] std::string zone(std::size_t index) const { return fmt::format("z{}", index); }
  [[nodiscard]] bool routed() const { return retries || sessions; }

  [[nodiscard]] std::string text(int seconds, const std::string& rest) const {
    std::string zones;
    std::string endpoints;
    std::string senders;
    for (std::size_t index = 0; index < counts.size(); ++index) {
      zones += fmt::format("{}{{ name: {} }}", index == 0 ? "" : ", ", zone(index));
      endpoints += fmt::format("      - {{ count: {}, zone: {}, {}, tags: {{ kuma.io/protocol: {} }} }}\n",
                               counts[index], zone(index), work, protocol);
      senders += fmt::format(
          "  - {{ name: c{0}, zone: {1}, count: {2}, workload: {{ {3}, rate: {4:.4f}rps, arrivals: {5} }} }}\n", index,
          zone(index), clients, routed() ? "requests: [{ path: / }]" : "service: s", rate / clients,
          p99 ? "poisson" : "periodic");
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
    if (routed()) {
      text += "routes:\n  - match: { prefix: / }\n    route:\n      cluster: s\n";
    }
    if (retries) {
      text += "      retry_policy: { retry_on: connect-failure, num_retries: 1 }\n";
    }
    if (sessions) {
      text +=
          "    typed_per_filter_config:\n      envoy.filters.http.stateful_session:\n"
          "        '@type': x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
          "        stateful_session: { session_state: { name: envoy.http.stateful_session.cookie, typed_config: { "
          "'@type': x/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { name: s } } "
          "} }\n";
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
    return text(outage, fmt::format("failures: [{{ each: zone, told: {}{} }}]\nobjectives: [{{ utilisation: 80%, "
                                    "error_share: {}%{} }}]\n",
                                    reported, clients_lost ? ", clients: lost" : "", 100.0 * failing,
                                    p99 ? fmt::format(", p99: {}ms", *p99) : ""));
  }

  [[nodiscard]] std::string simulated_text(std::size_t lost) const {
    std::string timeline;
    if (lost < counts.size()) {
      const std::string place = fmt::format("at: {}s, service: s, zone: {}", warm_up, zone(lost));
      const std::string change = reported == "removed" ? "remove: 100%" : "healthy: 0%";
      timeline = reported == "nothing" ? "timeline:\n" : fmt::format("timeline:\n  - {{ {}, {} }}\n", place, change);
      timeline += clients_lost ? fmt::format("  - {{ at: {}s, zone: {}, outage: true }}\n", warm_up, zone(lost))
                               : fmt::format("  - {{ {}, outage: true }}\n", place);
    }
    return text(warm_up + outage, timeline);
  }
};

struct Seen {
  double utilisation = 0.0;  // of the busiest endpoint
  double half_width = 0.0;   // relative, of a count
  std::uint64_t failed = 0;
  std::uint64_t sent = 0;
  // Part of a client's requests that were not answered in time, of the client with most of them: a mean over some runs,
  // and how far five standard errors of these reach.
  double late = 0.0;
  double late_half_width = 0.0;

  [[nodiscard]] bool fails_more(double part) const {
    return static_cast<double>(failed) > part * static_cast<double>(sent);
  }
  [[nodiscard]] bool is_late(double deviations) const {
    constexpr double allowed_late = 0.01;  // by a p99
    return late + deviations * late_half_width > allowed_late;
  }
};

// By client: the part of its requests that were not answered within the limit.
inline std::map<std::uint32_t, double> late_parts(const run::Results& results) {
  std::map<std::uint32_t, std::pair<double, double>> counts;  // sent, and within
  for (const run::Outcomes& outcomes : results.outcomes) {
    counts[outcomes.client.value].first += static_cast<double>(outcomes.sent);
  }
  for (const run::WithinLimit& within : results.within) {
    counts[within.client.value].second += static_cast<double>(within.answers);
  }
  std::map<std::uint32_t, double> parts;
  for (const auto& [client, count] : counts) {
    if (count.first > 0.0) {
      parts[client] = 1.0 - count.second / count.first;
    }
  }
  return parts;
}

struct Spread {
  double mean = 0.0;
  double error = 0.0;  // standard error of the mean
};

inline Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double squares = std::accumulate(values.begin(), values.end(), 0.0, [mean](double sum, double value) {
    return sum + (value - mean) * (value - mean);
  });
  return {mean, std::sqrt(squares / (count * (count - 1.0)))};
}

// Five standard deviations, of the largest of some: once in millions.
inline constexpr double deviations = 5.0;

// Attempts at the busiest endpoint that is not lost.
inline std::uint64_t most_attempts(const Generated& layout, const run::Results& results, std::size_t lost) {
  std::map<std::string, std::uint64_t> attempts;
  for (const run::Share& share : results.shares) {
    if (lost >= layout.counts.size() || share.zone != layout.zone(lost)) {
      attempts[share.endpoint] += *share.attempts;
    }
  }
  std::uint64_t most = 0;
  for (const auto& [endpoint, number] : attempts) {
    most = std::max(most, number);
  }
  return most;
}

// What a run shows after the outage of one zone began; of no zone: all of it. Where requests that wait in one queue, or
// stay with the endpoint that a draw has given them, are not independent, what some runs show.
inline Seen simulated(const Generated& layout, std::size_t lost) {
  const std::string text = layout.simulated_text(lost);
  CAPTURE(text);
  const scenario::ScenarioTemplate base("played.yaml", text);
  REQUIRE(base.reading().scenario);
  run::Options options;
  options.mode = scenario::Mode::requests;
  const bool is_lost = lost < layout.counts.size();
  options.measured_from = std::chrono::seconds{is_lost ? warm_up : 0};
  options.latency_limits = {std::chrono::milliseconds{layout.p99.value_or(1000)}};
  const bool is_drawn = layout.sessions || layout.p99.has_value();
  const double served = (is_lost ? layout.outage : layout.outage + warm_up) * served_rate;
  Seen seen;
  std::vector<double> utilisations;
  std::map<std::uint32_t, std::vector<double>> late;
  for (std::uint64_t seed = 1; seed <= (is_drawn ? 6 : 1); ++seed) {
    options.seed = seed;
    const run::Results results = run::run(*base.reading().scenario, options);
    const auto most = static_cast<double>(most_attempts(layout, results, lost));
    utilisations.push_back(most / served);
    seen.half_width = deviations / std::sqrt(std::max(most, 1.0));
    for (const run::Outcomes& outcomes : results.outcomes) {
      seen.failed += outcomes.sent - outcomes.ok();
      seen.sent += outcomes.sent;
    }
    for (const auto& [client, part] : late_parts(results)) {
      late[client].push_back(part);
    }
  }
  REQUIRE(seen.sent > 0);
  seen.utilisation = utilisations.front();
  if (is_drawn) {
    const Spread of = spread_of(utilisations);
    seen.utilisation = of.mean;
    seen.half_width = deviations * of.error / of.mean;
  }
  for (const auto& [client, parts] : late) {
    const Spread of = layout.p99 ? spread_of(parts) : Spread{};
    if (of.mean >= seen.late) {
      seen.late = of.mean;
      seen.late_half_width = deviations * of.error;
    }
  }
  return seen;
}

// Whether no failure of the layout is seen to violate an objective.
inline bool meets(const Generated& layout) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = simulated(layout, lost);
    if (seen.fails_more(layout.failing) || seen.utilisation * (1.0 - seen.half_width) > allowed || seen.is_late(-1.0)) {
      UNSCOPED_INFO("lost " << lost << ": " << seen.utilisation << ", " << seen.failed << " of " << seen.sent
                            << ", late " << seen.late);
      return false;
    }
  }
  return true;
}

// Whether some failure violates an objective by what is counted; `undecided`: or is too close to it to tell.
inline bool violates(const Generated& layout, bool undecided = false) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = simulated(layout, lost);
    if (seen.fails_more(layout.failing) || seen.utilisation * (undecided ? 1.0 + seen.half_width : 1.0) > allowed ||
        seen.is_late(undecided ? 1.0 : 0.0)) {
      return true;
    }
    UNSCOPED_INFO("lost " << lost << ": " << seen.utilisation << ", " << seen.failed << " of " << seen.sent << ", late "
                          << seen.late);
  }
  return false;
}

inline plan::Plan plan_for(const Generated& layout, bool rows_alone = false) {
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

inline Generated drawn_layout(Draws& draw) {
  Generated layout;
  layout.work = fmt::format("capacity: {}rps", served_rate);
  const std::uint32_t zones = draw(2, 3);
  for (std::uint32_t zone = 0; zone < zones; ++zone) {
    layout.counts.push_back(draw(3, 6));
  }
  return layout;
}

inline Generated grown(Generated layout, double growth) {
  layout.rate *= growth;
  return layout;
}

// What follows from shares, and what is measured beside, of which the lower one is recommended.
inline void check_headroom(const Generated& layout, const plan::Plan& plan) {
  if (plan.measured) {
    CHECK(plan.measured->holds <= plan.headroom.growth);
    CHECK(meets(grown(layout, plan.measured->holds)));
    CHECK(violates(grown(layout, 1.05 * std::min(plan.measured->fails.value_or(64.0),
                                                 plan.headroom.fails.value_or(plan.headroom.growth)))));
    return;
  }
  CHECK(meets(grown(layout, plan.headroom.growth)));
  CHECK(violates(grown(layout, 1.05 * plan.headroom.fails.value_or(plan.headroom.growth))));
}

// `bounded`: the search says that it was cut short, so that fewer may do.
inline void check_fewest(const Generated& layout, const plan::Fewest& of, bool bounded) {
  if (of.measured.value_or(study::Verdict::met) != study::Verdict::met) {
    return;
  }
  Generated fewest = layout;
  for (std::size_t zone = 0; zone < layout.counts.size(); ++zone) {
    fewest.counts[zone] = of.parts[zone].count;
  }
  CHECK(meets(fewest));
  for (std::size_t zone = 0; zone < layout.counts.size() && !bounded; ++zone) {
    Generated fewer = fewest;
    CAPTURE(zone, fewest.counts);
    if (--fewer.counts[zone] > 0) {
      if (of.measured) {
        // What is measured claims no minimum, but that the plan of fewer would not hold.
        CHECK_FALSE(plan_for(fewer).holds());
        continue;
      }
      const plan::Plan plan = plan_for(fewer, true);
      const bool counted =
          std::any_of(plan.rows.begin(), plan.rows.end(), [](const plan::Row& row) { return !row.exact; });
      CHECK(violates(fewer, counted));
    }
  }
}

inline void check_settings(const Generated& layout, const std::vector<plan::WhatIf>& what_ifs) {
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
inline std::size_t check_layouts(Generated (*generate)(std::uint32_t), std::uint32_t seeds) {
  std::size_t held = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const Generated layout = generate(seed);
    CAPTURE(seed, layout.planned_text());
    const plan::Plan plan = plan_for(layout);
    if (plan.judgement() != study::Verdict::undecided) {
      CHECK((plan.holds() ? meets(layout) : violates(layout)));
    }
    if (plan.headroom.growth > 0.0 && std::isfinite(plan.headroom.growth) &&
        (!plan.measured || plan.measured->holds > 0.0)) {
      ++held;
      check_headroom(layout, plan);
    }
    if (plan.fewest) {
      check_fewest(layout, *plan.fewest, plan.fewest_bounded);
    }
    for (std::size_t zone = 0; zone < plan.additions.size(); ++zone) {
      const double growth = plan.additions[zone].headroom.growth;
      if (growth > plan.headroom.growth && std::isfinite(growth) && !layout.routed() && !layout.p99) {
        Generated more = layout;
        ++more.counts[zone];
        CAPTURE(zone);
        CHECK(meets(grown(more, growth)));
      }
    }
    if (!layout.p99) {
      check_settings(layout, plan.what_ifs);
    }
  }
  return held;
}

}  // namespace spillway::support
