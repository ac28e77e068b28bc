#include "cli/common_mistakes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "models/config/lower_ascii.hpp"
#include "models/documents/diagnostic_pages.hpp"
#include "reports/document/formats.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::printable;

constexpr std::string_view in_scenario_duration = "the scenario sets the length of a run: `duration: 60s`";
constexpr std::string_view in_scenario_load =
    "the scenario sets the load: `workload: { service: NAME, rate: 100rps }`, or `users: 10`";
constexpr std::string_view in_scenario_failures =
    "the scenario lists failures: `failures: [{ each: zone }]`; default: each zone and each node";
constexpr std::string_view not_verbose = "there is no verbose mode; --show endpoints, events or requests prints more";
constexpr std::string_view no_watch = "a scenario is simulated once; --every 1s prints a row for each second";
constexpr std::string_view files_as_they_are = "files need no option: `spillway {} FILE`";

constexpr std::array table = [] {
  using enum MistakeAt;
  return std::to_array<CommonMistake>({
      // Commands. If a file name follows, the suggested command includes it.
      {command, "simulate", "run"},
      {command, "sim", "run"},
      {command, "start", "run"},
      {command, "play", "run"},
      {command, "exec", "run"},
      {command, "execute", "run"},
      {command, "apply", "run"},
      {command, "create", "run"},
      {command, "launch", "run"},
      {command, "test", "check"},
      {command, "verify", "check"},
      {command, "assert", "check"},
      {command, "lint", "validate"},
      {command, "vet", "validate"},
      {command, "fmt", "validate"},
      {command, "format", "validate"},
      {command, "parse", "validate"},
      {command, "describe", "explain"},
      {command, "why", "explain"},
      {command, "trace", "explain"},
      {command, "inspect", "explain"},
      {command, "show", "share"},
      {command, "shares", "share"},
      {command, "get", "share"},
      {command, "split", "share"},
      {command, "draw", "plot"},
      {command, "graph", "plot"},
      {command, "chart", "plot"},
      {command, "picture", "plot"},
      {command, "capacity", "plan"},
      {command, "failover", "plan"},
      {command, "cost", "plan"},
      {command, "optimize", "find"},
      {command, "optimise", "find"},
      {command, "search", "find"},
      {command, "maximise", "find"},
      {command, "grid", "sweep"},
      {command, "experiment", "sweep"},
      {command, "convert", "import"},
      {command, "load", "import"},
      {command, "generate", "export"},
      {command, "bootstrap", "export"},
      {command, "delta", "diff"},
      {command, "man", "help"},
      {command, "usage", "help"},
      {command, "doc", "docs"},
      {command, "subset", "subsets"},
      {command, "table", "tables"},
      {command, "report", "run FILE --report report.html"},
      {command, "new", "docs tutorial"},
      {command, "codes", "docs diagnostics"},
      // Options of other programs, for commands that have the intended one.
      {option, "--format", "--output"},
      {option, "--out", "--output"},
      {option, "--output-format", "--output"},
      {option, "-n", "--replications"},
      {option, "-r", "--replications"},
      {option, "--runs", "--replications"},
      {option, "--repeat", "--replications"},
      {option, "--iterations", "--replications"},
      {option, "--threads", "--jobs"},
      {option, "--workers", "--jobs"},
      {option, "--parallel", "--jobs"},
      {option, "--procs", "--jobs"},
      {option, "-q", "--quiet"},
      {option, "--silent", "--quiet"},
      {option, "-s", "--quiet"},
      {option, "--html", "--report"},
      {option, "--xml", "--junit"},
      {option, "--timeout", "--limit-time"},
      {option, "--max-time", "--limit-time"},
      {option, "-m", "--limit-time"},
      {option, "--memory", "--limit-memory"},
      {option, "--interval", "--every"},
      {option, "--step", "--every"},
      {option, "--group-by", "--by"},
      {option, "--rps", "--rate"},
      {option, "--qps", "--rate"},
      {option, "--time", "--at"},
      {option, "--moment", "--at"},
      {option, "--maximize", "--maximise"},
      {option, "--minimize", "--minimise"},
      {option, "--log", "--events"},
      {option, "--colour", "--color"},
      {option, "--columns", "--width"},
      {option, "--random-seed", "--seed"},
      {option, "--type", "--kind"},
      {option, "--no-color", "--color never"},
      {option, "--no-colour", "--color never"},
      {option, "--nocolor", "--color never"},
      // Options of other programs that no option here is like, with what to do instead; {} is the command.
      {advice, "--duration", in_scenario_duration},
      {advice, "-d", in_scenario_duration},
      {advice, "--vus", in_scenario_load},
      {advice, "--users", in_scenario_load},
      {advice, "--concurrency", in_scenario_load},
      {advice, "-c", in_scenario_load},
      {advice, "--rate", in_scenario_load},
      {advice, "--lose", in_scenario_failures},
      {advice, "--failures", in_scenario_failures},
      {advice, "--fail", in_scenario_failures},
      {advice, "--zone", "choose what is shown with --by zone, or one client with --client NAME"},
      {advice, "--verbose", not_verbose},
      {advice, "-v", not_verbose},
      {advice, "-vv", not_verbose},
      {advice, "--debug", "`spillway explain` says why requests go where they go"},
      {advice, "--dry-run", "`spillway validate` reads a scenario and simulates nothing"},
      {advice, "--watch", no_watch},
      {advice, "-w", no_watch},
      {advice, "--namespace", "write names of a mesh as in its documents"},
      {advice, "--config", files_as_they_are},
      {advice, "--input", files_as_they_are},
      {advice, "-i", files_as_they_are},
      {advice, "-f", files_as_they_are},
      {advice, "--file", files_as_they_are},
      {advice, "--filename", files_as_they_are},
      // Options without a value, with an example of one.
      {example, "--report", "report.html"},
      {example, "--trace", "requests.csv"},
      {example, "--metrics", "metrics.txt"},
      {example, "--events", "events.jsonl"},
      {example, "--junit", "junit.xml"},
      {example, "--explain", "SP104"},
      {example, "--seed", "7"},
      {example, "--replications", "20"},
      {example, "--jobs", "2"},
      {example, "--output", "json"},
      {example, "--by", "zone"},
      {example, "--at", "25s"},
      {example, "--every", "5s"},
      {example, "--sample", "1s"},
      {example, "--growth", "1.5x"},
      {example, "--rate", "2700rps"},
      {example, "--mode", "exact"},
      {example, "--show", "endpoints"},
      {example, "--kind", "share"},
      {example, "--width", "100"},
      {example, "--color", "never"},
      {example, "--limit-time", "30s"},
      {example, "--limit-memory", "2GB"},
      {example, "--client", "NAME"},
      {example, "--service", "NAME"},
      {example, "--key", "user-17"},
      {example, "--cluster", "NAME"},
      {example, "--scenario", "shop.yaml"},
  });
}();

