// Whatever a plan recommends, where no zone proxy keeps requests on connections (one connection of a client is one
// endpoint behind it, while exact shares are those of many connections), is applied to the scenario, which then runs by
// requests with real outages that the scenario writes itself: after a warm-up endpoints of a zone stop to answer, and
// proxies are told at the same moment.
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
constexpr int outage = 60;

// A generated scenario; what plans recommend are other numbers in it.
struct Generated {
  std::vector<std::uint32_t> counts;  // by zone
  double rate = 0.0;                  // of the clients in each zone
  bool retries = false;
  std::string told;  // of what is lost
  std::string factor;
  std::string panic;

  [[nodiscard]] std::string zone(std::size_t index) const { return fmt::format("z{}", index); }

  [[nodiscard]] std::string text(int seconds, const std::string& rest) const {
    std::string zones;
    std::string endpoints;
    std::string clients;
    for (std::size_t index = 0; index < counts.size(); ++index) {
      zones += fmt::format("{}{{ name: {} }}", index == 0 ? "" : ", ", zone(index));
      endpoints +=
          fmt::format("      - {{ count: {}, zone: {}, capacity: {}rps }}\n", counts[index], zone(index), served_rate);
      clients +=
          fmt::format("  - {{ name: c{0}, zone: {1}, workload: {{ {2}, rate: {3:.3f}rps, arrivals: periodic }} }}\n",
                      index, zone(index), retries ? "requests: [{ path: / }]" : "service: s", rate);
    }
    std::string text = fmt::format("duration: {}s\nzones: [{}]\nservices:\n  - name: s\n    endpoints:\n{}clients:\n{}",
                                   seconds, zones, endpoints, clients);
    text += fmt::format(
        "clusters:\n  - name: s\n    lb_policy: {}\n    common_lb_config: {{ healthy_panic_threshold: "
        "{{ value: {} }} }}\n    circuit_breakers: {{ thresholds: [{{ max_retries: 1000 }}] }}\n",
        retries ? "RANDOM" : "ROUND_ROBIN", panic);
    if (retries) {
      text +=
          "routes:\n  - match: { prefix: / }\n    route:\n      cluster: s\n      retry_policy: { retry_on: "
          "connect-failure, num_retries: 1 }\n";
    }
    return text + rest;
  }

  [[nodiscard]] std::string planned_text() const {
    return text(outage, fmt::format("failures: [{{ each: zone, told: {} }}]\n", told));
  }

  [[nodiscard]] std::string played_text(std::size_t lost) const {
    std::string timeline = "timeline:\n";
    if (lost < counts.size()) {
      const std::string change = told == "removed" ? "remove: 100%" : "healthy: 0%";
      timeline += fmt::format(
          "  - {{ at: {0}s, service: s, zone: {1}, {2} }}\n"
          "  - {{ at: {0}s, service: s, zone: {1}, outage: true }}\n",
          warm_up, zone(lost), change);
    } else {
      timeline = "";
    }
    return text(warm_up + outage, timeline);
  }
};

struct Seen {
  double utilisation = 0.0;  // of the busiest endpoint
  double half_width = 0.0;   // relative, of a count
  std::uint64_t failed = 0;
};

// What a run shows after the outage of one zone began; of no zone: all of it.
Seen played(const Generated& layout, std::size_t lost) {
  const std::string text = layout.played_text(lost);
  CAPTURE(text);
  const scenario::ScenarioTemplate base("played.yaml", text);
  REQUIRE(base.reading().scenario);
  run::Options options;
  options.mode = scenario::Mode::requests;
  const run::Results results = run::run(*base.reading().scenario, options);
  const bool is_lost = lost < layout.counts.size();
  std::map<std::pair<std::uint32_t, std::uint32_t>, run::Nanoseconds> starts;
  for (const run::Epoch& epoch : results.epochs) {
    starts[{epoch.client.value, epoch.index}] = epoch.start;
  }
  const auto counts = [&](const auto& row) {
    return !is_lost || starts[{row.client.value, row.epoch}] >= std::chrono::seconds{warm_up};
  };
  Seen seen;
  std::map<std::string, std::uint64_t> attempts;
  for (const run::Share& share : results.shares) {
    if (counts(share) && (!is_lost || share.zone != layout.zone(lost))) {
      attempts[share.endpoint] += *share.attempts;
    }
  }
  for (const run::Outcomes& outcomes : results.outcomes) {
    seen.failed += counts(outcomes) ? outcomes.sent - outcomes.ok : 0;
  }
  const double seconds = is_lost ? outage : outage + warm_up;
  for (const auto& [endpoint, number] : attempts) {
    const double utilisation = static_cast<double>(number) / (seconds * served_rate);
    if (utilisation > seen.utilisation) {
      // Five standard deviations of a Poisson count, of the largest of some: once in millions.
      constexpr double deviations = 5.0;
      seen = {utilisation, deviations / std::sqrt(static_cast<double>(number)), seen.failed};
    }
  }
  return seen;
}

