#include "cli/picture_files.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/drawing_program.hpp"
#include "cli/output_file.hpp"

namespace spillway::cli {
namespace {

namespace plot = reports::plot;
namespace fs = std::filesystem;
using plot::Image;
using plot::Kind;

// Returns "out-topology-03.svg", for instance.
fs::path file_of(const fs::path& file, const Arguments& arguments, const Drawn& drawn, std::size_t of_its_kind) {
  std::string name = file.stem().string();
  if (arguments.kinds.size() > 1) {
    name += fmt::format("-{}", plot::name_of(drawn.kind));
  }
  if (drawn.number) {
    name += fmt::format("-{:0{}}", *drawn.number, std::to_string(of_its_kind - 1).size());
  }
  return file.parent_path() / (name + file.extension().string());
}

}  // namespace

std::variant<PictureTarget, UsageProblem> picture_target(const Arguments& arguments) {
  const fs::path file(*arguments.picture);
  const std::string ending = file.extension().string();
  const auto all = [&](plot::Program program) {
    return std::all_of(arguments.kinds.begin(), arguments.kinds.end(),
                       [program](Kind kind) { return plot::program_of(kind) == program; });
  };
  if (file == "-") {
    return arguments.kinds.size() == 1
               ? std::variant<PictureTarget, UsageProblem>(PictureTarget{file, {}})
               : bad_value("--output", "-", "standard output takes pictures of one kind; name a file for several");
  }
  if (ending == ".svg" || ending == ".png") {
    return PictureTarget{file, ending == ".svg" ? Image::svg : Image::png};
  }
  const bool gnuplot = ending == ".gp" && all(plot::Program::gnuplot);
  const bool graphviz = ending == ".dot" && all(plot::Program::graphviz);
  if (gnuplot || graphviz) {
    return PictureTarget{file, {}};
  }
  const std::string wanted = ending == ".gp" ? "Graphviz draws a topology: .dot, or --kind without topology"
                             : ending == ".dot"
                                 ? "gnuplot draws all but a topology: .gp, or --kind topology alone"
                                 : "it takes a name that ends in .svg or .png, .gp (gnuplot) or .dot (topology), or -";
  return bad_value("--output", *arguments.picture, wanted);
}

std::variant<std::string, UsageProblem> keep_pictures(std::vector<Drawn> pictures, const PictureTarget& target,
                                                      const Arguments& arguments) {
  std::string output;
  if (target.file == "-") {
    for (const Drawn& drawn : pictures) {
      output += drawn.text;
    }
    return output;
  }
  for (Drawn& drawn : pictures) {
    if (target.image) {
      auto image = draw(plot::program_of(drawn.kind), *target.image, drawn.text, arguments.timeout);
      if (auto* failure = std::get_if<UsageProblem>(&image)) {
        return std::move(*failure);
      }
      drawn.text = std::get<std::string>(std::move(image));
    }
  }
  for (const Drawn& drawn : pictures) {
    const auto of_its_kind = static_cast<std::size_t>(
        std::count_if(pictures.begin(), pictures.end(), [&](const Drawn& other) { return other.kind == drawn.kind; }));
    const fs::path file = file_of(target.file, arguments, drawn, of_its_kind);
    if (auto failure = write_file(file.string(), drawn.text)) {
      return *failure;
    }
    output += file.string() + '\n';
  }
  return output;
}

}  // namespace spillway::cli
