#include "cli/common_mistakes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "models/documents/diagnostic_pages.hpp"
#include "reports/document/formats.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::printable;

struct CommonMistake {
  std::string_view written;
  std::string_view meant;
};

constexpr std::array command_common_mistakes = std::to_array<CommonMistake>({
    {"simulate", "run"},
    {"sim", "run"},
    {"start", "run"},
    {"play", "run"},
    {"exec", "run"},
    {"execute", "run"},
    {"apply", "run"},
    {"create", "run"},
    {"launch", "run"},
    {"test", "check"},
    {"verify", "check"},
    {"assert", "check"},
    {"lint", "validate"},
    {"vet", "validate"},
    {"fmt", "validate"},
    {"format", "validate"},
    {"parse", "validate"},
    {"describe", "explain"},
    {"why", "explain"},
    {"trace", "explain"},
    {"inspect", "explain"},
    {"show", "share"},
    {"shares", "share"},
    {"get", "share"},
    {"split", "share"},
    {"draw", "plot"},
    {"graph", "plot"},
    {"chart", "plot"},
    {"picture", "plot"},
    {"capacity", "plan"},
    {"failover", "plan"},
    {"cost", "plan"},
    {"optimize", "find"},
    {"optimise", "find"},
    {"search", "find"},
    {"maximise", "find"},
    {"grid", "sweep"},
    {"experiment", "sweep"},
    {"convert", "import"},
    {"load", "import"},
    {"generate", "export"},
    {"bootstrap", "export"},
    {"delta", "diff"},
    {"man", "help"},
    {"usage", "help"},
    {"doc", "docs"},
    {"subset", "subsets"},
    {"table", "tables"},
    {"report", "run FILE --report report.html"},
    {"init", "docs tutorial"},
    {"new", "docs tutorial"},
    {"codes", "docs diagnostics"},
});

constexpr std::array option_common_mistakes = std::to_array<CommonMistake>({
    {"--format", "--output"},
    {"--out", "--output"},
    {"--output-format", "--output"},
    {"-n", "--replications"},
    {"-r", "--replications"},
    {"--runs", "--replications"},
    {"--repeat", "--replications"},
    {"--iterations", "--replications"},
    {"--threads", "--jobs"},
    {"--workers", "--jobs"},
    {"--parallel", "--jobs"},
    {"--procs", "--jobs"},
    {"-q", "--quiet"},
    {"--silent", "--quiet"},
    {"-s", "--quiet"},
    {"--html", "--report"},
    {"--xml", "--junit"},
    {"--timeout", "--limit-time"},
    {"--max-time", "--limit-time"},
    {"-m", "--limit-time"},
    {"--memory", "--limit-memory"},
    {"--interval", "--every"},
    {"--step", "--every"},
    {"--group-by", "--by"},
    {"--rps", "--rate"},
    {"--qps", "--rate"},
    {"--time", "--at"},
    {"--moment", "--at"},
    {"--maximize", "--maximise"},
    {"--minimize", "--minimise"},
    {"--log", "--events"},
    {"--colour", "--color"},
    {"--columns", "--width"},
    {"--random-seed", "--seed"},
    {"--type", "--kind"},
    {"--no-color", "--color"},
});

struct Advice {
  std::string_view written;
  std::string_view help;
};

constexpr const char* in_scenario_duration = "the scenario sets the length of a run: `duration: 60s`";
constexpr const char* in_scenario_load =
    "the scenario sets the load: `workload: { service: NAME, rate: 100rps }`, or `users: 10`";
constexpr const char* in_scenario_failures =
    "the scenario lists failures: `failures: [{ each: zone }]`; default: each zone and each node";

