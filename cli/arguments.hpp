// The command line as data, independent of CLI11.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/pasted_arguments.hpp"
#include "cli/text_arguments.hpp"
#include "cli/usage_problem.hpp"
#include "models/config/profile.hpp"
#include "reports/formats.hpp"
#include "reports/plot/picture.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/subsets/subset_format.hpp"

namespace spillway::cli {

struct Command;  // commands.hpp

enum class ColorChoice { automatic, always, never };

struct Arguments : TextArguments {
  const Command* command = nullptr;  // one of commands::all
  reports::Format format = reports::Format::table;
  reports::SubsetFormat subset_format = reports::SubsetFormat::table;  // of `subsets`, instead of `format`
  std::optional<reports::Dimensions> by;
  reports::Show show = reports::Show::shares;
  std::optional<std::chrono::nanoseconds> sample;  // interval of the samples
  std::optional<std::chrono::nanoseconds> every;   // length of the rows that are shown
  std::optional<std::uint64_t> seed;
  std::optional<scenario::Mode> mode;
  std::optional<int> width;
  ColorChoice color = ColorChoice::automatic;
  std::size_t jobs = 1;  // for `run`, 0: as many as fit
  std::optional<std::uint32_t> replications;
  std::optional<double> until_precise;        // half-width of share intervals, as a fraction of all requests
  reports::EventFilter logged_events;         // filter of events
  bool each_event = false;                    // events are not merged
  std::string command_line = {};              // reproduces a report's results
  std::optional<std::uint64_t> limit_memory;  // bytes
  std::optional<std::chrono::nanoseconds> limit_time;
  bool traces = false;                            // an import writes the log as traces, not as phases
  std::optional<std::chrono::nanoseconds> apart;  // the time between two outputs
  std::optional<std::uint32_t> instance;          // of its proxies: the one whose detected state is explained
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> source;                        // with a port
  std::map<std::string, std::vector<std::string>> resolve;  // addresses of names in them
  std::set<std::string> without;                            // keys to leave out of them
  std::optional<std::chrono::nanoseconds> at;               // the time to export, explain, draw or plan for
  std::optional<double> growth;                             // of all requests, for a plan
  std::vector<double> growths;                              // several of them: a table, beside the plan of now
  std::optional<double> rate;                               // of all requests, for a plan; of an import's clusters
  std::optional<config::EnvoyProfile> profile;              // rules to simulate
  std::optional<std::uint32_t> to_release;                  // of Envoy 1.x, the upgrade's target
  std::optional<std::string> to_mesh;                       // "istio=release-1.31", "kuma=head": the control plane's
  std::optional<std::string> from_mesh;       // default: the profile that the scenario names, else the other one
  std::optional<std::uint32_t> from_release;  // its start, overriding the documents
  std::vector<reports::plot::Kind> kinds;     // of pictures, each once
  std::chrono::nanoseconds timeout{std::chrono::minutes{1}};  // of a drawing program
  std::optional<std::uint32_t> port;                          // the first of an export
  PastedArguments pasted = {};                                // of documents without a scenario
};

// The text that `--help` prints instead of running a command.
struct HelpText {
  std::string text;
};

struct ShowVersion {};

struct ShowDocs {
  std::optional<std::string> page;  // nullopt lists the names
};

using Parsed = std::variant<Arguments, HelpText, ShowVersion, ShowDocs, UsageProblem>;

[[nodiscard]] Parsed parse_arguments(const std::vector<std::string>& arguments);

}  // namespace spillway::cli
