// The command line as data. The only part that knows CLI11.
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
  find
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
  bool every_event = false;                        // each event of the author begins a row that is shown
  std::optional<std::uint64_t> seed;
  std::optional<scenario::Mode> mode;
  std::optional<int> width;
  ColorChoice color = ColorChoice::automatic;
  std::size_t jobs = 1;  // of `run` 0: as many as there is room for
  std::optional<std::uint32_t> replications;
  std::optional<double> until_precise;  // half the width of intervals of shares, as a part of all requests
  std::optional<std::string> junit;
  std::optional<std::string> trace;
  std::optional<std::string> metrics;
  std::optional<std::string> events;          // the file for happenings
  reports::EventFilter logged_events;         // those that are kept
  bool each_event = false;                    // shown one by one
  std::optional<std::string> report;          // the HTML file to write
  std::string command_line = {};              // that a report says makes it again
  bool at_rest = false;                       // shares with no request in flight, instead of exact ones
  bool github = false;                        // annotations beside diagnostics and failures
  std::optional<std::string> explain;         // a diagnostic's code
  std::optional<std::string> cluster;         // the one that is asked for, of several
  std::vector<std::string> clusters;          // files of /clusters, one or two moments
  std::optional<std::string> dump;            // of a proxy, beside a mesh's documents
  std::vector<std::string> stats;             // files of /stats, one or two moments
  std::optional<std::uint64_t> limit_memory;  // bytes
  std::optional<std::chrono::nanoseconds> limit_time;
  bool allow_files = false;  // of a scenario, wherever they are
  bool quiet = false;        // no warnings, notes or progress
  std::optional<std::string> access_log;
  bool traces = false;                    // an import has the log as traces, not as phases
  std::optional<std::string> prometheus;  // a range query's answer
  std::optional<std::string> server_info;
  std::optional<std::string> runtime;             // the output of /runtime
  std::optional<std::chrono::nanoseconds> apart;  // the time between two moments
  std::optional<std::string> mesh;                // a folder with the documents of one proxy each
  std::optional<std::string> output;              // the scenario file of an import
  std::optional<std::string> world;               // the scenario whose documents of Kuma's are replaced
  std::optional<std::string> client;  // the one whose proxy is exported, whose requests are explained, or who is drawn
  std::optional<std::uint32_t> instance;  // of its proxies, whose own knowledge is explained
  std::optional<std::string> service;     // that it asks for
  std::optional<std::string> key;         // of one hashed request
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> listener;  // of Envoy's documents: a request as it comes in
  std::optional<std::string> host;
  std::optional<std::string> path;
  std::optional<std::string> source;                        // with a port
  std::map<std::string, std::vector<std::string>> resolve;  // addresses of names in them
  std::set<std::string> without;                            // keys that are left out of them
  std::optional<std::string> why;                           // a zone, priority or endpoint
  std::optional<std::string> folder;                        // where an export goes
  std::optional<std::chrono::nanoseconds> at;   // the moment that is exported, explained, pictured or planned for
  std::optional<double> growth;                 // of all requests, of a plan
  std::optional<double> rate;                   // of all requests together, of a plan; of an import's clusters
  std::optional<config::EnvoyProfile> profile;  // whose rules are played
  std::optional<std::uint32_t> to_release;      // of Envoy 1.x, to which it is upgraded
  std::optional<std::uint32_t> from_release;    // from which, instead of what the documents say
  bool all_clusters = false;                    // of Envoy's documents, one after another
  std::vector<reports::plot::Kind> kinds;       // of pictures, each once
  std::optional<std::string> picture;           // the file that a picture goes to
  std::chrono::nanoseconds timeout{std::chrono::minutes{1}};  // of a program that draws
  std::optional<std::uint32_t> port;                          // the first of an export
  std::vector<std::string> settings = {};                     // KEY=VALUE, put into the scenario before it is read
  SweepArguments sweep = {};                                  // of sweeps and searches
};

// What to print instead of doing anything: `--help`.
struct HelpText {
  std::string text;
};

struct ShowVersion {};

struct ShowDocs {
  std::optional<std::string> page;  // none: their names
};

using Parsed = std::variant<Arguments, HelpText, ShowVersion, ShowDocs, UsageProblem>;

[[nodiscard]] Parsed parse_arguments(const std::vector<std::string>& arguments);

}  // namespace spillway::cli
