#include "reports/plot/gnuplot_script.hpp"

#include <fmt/format.h>

#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::plot {

GnuplotScript::GnuplotScript(Size size, Image image) : size_(size) {
  constexpr const char* look = "noenhanced font 'DejaVu Sans,{}' background rgb '#FFFFFF'";
  constexpr int font_size = 11;
  if (image == Image::png) {
    // Doubles the pixels, for print and high-resolution screens. Cairo has 96 dots per inch, SVG 72: the same text size
    // is 2 x 72/96.
    text_ = fmt::format("set terminal pngcairo size {},{} fontscale 1.5 linewidth 2 ", 2 * size.width, 2 * size.height);
  } else {
    text_ = fmt::format("set terminal svg size {},{} fixed ", size.width, size.height);
  }
  text_ += fmt::format(fmt::runtime(look), font_size) + "\n";
  text_ += "set encoding utf8\nset multiplot\nset style line 100 linecolor rgb '#222222' linewidth 1\n";
  text_ += "set border 3 linestyle 100\nset tics out nomirror textcolor rgb '#222222' font ',10'\nunset key\n";
}

std::string GnuplotScript::quoted(std::string_view text) {
  std::string quoted = "'";
  char before = '\'';
  for (const char letter : printable(text)) {
    // gnuplot 5.4 reads a doubled quote only if it is single within a text; others become typographic quotes.
    // gnuplot does not escape the end of a CDATA section.
    if (letter == '>' && quoted.ends_with("]]")) {
      quoted += ' ';
    }
    quoted += letter != '\'' ? std::string(1, letter) : before == '\'' ? "\u2019" : "''";
    before = letter;
  }
  return quoted + "'";
}

std::string GnuplotScript::number(double value) {
  return shortest(value);
}

double GnuplotScript::width_of(std::string_view text, int size) {
  constexpr double width_of_cell = 0.62;
  return display_width(text) * width_of_cell * size;
}

std::string GnuplotScript::fitted(std::string_view text, double width, int size) {
  std::string fitted = printable(text);
  if (width_of(fitted, size) <= width) {
    return fitted;
  }
  const auto is_inside_letter = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  while (!fitted.empty() && width_of(fitted + "…", size) > width) {
    while (fitted.size() > 1 && is_inside_letter(fitted.back())) {
      fitted.pop_back();
    }
    fitted.pop_back();
  }
  return fitted + "…";
}

std::string GnuplotScript::place(Point at) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", at.x / size_.width, 1.0 - at.y / size_.height);
}

void GnuplotScript::text(Point at, std::string_view text, const TextStyle& style) {
  const char* const align = style.align == TextAlign::left     ? "left"
                            : style.align == TextAlign::center ? "center"
                                                               : "right";
  text_ += fmt::format("set label {} at {} {} front font ',{}' textcolor rgb '{}'\n", quoted(text), place(at), align,
                       style.size, style.color);
}

void GnuplotScript::box(const Frame& frame, std::string_view fill, std::string_view style) {
  text_ += fmt::format("set object rectangle from {} to {} fillcolor rgb '{}' fillstyle {} noborder\n",
                       place({frame.left, frame.bottom}), place({frame.right, frame.top}), fill, style);
}

void GnuplotScript::stroke(Point from, Point to, std::string_view color, int dash) {
  text_ += fmt::format("set arrow from {} to {} nohead dashtype {} linewidth 2 linecolor rgb '{}'\n", place(from),
                       place(to), dash, color);
}

void GnuplotScript::panel(const Frame& frame) {
  text_ += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset tmargin at screen {:.5f}\nset bmargin at screen "
      "{:.5f}\nset autoscale\nunset logscale\nset border 3 linestyle 100\nset xtics out nomirror scale 1 textcolor rgb "
      "'#222222' font ',10'\n"
      "set ytics out nomirror scale 1 textcolor rgb '#222222' font ',10'\n",
      frame.left / size_.width, frame.right / size_.width, 1.0 - frame.top / size_.height,
      1.0 - frame.bottom / size_.height);
}

void GnuplotScript::line(std::string_view command) {
  text_ += command;
  text_ += '\n';
}

std::string GnuplotScript::data(const std::vector<std::vector<double>>& rows) {
  std::string name = fmt::format("$data{}", blocks_++);
  text_ += name + " << END_OF_DATA\n";
  for (const std::vector<double>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text_ += (i == 0 ? "" : " ") + number(row[i]);
    }
    text_ += '\n';
  }
  text_ += "END_OF_DATA\n";
  return name;
}

void GnuplotScript::plot(const std::vector<std::string>& curves) {
  line("plot " + (curves.empty() ? std::string("NaN") : joined(curves, ", \\\n     ")));
  line("unset label\nunset object\nunset arrow");
}

std::string GnuplotScript::finish() {
  text_ += "unset multiplot\n";
  return std::move(text_);
}

}  // namespace spillway::reports::plot
