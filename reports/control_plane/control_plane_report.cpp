#include "reports/control_plane/control_plane_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/control_plane/reading_verdicts.hpp"
#include "reports/document/columns.hpp"
#include "reports/document/document.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

using control_plane::Results;
using control_plane::Sample;
using control_plane::SettingResults;
using scenario::ControlPlaneSetting;
using scenario::LatencyQuantiles;

// Formats with two decimals: Kuma counts milliseconds, and a picture shows less.
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
  return shortest(config::seconds(at));
}

std::string exact_seconds(const std::optional<double>& seconds) {
  return seconds ? shortest(*seconds) : "";
}

std::string described(const ControlPlaneSetting& setting) {
  const auto seconds = [](std::chrono::nanoseconds time) { return duration_text(config::seconds(time)); };
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
  sheet.gap = 2;
  return sheet;
}

std::string errors_line(const ControlPlaneSetting& setting, const SettingResults& results) {
  const ReadingErrors errors = errors_of(setting, results);
  return fmt::format("{} readings, each right to {} s: mean error {:.2f} s, largest {:.2f} s at {} s, {} within",
                     errors.readings, shortest(setting.precision), errors.mean, errors.largest,
                     time_text(errors.largest_at), errors.within_precision);
}

// Adds the readings that pass, and the reasons for known differences of others.
void add_judgement(Page& page, const scenario::ControlPlane& plane, const Results& results) {
  const Verdicts verdicts = judge_readings(plane, results);
  if (verdicts.empty()) {
    return;
  }
  std::vector<std::string> reasons;
  const auto add_reason = [&](const std::string& reason) {
    if (!reason.empty() && std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  };
  for (const ControlPlaneSetting& setting : plane.settings) {
    for (const scenario::KnownDifference& difference : setting.differences) {
      add_reason(difference.reason);
    }
  }
  for (const ControlPlaneSetting& setting : plane.settings) {
    for (const scenario::LatencyRatio& ratio : setting.ratios) {
      add_reason(ratio.reason);
    }
  }
  const std::string differences = known_differences_text(count_known_differences(plane));
  page.paragraph({tally_text(verdicts) + (differences.empty() ? "" : "; " + differences + ":")});
  page.attached().list(reasons, 2);
}

Sheet settings_sheet(const scenario::ControlPlane& plane, const Results& results) {
  bool hazards = false;
  for (const SettingResults& setting : results.settings) {
    hazards = hazards || setting.hazard.proxies > 0;
  }
  struct Row {
    const std::string& name;
    const SettingResults& of;
  };
  const auto seconds = [](std::chrono::nanoseconds time) { return fmt::format("{:.1f}", config::seconds(time)); };
  Columns<Row> columns;
  columns.text("setting", [](const Row& row) { return row.name; });
  columns.number("proxies", [](const Row& row) { return with_thousands(row.of.counts.proxies); });
  columns.number("p50", [](const Row& row) { return latency_text(row.of.joined.latency.p50); });
  columns.number("p90", [](const Row& row) { return latency_text(row.of.joined.latency.p90); });
  columns.number("p99", [](const Row& row) { return latency_text(row.of.joined.latency.p99); });
  columns.number("settled", [&](const Row& row) { return seconds(row.of.settled); });
  columns.number("busy", [](const Row& row) { return fmt::format("{} %", round_half_up(row.of.busy * 100.0, 0)); });
  columns.number("generations", [](const Row& row) { return with_thousands(row.of.counts.generations); });
  columns.number("changed", [](const Row& row) { return with_thousands(row.of.counts.changed); });
  columns.number("assignments", [](const Row& row) { return with_thousands(row.of.counts.asked); });
  columns.number("made", [](const Row& row) { return with_thousands(row.of.counts.made); });
  if (hazards) {
    columns.number("wrong", [](const Row& row) { return with_thousands(row.of.hazard.proxies); });
    columns.number("at once", [](const Row& row) { return with_thousands(row.of.hazard.most_at_once); });
    columns.number("longest", [&](const Row& row) { return seconds(row.of.hazard.longest); });
    columns.number("mean", [](const Row& row) {
      const control_plane::Hazard& hazard = row.of.hazard;
      const auto periods = static_cast<double>(hazard.periods);
      return fmt::format("{:.1f}", hazard.periods > 0 ? config::seconds(hazard.together) / periods : 0.0);
    });
  }
  std::vector<Row> rows;
  for (std::size_t position = 0; position < results.settings.size(); ++position) {
    rows.push_back({plane.settings[position].name, results.settings[position]});
  }
  Sheet sheet = columns.sheet("settings", rows);
  sheet.gap = 2;
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
    const SettingResults& simulated = results.settings[position];
    std::size_t reading = 0;
    const auto add_readings_until = [&](std::chrono::nanoseconds time) {
      for (; reading < setting.readings.size() && setting.readings[reading].at <= time; ++reading) {
        add(setting, simulated.readings[reading], setting.readings[reading].latency);
      }
    };
    for (const Sample& sample : simulated.samples) {
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

// Returns the explanations of the short words in a table, p50 for instance.
const std::vector<std::string>& legend() {
  static const std::vector<std::string> lines{
      "p50, p90, p99: seconds that changed configurations took when the last instance joined; settled: seconds from "
      "then to the last of them;",
      "busy: part of the cores' time until then; made: assignments that were not in the cache"};
  return lines;
}

void add_control_plane(Page& page, const scenario::Scenario& scenario, const Results& results) {
  const scenario::ControlPlane& plane = *scenario.control_plane;
  page.title({scenario.name, "control plane"});
  for (std::size_t position = 0; position < plane.settings.size(); ++position) {
    const ControlPlaneSetting& setting = plane.settings[position];
    const bool is_apart = position == 0 || !setting.readings.empty() || !plane.settings[position - 1].readings.empty();
    (is_apart ? page : page.attached()).on(Medium::terminal).paragraph({setting.name + ": " + described(setting)});
    page.on(Medium::markup).title({setting.name, described(setting)});
    if (!setting.readings.empty()) {
      page.sheet(reading_sheet(setting, results.settings[position]));
      page.attached().paragraph({errors_line(setting, results.settings[position])}, 1);
    }
  }
  page.sheet(settings_sheet(plane, results));
  page.paragraph(legend());
  if (const Sheet ratios = ratio_sheet(plane, results); !ratios.rows.empty()) {
    page.on(Medium::terminal).heading("times the latency");
    page.sheet(ratios);
  }
  add_judgement(page, plane, results);
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
  return reports::format({.page = [&](Page& page) { add_control_plane(page, scenario, results); },
                          .records = [&] { return sample_sheet(*scenario.control_plane, results); },
                          .json = [&](const Sink& sink) { sink(control_plane_json(scenario, results)); }},
                         format, look);
}

}  // namespace spillway::reports
