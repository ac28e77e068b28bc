// The colors of every picture: Okabe and Ito's eight, which people who see colors differently tell apart, and tints of
// them. A priority, a zone and a state of health have the same color in every picture and report.
//
//   priority_color(config::Priority{0})   "#009E73", the green of the documents' figures; 1 is orange, 2 red
//
// Colors never stand alone: what they mean is written beside, and widths, dashes or patterns say it again in print.
// Source: Okabe and Ito, "Color Universal Design", 2008.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "models/config/strong.hpp"

namespace spillway::reports::plot {

// "#RRGGBB". After seven colors come their tints, then both again.
[[nodiscard]] std::string priority_color(config::Priority priority);

// Of the zone at this place in the scenario's list.
[[nodiscard]] std::string zone_color(std::size_t zone);

// Of whatever else has colors of its own: subsets, nodes, endpoints, quantiles.
[[nodiscard]] std::string series_color(std::size_t position);

enum class Health { healthy, degraded, unhealthy, gone };

// A tint that black text can be read on.
[[nodiscard]] std::string_view health_color(Health health);

// "healthy", "degraded", "unhealthy", "gone".
[[nodiscard]] std::string_view name_of(Health health);

// Mixed with white: 0 leaves the color, 1 gives white.
[[nodiscard]] std::string tint(std::string_view color, double white);

// Black or white, whichever is easier to read on the color.
[[nodiscard]] std::string_view text_color_on(std::string_view color);

inline constexpr std::string_view ink = "#222222";         // text and axes
inline constexpr std::string_view faint = "#888888";       // what is beside the point
inline constexpr std::string_view overload = "#D55E00";    // more than an endpoint can do
inline constexpr std::string_view no_traffic = "#BBBBBB";  // where nothing goes

}  // namespace spillway::reports::plot
