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
#include "cli/sweep_arguments.hpp"
#include "cli/usage_problem.hpp"
#include "models/config/profile.hpp"
#include "reports/formats.hpp"
#include "reports/plot/picture.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/subsets/subset_format.hpp"

namespace spillway::cli {

enum class Command {
  run,
  share,
  check,
  tables,
  diff,
  compare,
  plan,
  explain,
  subsets,
  plot,
  export_documents,
  import_documents,
  validate,
  schema,
  sweep,
  find,
  init,
  try_rule
};

enum class ColorChoice { automatic, always, never };

struct Arguments {
  Command command = Command::run;
  std::vector<std::string> paths;
  reports::Format format = reports::Format::table;
  reports::SubsetFormat subset_format = reports::SubsetFormat::table;  // of `subsets`, instead of `format`
  std::optional<reports::Dimensions> by;
  reports::Show show = reports::Show::shares;
  std::optional<std::chrono::nanoseconds> sample;  // interval of the samples
  std::optional<std::chrono::nanoseconds> every;   // length of the rows that are shown
  bool every_event = false;                        // each event of the timeline begins a row
  std::optional<std::uint64_t> seed;
  std::optional<scenario::Mode> mode;
  std::optional<int> width;
  ColorChoice color = ColorChoice::automatic;
  std::size_t jobs = 1;  // for `run`, 0: as many as fit
  std::optional<std::uint32_t> replications;
  std::optional<double> until_precise;  // half-width of share intervals, as a fraction of all requests
  std::optional<std::string> junit;
  std::optional<std::string> trace;
  std::optional<std::string> metrics;
  std::optional<std::string> events;          // the file for events
  reports::EventFilter logged_events;         // filter of events
  bool each_event = false;                    // events are not merged
  std::optional<std::string> report;          // the HTML file to write
  std::string command_line = {};              // reproduces a report's results
  bool at_rest = false;                       // shares with no request in flight, instead of exact ones
  bool github = false;                        // annotations in addition to diagnostics and failures
  std::optional<std::string> explain;         // a diagnostic's code
  std::optional<std::string> cluster;         // the selected one of several
  std::vector<std::string> clusters;          // files of /clusters, of one or two times
  std::optional<std::string> dump;            // of a proxy, compared with a mesh's documents
  std::vector<std::string> stats;             // files of /stats, of one or two times
  std::optional<std::uint64_t> limit_memory;  // bytes
  std::optional<std::chrono::nanoseconds> limit_time;
  bool allow_files = false;  // of a scenario, in any folder
  bool quiet = false;        // no warnings, notes or progress
  std::optional<std::string> access_log;
  bool traces = false;                    // an import writes the log as traces, not as phases
  std::optional<std::string> prometheus;  // the response to a range query
  std::optional<std::string> server_info;
  std::optional<std::string> runtime;             // the output of /runtime
  std::optional<std::chrono::nanoseconds> apart;  // the time between two outputs
  std::optional<std::string> mesh;                // a folder with one proxy's documents per entry
  std::optional<std::string> output;              // the scenario file of an import
  std::optional<std::string> world;               // the scenario whose Kuma documents are replaced
  std::optional<std::string> client;              // exported, explained or drawn
  std::optional<std::uint32_t> instance;          // of its proxies: the one whose detected state is explained
  std::optional<std::string> service;             // requested by the client
  std::optional<std::string> key;                 // of one hashed request
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> listener;  // of Envoy's documents, for an incoming request
  std::optional<std::string> host;
  std::optional<std::string> path;
  std::optional<std::string> source;                          // with a port
  std::map<std::string, std::vector<std::string>> resolve;    // addresses of names in them
  std::set<std::string> without;                              // keys to leave out of them
  std::optional<std::string> why;                             // a zone, priority or endpoint
  std::optional<std::string> folder;                          // the target of an export
  std::optional<std::chrono::nanoseconds> at;                 // the time to export, explain, draw or plan for
  std::optional<double> growth;                               // of all requests, for a plan
  std::vector<double> growths;                                // several of them: a table, beside the plan of now
  std::optional<double> rate;                                 // of all requests, for a plan; of an import's clusters
  std::optional<config::EnvoyProfile> profile;                // rules to simulate
  std::optional<std::uint32_t> to_release;                    // of Envoy 1.x, the upgrade's target
  std::optional<std::string> to_mesh;    // "istio=release-1.31", "kuma=head": the control plane's
  std::optional<std::string> from_mesh;  // default: the profile that the scenario names, else the other one
  std::optional<std::uint32_t> from_release;                  // its start, overriding the documents
  bool all_clusters = false;                                  // of Envoy's documents, one by one
  std::vector<reports::plot::Kind> kinds;                     // of pictures, each once
  std::optional<std::string> picture;                         // the file for a picture
  std::chrono::nanoseconds timeout{std::chrono::minutes{1}};  // of a drawing program
  std::optional<std::uint32_t> port;                          // the first of an export
  std::vector<std::string> settings = {};                     // KEY=VALUE, set in the scenario before it is read
  SweepArguments sweep = {};                                  // of `sweep` and `find`
  PastedArguments pasted = {};                                // of documents without a scenario
};

// The text that `--help` prints instead of running a command.
struct HelpText {
  std::string text;
};

struct ShowVersion {};

struct ShowDocs {
  std::optional<std::string> page;  // nullopt: list their names
};

using Parsed = std::variant<Arguments, HelpText, ShowVersion, ShowDocs, UsageProblem>;

[[nodiscard]] Parsed parse_arguments(const std::vector<std::string>& arguments);

}  // namespace spillway::cli
