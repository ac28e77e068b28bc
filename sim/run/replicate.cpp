// Replications, one after the other or in parallel; replications.cpp combines their results.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/fork_pool.hpp"
#include "sim/run/parts/side_by_side.hpp"
#include "sim/run/records/results_bytes.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

double widest_ci95(const Results& results) {
  double widest = 0.0;
  for (const ShareBlock& block : results.shares.blocks()) {
    if (block.counted && !block.counted->ci95.empty()) {
      widest = std::max(widest, *std::max_element(block.counted->ci95.begin(), block.counted->ci95.end()));
    }
  }
  return widest;
}

namespace {

// Adds replications from `all.size()` on, up to `count` in all. Returns an error message; empty if there was no error.
std::string add_replications(const scenario::Scenario& scenario, const Options& options, std::size_t count,
                             std::size_t jobs, const std::function<void(std::size_t)>& done, std::vector<Results>& all,
                             bool& stopped) {
  const std::uint64_t seed = options.seed.value_or(scenario.seed);
  const std::size_t first = all.size();
  const auto answers = fork_map(
      count - first, jobs,
      [&](std::size_t number) {
        Options own = options;
        own.seed = seed_of_replication(seed, static_cast<std::uint32_t>(first + number));
        own.progress = {};
        own.latency_cells = true;
        return results_to_bytes(run(scenario, own));
      },
      [&](std::size_t finished) {
        if (done) {
          done(first + finished);
        }
      });
  for (std::size_t number = 0; number < answers.size(); ++number) {
    if (answers[number].stopped) {
      stopped = true;
      continue;
    }
    if (!answers[number].succeeded) {
      return fmt::format("replication {}: {}", first + number, answers[number].failure);
    }
    all.push_back(results_from_bytes(answers[number].bytes));
  }
  return "";
}

// Returns the number of replications that should be enough. Intervals shrink with the square root of the number. At
// most four times as many at once, because the first intervals are of few replications and inaccurate.
std::size_t enough(std::size_t count, double width, double wanted, std::size_t most) {
  const double ratio = std::min(1.1 * width * width / (wanted * wanted), 4.0);
  const auto more = static_cast<std::size_t>(std::ceil(static_cast<double>(count) * ratio));
  return std::min(std::max(more, count + 1), most);
}

}  // namespace

Replicated replicate(const scenario::Scenario& scenario, const Options& options, const Replications& replications,
                     const std::function<void(std::size_t finished)>& done) {
  if (replications.count <= 1 || options.mode.value_or(scenario.mode) == scenario::Mode::exact) {
    SideBySide simulated = run_side_by_side(scenario, options, {.jobs = replications.jobs});
    return {std::move(simulated.results), std::move(simulated.failure), simulated.stopped};
  }
  constexpr std::size_t at_first = 4;
  std::size_t count =
      replications.until_ci95 ? std::min<std::size_t>(at_first, replications.count) : replications.count;
  std::vector<Results> all;
  bool stopped = false;
  while (true) {
    const std::string failure = add_replications(scenario, options, count, replications.jobs, done, all, stopped);
    if (!failure.empty()) {
      return {std::nullopt, failure};
    }
    if (all.empty()) {
      return {std::nullopt, "stopped before the first replication was complete", true};
    }
    Results sum = summarise(all);
    const double width = !replications.until_ci95 ? 0.0
                         : replications.widest    ? replications.widest(sum)
                                                  : widest_ci95(sum);
    if (stopped || count == replications.count || width <= replications.until_ci95.value_or(width)) {
      return {std::move(sum), "", stopped};
    }
    count = enough(count, width, *replications.until_ci95, replications.count);
  }
}

}  // namespace spillway::run
