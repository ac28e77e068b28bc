#include "reports/plot/palette.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "reports/text/names.hpp"

namespace spillway::reports::plot {
namespace {

constexpr std::string_view orange = "#E69F00";
constexpr std::string_view sky_blue = "#56B4E9";
constexpr std::string_view bluish_green = "#009E73";
constexpr std::string_view yellow = "#F0E442";
constexpr std::string_view blue = "#0072B2";
constexpr std::string_view red = "#D55E00";
constexpr std::string_view reddish_purple = "#CC79A7";
constexpr std::string_view dark_yellow = "#B8860B";  // readable as a line on white, unlike yellow
constexpr std::string_view gray = "#7F7F7F";
constexpr std::string_view dark_purple = "#5B3A8E";

using Seven = std::array<std::string_view, 7>;

// Kuma's documents draw priorities in green, yellow and red.
constexpr Seven priorities{bluish_green, orange, red, blue, reddish_purple, sky_blue, yellow};
constexpr Seven zones{blue, orange, bluish_green, reddish_purple, sky_blue, red, yellow};

constexpr double tint_of_second_round = 0.55;

std::string color_at(const Seven& colors, std::size_t position) {
  const std::string_view color = colors[position % colors.size()];
  const bool second_round = position / colors.size() % 2 == 1;
  return second_round ? tint(color, tint_of_second_round) : std::string(color);
}

// Returns red, green or blue of "#RRGGBB", 0 to 255.
int part_of(std::string_view color, std::size_t part) {
  constexpr int hexadecimal = 16;
  int value = 0;
  const std::string_view digits = color.substr(1 + 2 * part, 2);
  std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal);
  return value;
}

}  // namespace

std::string priority_color(config::Priority priority) {
  return color_at(priorities, priority.value);
}

std::string zone_color(std::size_t zone) {
  return color_at(zones, zone);
}

std::string failure_color(std::size_t position) {
  constexpr std::array colors{red,         reddish_purple, orange,       blue,       sky_blue,
                              dark_yellow, gray,           bluish_green, dark_purple};
  return std::string(colors[position % colors.size()]);
}

std::string series_color(std::size_t position) {
  return color_at(zones, position);
}

std::string_view health_color(Health health) {
  return name_in({"#CDE9F9", "#F8F2A9", "#F2BF99", "#FFFFFF"}, health);  // tints of sky blue, yellow and red; white
}

std::string_view name_of(Health health) {
  return name_in({"healthy", "degraded", "unhealthy", "gone"}, health);
}

std::string tint(std::string_view color, double white) {
  const auto mixed = [&](std::size_t part) {
    const double value = part_of(color, part);
    return static_cast<int>(std::lround(value + (255.0 - value) * white));
  };
  return fmt::format("#{:02X}{:02X}{:02X}", mixed(0), mixed(1), mixed(2));
}

std::string_view text_color_on(std::string_view color) {
  // Perceived brightness. Source: ITU-R BT.601.
  const double brightness = 0.299 * part_of(color, 0) + 0.587 * part_of(color, 1) + 0.114 * part_of(color, 2);
  constexpr double middle = 125.0;
  return brightness > middle ? "#000000" : "#FFFFFF";
}

}  // namespace spillway::reports::plot
