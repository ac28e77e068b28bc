#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/palette.hpp"
#include "reports/sweep/sensitivity_report.hpp"
#include "reports/sweep/sweep_plot.hpp"
#include "sim/sweep/sensitivity.hpp"

namespace spillway::reports {
namespace {

constexpr double bar_height = 26.0;

// Indices are fractions, without a unit.
sweep::Unit unit_of(const sweep::Sensitivity& found) {
  return found.design == sweep::Design::morris ? found.figure.unit : sweep::Unit::count;
}

double drawn_effect(const sweep::Sensitivity& found, double value) {
  return drawn_value(unit_of(found), value);
}

}  // namespace

std::string sensitivity_plot(const sweep::Sensitivity& found, plot::Image image) {
  using plot::GnuplotScript;
  const bool morris = found.design == sweep::Design::morris;
  const auto keys = static_cast<double>(found.keys.size());
  const plot::Frame frame{.left = 220, .top = 46, .right = 920, .bottom = 46 + bar_height * std::max(keys, 1.0)};
  GnuplotScript script({.width = 960, .height = static_cast<int>(frame.bottom) + 50}, image);
  script.text(
      {20, 24},
      morris ? fmt::format("change of {} over the whole range of a key (mean effect, 95 % interval)", found.figure.name)
             : fmt::format("part of the variance of {} (total index; the dot is the first index)", found.figure.name),
      {.size = 13});
  script.panel(frame);
  std::string names;
  std::vector<std::vector<double>> bars;
  double most = 0.0;
  for (std::size_t key = 0; key < found.keys.size(); ++key) {
    const sweep::KeySensitivity& of = found.keys[key];
    const double y = keys - static_cast<double>(key);
    const double effect = drawn_effect(found, of.effect);
    const double half = drawn_effect(found, of.half_width);
    names +=
        fmt::format("{}{} {}", names.empty() ? "" : ", ",
                    GnuplotScript::quoted(GnuplotScript::fitted(of.name, frame.left - 30)), GnuplotScript::number(y));
    bars.push_back(
        {effect, y, std::max(effect - half, 0.0), effect + half, std::max(drawn_effect(found, of.second), 0.0)});
    most = std::max(most, effect + half);
  }
  script.line(fmt::format("set yrange [0.4:{}]\nset ytics ({})", GnuplotScript::number(keys + 0.6), names));
  script.line(fmt::format("set xrange [0:{}]\nset xtics autofreq format '{}'",
                          GnuplotScript::number(most > 0.0 ? 1.04 * most : 1.0), tics_of(unit_of(found))));
  const std::string block = script.data(bars);
  const std::string color = plot::series_color(0);
  std::vector<std::string> curves{
      fmt::format(
          "{} using (0):2:(0):1:($2-0.35):($2+0.35) with boxxyerror fillcolor rgb '{}' fillstyle solid 1 noborder",
          block, plot::tint(color, 0.45)),
      fmt::format("{} using 1:2:3:4 with xerrorbars pointtype 0 linewidth 1.5 linecolor rgb '{}'", block, plot::ink)};
  if (!morris) {
    curves.push_back(
        fmt::format("{} using 5:2 with points pointtype 7 pointsize 0.6 linecolor rgb '{}'", block, plot::ink));
  }
  script.plot(curves);
  return script.finish();
}

}  // namespace spillway::reports
