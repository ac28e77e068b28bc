#include "reports/envoy/export.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

namespace fs = std::filesystem;
using reports::printable;

std::vector<std::string> client_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  names.reserve(scenario.clients.size());
  for (const scenario::ClientEntry& client : scenario.clients) {
    names.push_back(client.name);
  }
  return names;
}

std::variant<config::ClientEntryIndex, UsageProblem> chosen_client(const scenario::Scenario& scenario,
                                                                   const Arguments& arguments) {
  const std::vector<std::string> names = client_names(scenario);
  const std::string all = "the clients are " + reports::joined(names, ", ");
  if (!arguments.client) {
    return names.size() == 1 ? std::variant<config::ClientEntryIndex, UsageProblem>(config::ClientEntryIndex{0})
                             : problem("SP903", "`spillway export` needs --client where there are several", all);
  }
  const auto found = std::find(names.begin(), names.end(), *arguments.client);
  if (found == names.end()) {
    return bad_value("--client", *arguments.client, all, names);
  }
  return config::ClientEntryIndex{static_cast<std::uint32_t>(found - names.begin())};
}

// Whether nothing is there, or what an export has written before.
bool is_of_an_export(const fs::path& readme) {
  std::ifstream file(readme);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return !file.is_open() || text.find("Written by `spillway export envoy`") != std::string::npos;
}

std::optional<UsageProblem> write_all_files(const std::vector<reports::envoy_export::ExportedFile>& files,
                                            const fs::path& folder, const std::string& scenario) {
  for (const auto& file : files) {
    const fs::path path = folder / file.path;
    std::error_code unknown;
    if ((path.filename() == "README.md" && !is_of_an_export(path)) || fs::equivalent(path, scenario, unknown)) {
      return problem("SP940", fmt::format("the export would overwrite `{}`", printable(path.string())),
                     "no export wrote that file; name another folder");
    }
  }
  for (const auto& file : files) {
    const fs::path path = folder / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      return problem("SP908", fmt::format("cannot write `{}`", printable(path.string())));
    }
    if (auto failure = write_file(path.string(), file.text)) {
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace

CommandResult export_command(const Arguments& arguments) {
  const scenario::Reading reading = scenario::read_scenario_file(arguments.paths.back());
  say_diagnostics(reading, arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (const auto other = refuse_control_plane(*reading.scenario)) {
    return refuse(*other, arguments);
  }
  const scenario::Scenario& scenario = *reading.scenario;
  const auto client = chosen_client(scenario, arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&client)) {
    return refuse(*wrong, arguments);
  }
  const std::chrono::nanoseconds at = arguments.at.value_or(std::chrono::nanoseconds{0});
  if (at >= scenario.duration) {
    const double end = std::chrono::duration<double>(scenario.duration).count();
    return refuse(problem("SP904", "--at is not within the scenario", fmt::format("it ends at {} s", end)), arguments);
  }
  reports::envoy_export::ExportOptions options{.client = std::get<config::ClientEntryIndex>(client), .at = at};
  options.port = arguments.port.value_or(options.port);
  const reports::envoy_export::Export exported = reports::envoy_export::export_envoy(scenario, options);
  for (const std::string& what : exported.problems) {
    static_cast<void>(refuse(problem("SP401", printable(what)), arguments));
  }
  if (!exported.problems.empty()) {
    return {"", ExitCode::bad_input};
  }
  if (const auto failure = write_all_files(exported.files, *arguments.folder, arguments.paths.back())) {
    return refuse(*failure, arguments);
  }
  return {};
}

}  // namespace spillway::cli
