// Where the pictures of `spillway plot` go: images, the input of gnuplot and Graphviz, or standard output.
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
  std::optional<reports::plot::Image> image;  // none: what the programs read
};

struct Drawn {
  reports::plot::Kind kind = reports::plot::Kind::share;
  std::optional<std::size_t> number;  // of several of its kind
  std::string text;
};

// What `-o` means for the kinds that are wanted.
[[nodiscard]] std::variant<PictureTarget, UsageProblem> picture_target(const Arguments& arguments);

// Draws all of them before the first is written. What goes to standard output: the pictures, or the names of files.
[[nodiscard]] std::variant<std::string, UsageProblem> keep_pictures(std::vector<Drawn> pictures,
                                                                    const PictureTarget& target,
                                                                    const Arguments& arguments);

}  // namespace spillway::cli
