// What the help says of each subcommand.
#pragma once

#include <array>

#include "cli/arguments.hpp"

namespace spillway::cli {

struct CommandHelp {
  Command command;
  const char* name;
  const char* group;
  const char* summary;
  const char* usage;
  const char* path_name;
  const char* path_help;
  const char* example;
};

inline constexpr std::array<CommandHelp, 7> commands{
    {{Command::run, "run", "Play", "Play a scenario: share tables by epoch, and a summary", "SCENARIO", "SCENARIO",
      "Scenario file, JSON or YAML; - reads standard input",
      "  spillway run failover.yaml\n  spillway run failover.yaml --by zone -o markdown"},
     {Command::share, "share", "Play", "Exact shares only, of a scenario or of Envoy's own documents", "FILE...",
      "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway share failover.yaml -o json\n  spillway share bootstrap.yaml --cluster backend\n"
      "  spillway share cluster.json endpoints.json"},
     {Command::check, "check", "Verify", "Replay expectations and say which hold", "[PATH...]", "PATH",
      "Scenario files, or folders that are searched for them; default: the folder scenarios",
      "  spillway check scenarios/documented --jobs 2\n  spillway check failover.yaml -o json"},
     {Command::tables, "tables", "Verify", "Reprint every documented table: documented | exact | simulated",
      "[PATH...]", "PATH", "Scenario files or folders; default: the documented scenarios that come with spillway",
      "  spillway tables\n  spillway tables scenarios/documented/panic-two-levels.yaml -o markdown"},
     {Command::subsets, "subsets", "Explain", "Print or draw the subsets of a cluster: keys, values, hosts, fallbacks",
      "FILE...", "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway subsets canary.yaml\n  spillway subsets bootstrap.yaml --cluster backend -o dot | dot -Tsvg > "
      "subsets.svg"},
     {Command::validate, "validate", "Write", "Find what is wrong in scenario files, with its place", "FILE...", "FILE",
      "Scenario files, JSON or YAML; - reads standard input",
      "  spillway validate failover.yaml\n  spillway validate --explain SP104"},
     {Command::schema, "schema", "Write", "Print the JSON Schema of scenario files", "", "", "",
      "  spillway schema > scenario.json"}}};

inline constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0 well   1 an expectation failed   2 bad usage or input   3 internal error   130 interrupted";

}  // namespace spillway::cli
