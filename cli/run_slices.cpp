#include "cli/run_slices.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "cli/arguments.hpp"
#include "reports/shares/printed_cells.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

constexpr std::int64_t most_slices = 100'000;
// Limit of rows that were not requested: more events would make the table too long to read.
constexpr std::size_t most_rows_unasked = 100;

// Limit of additional JSON cells that were not requested.
constexpr double most_cells_unasked = 1e6;

bool shows_rows(const Arguments& arguments) {
  return arguments.show == reports::Show::shares || arguments.show == reports::Show::requests;
}

// Returns both sets of times, sorted and unique; without `moments` if there are more than `most`.
std::vector<run::Nanoseconds> with_moments(std::vector<run::Nanoseconds> cuts,
                                           const std::vector<run::Nanoseconds>& moments, std::size_t most) {
  if (moments.size() <= most) {
    cuts.insert(cuts.end(), moments.begin(), moments.end());
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }
  return cuts;
}

// True if proxies check or eject hosts by themselves.
bool find_out(const scenario::Scenario& scenario) {
  return std::any_of(scenario.services.begin(), scenario.services.end(), [](const scenario::Service& service) {
    return !service.cluster.health_checks.empty() || service.cluster.outlier_detection;
  });
}

// Returns when an endpoint, node or link first fails; nullopt if none does.
std::optional<run::Nanoseconds> first_failure(const scenario::Scenario& scenario) {
  struct GoesWrong {
    bool operator()(const scenario::Existence& effect) const { return !effect.exists; }
    bool operator()(const scenario::NodeOutage& effect) const { return !effect.on; }
    bool operator()(const scenario::LinkChange& effect) const { return !effect.on.value_or(true); }
    bool operator()(const scenario::Fails& effect) const { return effect.fraction > 0.0 || effect.every > 0; }
    bool operator()(const scenario::AnswersChecks& effect) const {
      return effect.answer != scenario::CheckAnswer::healthy;
    }
    bool operator()(const scenario::Slow& effect) const { return effect.slowness > 1.0; }
    bool operator()(const scenario::EdsHealth& /*effect*/) const { return false; }
    bool operator()(const scenario::EdsMembership& /*effect*/) const { return false; }
    bool operator()(const scenario::EdsWeights& /*effect*/) const { return false; }
    bool operator()(const scenario::EdsPriority& /*effect*/) const { return false; }
    bool operator()(const config::RuntimeChange& /*effect*/) const { return false; }
    bool operator()(const scenario::RateChange& /*effect*/) const { return false; }
  };
  for (const scenario::Change& change : scenario.changes) {
    if (std::visit(GoesWrong{}, change.effect)) {
      return change.at;
    }
  }
  return std::nullopt;
}

// Returns a round length of which at most `most` fit into the period.
run::Nanoseconds round_length(run::Nanoseconds stretch, std::int64_t most) {
  using std::chrono::milliseconds;
  for (std::int64_t unit = 1; unit < std::int64_t{1'000'000'000}; unit *= 10) {
    for (const std::int64_t times : {1, 2, 5}) {
      if (milliseconds{unit * times} * most >= stretch) {
        return milliseconds{unit * times};
      }
    }
  }
  return stretch;
}

// Returns cuts into rows of equal length after the first failure, since detection by proxies moves traffic at times not
// in the scenario. There are at most 12 rows, none shorter than half of that length.
std::vector<run::Nanoseconds> rows_after_failure(const scenario::Scenario& scenario,
                                                 const std::vector<run::Nanoseconds>& moments) {
  constexpr std::int64_t most = 12;
  const auto failure = find_out(scenario) ? first_failure(scenario) : std::nullopt;
  if (!failure) {
    return {};
  }
  const run::Nanoseconds length = round_length(scenario.duration - *failure, most);
  std::vector<run::Nanoseconds> cuts;
  for (run::Nanoseconds at = (*failure / length + 1) * length; at + length / 2 <= scenario.duration; at += length) {
    const bool near = std::any_of(moments.begin(), moments.end(),
                                  [&](run::Nanoseconds moment) { return std::chrono::abs(moment - at) < length / 2; });
    if (!near && at - *failure >= length / 2) {
      cuts.push_back(at);
    }
  }
  return cuts;
}

}  // namespace

Slicing slicing_of(const Arguments& arguments, const scenario::Scenario& scenario) {
  Slicing slicing;
  slicing.simulates_epochs =
      arguments.format == reports::Format::json || !scenario.expectations.empty() || arguments.metrics.has_value();
  if (arguments.every) {
    for (run::Nanoseconds at = *arguments.every; at < scenario.duration; at += *arguments.every) {
      slicing.cuts.push_back(at);
    }
    return slicing;
  }
  if (arguments.every_event) {
    slicing.cuts = run::authored_moments(scenario);
    return slicing;
  }
  // In mode exact no share follows actual changes, so the epochs are enough.
  const bool exact = arguments.mode.value_or(scenario.mode) == scenario::Mode::exact;
  std::vector<run::Nanoseconds> moments = run::moments_of_real_changes(scenario);
  if (exact || moments.size() > most_rows_unasked) {
    return slicing;
  }
  if (arguments.format == reports::Format::json) {
    const double rows = static_cast<double>(moments.size() + 1);
    if (rows * reports::most_cells(scenario) <= most_cells_unasked ||
        rows * reports::printed_cells(scenario, reports::Dimensions::everything()) <= most_cells_unasked) {
      slicing.cuts = std::move(moments);
    }
  } else if (shows_rows(arguments) && scenario.expectations.empty()) {
    slicing.cuts = with_moments(rows_after_failure(scenario, moments), moments, most_rows_unasked);
    slicing.joins_alike_rows = true;
  }
  return slicing;
}

std::vector<run::Nanoseconds> report_cuts(const Arguments& arguments, const scenario::Scenario& scenario) {
  constexpr double most_slices_of_all = 6'000.0;
  const bool exact = arguments.mode.value_or(scenario.mode) == scenario::Mode::exact;
  const double tables = std::max(static_cast<double>(reports::printed_tables(scenario)), 1.0);
  const auto slices = static_cast<std::int64_t>(std::min(120.0, most_slices_of_all / tables));
  constexpr std::int64_t fewest_slices = 10;
  if (exact || slices < fewest_slices) {
    return {};
  }
  std::vector<run::Nanoseconds> cuts;
  for (std::int64_t slice = 1; slice < slices; ++slice) {
    // Exact if the duration is divisible, so that no cut is a few nanoseconds off an event.
    cuts.push_back(scenario.duration / slices * slice + scenario.duration % slices * slice / slices);
  }
  return with_moments(std::move(cuts), run::moments_of_real_changes(scenario), most_rows_unasked);
}

std::optional<UsageProblem> check_every(const Arguments& arguments, const scenario::Scenario& scenario) {
  if (!arguments.every || scenario.duration / *arguments.every <= most_slices) {
    return std::nullopt;
  }
  return UsageProblem{"SP904", "the length of --every is too short for this scenario",
                      fmt::format("a run has at most {} rows", most_slices)};
}

}  // namespace spillway::cli
