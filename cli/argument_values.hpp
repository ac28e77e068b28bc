// Converts the option texts of the command line into values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/text_arguments.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// The texts that CLI11 fills in. Every value is checked below, so that all error messages are consistent.
struct RawArguments : TextArguments {
  std::optional<std::string> format;
  std::optional<std::string> by;
  std::optional<std::string> show;
  std::optional<std::string> sample;
  std::optional<std::string> every;
  std::optional<std::string> instance;
  std::optional<std::string> seed;
  std::optional<std::string> mode;
  std::optional<std::string> width;
  std::optional<std::string> color;
  std::optional<std::string> jobs;
  std::optional<std::string> replications;
  std::optional<std::string> until_precise;
  std::optional<std::string> apart;
  std::vector<std::string> headers;
  std::optional<std::string> source;
  std::vector<std::string> resolve;
  std::vector<std::string> without;
  std::optional<std::string> at;
  std::optional<std::string> growth;
  std::vector<std::string> rates;
  std::vector<std::string> capacities;
  std::optional<std::string> zones;
  bool replicas = false;
  bool short_diagnostics = false;
  std::optional<std::string> profile;
  std::optional<std::string> log_as;
  std::optional<std::string> to_profile;
  std::optional<std::string> from_profile;
  std::optional<std::string> port;
  bool each = false;
  std::optional<std::string> endpoint;
  std::optional<std::string> logged_event;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::optional<std::string> limit_memory;
  std::optional<std::string> limit_time;
  std::optional<std::string> kind;
  std::optional<std::string> timeout;
  std::optional<std::string> pictures;
};

// Converts the texts into values; returns the first problem.
[[nodiscard]] std::optional<UsageProblem> check_values(const RawArguments& raw, Arguments& into);

}  // namespace spillway::cli
