// A picture before it is drawn: the input of Graphviz or gnuplot. It is derived from results by pure functions, which
// do not depend on these programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::reports::plot {

enum class Kind : std::uint8_t { share, load, latency, topology, plan };

// Returns the names of the kinds: "share", "load", "latency", "topology", "plan", in this order.
[[nodiscard]] const std::vector<std::string>& kind_names();
[[nodiscard]] std::optional<Kind> kind_of(std::string_view name);
[[nodiscard]] std::string_view name_of(Kind kind);

enum class Program : std::uint8_t { gnuplot, graphviz };

[[nodiscard]] Program program_of(Kind kind);

// The file format of a picture.
enum class Image : std::uint8_t { svg, png };

}  // namespace spillway::reports::plot
