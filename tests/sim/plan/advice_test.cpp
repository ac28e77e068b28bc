// Advice of plans over generated systems, against arithmetic: round robin loads each endpoint that is left with
// rate / (100 x endpoints left), so the fewest and the cheapest layouts follow by brute force. Followed for 20
// durations, advice meets the objectives; with one endpoint less it does not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;

namespace {

using ZoneCounts = std::vector<std::uint32_t>;

constexpr double served = 100.0;
constexpr double most_utilisation = 0.8;

struct System {
  ZoneCounts counts;  // by zone
  std::vector<double> prices;
  double rate = 0.0;
  std::string policy;
  bool loses_any = false;  // any one endpoint is lost, instead of each zone

  [[nodiscard]] std::string text(const ZoneCounts& endpoints, const std::string& rest, int seconds) const {
    std::string zones;
    std::string groups;
    for (std::size_t zone = 0; zone < endpoints.size(); ++zone) {
      zones += fmt::format("{}{{ name: z{} }}", zone == 0 ? "" : ", ", zone);
      groups += fmt::format("      - {{ count: {}, zone: z{}, capacity: 100rps, price: {:.2f}/h }}\n", endpoints[zone],
                            zone, prices[zone]);
    }
    return fmt::format(
        "duration: {}s\nzones: [{}]\nservices:\n  - name: s\n    endpoints:\n{}clusters:\n  - {{ name: s, lb_policy: "
        "{}, "
        "common_lb_config: {{ healthy_panic_threshold: {{ value: 0 }} }} }}\nclients:\n  - {{ name: c, zone: z0, "
        "workload: {{ service: s, rate: {:.3f}rps }} }}\n{}",
        seconds, zones, groups, policy, rate, rest);
  }

  [[nodiscard]] double price_of(const ZoneCounts& endpoints) const {
    return std::inner_product(endpoints.begin(), endpoints.end(), prices.begin(), 0.0);
  }