constexpr std::array option_advice = std::to_array<Advice>({
    {"--duration", in_scenario_duration},
    {"-d", in_scenario_duration},
    {"--vus", in_scenario_load},
    {"--users", in_scenario_load},
    {"--concurrency", in_scenario_load},
    {"-c", in_scenario_load},
    {"--rate", in_scenario_load},
    {"--lose", in_scenario_failures},
    {"--failures", in_scenario_failures},
    {"--fail", in_scenario_failures},
    {"--zone", "choose what is shown with --by zone, or one client with --client NAME"},
    {"--verbose", "there is no verbose mode; --show endpoints, happenings or requests prints more"},
    {"-v", "there is no verbose mode; --show endpoints, happenings or requests prints more"},
    {"-vv", "there is no verbose mode; --show endpoints, happenings or requests prints more"},
    {"--debug", "`spillway explain` says why requests go where they go"},
    {"--dry-run", "`spillway validate` reads a scenario and simulates nothing"},
    {"--watch", "a scenario is simulated once; --every 1s prints a row for each second"},
    {"-w", "a scenario is simulated once; --every 1s prints a row for each second"},
    {"--namespace", "write names of a mesh as in its documents"},
    {"--config", "files need no option"},
    {"--input", "files need no option"},
    {"-i", "files need no option"},
    {"-f", "files need no option"},
    {"--file", "files need no option"},
    {"--filename", "files need no option"},
});

template <class Table>
std::string_view meant_by(const Table& table, std::string_view written) {
  const auto* const found = std::find_if(table.begin(), table.end(), [&](const CommonMistake& common_mistake) {
    return common_mistake.written == written;
  });
  return found == table.end() ? std::string_view() : found->meant;
}

std::string lower_ascii(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return small;
}

bool is_file_name(std::string_view word) {
  return word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json") || word.ends_with(".jsonc");
}

}  // namespace

std::string instead_of_command(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  const std::string word = lower_ascii(words.front());
  if (documents::find_diagnostic_code(word) != nullptr) {
    return fmt::format("did you mean `spillway help {}`?", printable(words.front()));
  }
  if (is_file_name(word)) {
    return fmt::format("did you mean `spillway run {}`?", printable(words.front()));
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return fmt::format("did you mean `{}`?", word);
  }
  const std::string_view command = meant_by(command_common_mistakes, word);
  if (command.empty()) {
    return {};
  }
  // `apply -f FILE`
  const bool file = words.size() > 1 && (is_file_name(words.back()));
  return fmt::format("did you mean `spillway {}{}`?", command, file ? " " + printable(words.back()) : "");
}

std::string instead_of_option(std::string_view option, std::string_view command,
                              const std::vector<std::string>& options_of_command) {
  const std::string name = lower_ascii(option);
  const auto has = [&](std::string_view one) {
    return std::find(options_of_command.begin(), options_of_command.end(), one) != options_of_command.end();
  };
  for (const std::string& format : reports::format_names()) {
    if (name == fmt::format("--{}", format) && has("--output")) {
      return fmt::format("did you mean `-o {}`?", format);
    }
  }
  if (name == "--no-color" || name == "--no-colour" || name == "--nocolor") {
    return has("--color") ? "did you mean `--color never`?" : "";
  }
  if (const std::string_view known = meant_by(option_common_mistakes, name); !known.empty() && has(known)) {
    return fmt::format("did you mean `{}`?", known);
  }
  const auto* const advice =
      std::find_if(option_advice.begin(), option_advice.end(), [&](const Advice& one) { return one.written == name; });
  if (advice == option_advice.end()) {
    return {};
  }
  const bool files = advice->help == std::string_view("files need no option");
  return files ? fmt::format("files need no option: `spillway {} FILE`", command) : std::string(advice->help);
}

std::string example_of_option(std::string_view option) {
  constexpr std::array examples = std::to_array<CommonMistake>({
      {"--report", "report.html"},
      {"--trace", "requests.csv"},
      {"--metrics", "metrics.txt"},
      {"--events", "events.jsonl"},
      {"--junit", "junit.xml"},
      {"--explain", "SP104"},
      {"--seed", "7"},
      {"--replications", "20"},
      {"--jobs", "2"},
      {"--output", "json"},
      {"--by", "zone"},
      {"--at", "25s"},
      {"--every", "5s"},
      {"--sample", "1s"},
      {"--growth", "1.5x"},
      {"--rate", "2700rps"},
      {"--mode", "exact"},
      {"--show", "endpoints"},
      {"--kind", "share"},
      {"--width", "100"},
      {"--color", "never"},
      {"--limit-time", "30s"},
      {"--limit-memory", "2GB"},
      {"--client", "NAME"},
      {"--service", "NAME"},
      {"--key", "user-17"},
      {"--cluster", "NAME"},
      {"--scenario", "shop.yaml"},
  });
  const std::string_view value = meant_by(examples, option);
  return value.empty() ? std::string() : fmt::format("for example {} {}", option, value);
}

}  // namespace spillway::cli
