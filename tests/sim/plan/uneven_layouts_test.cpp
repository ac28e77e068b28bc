// Layouts of plans of generated systems with weights, priorities and panic, against brute force over all layouts:
// there, more endpoints can be worse. The shares are of Envoy's documentation: availability with the factor 140, loads
// of priorities in whole per cents, panic below half of the hosts, and round robin by weight.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;

namespace {

struct UnevenGroup {
  std::uint32_t count = 1;
  double served = 100.0;
  std::uint32_t weight = 1;
  std::size_t priority = 0;
  double price = 0.1;
};

struct UnevenSystem {
  using Counts = std::vector<std::uint32_t>;

  std::vector<UnevenGroup> groups;
  double rate = 100.0;
  double limit = 0.8;
  bool loses_zones = true;
  bool loses_any = false;

  [[nodiscard]] Counts present() const {
    Counts counts;
    for (const UnevenGroup& group : groups) {
      counts.push_back(group.count);
    }
    return counts;
  }

  [[nodiscard]] double price_of(const Counts& counts) const {
    double price = 0.0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      price += groups[group].price * counts[group];
    }
    return price;
  }

  [[nodiscard]] std::string text() const {
    std::string zones;
    std::string endpoints;
    for (std::size_t index = 0; index < groups.size(); ++index) {
      const UnevenGroup& of = groups[index];
      const char* const comma = index == 0 ? "" : ", ";
      zones += fmt::format("{}{{ name: z{} }}", comma, index);
      endpoints +=
          fmt::format("{}{{ count: {}, zone: z{}, capacity: {}rps, weight: {}, priority: {}, price: {:.2f}/h }}", comma,
                      of.count, index, of.served, of.weight, of.priority, of.price);
    }
    return fmt::format(
        "duration: 10s\nmode: exact\nzones: [{}]\nservices: [{{ name: s, endpoints: [{}] }}]\nclients: [{{ name: x, "
        "zone: z0, workload: {{ service: s, rate: {}rps }} }}]\nobjectives: [{{ utilisation: {:.0f}%, error_share: 0% "
        "}}]\nfailures: [{}{}{}]\n",
        zones, endpoints, rate, limit * 100.0, loses_zones ? "{ each: zone }" : "",
        loses_zones && loses_any ? ", " : "", loses_any ? "{ any: 1, of: endpoints }" : "");
  }

  // Returns the share of the requests that one healthy endpoint of each group gets; nullopt if panic sends some to
  // unhealthy ones, or if no endpoint is healthy.
  [[nodiscard]] std::optional<std::vector<double>> shares(const Counts& counts, const Counts& healthy) const {
    const auto sum_of = [&](const Counts& of, std::size_t priority, bool weighted) {
      std::uint32_t sum = 0;
      for (std::size_t group = 0; group < groups.size(); ++group) {
        sum += groups[group].priority == priority ? of[group] * (weighted ? groups[group].weight : 1) : 0;
      }
      return sum;
    };
    constexpr std::size_t priorities = 2;
    std::vector<std::uint32_t> available;
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      const std::uint32_t all = sum_of(counts, priority, false);
      available.push_back(all == 0 ? 0 : std::min(100U, 140 * sum_of(healthy, priority, false) / all));
    }
    const std::uint32_t total = std::min(100U, available[0] + available[1]);
    if (total == 0) {
      return std::nullopt;
    }
    std::vector<std::uint32_t> loads = {std::min(100U, available[0] * 100 / total), 0};
    loads[1] = std::min(100U - loads[0], available[1] * 100 / total);
    loads[available[0] > 0 ? 0 : 1] += 100U - loads[0] - loads[1];
    std::vector<double> shares(groups.size(), 0.0);
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      const std::uint32_t all = sum_of(counts, priority, false);
      const std::uint32_t left = sum_of(healthy, priority, false);
      if (loads[priority] > 0 && left < all && available[0] + available[1] < 100 && 100 * left < 50 * all) {
        return std::nullopt;
      }
      for (std::size_t group = 0; group < groups.size(); ++group) {
        if (groups[group].priority == priority && healthy[group] > 0) {
          shares[group] = loads[priority] / 100.0 * groups[group].weight / sum_of(healthy, priority, true);
        }
      }
    }
    return shares;
  }

  [[nodiscard]] bool meets(const Counts& counts, const Counts& healthy) const {
    const auto shares_of = shares(counts, healthy);
    for (std::size_t group = 0; shares_of && group < groups.size(); ++group) {
      if (rate * (*shares_of)[group] > limit * groups[group].served * (1.0 + 1e-9)) {
        return false;
      }
    }
    return shares_of.has_value();
  }

  [[nodiscard]] bool meets(const Counts& counts) const {
    bool all = meets(counts, counts);
    for (std::size_t group = 0; group < groups.size() && all; ++group) {
      Counts healthy = counts;
      healthy[group] = 0;
      all = !loses_zones || meets(counts, healthy);
      healthy[group] = counts[group] - 1;
      all = all && (!loses_any || meets(counts, healthy));
    }
    return all;
  }
};

