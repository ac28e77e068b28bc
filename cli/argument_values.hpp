// Converts the option texts of the command line into values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/sweep_arguments.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// The texts that CLI11 fills in. Every value is checked below, so that all error messages are consistent.
struct RawArguments {
  std::vector<std::string> paths;
  std::optional<std::string> format;
  std::optional<std::string> by;
  std::optional<std::string> show;
  std::optional<std::string> sample;
  std::optional<std::string> every;
  std::optional<std::string> instance;
  bool every_event = false;
  std::optional<std::string> seed;
  std::optional<std::string> mode;
  std::optional<std::string> width;
  std::optional<std::string> color;
  std::optional<std::string> jobs;
  std::optional<std::string> replications;
  std::optional<std::string> until_precise;
  std::optional<std::string> junit;
  std::optional<std::string> trace;
  std::optional<std::string> explain;
  std::optional<std::string> cluster;
  std::vector<std::string> clusters;
  std::optional<std::string> dump;
  std::vector<std::string> stats;
  std::optional<std::string> access_log;
  std::optional<std::string> prometheus;
  std::optional<std::string> server_info;
  std::optional<std::string> runtime;
  std::optional<std::string> apart;
  std::optional<std::string> mesh;
  std::optional<std::string> output;
  std::optional<std::string> world;
  std::optional<std::string> client;
  std::optional<std::string> service;
  std::optional<std::string> key;
  std::vector<std::string> headers;
  std::optional<std::string> listener;
  std::optional<std::string> host;
  std::optional<std::string> path;
  std::optional<std::string> source;
  std::vector<std::string> resolve;
  std::vector<std::string> without;
  std::optional<std::string> why;
  std::optional<std::string> folder;
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
  bool all_clusters = false;
  std::optional<std::string> port;
  std::optional<std::string> metrics;
  std::optional<std::string> events;
  bool each = false;
  std::optional<std::string> endpoint;
  std::optional<std::string> logged_event;
  std::optional<std::string> from;
  std::optional<std::string> to;
  std::optional<std::string> report;
  bool at_rest = false;
  std::optional<std::string> limit_memory;
  std::optional<std::string> limit_time;
  bool allow_files = false;
  bool quiet = false;
  bool github = false;
  std::optional<std::string> kind;
  std::optional<std::string> picture;
  std::optional<std::string> timeout;
  std::vector<std::string> settings;
  std::optional<std::string> pictures;
  SweepArguments sweep;
  std::map<std::string, std::optional<std::string>> own;  // by option: texts that only the command reads
};

// Converts the texts into values; returns the first problem.
[[nodiscard]] std::optional<UsageProblem> check_values(const RawArguments& raw, Arguments& into);

}  // namespace spillway::cli
