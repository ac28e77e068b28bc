#include "reports/control_plane/reading_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "models/config/metadata.hpp"
#include "models/config/seconds.hpp"
#include "reports/expectations/judge.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/statistics/student.hpp"

namespace spillway::reports {
namespace {

using control_plane::SettingResults;
using scenario::ControlPlaneSetting;
using scenario::KnownDifference;

// Probability of a false alarm over all checks with other seeds.
constexpr double false_alarm_of_draws = 1e-3;

// A simulated figure for comparison. For the scenario's own seed it is the value itself. For other seeds it is their
// mean, with the margin of one draw by chance (Student's prediction interval).
struct Ours {
  std::optional<double> figure;
  double by_chance = 0.0;
  bool drawn = false;  // simulated with seeds other than the scenario's
};

Ours ours_of(const std::optional<double>& figure, const control_plane::Draws* draws, const QuantileName& quantile,
             double false_alarm) {
  if (draws == nullptr) {
    return {figure};
  }
  const std::optional<double>& mean = draws->mean.*quantile.value;
  if (!mean) {
    return {{}, 0.0, true};
  }
  const auto seeds = static_cast<double>(draws->seeds);
  return {mean,
          statistics::student_quantile(false_alarm, draws->seeds - 1) * *(draws->deviation.*quantile.value) *
              std::sqrt(1.0 + 1.0 / seeds),
          true};
}

bool alike(double left, double right, double tolerance) {
  constexpr double rounding = 1e-9;
  return std::abs(left - right) <= tolerance + rounding;
}

// A figure of the document and the simulated one. `known` is the known difference; nullopt if the two must agree.
struct Comparison {
  double documented = 0.0;
  std::optional<double> known = {};
  Ours ours = {};
  double tolerance = 0.0;
  const char* unit = "";

  [[nodiscard]] std::string text(const std::optional<double>& figure) const {
    constexpr double digits = 1e4;
    return figure ? shortest(ours.drawn ? std::round(*figure * digits) / digits : *figure) + unit : "nothing";
  }

  [[nodiscard]] std::string problem() const {
    const double most = tolerance + ours.by_chance;
    const std::string mean = ours.drawn ? " on average over seeds" : "";
    const std::string chance = ours.drawn ? fmt::format(", more than {} apart", text(most)) : "";
    if (!known) {
      return ours.figure && alike(*ours.figure, documented, most)
                 ? ""
                 : fmt::format("the document has {}, ours is {}{}: more than {} apart, and not a known difference",
                               shortest(documented) + unit, text(ours.figure), mean, text(most));
    }
    if (!ours.figure || !alike(*ours.figure, *known, most)) {
      return fmt::format("ours is {}{}, the known difference has {} for it{}", text(ours.figure), mean,
                         shortest(*known) + unit, chance);
    }
    if (!ours.drawn && alike(*ours.figure, documented, tolerance)) {
      return fmt::format("ours is {} and the document has {}: no difference any more", text(ours.figure),
                         shortest(documented) + unit);
    }
    return "";
  }
};

void add_failure(Verdict& verdict, const QuantileName& quantile, const Comparison& figures, std::string problem,
                 const Span& where) {
  if (problem.empty()) {
    return;
  }
  Failure failure;
  failure.column = quantile.name;
  failure.expected = shortest(figures.known.value_or(figures.documented)) + figures.unit;
  failure.documented = shortest(figures.documented) + figures.unit;
  failure.simulated = figures.text(figures.ours.figure);
  failure.message = fmt::format("{}: {}: {}", verdict.title, quantile.name, problem);
  failure.where = where;
  fail(verdict, std::move(failure));
}

// Judges the settings of a plane, row by row.
class ReadingJudge {
 public:
  ReadingJudge(const scenario::ControlPlane& plane, const control_plane::Results& results)
      : plane_(plane), results_(results) {
    std::size_t figures = 0;
    for (const ControlPlaneSetting& setting : plane.settings) {
      figures += quantile_names.size() * (setting.readings.size() + setting.ratios.size());
    }
    false_alarm_ = false_alarm_of_draws / static_cast<double>(std::max<std::size_t>(figures, 1));
  }

  [[nodiscard]] Verdict reading(std::size_t position, std::size_t row) const {
    const ControlPlaneSetting& setting = plane_.settings[position];
    const SettingResults& results = results_.settings[position];
    const scenario::LatencyReading& reading = setting.readings[row];
    Verdict verdict;
    verdict.title = fmt::format("readings of \"{}\" at {}", setting.name, at_text(reading.at));
    verdict.where = reading.where;
    for (const QuantileName& quantile : quantile_names) {
      const std::optional<double>& read = reading.latency.*quantile.value;
      if (!read) {
        continue;
      }
      const KnownDifference* const known = known_difference(setting, row, quantile);
      Comparison figures{.documented = *read, .tolerance = setting.precision / 2.0, .unit = " s"};
      const auto* const draws = results.reading_draws.empty() ? nullptr : &results.reading_draws[row];
      figures.ours = ours_of(results.readings[row].latency.*quantile.value, draws, quantile, false_alarm_);
      if (known != nullptr) {
        figures.known = known->ours.*quantile.value;
      }
      add_failure(verdict, quantile, figures, problem_of(figures, known, quantile),
                  known != nullptr ? known->where : reading.where);
    }
    return verdict;
  }