std::string_view meant_by(MistakeAt at, std::string_view written) {
  const auto* const found = std::find_if(
      table.begin(), table.end(), [&](const CommonMistake& row) { return row.at == at && row.written == written; });
  return found == table.end() ? std::string_view() : found->meant;
}

bool is_file_name(std::string_view word) {
  return word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json") || word.ends_with(".jsonc");
}

}  // namespace

std::span<const CommonMistake> common_mistakes() noexcept {
  return table;
}

std::string instead_of_command(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  const std::string word = config::to_lower_ascii(words.front());
  if (documents::find_diagnostic_code(word) != nullptr) {
    return fmt::format("did you mean `spillway help {}`?", printable(words.front()));
  }
  if (is_file_name(word)) {
    return fmt::format("did you mean `spillway run {}`?", printable(words.front()));
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return fmt::format("did you mean `{}`?", word);
  }
  const std::string_view command = meant_by(MistakeAt::command, word);
  if (command.empty()) {
    return {};
  }
  // `apply -f FILE`
  const bool file = words.size() > 1 && (is_file_name(words.back()));
  return fmt::format("did you mean `spillway {}{}`?", command, file ? " " + printable(words.back()) : "");
}

std::string instead_of_option(std::string_view option, std::string_view command,
                              const std::vector<std::string>& options_of_command) {
  const std::string name = config::to_lower_ascii(std::string(option));
  const auto has = [&](std::string_view one) {
    return std::find(options_of_command.begin(), options_of_command.end(), one) != options_of_command.end();
  };
  for (const std::string& format : reports::format_names()) {
    if (name == fmt::format("--{}", format) && has("--output")) {
      return fmt::format("did you mean `-o {}`?", format);
    }
  }
  const std::string_view known = meant_by(MistakeAt::option, name);
  if (!known.empty() && has(known.substr(0, known.find(' ')))) {
    return fmt::format("did you mean `{}`?", known);
  }
  std::string help(meant_by(MistakeAt::advice, name));
  if (const std::size_t hole = help.find("{}"); hole != std::string::npos) {
    help.replace(hole, 2, command);
  }
  return help;
}

std::string example_of_option(std::string_view option) {
  const std::string_view value = meant_by(MistakeAt::example, option);
  return value.empty() ? std::string() : fmt::format("for example {} {}", option, value);
}

}  // namespace spillway::cli
