// Writes the pictures of `spillway plot`: as images, as input of gnuplot and Graphviz, or to standard output.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/plot/picture.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

struct PictureTarget {
  std::filesystem::path file;                 // "-": standard output
  std::optional<reports::plot::Image> image;  // nullopt writes the input of the drawing programs
};

struct Drawn {
  reports::plot::Kind kind = reports::plot::Kind::share;
  std::optional<std::size_t> number;  // if there are several of its kind
  std::string text;
};

// Returns the meaning of `-o` for the selected kinds.
[[nodiscard]] std::variant<PictureTarget, UsageProblem> picture_target(const Arguments& arguments);

// Draws all pictures before it writes the first one. Returns the text for standard output: the pictures, or the names
// of files.
[[nodiscard]] std::variant<std::string, UsageProblem> keep_pictures(std::vector<Drawn> pictures,
                                                                    const PictureTarget& target,
                                                                    const Arguments& arguments);

}  // namespace spillway::cli
