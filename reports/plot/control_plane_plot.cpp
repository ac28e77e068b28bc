#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/text/percent.hpp"
#include "sim/control_plane/results.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double generation_height = 190.0;

struct GenerationQuantile {
  const char* name;
  std::optional<double> scenario::LatencyQuantiles::* value;
  const char* color;
  int dash;
  int point;  // gnuplot's type
};

constexpr std::array<GenerationQuantile, 3> generation_quantiles{
    {{"p99", &scenario::LatencyQuantiles::p99, "#D55E00", 1, 5},
     {"p90", &scenario::LatencyQuantiles::p90, "#0072B2", 2, 7},
     {"p50", &scenario::LatencyQuantiles::p50, "#222222", 3, 9}}};

void draw_setting(const scenario::ControlPlaneSetting& setting, const control_plane::SettingResults& results,
                  TimePanels& panels) {
  const Frame frame = panels.begin_panel(
      setting.name, fmt::format("latency of {} configurations that changed", with_thousands(results.counts.changed)));
  GnuplotScript& script = panels.script();
  std::vector<TimePanels::LegendLine> legend;
  std::vector<std::string> curves;
  double most = 0.0;
  for (const GenerationQuantile& quantile : generation_quantiles) {
    legend.push_back({quantile.color, "", quantile.name, quantile.dash});
    std::vector<std::vector<double>> line;
    for (const control_plane::Sample& sample : results.samples) {
      if (const auto& value = sample.latency.*quantile.value) {
        line.push_back({config::seconds(sample.at), *value});
        most = std::max(most, *value);
      }
    }
    if (!line.empty()) {
      curves.push_back(fmt::format("{} using 1:2 with steps linewidth 2 dashtype {} linecolor rgb '{}'",
                                   script.data(line), quantile.dash, quantile.color));
    }
    std::vector<std::vector<double>> points;
    for (const scenario::LatencyReading& reading : setting.readings) {
      if (const auto& value = reading.latency.*quantile.value) {
        points.push_back({config::seconds(reading.at), *value});
        most = std::max(most, *value);
      }
    }
    if (!points.empty()) {
      curves.push_back(fmt::format("{} using 1:2 with points pointtype {} pointsize 0.7 linecolor rgb '{}'",
                                   script.data(points), quantile.point, quantile.color));
    }
  }
  if (!setting.readings.empty()) {
    legend.push_back({"", "", "points: the document", 0});
  }
  panels.legend(frame, legend);
  script.panel(frame);
  panels.time_axis(true);
  constexpr double room = 1.1;
  script.line(fmt::format("set yrange [0:{}]\nset ytics autofreq format '%g s'",
                          GnuplotScript::number(most > 0.0 ? most * room : 1.0)));
  script.plot(curves);
}

}  // namespace

std::string control_plane_plot(const scenario::Scenario& scenario, const control_plane::Results& results, Image image) {
  TimePanels panels(scenario, image, std::vector<double>(results.settings.size(), generation_height), {});
  for (std::size_t position = 0; position < results.settings.size(); ++position) {
    draw_setting(scenario.control_plane->settings[position], results.settings[position], panels);
  }
  return panels.finish();
}

}  // namespace spillway::reports::plot