  // True if the endpoints that are left stay at or below the limit, whichever zone or endpoint is lost.
  [[nodiscard]] bool meets(const ZoneCounts& endpoints) const {
    const std::uint32_t all = std::accumulate(endpoints.begin(), endpoints.end(), std::uint32_t{0});
    return std::all_of(endpoints.begin(), endpoints.end(), [&](std::uint32_t lost) {
      return rate <= most_utilisation * served * (all - (loses_any ? 1 : lost)) * (1.0 + 1e-9);
    });
  }
};

System generated(std::uint32_t seed) {
  std::mt19937 draw(seed);
  const auto below = [&](std::uint32_t number) { return static_cast<std::uint32_t>(draw() % number); };
  System system;
  const std::size_t zones = 2 + below(3);
  for (std::size_t zone = 0; zone < zones; ++zone) {
    system.counts.push_back(1 + below(6));
    system.prices.push_back(0.05 * (1 + below(20)));
  }
  system.rate = 40.0 + 10.0 * below(50) + 3.7;
  system.policy = below(2) == 0 ? "ROUND_ROBIN" : "LEAST_REQUEST";
  system.loses_any = below(3) == 0;
  return system;
}

constexpr std::uint32_t most_of_a_zone = 14;  // endpoints of a zone, in the search by force

template <class Visit>
void each_layout(std::size_t zones, Visit visit) {
  ZoneCounts endpoints(zones, 1);
  while (true) {
    visit(endpoints);
    std::size_t zone = 0;
    while (zone < zones && ++endpoints[zone] > most_of_a_zone) {
      endpoints[zone++] = 1;
    }
    if (zone == zones) {
      return;
    }
  }
}

ZoneCounts counts_of(const plan::Fewest& layout) {
  ZoneCounts counts;
  for (const plan::Part& part : layout.parts) {
    counts.push_back(part.count);
  }
  return counts;
}

// Returns the mean utilisation of the busiest endpoint over 20 durations with a zone, or its first endpoint, reported
// unhealthy from the start, and the number of failed requests.
std::pair<double, std::uint64_t> followed(const System& system, const ZoneCounts& endpoints, std::size_t zone) {
  constexpr int seconds = 20 * 10;
  const std::string of_zone = fmt::format("service: s, zone: z{}, healthy: 0%", zone);
  const std::string lost =
      fmt::format("timeline: [{{ at: 0s, {} }}]\n", system.loses_any ? "endpoints: [s-1], healthy: 0%" : of_zone);
  const scenario::ScenarioTemplate base("advice.yaml", system.text(endpoints, lost, seconds));
  REQUIRE(base.reading().scenario);
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.endpoint_loads = true;
  const run::Results results = run::run(*base.reading().scenario, options);
  std::uint64_t failed = 0;
  for (const run::Outcomes& outcomes : results.outcomes) {
    failed += outcomes.sent - outcomes.ok() - outcomes[scenario::Outcome::unfinished];
  }
  std::map<std::uint32_t, double> busy;  // seconds
  for (const run::EndpointLoad& load : results.endpoints) {
    busy[load.endpoint.value] +=
        load.utilisation.value_or(0.0) * std::chrono::duration<double>(load.end - load.start).count();
  }
  double busiest = 0.0;
  for (const auto& [endpoint, of] : busy) {
    busiest = std::max(busiest, of / seconds);
  }
  return {busiest, failed};
}

void check_advice(std::uint32_t seed) {
  const System system = generated(seed);
  CAPTURE(seed, system.counts, system.prices, system.rate, system.policy);
  const scenario::ScenarioTemplate base(
      "advice.yaml", system.text(system.counts,
                                 fmt::format("objectives: [{{ utilisation: 80% }}]\nfailures: [{{ {} }}]\n",
                                             system.loses_any ? "any: 1, of: endpoints" : "each: zone"),
                                 10));
  REQUIRE(base.reading().scenario);
  const plan::Plan plan = std::get<plan::Plan>(plan::make_plan(base, {}));
  CHECK(plan.holds() == system.meets(system.counts));
  std::uint32_t fewest = UINT32_MAX;
  double cheapest = 1e300;
  double cheapest_more = 1e300;
  each_layout(system.counts.size(), [&](const ZoneCounts& endpoints) {
    if (!system.meets(endpoints)) {
      return;
    }
    fewest = std::min(fewest, std::accumulate(endpoints.begin(), endpoints.end(), std::uint32_t{0}));
    cheapest = std::min(cheapest, system.price_of(endpoints));
    if (std::equal(endpoints.begin(), endpoints.end(), system.counts.begin(), std::greater_equal<>())) {
      cheapest_more = std::min(cheapest_more, system.price_of(endpoints));
    }
  });
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == fewest);
  REQUIRE(plan.cheapest);
  CHECK(plan.cheapest->price.value() == Approx(cheapest));
  REQUIRE(plan.purchase.has_value() == !plan.holds());
  if (plan.purchase) {
    CHECK(plan.purchase->price.value() == Approx(cheapest_more));
  }
  if (plan.next_step) {
    ZoneCounts larger = system.counts;
    for (const plan::Part& part : plan.next_step->parts) {
      larger[part.group.zone.value] += part.count;
    }
    System grown = system;
    grown.rate = system.rate * (plan.headroom.growth + plan.next_step->gain / 2.0);
    CHECK(grown.meets(larger));
    CHECK_FALSE(grown.meets(system.counts));
  }
  for (const plan::Fewest* const advice : {&*plan.fewest, &*plan.cheapest}) {
    const ZoneCounts endpoints = counts_of(*advice);
    for (std::size_t zone = 0; zone < endpoints.size(); ++zone) {
      ZoneCounts less = endpoints;
      --less[zone];
      CHECK((less[zone] == 0 || !system.meets(less)));
    }
    // The zone that leaves the fewest endpoints.
    const auto largest =
        static_cast<std::size_t>(std::max_element(endpoints.begin(), endpoints.end()) - endpoints.begin());
    const auto [utilisation, failed] = followed(system, endpoints, largest);
    constexpr double error_of_counting = 0.02;
    CHECK(utilisation <= most_utilisation + error_of_counting);
    CHECK(failed == 0);
  }
}

}  // namespace

TEST_CASE("advice of plans of generated systems holds when it is followed, and no less is enough", "[plan]") {
  for (std::uint32_t seed = 1; seed <= support::cases_of(20); ++seed) {
    check_advice(seed);
  }
}

TEST_CASE("advice of 200 generated systems holds when it is followed, and no less is enough", "[.advice]") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    check_advice(seed);
  }
}
