// One scenario simulated in several ways.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/parts/side_by_side.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/metamorphic/relation.hpp"
#include "tests/metamorphic/tree.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using namespace spillway::metamorphic;

namespace {

scenario::Scenario scenario_of(const Json& scenario) {
  return scenario::read_scenario_text("scenario.json", scenario.dump()).scenario.value();
}

// The counts of both in one, row by row.
Answers sum_of(const std::vector<Answers>& all) {
  Answers sum = all.front();
  for (std::size_t number = 1; number < all.size(); ++number) {
    for (const auto& [place, cell] : all[number].cells) {
      sum.cells[place].requests += cell.requests;
      sum.cells[place].attempts += cell.attempts;
    }
    for (const auto& [row, ended] : all[number].ended) {
      for (std::size_t count = 0; count < ended.counts.size(); ++count) {
        sum.ended[row].counts[count] += ended.counts[count];
      }
    }
  }
  return sum;
}

// A tenth of the first exact share goes to another host, as a wrong program would have it; nullopt if no share is
// exact.
std::optional<Answers> with_wrong_share(Answers answers) {
  for (auto& [place, cell] : answers.cells) {
    if (cell.exact.value_or(0.0) > 0.0) {
      cell.exact = 0.9 * *cell.exact;
      return answers;
    }
  }
  return std::nullopt;
}

void check_same(const Answers& left, const Answers& right) {
  CHECK(left.fingerprint == right.fingerprint);
  CHECK(compare(Promise::everything, left, right).difference == "");
}

}  // namespace

TEST_CASE("a run without requests has the exact shares of one with them") {
  // Where proxies find out for themselves, exact shares of a run are those of the states that it met.
  std::size_t spoilt_found = 0;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    if (mentions_any(drawn, {"outlier", "health_checks", "MeshCircuitBreaker", "MeshHealthCheck"})) {
      return true;
    }
    INFO(world << ": " << drawn.dump());
    const Answers counted = answers_of(drawn);
    const Answers exact = answers_of(drawn, {.mode = scenario::Mode::exact, .seed = {}});
    CHECK(compare(Promise::known_shares, counted, exact).difference == "");
    if (const auto wrong = with_wrong_share(exact)) {
      spoilt_found += compare(Promise::known_shares, counted, *wrong).difference.empty() ? 0 : 1;
    }
    return true;
  });
  CHECK(spoilt_found > 0);
}

TEST_CASE("what is exact without requests is what a run counts") {
  std::size_t rows = 0;
  std::size_t spoilt_found = 0;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    const Answers exact = answers_of(drawn, {.mode = scenario::Mode::exact, .seed = {}});
    const Answers counted = answers_of(drawn);
    for (const auto& [row, ended] : counted.ended) {
      std::vector<std::uint64_t> counts;
      std::vector<double> shares;
      bool known = ended.counts[0] > 0;
      std::uint64_t found = 0;
      double whole = 0.0;
      for (const auto& [place, cell] : exact.cells) {
        if (place.row == row) {
          known = known && cell.exact.has_value();
          const auto count = counted.cells.find(place);
          counts.push_back(count == counted.cells.end() ? 0 : count->second.requests);
          shares.push_back(cell.exact.value_or(0.0));
          found += counts.back();
          whole += shares.back();
        }
      }
      if (known && !counts.empty()) {
        counts.push_back(ended.counts[0] - found);
        shares.push_back(whole > 1.0 - 1e-9 ? 0.0 : 1.0 - whole);
        INFO(world << ", " << row.client << " from " << row.start.count() << " ns: " << drawn.dump());
        CHECK(support::g_test(counts, shares) > 1e-10);
        ++rows;
        // Exactly nothing where some requests went.
        const auto most = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
        if (spoilt_found == 0 && shares.size() > 1) {
          const double moved = std::exchange(shares[most], 0.0);
          shares[most == 0 ? 1 : 0] += moved;
          spoilt_found += support::g_test(counts, shares) > 1e-10 ? 0 : 1;
        }
      }
    }
    return true;
  });
  CHECK(rows >= support::cases_of(20));
  CHECK(spoilt_found > 0);
}

TEST_CASE("counts of replications are those of their runs together") {
  std::size_t spoilt_found = 0;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    INFO(world << ": " << drawn.dump());
    const scenario::Scenario scenario = scenario_of(drawn);
    if (scenario.mode != scenario::Mode::requests) {
      return true;
    }
    constexpr std::uint32_t count = 3;
    const auto together = run::replicate(scenario, {}, {.count = count, .jobs = 1});
    REQUIRE(together.results);
    std::vector<Answers> runs;
    for (std::uint32_t number = 0; number < count; ++number) {
      runs.push_back(answers_of(
          scenario, run::run(scenario, {.mode = {}, .seed = run::seed_of_replication(scenario.seed, number)})));
    }
    const Answers sum = sum_of(runs);
    const Answers all = answers_of(scenario, *together.results);
    for (const auto& [place, cell] : sum.cells) {
      INFO(place.row.client << " " << place.row.start.count() << " " << place.endpoint);
      if (cell.attempts > 0) {
        REQUIRE(all.cells.contains(place));
        CHECK(all.cells.at(place).requests == cell.requests);
        CHECK(all.cells.at(place).attempts == cell.attempts);
      }
    }
    for (const auto& [row, ended] : sum.ended) {
      CHECK(all.ended.at(row).counts == ended.counts);
      // Without the last run.
      const Answers fewer = spoilt_found == 0 ? sum_of({runs[0], runs[1]}) : Answers{};
      spoilt_found += spoilt_found == 0 && all.ended.at(row).counts != fewer.ended.at(row).counts ? 1 : 0;
    }
    return true;
  });
  CHECK(spoilt_found > 0);
}

TEST_CASE("replications and parts in two processes are those in one") {
  bool spoilt_found = false;
  for_each_world([&](const std::string& world, const Json& drawn, Dice) {
    INFO(world << ": " << drawn.dump());
    const scenario::Scenario scenario = scenario_of(drawn);
    const auto whole = run::run_side_by_side(scenario, {}, {.jobs = 1, .least_requests = 0.0});
    const auto parts = run::run_side_by_side(scenario, {}, {.jobs = 2, .least_requests = 0.0});
    REQUIRE(whole.results);
    REQUIRE(parts.results);
    check_same(answers_of(scenario, *whole.results), answers_of(scenario, *parts.results));
    const auto one = run::replicate(scenario, {}, {.count = 2, .jobs = 1});
    const auto two = run::replicate(scenario, {}, {.count = 2, .jobs = 2});
    REQUIRE(one.results);
    REQUIRE(two.results);
    check_same(answers_of(scenario, *one.results), answers_of(scenario, *two.results));
    if (!spoilt_found) {
      const scenario::Scenario other = scenario_of(with_other_draws(drawn));
      const auto draws = run::replicate(other, {}, {.count = 2, .jobs = 2});
      spoilt_found = draws.results && !compare(Promise::everything, answers_of(scenario, *one.results),
                                               answers_of(other, *draws.results))
                                           .difference.empty();
    }
    return true;
  });
  CHECK(spoilt_found);
}
