#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "reports/plot/latency_timeline.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double latency_height = 190.0;

struct Quantile {
  double fraction;
  const char* name;
  const char* color;
  int dash;
};

// The worst quantile has the strongest color.
constexpr std::array<Quantile, 3> quantiles{
    {{0.99, "p99", "#D55E00", 1}, {0.9, "p90", "#0072B2", 2}, {0.5, "p50", "#222222", 3}}};

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

struct Range {
  double least = 0.0;
  double most = 0.0;
};

Range range_of(const std::vector<LatencyTimeline::Stretch>& stretches) {
  Range range;
  for (const LatencyTimeline::Stretch& stretch : stretches) {
    if (stretch.latency.total() == 0) {
      continue;
    }
    const double least = milliseconds(stretch.latency.quantile(quantiles.back().fraction));
    range.least = range.most == 0.0 ? least : std::min(range.least, least);
    range.most = std::max(range.most, milliseconds(stretch.latency.quantile(quantiles.front().fraction)));
  }
  return range;
}

void set_axis(GnuplotScript& script, const Range& range) {
  constexpr double factor_of_logarithm = 10.0;
  constexpr double room = 1.2;
  if (range.least > 0.0 && range.most > factor_of_logarithm * range.least) {
    script.line(fmt::format("set logscale y\nset yrange [{}:{}]", GnuplotScript::number(range.least / room),
                            GnuplotScript::number(range.most * room)));
  } else {
    script.line(fmt::format("set yrange [0:{}]", GnuplotScript::number(range.most > 0.0 ? range.most * room : 1.0)));
  }
  script.line("set ytics autofreq format '%g ms'");
}

void draw_panel(const scenario::Scenario& scenario, const LatencyTimeline& timeline,
                const std::pair<const LatencyTimeline::Key, std::vector<LatencyTimeline::Stretch>>& series,
                TimePanels& panels) {
  const auto& [key, stretches] = series;
  std::uint64_t answered = 0;
  for (const LatencyTimeline::Stretch& stretch : stretches) {
    answered += stretch.latency.total();
  }
  const double interval = config::seconds(timeline.interval());
  const Frame frame = panels.begin_panel(
      fmt::format("{} -> {}", scenario.clients[key.first.value].name, scenario.services[key.second.value].name),
      fmt::format("latency of {} answers, every {}", with_thousands(answered), duration_text(interval)));
  GnuplotScript& script = panels.script();
  std::vector<TimePanels::LegendLine> legend;
  std::vector<std::string> curves;
  for (const Quantile& quantile : quantiles) {
    legend.push_back({quantile.color, "", quantile.name, quantile.dash});
    std::vector<std::vector<double>> points;
    for (const LatencyTimeline::Stretch& stretch : stretches) {
      if (stretch.latency.total() == 0) {
        points.emplace_back();  // a gap
        continue;
      }
      const double middle = config::seconds(stretch.begin + stretch.end) / 2;
      points.push_back({middle, milliseconds(stretch.latency.quantile(quantile.fraction))});
    }
    curves.push_back(fmt::format("{} using 1:2 with lines linewidth 2 dashtype {} linecolor rgb '{}'",
                                 script.data(points), quantile.dash, quantile.color));
  }
  panels.legend(frame, legend);
  panels.draw_marks();
  script.panel(frame);
  panels.time_axis(true);
  set_axis(script, range_of(stretches));
  script.plot(answered > 0 ? curves : std::vector<std::string>{});
}

}  // namespace

std::string latency_plot(const scenario::Scenario& scenario, const LatencyTimeline& timeline, Image image) {
  TimePanels panels(scenario, image, std::vector<double>(timeline.stretches().size(), latency_height), {});
  for (const auto& series : timeline.stretches()) {
    draw_panel(scenario, timeline, series, panels);
  }
  return panels.finish();
}

}  // namespace spillway::reports::plot
