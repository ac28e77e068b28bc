// The colors of every picture: the eight of Okabe and Ito, which color-blind people can distinguish, and tints of them.
// A priority, a zone and a state of health have the same color in every picture and report.
//
//   priority_color(config::Priority{0})   "#009E73", the green of the documents' figures; 1 is orange, 2 red
//
// Color is never the only sign: a legend gives its meaning, and widths, dashes or patterns repeat it in print. Source:
// Okabe and Ito, "Color Universal Design", 2008.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "models/config/strong.hpp"

namespace spillway::reports::plot {

// Returns "#RRGGBB". The first seven priorities have colors of their own, the next seven their tints; then both repeat.
[[nodiscard]] std::string priority_color(config::Priority priority);

// Returns the color of the zone at this position in the scenario's list.
[[nodiscard]] std::string zone_color(std::size_t zone);

// Returns the color of the kind of failure at this position in scenario::failures.
[[nodiscard]] std::string failure_color(std::size_t position);

// Returns the color for other items: subsets, nodes, endpoints, quantiles.
[[nodiscard]] std::string series_color(std::size_t position);

enum class Health { healthy, degraded, unhealthy, gone };

// Returns a tint on which black text is readable.
[[nodiscard]] std::string_view health_color(Health health);

// Returns "healthy", "degraded", "unhealthy", "gone".
[[nodiscard]] std::string_view name_of(Health health);

// Mixes the color with white: 0 leaves it unchanged, 1 gives white.
[[nodiscard]] std::string tint(std::string_view color, double white);

// Returns black or white, whichever is easier to read on the color.
[[nodiscard]] std::string_view text_color_on(std::string_view color);

inline constexpr std::string_view ink = "#222222";         // text and axes
inline constexpr std::string_view faint = "#888888";       // secondary text
inline constexpr std::string_view overload = "#D55E00";    // above an endpoint's capacity
inline constexpr std::string_view no_traffic = "#BBBBBB";  // no traffic at all

}  // namespace spillway::reports::plot
