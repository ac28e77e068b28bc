#include "reports/sweep/sweep_plot.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/palette.hpp"

namespace spillway::reports {
namespace {

using plot::Frame;
using plot::GnuplotScript;
using sweep::Series;

// Limit of curves with distinguishable colors.
constexpr std::size_t most_curves = 8;

bool are_numbers(const std::vector<sweep::SeriesValue>& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& value) { return value.number.has_value(); });
}

class SweepPicture {
 public:
  SweepPicture(const Series& series, plot::Image image)
      : series_(series), script_({.width = 960, .height = 440}, image), numbers_(are_numbers(series.rows)) {}

  std::string draw() {
    const bool map = series_.columns.size() > most_curves && numbers_ && are_numbers(series_.columns);
    const std::string title = series_.by.empty()
                                  ? fmt::format("{} by {}", series_.figure.name, series_.x)
                                  : fmt::format("{} by {} and {}", series_.figure.name, series_.x, series_.by);
    script_.text({80, 22}, title, {.size = 13});
    script_.panel(frame_);
    script_.line("set xlabel " + GnuplotScript::quoted(series_.x));
    set_x_axis();
    map ? draw_map() : draw_curves();
    return script_.finish();
  }

 private:
  [[nodiscard]] double scaled(double value) const { return drawn_value(series_.figure.unit, value); }
  [[nodiscard]] const char* tics() const { return tics_of(series_.figure.unit); }

  [[nodiscard]] double x_of(std::size_t row) const {
    return numbers_ ? *series_.rows[row].number : static_cast<double>(row);
  }

  void set_x_axis() {
    if (numbers_ && series_.rows.size() > 1) {
      script_.line(fmt::format("set xrange [{}:{}]", GnuplotScript::number(x_of(0)),
                               GnuplotScript::number(x_of(series_.rows.size() - 1))));
      script_.line("set xtics autofreq format '%g'");
      return;
    }
    std::string names;
    for (std::size_t row = 0; row < series_.rows.size(); ++row) {
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", GnuplotScript::quoted(series_.rows[row].text),
                           GnuplotScript::number(x_of(row)));
    }
    script_.line(fmt::format("set xrange [{}:{}]\nset xtics ({})", GnuplotScript::number(x_of(0) - 0.5),
                             GnuplotScript::number(x_of(series_.rows.size() - 1) + 0.5), names));
  }

  void draw_curves() {
    script_.line(fmt::format("set yrange [0:*]\nset ytics autofreq format '{}'", tics()));
    std::vector<std::string> bands;
    std::vector<std::string> curves;
    for (std::size_t column = 0; column < series_.columns.size(); ++column) {
      std::vector<std::vector<double>> points;
      for (std::size_t row = 0; row < series_.rows.size(); ++row) {
        if (const auto* cell = series_.cell(row, column)) {
          const double half = cell->half_width.value_or(0.0);
          points.push_back(
              {x_of(row), scaled(cell->mean), scaled(std::max(cell->mean - half, 0.0)), scaled(cell->mean + half)});
        }
      }
      if (points.empty()) {
        continue;
      }
      const std::string color = plot::series_color(column);
      const std::string block = script_.data(points);
      bands.push_back(fmt::format("{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle solid 1 noborder",
                                  block, plot::tint(color, 0.75)));
      curves.push_back(
          fmt::format("{} using 1:2 with linespoints linewidth 2 dashtype {} pointtype 7 pointsize 0.5 "
                      "linecolor rgb '{}'",
                      block, column + 1, color));
      legend(column, color);
    }
    bands.insert(bands.end(), curves.begin(), curves.end());
    script_.plot(bands);
  }

  void legend(std::size_t column, const std::string& color) {
    if (series_.by.empty()) {
      return;
    }
    constexpr double line_height = 18.0;
    const double y = frame_.top + 10 + line_height * static_cast<double>(column);
    script_.stroke({frame_.right + 15, y}, {frame_.right + 45, y}, color, static_cast<int>(column) + 1);
    script_.text({frame_.right + 52, y + 4},
                 GnuplotScript::fitted(series_.columns[column].text, 960 - frame_.right - 60));
  }

  void draw_map() {
    script_.line("set ylabel " + GnuplotScript::quoted(series_.by));
    script_.line(fmt::format("set yrange [{}:{}]\nset ytics autofreq format '%g'",
                             GnuplotScript::number(*series_.columns.front().number),
                             GnuplotScript::number(*series_.columns.back().number)));
    script_.line(
        fmt::format("set palette defined (0 '#FFFFFF', 0.5 '#E69F00', 1 '#D55E00')\nset colorbox\nset cbtics "
                    "format '{}'\nset view map",
                    tics()));
    std::vector<std::vector<double>> points;
    for (std::size_t column = 0; column < series_.columns.size(); ++column) {
      for (std::size_t row = 0; row < series_.rows.size(); ++row) {
        const auto* cell = series_.cell(row, column);
        points.push_back({x_of(row), *series_.columns[column].number, cell == nullptr ? 0.0 : scaled(cell->mean)});
      }
    }
    script_.plot({script_.data(points) + " using 1:2:3 with image pixels"});
  }

  const Series& series_;
  GnuplotScript script_;
  bool numbers_;
  Frame frame_{.left = 80, .top = 40, .right = 790, .bottom = 370};
};

}  // namespace

double drawn_value(sweep::Unit unit, double value) {
  constexpr double milliseconds = 1000.0;
  constexpr double percent = 100.0;
  return unit == sweep::Unit::share ? percent * value : unit == sweep::Unit::seconds ? milliseconds * value : value;
}

const char* tics_of(sweep::Unit unit) {
  return unit == sweep::Unit::share ? "%g %%" : unit == sweep::Unit::seconds ? "%g ms" : "%g";
}

std::string sweep_plot(const Series& series, plot::Image image) {
  return SweepPicture(series, image).draw();
}

}  // namespace spillway::reports
