#include "reports/plot/palette.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "sim/scenario/outcome.hpp"

using namespace spillway;
using namespace spillway::reports::plot;

TEST_CASE("priorities are green, orange and red of Okabe and Ito, as the documents' are green, yellow and red") {
  CHECK(priority_color(config::Priority{0}) == "#009E73");
  CHECK(priority_color(config::Priority{1}) == "#E69F00");
  CHECK(priority_color(config::Priority{2}) == "#D55E00");
}

TEST_CASE("fourteen zones have a color each, the second seven as tints") {
  std::set<std::string> colors;
  for (std::size_t zone = 0; zone < 14; ++zone) {
    colors.insert(zone_color(zone));
  }
  CHECK(colors.size() == 14);
  CHECK(zone_color(14) == zone_color(0));
}

TEST_CASE("a tint is a mixture with white") {
  CHECK(tint("#000000", 0.0) == "#000000");
  CHECK(tint("#000000", 0.5) == "#808080");
  CHECK(tint("#0072B2", 1.0) == "#FFFFFF");
}

TEST_CASE("text is black on light colors and white on dark ones") {
  CHECK(text_color_on("#FFFFFF") == "#000000");
  CHECK(text_color_on("#F0E442") == "#000000");
  CHECK(text_color_on("#0072B2") == "#FFFFFF");
  CHECK(text_color_on("#000000") == "#FFFFFF");
  for (const Health health : {Health::healthy, Health::degraded, Health::unhealthy, Health::gone}) {
    CHECK(text_color_on(health_color(health)) == "#000000");
  }
}

TEST_CASE("every kind of failure has a color of its own") {
  std::set<std::string> colors;
  for (std::size_t kind = 0; kind < scenario::failures.size(); ++kind) {
    colors.insert(failure_color(kind));
  }
  CHECK(colors.size() == scenario::failures.size());
}
