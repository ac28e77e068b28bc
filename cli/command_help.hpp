// The name of each command, and the text that `--help` prints before its options.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace spillway::cli {

struct CommandHelp {
  Command command;
  const char* name;
  const char* group;  // in `spillway --help`
  const char* summary;
  const char* usage;      // printed after the options
  const char* path_name;  // of positional arguments; empty if there are none
  const char* path_help;
  const char* example;
};

// The commands in the order of the help.
extern const std::array<CommandHelp, 18> commands;

[[nodiscard]] std::vector<std::string> command_names();

}  // namespace spillway::cli
