#include "cli/run_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output_file.hpp"
#include "cli/print_report.hpp"
#include "cli/run_slices.hpp"
#include "cli/usage_problem.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/printed_cells.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {

namespace {

constexpr std::int64_t most_samples = 1'000'000;

// Checks that the clients and endpoints exist in the scenario.
std::optional<UsageProblem> check_names(const reports::EventFilter& filter, const scenario::Scenario& scenario) {
  const auto check = [](const char* option, const std::optional<std::string>& name,
                        const std::vector<std::string>& names) -> std::optional<UsageProblem> {
    if (!name || std::find(names.begin(), names.end(), *name) != names.end()) {
      return std::nullopt;
    }
    return bad_value(option, *name, "the scenario has nothing of this name", names);
  };
  std::vector<std::string> clients;
  for (const scenario::ClientEntry& client : scenario.clients) {
    clients.push_back(client.name);
  }
  std::vector<std::string> endpoints;
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoints.push_back(endpoint.id);
  }
  const auto wrong = check("--client", filter.client, clients);
  return wrong ? wrong : check("--endpoint", filter.endpoint, endpoints);
}

// Checks options that may be invalid for this scenario.
std::optional<UsageProblem> check_asked(const Arguments& arguments, const scenario::Scenario& scenario) {
  if (arguments.sample && scenario.duration / *arguments.sample > most_samples) {
    return UsageProblem{"SP904", "the interval of --sample is too short for this scenario",
                        fmt::format("a run has at most {} samples", most_samples)};
  }
  if (const auto wrong = check_every(arguments, scenario)) {
    return wrong;
  }
  const bool exact = arguments.mode.value_or(scenario.mode) == scenario::Mode::exact;
  if (exact && (arguments.trace || arguments.events)) {
    return UsageProblem{
        "SP904", fmt::format("`{}` in mode exact, which sends no requests", arguments.trace ? "--trace" : "--events"),
        "add --mode requests"};
  }
  return check_names(arguments.logged_events, scenario);
}

// Refuses output above the printing limits.
std::optional<UsageProblem> check_printed(const Arguments& arguments, const scenario::Scenario& scenario,
                                          const reports::Dimensions& by) {
  if (arguments.metrics) {
    const PrintedTables tables{.cross_zone = true, .endpoints = true};
    if (auto wrong = check_output_size(scenario, tables, reports::Dimensions::everything(), "--metrics")) {
      wrong->help = "leave `--metrics` out";
      return wrong;
    }
  }
  if (arguments.every) {
    const auto slices = static_cast<double>(scenario.duration / *arguments.every + 1);
    if (reports::printed_cells(scenario, by) * slices > reports::most_printed_cells) {
      return UsageProblem{"SP925", "`--every` would print more than can be read: clients x rows x endpoints",
                          "choose longer rows, or group more with `--by`"};
    }
  }
  if (arguments.report) {
    const bool counts = arguments.mode.value_or(scenario.mode) != scenario::Mode::exact;
    if (auto wrong = check_report_size(scenario, counts)) {
      return wrong;
    }
  }
  return check_output_size(scenario, printed_tables(arguments), by, output_option(arguments));
}

}  // namespace

std::optional<UsageProblem> problem_of_run(const Arguments& arguments, const scenario::Reading& reading,
                                           const reports::Dimensions& by) {
  if (const auto wrong = check_asked(arguments, *reading.scenario)) {
    return wrong;
  }
  std::vector<std::string> read_files;
  for (const SourceFile& source : reading.sources) {
    read_files.push_back(source.name);
  }
  if (const auto wrong = check_output_files(arguments, read_files)) {
    return wrong;
  }
  return check_printed(arguments, *reading.scenario, by);
}

}  // namespace spillway::cli
