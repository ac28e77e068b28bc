// Gnuplot 5.4, "Syntax": in single quotes nothing is expanded, and two quotes stand for one.
#include "reports/plot/gnuplot_script.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/text/escapes.hpp"

using namespace spillway::reports;
using namespace spillway::reports::plot;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a text for gnuplot stands in single quotes on one line, whatever it holds") {
  CHECK(GnuplotScript::quoted("zone-1") == "'zone-1'");
  CHECK(GnuplotScript::quoted("it's") == "'it''s'");
  CHECK(GnuplotScript::quoted("\"; system(\"x\")") == "'\"; system(\"x\")'");
  CHECK(GnuplotScript::quoted("`x` \\n $x @x %g") == "'`x` \\n $x @x %g'");
  CHECK_FALSE(holds(GnuplotScript::quoted("a\nplot x\r\x01"), "\n"));
  CHECK_FALSE(holds(GnuplotScript::quoted("a\nplot x\r\x01"), "\r"));
}

TEST_CASE("a text for dot ends nowhere but at its end, and has no escapes and entities of its own") {
  CHECK(dot_text("zone-1") == "zone-1");
  CHECK(dot_text("\"; x [label=\"y") == "\\\"; x [label=\\\"y");
  CHECK(dot_text("\\N\\") == "\\\\N\\\\");
  CHECK(dot_text("&lt;b>") == "&amp;lt;b>");
  CHECK(dot_label({"a", "b\nc"}).find('\n') == std::string::npos);
  CHECK(dot_label({"a", "b"}) == "\"a\\nb\"");
  CHECK(dot_label({}) == "\"\"");
}

TEST_CASE("numbers are the shortest that read back, with a point in every locale") {
  CHECK(GnuplotScript::number(0.1) == "0.1");
  CHECK(GnuplotScript::number(30.0) == "30");
  CHECK(GnuplotScript::number(1.0 / 3.0) == "0.3333333333333333");
}

TEST_CASE("a long text is cut to the room that there is, between letters") {
  CHECK(GnuplotScript::fitted("zone-1", 1000) == "zone-1");
  const std::string cut = GnuplotScript::fitted("zürich-zürich-zürich-zürich", 100);
  CHECK(GnuplotScript::width_of(cut) <= 100);
  CHECK(cut.substr(0, 7) == "zürich");
  CHECK(cut.substr(cut.size() - 3) == "…");
}

TEST_CASE("a script sets the terminal, draws its panels in pixels from the upper left and ends the page") {
  GnuplotScript script({.width = 200, .height = 100}, Image::svg);
  const std::string data = script.data({{0, 1}, {}, {0.5, 2}});
  script.text({50, 25}, "a");
  script.panel({.left = 20, .top = 10, .right = 180, .bottom = 90});
  script.plot({data + " using 1:2 with lines"});
  const std::string text = script.finish();
  CHECK(text.starts_with("set terminal svg size 200,100 "));
  CHECK(holds(text, "noenhanced"));
  CHECK(holds(text, "$data0 << END_OF_DATA\n0 1\n\n0.5 2\nEND_OF_DATA\n"));
  CHECK(holds(text, "set label 'a' at screen 0.25000, screen 0.75000"));
  CHECK(holds(text, "set lmargin at screen 0.10000\nset rmargin at screen 0.90000\nset tmargin at screen 0.90000"));
  CHECK(holds(text, "plot $data0 using 1:2 with lines\nunset label"));
  CHECK(text.ends_with("unset multiplot\n"));
}

// Cairo takes a point for 1/72 inch at 96 dots an inch, SVG for a pixel: 2 x 72 / 96 = 1.5.
TEST_CASE("a png has twice as many pixels, and texts of the same size in them") {
  CHECK(GnuplotScript({.width = 200, .height = 100}, Image::png)
            .finish()
            .starts_with("set terminal pngcairo size 400,200 fontscale 1.5 "));
}
