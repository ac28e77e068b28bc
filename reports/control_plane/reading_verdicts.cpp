#include "reports/control_plane/reading_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "reports/judge.hpp"
#include "reports/percent.hpp"
#include "reports/share_fields.hpp"
#include "sim/scenario/control_plane.hpp"

namespace spillway::reports {
namespace {

using control_plane::SettingResults;
using scenario::ControlPlaneSetting;
using scenario::KnownDifference;

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? shortest(*seconds) + " s" : "nothing";
}

// One setting, row by row.
class ReadingJudge {
 public:
  ReadingJudge(const ControlPlaneSetting& setting, const SettingResults& results)
      : setting_(setting), results_(results), tolerance_(setting.precision / 2.0) {}

  [[nodiscard]] Verdict row(std::size_t row) const {
    const scenario::LatencyReading& reading = setting_.readings[row];
    const double at = std::chrono::duration<double>(reading.at).count();
    Verdict verdict;
    verdict.title = fmt::format("readings of \"{}\" at {}", setting_.name, duration_text(at));
    verdict.where = reading.where;
    for (const QuantileName& quantile : quantile_names) {
      const std::optional<double>& read = reading.latency.*quantile.value;
      if (!read) {
        continue;
      }
      const std::optional<double>& ours = results_.readings[row].latency.*quantile.value;
      const KnownDifference* const known = known_difference(row, quantile);
      const std::string problem =
          known != nullptr ? compare_known(*known, quantile, *read, ours) : compare(*read, ours);
      if (!problem.empty()) {
        Failure failure;
        failure.column = quantile.name;
        failure.expected = seconds_text(known != nullptr ? known->ours.*quantile.value : read);
        failure.documented = seconds_text(read);
        failure.simulated = seconds_text(ours);
        failure.message = fmt::format("{}: {}: {}", verdict.title, quantile.name, problem);
        failure.where = known != nullptr ? known->where : reading.where;
        fail(verdict, std::move(failure));
      }
    }
    return verdict;
  }

 private:
  [[nodiscard]] const KnownDifference* known_difference(std::size_t row, const QuantileName& quantile) const {
    const auto found =
        std::find_if(setting_.differences.begin(), setting_.differences.end(), [&](const KnownDifference& difference) {
          return difference.reading == row && difference.documented.*quantile.value;
        });
    return found == setting_.differences.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool alike(double left, double right) const {
    constexpr double rounding = 1e-9;
    return std::abs(left - right) <= tolerance_ + rounding;
  }

  [[nodiscard]] std::string compare(double read, const std::optional<double>& ours) const {
    if (ours && alike(*ours, read)) {
      return "";
    }
    return fmt::format("the document has {}, ours is {}: more than {} apart, and not a known difference",
                       seconds_text(read), seconds_text(ours), seconds_text(tolerance_));
  }

  [[nodiscard]] std::string compare_known(const KnownDifference& known, const QuantileName& quantile, double read,
                                          const std::optional<double>& ours) const {
    const double documented = *(known.documented.*quantile.value);
    const double simulated = *(known.ours.*quantile.value);
    if (!alike(read, documented)) {
      return fmt::format("the reading is {}, the known difference has {} for it", seconds_text(read),
                         seconds_text(documented));
    }
    if (!ours || !alike(*ours, simulated)) {
      return fmt::format("ours is {}, the known difference has {} for it", seconds_text(ours), seconds_text(simulated));
    }
    if (alike(*ours, read)) {
      return fmt::format("ours is {} and the document has {}: no difference any more", seconds_text(ours),
                         seconds_text(read));
    }
    return "";
  }

  const ControlPlaneSetting& setting_;
  const SettingResults& results_;
  double tolerance_;  // seconds
};

}  // namespace

Verdicts judge_readings(const scenario::ControlPlane& plane, const control_plane::Results& results) {
  Verdicts verdicts;
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ReadingJudge judge(plane.settings[position], results.settings[position]);
    for (std::size_t row = 0; row < plane.settings[position].readings.size(); ++row) {
      verdicts.push_back(judge.row(row));
    }
  }
  return verdicts;
}

}  // namespace spillway::reports
