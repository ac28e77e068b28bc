// The command line as data. The only part that knows CLI11.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/formats.hpp"
#include "reports/group_by.hpp"
#include "reports/subset_structure.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {

enum class Command { run, share, check, tables, subsets, explain, export_documents, validate, schema };

enum class ColorChoice { automatic, always, never };

struct Arguments {
  Command command = Command::run;
  std::vector<std::string> paths;
  reports::Format format = reports::Format::table;
  reports::SubsetFormat subset_format = reports::SubsetFormat::table;  // of `subsets`, instead of `format`
  std::optional<reports::Dimensions> by;
  reports::Show show = reports::Show::shares;
  std::optional<std::chrono::nanoseconds> sample;  // interval of the samples
  std::optional<std::uint64_t> seed;
  std::optional<scenario::Mode> mode;
  std::optional<int> width;
  ColorChoice color = ColorChoice::automatic;
  std::size_t jobs = 1;
  std::uint32_t replications = 1;
  std::optional<std::string> junit;
  std::optional<std::string> trace;
  std::optional<std::string> explain;  // a diagnostic's code
  std::optional<std::string> cluster;  // the one that is asked for, of several
  std::optional<std::string> client;   // the one whose proxy is exported, or whose requests are explained
  std::optional<std::string> service;  // that it asks for
  std::optional<std::string> key;      // of one hashed request
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> why;     // a zone, priority or endpoint
  std::optional<std::string> folder;  // where an export goes
  std::chrono::nanoseconds at{0};     // the moment that is exported or explained
  std::optional<std::uint32_t> port;  // the first of an export
};

// What to print instead of doing anything: `--help`.
struct HelpText {
  std::string text;
};

struct ShowVersion {};

// What is wrong with the command line; printed as "error[SP901]: ..." with its help below.
struct UsageProblem {
  std::string code;
  std::string message;
  std::string help;  // may be empty
};

using Parsed = std::variant<Arguments, HelpText, ShowVersion, UsageProblem>;

[[nodiscard]] Parsed parse_arguments(const std::vector<std::string>& arguments);

}  // namespace spillway::cli