// Whether no failure of the layout is seen to violate an objective.
bool meets(const Generated& layout) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = played(layout, lost);
    if (seen.failed > 0 || seen.utilisation * (1.0 - seen.half_width) > allowed) {
      return false;
    }
  }
  return true;
}

// Whether some failure violates an objective by what is counted.
bool violates(const Generated& layout) {
  for (std::size_t lost = 0; lost <= layout.counts.size(); ++lost) {
    const Seen seen = played(layout, lost);
    if (seen.failed > 0 || seen.utilisation > allowed) {
      return true;
    }
  }
  return false;
}

plan::Plan plan_for(const Generated& layout) {
  const scenario::ScenarioTemplate base("plan.yaml", layout.planned_text());
  REQUIRE(base.reading().scenario);
  plan::Request request;
  request.effort = {.replications = 3, .jobs = 2};
  auto made = plan::make_plan(base, request);
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

Generated generated(std::uint32_t seed) {
  std::minstd_rand draws(seed);
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    return from + static_cast<std::uint32_t>(draws() % (to - from + 1));
  };
  Generated layout;
  const std::uint32_t zones = draw(2, 3);
  for (std::uint32_t zone = 0; zone < zones; ++zone) {
    layout.counts.push_back(draw(3, 6));
  }
  layout.retries = seed % 3 == 1 && zones == 3;
  layout.told = seed % 2 == 0 ? "unhealthy" : "removed";
  layout.panic = std::to_string(25 * draw(0, 2));
  layout.rate = 10.0 * draw(5, 14);
  return layout;
}

Generated grown(Generated layout, double growth) {
  layout.rate *= growth;
  return layout;
}

}  // namespace

TEST_CASE("what a plan recommends holds under real outages, and what it rules out does not", "[plan]") {
  std::size_t held = 0;
  for (std::uint32_t seed = 1; seed <= 9; ++seed) {
    const Generated layout = generated(seed);
    CAPTURE(seed, layout.planned_text());
    const plan::Plan plan = plan_for(layout);
    if (plan.judgement() != plan::Judgement::open) {
      CHECK((plan.holds() ? meets(layout) : violates(layout)));
    }
    if (plan.headroom.growth > 0.0 && std::isfinite(plan.headroom.growth)) {
      ++held;
      CHECK(meets(grown(layout, plan.headroom.growth)));
      CHECK(violates(grown(layout, 1.05 * plan.headroom.fails.value_or(plan.headroom.growth))));
    }
    if (plan.fewest) {
      Generated fewest = layout;
      for (std::size_t zone = 0; zone < layout.counts.size(); ++zone) {
        fewest.counts[zone] = plan.fewest->parts[zone].count;
      }
      CHECK(meets(fewest));
      for (std::size_t zone = 0; zone < layout.counts.size(); ++zone) {
        Generated fewer = fewest;
        CAPTURE(zone);
        if (--fewer.counts[zone] > 0) {
          CHECK(violates(fewer));
        }
      }
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
    for (const plan::WhatIf& what_if : plan.what_ifs) {
      if (what_if.setting == "healthy_panic_threshold" && what_if.worst.holds()) {
        Generated set = layout;
        set.panic = what_if.value;
        CAPTURE(what_if.value);
        CHECK(meets(set));
      }
    }
  }
  // Not all of them are beyond help.
  CHECK(held >= 3);
}
