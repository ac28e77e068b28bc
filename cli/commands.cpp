#include "cli/commands.hpp"

#include <algorithm>

namespace spillway::cli {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command* const command : commands::all) {
    names.emplace_back(command->name);
  }
  return names;
}

const Command* command_named(std::string_view name) {
  const auto found =
      std::find_if(commands::all.begin(), commands::all.end(), [&](const Command* one) { return one->name == name; });
  return found == commands::all.end() ? nullptr : *found;
}

}  // namespace spillway::cli
