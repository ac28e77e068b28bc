#include "sim/run/outcome_windows.hpp"

#include <algorithm>

#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

namespace {

using scenario::Window;

bool is_cut(const std::vector<Epoch>& epochs, Nanoseconds moment) {
  return std::any_of(epochs.begin(), epochs.end(),
                     [moment](const Epoch& epoch) { return epoch.start < moment && moment < epoch.end; });
}

std::vector<Outcomes> sums(const std::vector<Window>& windows, const Results& results) {
  std::vector<Outcomes> all(windows.size());
  for (const Outcomes& row : results.outcomes) {
    const auto epoch = std::find_if(results.epochs.begin(), results.epochs.end(), [&row](const Epoch& candidate) {
      return candidate.client == row.client && candidate.service == row.service && candidate.index == row.epoch;
    });
    for (std::size_t window = 0; window < windows.size(); ++window) {
      if (windows[window].first <= epoch->start && epoch->start < windows[window].second) {
        add(all[window], row);
      }
    }
  }
  return all;
}

}  // namespace

std::vector<Outcomes> outcomes_in_windows(const scenario::Scenario& scenario, const Options& options,
                                          const Results& results) {
  const std::vector<Window> windows = scenario::outcome_windows(scenario.expectations);
  if (windows.empty() || results.mode == scenario::Mode::exact) {
    return {};
  }
  Options with_cuts{.mode = options.mode, .seed = options.seed};
  with_cuts.measured_from = options.measured_from;
  with_cuts.cuts = options.cuts;
  for (const auto& [from, to] : windows) {
    for (const Nanoseconds moment : {from, to}) {
      if (is_cut(results.epochs, moment)) {
        with_cuts.cuts.push_back(moment);
      }
    }
  }
  if (with_cuts.cuts.size() == options.cuts.size()) {
    return sums(windows, results);
  }
  std::sort(with_cuts.cuts.begin(), with_cuts.cuts.end());
  with_cuts.cuts.erase(std::unique(with_cuts.cuts.begin(), with_cuts.cuts.end()), with_cuts.cuts.end());
  scenario::Scenario once_more = scenario;
  once_more.expectations.clear();
  return sums(windows, run(once_more, with_cuts));
}

}  // namespace spillway::run
