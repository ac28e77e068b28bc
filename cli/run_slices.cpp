#include "cli/run_slices.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "reports/shares/printed_cells.hpp"
#include "sim/run/records/authored_happenings.hpp"

namespace spillway::cli {
namespace {

constexpr std::int64_t most_slices = 100'000;
// Of more events a table without being asked would be longer than anybody reads.
constexpr std::size_t most_rows_unasked = 100;

bool shows_rows(const Arguments& arguments) {
  return arguments.format != reports::Format::json &&
         (arguments.show == reports::Show::shares || arguments.show == reports::Show::requests);
}

}  // namespace

Slicing slicing_of(const Arguments& arguments, const scenario::Scenario& scenario) {
  Slicing slicing;
  slicing.plays_epochs =
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
  // What has no share that moves with what really happens is told by its epochs as well.
  const bool exact = arguments.mode.value_or(scenario.mode) == scenario::Mode::exact;
  if (exact || !shows_rows(arguments) || !scenario.expectations.empty()) {
    return slicing;
  }
  std::vector<run::Nanoseconds> moments = run::moments_of_real_changes(scenario);
  if (moments.size() <= most_rows_unasked) {
    slicing.cuts = std::move(moments);
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
    cuts.push_back(scenario.duration / slices * slice);
  }
  return cuts;
}

std::optional<UsageProblem> check_every(const Arguments& arguments, const scenario::Scenario& scenario) {
  if (!arguments.every || scenario.duration / *arguments.every <= most_slices) {
    return std::nullopt;
  }
  return UsageProblem{"SP904", "the length of --every is too short for this scenario",
                      fmt::format("a run has at most {} rows", most_slices)};
}

}  // namespace spillway::cli
