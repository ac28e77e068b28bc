#include "reports/control_plane/control_plane_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/sheet.hpp"
#include "sim/scenario/control_plane.hpp"

namespace spillway::reports {
namespace {

using control_plane::Results;
using control_plane::Sample;
using control_plane::SettingResults;
using scenario::ControlPlaneSetting;
using scenario::LatencyQuantiles;

// Two decimals: Kuma counts milliseconds, and a picture shows less.
std::string latency_text(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.2f}", *seconds) : "";
}

std::string error_text(const std::optional<double>& read, const std::optional<double>& ours) {
  if (!read || !ours) {
    return "";
  }
  const std::string text = fmt::format("{:+.2f}", *ours - *read);
  return text == "-0.00" ? "+0.00" : text;
}

std::string time_text(std::chrono::nanoseconds at) {
  return shortest(std::chrono::duration<double>(at).count());
}

std::string exact_seconds(const std::optional<double>& seconds) {
  return seconds ? shortest(*seconds) : "";
}

std::string described(const ControlPlaneSetting& setting) {
  const auto seconds = [](std::chrono::nanoseconds time) {
    return duration_text(std::chrono::duration<double>(time).count());
  };
  const std::string others =
      setting.other_work > 0 ? fmt::format(", {} of them for other work", setting.other_work) : "";
  const std::string slices = setting.time_slice > std::chrono::nanoseconds{0}
                                 ? fmt::format(", in turns of {}", seconds(setting.time_slice))
                                 : "";
  return fmt::format(
      "{} services of {}, each asking for {}; {} cores{}{}; cla_cache {}; examined every {}, kept for {}",
      with_thousands(setting.services), setting.instances, setting.reachable_services, setting.cores, others, slices,
      name_of(setting.sharing), seconds(setting.refresh_interval), seconds(setting.cache_expiration));
}

Sheet reading_sheet(const ControlPlaneSetting& setting, const SettingResults& results) {
  Sheet sheet{"latency", {{"time", true}}};
  for (const QuantileName& quantile : quantile_names) {
    sheet.fields.insert(sheet.fields.end(),
                        {{fmt::format("{} document", quantile.name), true}, {"ours", true}, {"error", true}});
  }
  for (std::size_t row = 0; row < setting.readings.size(); ++row) {
    std::vector<std::string> cells = {time_text(setting.readings[row].at) + " s"};
    for (const QuantileName& quantile : quantile_names) {
      const std::optional<double>& read = setting.readings[row].latency.*quantile.value;
      const std::optional<double>& ours = results.readings[row].latency.*quantile.value;
      cells.insert(cells.end(), {latency_text(read), latency_text(ours), error_text(read, ours)});
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string errors_line(const ControlPlaneSetting& setting, const SettingResults& results) {
  const ReadingErrors errors = errors_of(setting, results);
  return fmt::format("{} readings, each right to {} s: mean error {:.2f} s, largest {:.2f} s at {} s, {} within",
                     errors.readings, shortest(setting.precision), errors.mean, errors.largest,
                     time_text(errors.largest_at), errors.within_precision);
}

// Which readings pass, and why others are known not to be ours.
std::string judgement(const scenario::ControlPlane& plane, const Results& results, const char* bullet) {
  const Verdicts verdicts = judge_readings(plane, results);
  if (verdicts.empty()) {
    return "";
  }
  std::size_t known = 0;
  std::vector<std::string> reasons;
  for (const ControlPlaneSetting& setting : plane.settings) {
    for (const scenario::KnownDifference& difference : setting.differences) {
      for (const QuantileName& quantile : quantile_names) {
        known += difference.documented.*quantile.value ? 1 : 0;
      }
      if (std::find(reasons.begin(), reasons.end(), difference.reason) == reasons.end()) {
        reasons.push_back(difference.reason);
      }
    }
  }
  std::size_t known_ratios = 0;
  for (const ControlPlaneSetting& setting : plane.settings) {
    for (const scenario::LatencyRatio& ratio : setting.ratios) {
      for (const QuantileName& quantile : quantile_names) {
        known_ratios += ratio.ours.*quantile.value ? 1 : 0;
      }
      if (!ratio.reason.empty() && std::find(reasons.begin(), reasons.end(), ratio.reason) == reasons.end()) {
        reasons.push_back(ratio.reason);
      }
    }
  }
  std::string text = "\n" + tally_text(verdicts);
  if (known_ratios > 0) {
    text += fmt::format("; {} readings and {} ratios are known differences:\n", known, known_ratios);
  } else {
    text += known > 0 ? fmt::format("; {} readings are known differences:\n", known) : "\n";
  }
  for (const std::string& reason : reasons) {
    text += bullet + printable(reason) + "\n";
  }
  return text;
}

Sheet settings_sheet(const scenario::ControlPlane& plane, const Results& results) {
  bool hazards = false;
  for (const SettingResults& setting : results.settings) {
    hazards = hazards || setting.hazard.proxies > 0;
  }
  Sheet sheet{"settings",
              {{"setting"},
               {"proxies", true},
               {"p50", true},
               {"p90", true},
               {"p99", true},
               {"settled", true},
               {"busy", true},
               {"generations", true},
               {"changed", true},
               {"assignments", true},
               {"made", true}}};
  if (hazards) {
    sheet.fields.insert(sheet.fields.end(), {{"wrong", true}, {"at once", true}, {"longest", true}, {"mean", true}});
  }
  for (std::size_t position = 0; position < results.settings.size(); ++position) {
    const SettingResults& setting = results.settings[position];
    const double settled = std::chrono::duration<double>(setting.settled).count();
    std::vector<std::string> cells = {plane.settings[position].name,
                                      with_thousands(setting.counts.proxies),
                                      latency_text(setting.joined.latency.p50),
                                      latency_text(setting.joined.latency.p90),
                                      latency_text(setting.joined.latency.p99),
                                      fmt::format("{:.1f}", settled),
                                      fmt::format("{} %", round_half_up(setting.busy * 100.0, 0)),
                                      with_thousands(setting.counts.generations),
                                      with_thousands(setting.counts.changed),
                                      with_thousands(setting.counts.asked),
                                      with_thousands(setting.counts.made)};
    if (hazards) {
      const control_plane::Hazard& hazard = setting.hazard;
      const auto periods = static_cast<double>(hazard.periods);
      const double mean = hazard.periods > 0 ? std::chrono::duration<double>(hazard.together).count() / periods : 0.0;
      cells.insert(cells.end(), {with_thousands(hazard.proxies), with_thousands(hazard.most_at_once),
                                 fmt::format("{:.1f}", std::chrono::duration<double>(hazard.longest).count()),
                                 fmt::format("{:.1f}", mean)});
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

Sheet ratio_sheet(const scenario::ControlPlane& plane, const Results& results) {
  Sheet sheet{"ratios", {{"setting"}, {"to"}, {"time", true}}};
  for (const QuantileName& quantile : quantile_names) {
    sheet.fields.insert(sheet.fields.end(), {{fmt::format("{} document", quantile.name), true}, {"ours", true}});
  }
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ControlPlaneSetting& setting = plane.settings[position];
    for (std::size_t row = 0; row < setting.ratios.size(); ++row) {
      std::vector<std::string> cells = {setting.name, plane.settings[setting.ratios[row].other].name,
                                        time_text(setting.ratios[row].at) + " s"};
      for (const QuantileName& quantile : quantile_names) {
        cells.push_back(latency_text(setting.ratios[row].times.*quantile.value));
        cells.push_back(latency_text(results.settings[position].ratios[row].*quantile.value));
      }
      sheet.rows.push_back(std::move(cells));
    }
  }
  return sheet;
}

Sheet sample_sheet(const scenario::ControlPlane& plane, const Results& results) {
  Sheet sheet{"samples",
              {{"setting"},
               {"time_s", true},
               {"observations", true},
               {"p50_s", true},
               {"p90_s", true},
               {"p99_s", true},
               {"document_p50_s", true},
               {"document_p90_s", true},
               {"document_p99_s", true}}};
  const auto add = [&](const ControlPlaneSetting& setting, const Sample& sample, const LatencyQuantiles& read) {
    sheet.rows.push_back({setting.name, time_text(sample.at), fmt::format("{}", sample.observations),
                          exact_seconds(sample.latency.p50), exact_seconds(sample.latency.p90),
                          exact_seconds(sample.latency.p99), exact_seconds(read.p50), exact_seconds(read.p90),
                          exact_seconds(read.p99)});
  };
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ControlPlaneSetting& setting = plane.settings[position];
    const SettingResults& played = results.settings[position];
    std::size_t reading = 0;
    const auto add_readings_until = [&](std::chrono::nanoseconds time) {
      for (; reading < setting.readings.size() && setting.readings[reading].at <= time; ++reading) {
        add(setting, played.readings[reading], setting.readings[reading].latency);
      }
    };
    for (const Sample& sample : played.samples) {
      const std::size_t before = reading;
      add_readings_until(sample.at);
      if (before == reading || setting.readings[reading - 1].at != sample.at) {
        add(setting, sample, {});
      }
    }
    add_readings_until(std::chrono::nanoseconds::max());
  }
  return sheet;
}

// What p50 and the other short words of a table mean.
constexpr const char* legend =
    "p50, p90, p99: seconds that a configuration took which changed, when the last instance joins; settled: seconds "
    "from then to the last of them;\nbusy: of the cores' time until then; made: assignments that no cache held";

std::string table_text(const scenario::Scenario& scenario, const Results& results, const Look& look) {
  constexpr int gap = 3;
  constexpr int narrow_gap = 2;
  const scenario::ControlPlane& plane = *scenario.control_plane;
  const std::string title = fmt::format("{}        control plane", printable(scenario.name));
  std::string text = (look.color ? "\x1b[1m" + title + "\x1b[0m" : title) + "\n";
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ControlPlaneSetting& setting = plane.settings[position];
    text += fmt::format(
        "{}{}: {}\n",
        position == 0 || !setting.readings.empty() || !plane.settings[position - 1].readings.empty() ? "\n" : "",
        printable(setting.name), described(setting));
    if (!setting.readings.empty()) {
      text += "\n" + sheet_text(reading_sheet(setting, results.settings[position]), 1, narrow_gap);
      text += " " + errors_line(setting, results.settings[position]) + "\n";
    }
  }
  text += "\n" + sheet_text(settings_sheet(plane, results), 1, narrow_gap) + "\n" + legend + "\n";
  if (const Sheet ratios = ratio_sheet(plane, results); !ratios.rows.empty()) {
    text += "\ntimes the latency\n\n" + sheet_text(ratios, 1, gap);
  }
  return text + judgement(plane, results, "  ");
}

std::string markdown_text(const scenario::Scenario& scenario, const Results& results) {
  const scenario::ControlPlane& plane = *scenario.control_plane;
  std::string text = fmt::format("**{}**: control plane\n", markdown_escaped(scenario.name));
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ControlPlaneSetting& setting = plane.settings[position];
    text += fmt::format("\n**{}**: {}\n", markdown_escaped(setting.name), described(setting));
    if (!setting.readings.empty()) {
      text += "\n" + sheet_markdown(reading_sheet(setting, results.settings[position])) + "\n" +
              errors_line(setting, results.settings[position]) + "\n";
    }
  }
  text += "\n" + sheet_markdown(settings_sheet(plane, results)) + "\n" + legend + "\n";
  if (const Sheet ratios = ratio_sheet(plane, results); !ratios.rows.empty()) {
    text += "\n" + sheet_markdown(ratios);
  }
  return text + judgement(plane, results, "- ");
}

}  // namespace

std::string_view name_of(scenario::AssignmentSharing sharing) {
  constexpr std::array<std::string_view, 3> names{"reusable", "shared_object", "none"};
  return names[static_cast<std::size_t>(sharing)];
}

ReadingErrors errors_of(const ControlPlaneSetting& setting, const SettingResults& results) {
  ReadingErrors errors;
  constexpr double rounding = 1e-9;
  for (std::size_t row = 0; row < setting.readings.size(); ++row) {
    for (const QuantileName& quantile : quantile_names) {
      const std::optional<double>& read = setting.readings[row].latency.*quantile.value;
      const std::optional<double>& ours = results.readings[row].latency.*quantile.value;
      if (!read || !ours) {
        continue;
      }
      const double error = std::abs(*ours - *read);
      ++errors.readings;
      errors.mean += error;
      errors.within_precision += error <= setting.precision + rounding ? 1 : 0;
      if (error > errors.largest) {
        errors.largest = error;
        errors.largest_at = setting.readings[row].at;
      }
    }
  }
  if (errors.readings > 0) {
    errors.mean /= static_cast<double>(errors.readings);
  }
  return errors;
}

std::string format_control_plane(const scenario::Scenario& scenario, const Results& results, Format format,
                                 const Look& look) {
  switch (format) {
    case Format::json:
      return control_plane_json(scenario, results);
    case Format::csv:
      return sheet_csv(sample_sheet(*scenario.control_plane, results));
    case Format::wide: {
      constexpr int gap = 2;
      return sheet_text(sample_sheet(*scenario.control_plane, results), 0, gap);
    }
    case Format::markdown:
      return markdown_text(scenario, results);
    case Format::table:
      break;
  }
  return table_text(scenario, results, look);
}

}  // namespace spillway::reports
