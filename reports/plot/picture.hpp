// A picture before it is drawn: what Graphviz or gnuplot gets to read. Pure functions of results make them; nothing
// here knows the programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports::plot {

enum class Kind : std::uint8_t { share, load, latency, topology, plan };

// "share", "load", "latency", "topology", "plan", in this order.
[[nodiscard]] const std::vector<std::string>& kind_names();
[[nodiscard]] std::optional<Kind> kind_of(std::string_view name);
[[nodiscard]] std::string_view name_of(Kind kind);

enum class Program : std::uint8_t { gnuplot, graphviz };

[[nodiscard]] Program program_of(Kind kind);

// How a picture will be kept.
enum class Image : std::uint8_t { svg, png };

}  // namespace spillway::reports::plot
