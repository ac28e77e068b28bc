#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "models/config/refusal.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

namespace fs = std::filesystem;

// Lists the pages. Throws std::system_error if the folder or a page cannot be read; main() reports it.
std::vector<std::string> pages_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const char* below : {"", "behaviour"}) {
    if (!fs::is_directory(folder / below)) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder / below)) {
      if (entry.path().extension() == ".md") {
        names.push_back((fs::path(below) / entry.path().stem()).string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const fs::path& page) {
  std::ifstream in;
  in.exceptions(std::ios::badbit | std::ios::failbit);
  in.open(page, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the page's first heading.
std::string title_of(const fs::path& page) {
  const std::string text = text_of(page);
  const std::string line = text.substr(0, text.find('\n'));
  const std::size_t begin = line.find_first_not_of("# ");
  return begin == std::string::npos ? "" : line.substr(begin);
}

// Normalizes the spellings of a page: `docs/plot.md`, `plot.md#anchor`, `plot`.
std::string name_of(std::string page) {
  page = page.substr(0, page.find('#'));
  page = page.starts_with("docs/") ? page.substr(5) : page;
  return page.ends_with(".md") ? page.substr(0, page.size() - 3) : page;
}

}  // namespace

CommandResult docs_command(const std::optional<std::string>& page) {
  const auto folder = docs_of_the_house();
  if (!folder) {
    return refuse({"SP906", "cannot read the documentation: it is not installed",
                   "it is installed in `share/spillway/docs` next to the program, and is `docs` in the source"});
  }
  const std::vector<std::string> names = pages_in(*folder);
  if (page) {
    const std::string name = name_of(*page);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string meant = did_you_mean(name, names);
      return refuse({"SP906", fmt::format("no page `{}`", reports::printable(name)),
                     meant.empty() ? "`spillway docs` lists the pages" : meant});
    }
    return {text_of(fs::path(*folder) / (name + ".md")), ExitCode::well};
  }
  std::size_t widest = 0;
  for (const std::string& name : names) {
    widest = std::max(widest, name.size());
  }
  std::string text = fmt::format("Pages in {}, `spillway docs PAGE` prints one:\n", reports::printable(*folder));
  for (const std::string& name : names) {
    text += fmt::format("  {:<{}}  {}\n", name, widest, title_of(fs::path(*folder) / (name + ".md")));
  }
  return {text, ExitCode::well};
}

}  // namespace spillway::cli
