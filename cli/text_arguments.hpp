// The options that commands read as they are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spillway::cli {

// The arguments of `spillway sweep` and `spillway find` as texts; the commands themselves check them.
struct SweepArguments {
  std::vector<std::string> over;      // KEY=VALUES
  std::optional<std::string> csv;     // a table of combinations
  std::optional<std::string> design;  // how keys are combined
  std::optional<std::string> samples;
  std::vector<std::string> variants;  // more scenarios
  std::optional<std::string> shard;   // I/N
  std::optional<std::string> x;
  std::optional<std::string> y;
  std::optional<std::string> by;
  std::vector<std::string> where;    // KEY=VALUE
  bool points = false;               // list every point
  std::optional<std::string> point;  // only this one
  std::optional<std::string> maximise;
  std::optional<std::string> minimise;
  std::vector<std::string> such_that;
  std::optional<std::string> under;
};

struct TextArguments {
  std::vector<std::string> paths;
  bool every_event = false;  // each event of the timeline begins a row
  std::optional<std::string> junit;
  std::optional<std::string> trace;
  std::optional<std::string> metrics;
  std::optional<std::string> events;   // the file for events
  std::optional<std::string> report;   // the HTML file to write
  bool at_rest = false;                // shares with no request in flight, instead of exact ones
  bool github = false;                 // annotations in addition to diagnostics and failures
  std::optional<std::string> explain;  // a diagnostic's code
  std::optional<std::string> cluster;  // the selected one of several
  std::vector<std::string> clusters;   // files of /clusters, of one or two times
  std::optional<std::string> dump;     // of a proxy, compared with a mesh's documents
  std::vector<std::string> stats;      // files of /stats, of one or two times
  bool allow_files = false;            // of a scenario, in any folder
  bool quiet = false;                  // no warnings, notes or progress
  std::optional<std::string> access_log;
  std::optional<std::string> prometheus;  // the response to a range query
  std::optional<std::string> server_info;
  std::optional<std::string> runtime;   // the output of /runtime
  std::optional<std::string> mesh;      // a folder with one proxy's documents per entry
  std::optional<std::string> output;    // the scenario file of an import
  std::optional<std::string> world;     // the scenario whose Kuma documents are replaced
  std::optional<std::string> client;    // exported, explained or drawn
  std::optional<std::string> service;   // requested by the client
  std::optional<std::string> key;       // of one hashed request
  std::optional<std::string> listener;  // of Envoy's documents, for an incoming request
  std::optional<std::string> host;
  std::optional<std::string> path;
  std::optional<std::string> why;          // a zone, priority or endpoint
  std::optional<std::string> folder;       // the target of an export
  bool all_clusters = false;               // of Envoy's documents, one by one
  bool of_results = false;                 // the schema of results instead of that of scenario files
  std::optional<std::string> picture;      // the file for a picture
  std::vector<std::string> settings = {};  // KEY=VALUE, set in the scenario before it is read
  SweepArguments sweep = {};               // of `sweep` and `find`
};

}  // namespace spillway::cli