UnevenSystem uneven_system(std::uint32_t seed) {
  std::mt19937 draw(seed);
  const auto below = [&](std::uint32_t number) { return static_cast<std::uint32_t>(draw() % number); };
  UnevenSystem system;
  const std::size_t number = 2 + below(2);
  for (std::size_t group = 0; group < number; ++group) {
    constexpr std::array capacities = {50.0, 80.0, 100.0, 120.0};
    constexpr std::array weights = {1U, 1U, 1U, 2U, 3U};
    constexpr std::array prices = {0.05, 0.1, 0.12, 0.2, 0.4};
    system.groups.push_back(
        {1 + below(5), capacities[below(4)], weights[below(5)], group == 2 ? below(2) : 0, prices[below(5)]});
  }
  constexpr std::array rates = {90.0, 150.0, 200.0, 260.0, 333.0};
  system.rate = rates[below(5)];
  system.limit = 0.7 + 0.1 * below(3);
  const std::uint32_t failures = below(3);
  system.loses_zones = failures != 1;
  system.loses_any = failures != 0;
  return system;
}

void check_layouts(std::uint32_t seed) {
  constexpr std::uint32_t most = 13;
  const UnevenSystem system = uneven_system(seed);
  CAPTURE(seed, system.text());
  const UnevenSystem::Counts present = system.present();
  std::uint32_t fewest = UINT32_MAX;
  double price_of_fewest = 1e300;
  double cheapest = 1e300;
  double cheapest_more = 1e300;
  UnevenSystem::Counts counts(system.groups.size(), 1);
  for (bool is_last = false; !is_last;) {
    if (system.meets(counts)) {
      const std::uint32_t endpoints = std::accumulate(counts.begin(), counts.end(), 0U);
      const double price = system.price_of(counts);
      price_of_fewest = endpoints < fewest    ? price
                        : endpoints == fewest ? std::min(price_of_fewest, price)
                                              : price_of_fewest;
      fewest = std::min(fewest, endpoints);
      cheapest = std::min(cheapest, price);
      const bool has_all = std::equal(counts.begin(), counts.end(), present.begin(), std::greater_equal<>());
      cheapest_more = has_all ? std::min(cheapest_more, price) : cheapest_more;
    }
    std::size_t group = 0;
    while (group < counts.size() && ++counts[group] > most) {
      counts[group++] = 1;
    }
    is_last = group == counts.size();
  }
  if (fewest > most) {
    return;  // fewer of more endpoints than were tried may be cheaper
  }
  const scenario::ScenarioTemplate base("uneven.yaml", system.text());
  REQUIRE(base.reading().scenario);
  const plan::Plan plan = std::get<plan::Plan>(plan::make_plan(base, {}));
  CHECK(plan.holds() == system.meets(present));
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == fewest);
  CHECK(plan.fewest->price.value() == Approx(price_of_fewest));
  REQUIRE(plan.cheapest);
  CHECK(plan.cheapest->price.value() <= cheapest * (1.0 + 1e-9));
  if (plan.purchase && cheapest_more < 1e300) {
    CHECK(plan.purchase->price.value() <= cheapest_more * (1.0 + 1e-9));
  }
}

}  // namespace

TEST_CASE("the fewest and the cheapest endpoints are those of brute force where more can be worse", "[plan]") {
  for (std::uint32_t seed = 1; seed <= support::cases_of(30); ++seed) {
    check_layouts(seed);
  }
}

TEST_CASE("layouts of 200 systems in which more can be worse are those of brute force", "[.advice]") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    check_layouts(seed);
  }
}