  // Judges a ratio that the document states; without a stated ratio there is no verdict.
  [[nodiscard]] std::optional<Verdict> ratio(std::size_t position, std::size_t row) const {
    const ControlPlaneSetting& setting = plane_.settings[position];
    const SettingResults& results = results_.settings[position];
    const scenario::LatencyRatio& ratio = setting.ratios[row];
    Verdict verdict;
    verdict.title = fmt::format("ratios of \"{}\" to \"{}\" at {}", setting.name, plane_.settings[ratio.other].name,
                                at_text(ratio.at));
    verdict.where = ratio.where;
    bool states_any = false;
    for (const QuantileName& quantile : quantile_names) {
      const std::optional<double>& stated = ratio.times.*quantile.value;
      if (!stated) {
        continue;
      }
      states_any = true;
      Comparison figures{.documented = *stated, .known = ratio.ours.*quantile.value, .tolerance = half_a_tenth};
      const auto* const draws = results.ratio_draws.empty() ? nullptr : &results.ratio_draws[row];
      figures.ours = ours_of(results.ratios[row].*quantile.value, draws, quantile, false_alarm_);
      std::string problem = problem_of_stated(position, ratio, quantile);
      add_failure(verdict, quantile, figures, problem.empty() ? figures.problem() : std::move(problem), ratio.where);
    }
    return states_any ? std::optional(verdict) : std::nullopt;
  }

 private:
  static constexpr double half_a_tenth = 0.05;  // ratios are written with one decimal

  [[nodiscard]] static std::string at_text(std::chrono::nanoseconds at) { return duration_text(config::seconds(at)); }

  [[nodiscard]] static const KnownDifference* known_difference(const ControlPlaneSetting& setting, std::size_t row,
                                                               const QuantileName& quantile) {
    const auto found =
        std::find_if(setting.differences.begin(), setting.differences.end(), [&](const KnownDifference& difference) {
          return difference.reading == row && difference.documented.*quantile.value;
        });
    return found == setting.differences.end() ? nullptr : &*found;
  }

  [[nodiscard]] static std::string problem_of(const Comparison& figures, const KnownDifference* known,
                                              const QuantileName& quantile) {
    if (known != nullptr && !alike(figures.documented, *(known->documented.*quantile.value), figures.tolerance)) {
      return fmt::format("the reading is {} s, the known difference has {} s for it", shortest(figures.documented),
                         shortest(*(known->documented.*quantile.value)));
    }
    return figures.problem();
  }

  // Checks that the document's ratio is that of its own readings, if both are legible.
  [[nodiscard]] std::string problem_of_stated(std::size_t position, const scenario::LatencyRatio& ratio,
                                              const QuantileName& quantile) const {
    const ControlPlaneSetting& own = plane_.settings[position];
    const ControlPlaneSetting& other = plane_.settings[ratio.other];
    const std::optional<double> above = read_at(own, ratio.at, quantile);
    const std::optional<double> below = read_at(other, ratio.other_at, quantile);
    const double stated = *(ratio.times.*quantile.value);
    if (!above || !below || *above <= 0.0 || *below <= 0.0) {
      return "";
    }
    const double of_readings = *above / *below;
    const double error = of_readings * (own.precision / 2.0 / *above + other.precision / 2.0 / *below);
    return alike(stated, of_readings, half_a_tenth + error)
               ? ""
               : fmt::format("the document's ratio is {}, its readings give {:.2f}", shortest(stated), of_readings);
  }

  [[nodiscard]] static std::optional<double> read_at(const ControlPlaneSetting& setting, std::chrono::nanoseconds at,
                                                     const QuantileName& quantile) {
    for (const scenario::LatencyReading& reading : setting.readings) {
      if (reading.at == at) {
        return reading.latency.*quantile.value;
      }
    }
    return std::nullopt;
  }

  const scenario::ControlPlane& plane_;
  const control_plane::Results& results_;
  double false_alarm_ = 0.0;  // per figure
};

}  // namespace

KnownDifferenceCounts count_known_differences(const scenario::ControlPlane& plane) {
  const auto figures = [](const scenario::LatencyQuantiles& of) {
    return static_cast<std::size_t>(
        std::count_if(quantile_names.begin(), quantile_names.end(),
                      [&](const QuantileName& quantile) { return (of.*quantile.value).has_value(); }));
  };
  KnownDifferenceCounts counts;
  for (const ControlPlaneSetting& setting : plane.settings) {
    for (const KnownDifference& difference : setting.differences) {
      counts.readings += figures(difference.documented);
    }
    for (const scenario::LatencyRatio& ratio : setting.ratios) {
      counts.ratios += figures(ratio.ours);
    }
  }
  return counts;
}

std::string known_differences_text(const KnownDifferenceCounts& counts) {
  std::string text;
  const auto add = [&](std::size_t count, const char* kind) {
    if (count > 0) {
      text += fmt::format("{}{} {}{}", text.empty() ? "" : " and ", count, kind, count == 1 ? "" : "s");
    }
  };
  add(counts.readings, "reading");
  add(counts.ratios, "ratio");
  const bool one = counts.readings + counts.ratios == 1;
  return text.empty() ? "" : text + (one ? " is a known difference" : " are known differences");
}

Verdicts judge_readings(const scenario::ControlPlane& plane, const control_plane::Results& results) {
  Verdicts verdicts;
  const ReadingJudge judge(plane, results);
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    for (std::size_t row = 0; row < plane.settings[position].readings.size(); ++row) {
      verdicts.push_back(judge.reading(position, row));
    }
  }
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    for (std::size_t row = 0; row < plane.settings[position].ratios.size(); ++row) {
      if (auto verdict = judge.ratio(position, row)) {
        verdicts.push_back(*std::move(verdict));
      }
    }
  }
  return verdicts;
}

}  // namespace spillway::reports
