#include "reports/envoy/export.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <variant>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/ending.hpp"
#include "cli/input.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/config/seconds.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

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

// True if the README does not exist, or was written by an earlier export.
bool is_of_an_export(const fs::path& readme) {
  std::ifstream file(readme);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return !file.is_open() || text.find("Written by `spillway export envoy`") != std::string::npos;
}

// A folder for files until all of them are written. The destructor removes it with its remaining files.
class StagingFolder {
 public:
  explicit StagingFolder(const fs::path& beside) : path_((beside / ".spillway-export.XXXXXX").string()) {
    made_ = mkdtemp(path_.data()) != nullptr;
  }
  ~StagingFolder() {
    std::error_code ignored;
    if (made_) {
      fs::remove_all(path_, ignored);
    }
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  [[nodiscard]] bool is_made() const noexcept { return made_; }
  [[nodiscard]] fs::path path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

UsageProblem cannot_export(const fs::path& path) {
  return problem("SP908", fmt::format("cannot write `{}`", printable(path.string())));
}

using ExportedFiles = std::vector<reports::envoy_export::ExportedFile>;

std::optional<UsageProblem> check_folder(const ExportedFiles& files, const fs::path& folder,
                                         const std::string& scenario) {
  for (const auto& file : files) {
    const fs::path path = folder / file.path;
    std::error_code unknown;
    if ((path.filename() == "README.md" && !is_of_an_export(path)) || fs::equivalent(path, scenario, unknown)) {
      return problem("SP940", fmt::format("the export would overwrite `{}`", printable(path.string())),
                     "no export wrote that file; name another folder");
    }
  }
  return std::nullopt;
}

// Writes the files into `staged`, and creates the target folders. Stops early if the program was asked to terminate.
std::optional<UsageProblem> stage(const ExportedFiles& files, const fs::path& staged, const fs::path& folder) {
  for (const auto& file : files) {
    if (ending()) {
      break;
    }
    const fs::path path = staged / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (!error) {
      fs::create_directories((folder / file.path).parent_path(), error);
    }
    if (error) {
      return cannot_export(folder / file.path);
    }
    if (auto failure = write_file(path.string(), file.text)) {
      return failure;
    }
  }
  return std::nullopt;
}

// Writes all files or none: first into a hidden folder, from which they are then renamed. Returns false if the program
// was asked to terminate before that.
std::variant<bool, UsageProblem> write_all_files(const ExportedFiles& files, const fs::path& folder) {
  const Completing completing;
  std::error_code error;
  const bool is_new = fs::create_directories(folder, error);
  const StagingFolder staged(folder);
  if (error || !staged.is_made()) {
    return cannot_export(folder);
  }
  auto failure = stage(files, staged.path(), folder);
  if (failure || ending()) {
    if (is_new) {
      fs::remove_all(folder, error);
    }
    return failure ? std::variant<bool, UsageProblem>(*std::move(failure)) : false;
  }
  for (const auto& file : files) {
    fs::rename(staged.path() / file.path, folder / file.path, error);
    if (error) {
      return cannot_export(folder / file.path);
    }
  }
  return true;
}

// Returns the problems with their places in the scenario.
scenario::Reading located(const std::vector<reports::envoy_export::Problem>& problems, Sources sources) {
  Diagnostics ignored;
  const auto tree = documents::parse(sources, 0, ignored);
  const auto place_of = [&](const reports::envoy_export::Problem& problem) {
    const documents::Member* const list = tree ? tree->find(problem.key) : nullptr;
    if (list == nullptr) {
      return Span{};
    }
    for (const documents::Node& item : list->value.items) {
      const documents::Member* const name = item.find("name");
      if (name != nullptr && name->value.text == problem.name) {
        return name->value.span;
      }
    }
    return list->key_span;
  };
  scenario::Reading reading;
  for (const auto& problem : problems) {
    const Span where = problem.where ? *problem.where : place_of(problem);
    reading.diagnostics.push_back(error("SP401", where, "a part that a real Envoy cannot have", "{}", {problem.what}));
  }
  reading.sources = std::move(sources);
  return reading;
}

CommandResult export_command(const Arguments& arguments) {
  const scenario::Reading reading = scenario::read_scenario_file(arguments.paths.back());
  say_diagnostics(reading, arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (refuse_control_plane(reading, arguments)) {
    return {"", ExitCode::bad_input};
  }
  const scenario::Scenario& scenario = *reading.scenario;
  const auto client = chosen_client(scenario, arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&client)) {
    return refuse(*wrong, arguments);
  }
  const std::chrono::nanoseconds at = arguments.at.value_or(std::chrono::nanoseconds{0});
  if (at >= scenario.duration) {
    const double end = config::seconds(scenario.duration);
    return refuse(problem("SP904", "--at is not within the scenario", fmt::format("it ends at {} s", end)), arguments);
  }
  reports::envoy_export::ExportOptions options{.client = std::get<config::ClientEntryIndex>(client), .at = at};
  options.port = arguments.port.value_or(options.port);
  const reports::envoy_export::Export exported = reports::envoy_export::export_envoy(scenario, options);
  if (!exported.problems.empty()) {
    say_diagnostics(located(exported.problems, reading.sources), arguments);
    return {"", ExitCode::bad_input};
  }
  if (const auto failure = check_folder(exported.files, *arguments.folder, arguments.paths.back())) {
    return refuse(*failure, arguments);
  }
  const auto written = write_all_files(exported.files, *arguments.folder);
  if (const auto* failure = std::get_if<UsageProblem>(&written)) {
    return refuse(*failure, arguments);
  }
  if (!std::get<bool>(written)) {
    say(fmt::format("{}: nothing was exported\n", ending_text()));
    return {"", ExitCode::bad_input};
  }
  return {};
}

void add_export_options(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "FOLDER", "-o,--output", raw.folder, "Folder for the files; created if missing");
  option(app, "Simulation", "TIME", "--at", raw.at, "The moment, with events up to and including it (default: 0s)");
  option(app, "Simulation", "NAME", "--client", raw.client,
         "The client whose proxy it is, needed where there are several");
  option(app, "Output", "PORT", "--port", raw.port,
         "The first of four ports in a row: inbound, admin, endpoints, and one where nothing listens "
         "(default: 15000)");
}

std::optional<UsageProblem> check_export(const Command& command, const Arguments& arguments) {
  if (arguments.paths.empty()) {
    return missing(command, "KIND");
  }
  if (arguments.paths.front() != "envoy") {
    return bad_value("KIND", arguments.paths.front(), "it is envoy: `spillway export envoy SCENARIO -o FOLDER`",
                     {"envoy"});
  }
  if (arguments.paths.size() < 2) {
    return missing(command, "SCENARIO");
  }
  if (arguments.paths.size() > 2) {
    return problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths[2])),
                   "`spillway export` takes one scenario");
  }
  return arguments.folder ? std::nullopt : std::optional(missing(command, "folder, -o"));
}

}  // namespace

const Command commands::export_documents{
    .name = "export",
    .group = "Write",
    .summary = "Write a scenario as documents for another program: an Envoy bootstrap",
    .usage = "KIND SCENARIO -o FOLDER",
    .path_name = "KIND SCENARIO",
    .path_help =
        "What to write: envoy, a bootstrap that a real Envoy runs, every endpoint on a loopback address of its own; "
        "and "
        "a scenario file, - reads standard input",
    .example =
        "  spillway export envoy failover.yaml -o out\n  spillway export envoy failover.yaml --at 20s --client "
        "frontend "
        "--port 20000 -o out",
    .add_options = add_export_options,
    .check = check_export,
    .execute = export_command};

}  // namespace spillway::cli
