#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/problem.hpp"
#include "reports/envoy/configuration.hpp"
#include "reports/expectations/github_annotations.hpp"
#include "reports/text/text_table.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/scenario/binding/envoy/envoy_verdict.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/sweep/sweep.hpp"

namespace spillway::cli {
namespace {

CommandResult explain(const std::string& code, const Arguments& arguments) {
  const std::string text = documents::explain_diagnostic_code(code);
  if (text.empty()) {
    return refuse(
        {"SP904", "`" + reports::printable(code) + "` is not a diagnostic code", "docs/diagnostics.md lists them"},
        arguments);
  }
  return {text, ExitCode::well};
}

void say_all(const scenario::Reading& reading, const Arguments& arguments) {
  say_diagnostics(reading, arguments);
  if (arguments.github) {
    say(reports::github_annotations(reading.diagnostics, reading.sources));
  }
}

// Returns the line for a valid scenario.
std::string verdict(const scenario::Reading& reading) {
  const std::size_t warnings = reading.diagnostics.size();
  return reports::printable(reading.sources.front().name) + ": valid" +
         (warnings == 0 ? "\n" : ", " + std::to_string(warnings) + (warnings == 1 ? " warning\n" : " warnings\n"));
}

// Removes duplicate diagnostics, whichever clusters share them. For listeners that are not read, keeps the first and
// the number of the others.
void join_alike(Diagnostics& problems) {
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::string>> said;
  std::erase_if(problems, [&](const Diagnostic& problem) {
    return !said.emplace(problem.code, problem.where.file, problem.where.line, problem.where.column, problem.label)
                .second;
  });
  const auto is_listener = [](const Diagnostic& problem) { return problem.code == "SP212"; };
  const auto first = std::find_if(problems.begin(), problems.end(), is_listener);
  if (first == problems.end()) {
    return;
  }
  const auto more = std::count_if(std::next(first), problems.end(), is_listener);
  if (more > 0) {
    first->notes.push_back(
        fmt::format("{} more listener{} {} not read either", more, more == 1 ? "" : "s", more == 1 ? "is" : "are"));
    problems.erase(std::remove_if(std::next(first), problems.end(), is_listener), problems.end());
  }
}

// Removes an error of the whole document if a cluster has an error at the same location, which is more specific. The
// document's errors come first.
void drop_repeated_errors(Diagnostics& problems, std::size_t of_document) {
  const auto key = [](const Diagnostic& problem) {
    return std::tuple(problem.where.file, problem.where.line, problem.where.column);
  };
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
  for (std::size_t i = of_document; i < problems.size(); ++i) {
    if (problems[i].severity == Severity::error) {
      places.insert(key(problems[i]));
    }
  }
  const auto end = problems.begin() + static_cast<std::ptrdiff_t>(of_document);
  problems.erase(std::remove_if(problems.begin(), end,
                                [&](const Diagnostic& problem) {
                                  return problem.severity == Severity::error && places.contains(key(problem));
                                }),
                 end);
}

// Validates the documents of one proxy. Problems of a cluster concern only this cluster.
CommandResult validate_proxy(const scenario::ProxyConfiguration& proxy, const Arguments& arguments) {
  const reports::ReadConfiguration configuration = reports::read_all_of(proxy);
  scenario::Reading said{std::nullopt, configuration.diagnostics, proxy.sources()};
  bool refused = has_errors(configuration.diagnostics);
  for (const auto& cluster : configuration.clusters) {
    for (Diagnostic problem : cluster.diagnostics) {
      // Envoy accepts documents without endpoints, and features that are not simulated here.
      if (!scenario::is_refusal(problem)) {
        problem.severity = Severity::warning;
      }
      refused = refused || problem.severity == Severity::error;
      said.diagnostics.push_back(std::move(problem));
    }
  }
  drop_repeated_errors(said.diagnostics, configuration.diagnostics.size());
  sort_by_position(said.diagnostics);
  join_alike(said.diagnostics);
  const bool json = arguments.format == reports::Format::json;
  if (!json) {
    say_all(said, arguments);
  }
  if (configuration.clusters.empty() && refused && !json) {
    return {"", ExitCode::bad_input};
  }
  std::string text = reports::format_configuration(configuration, proxy.sources(), arguments.format);
  if (!refused) {
    return {std::move(text), ExitCode::well};
  }
  if (!json) {
    say(text);
    text.clear();
  }
  return {std::move(text), ExitCode::bad_input};  // JSON has what was found, for programs
}

CommandResult validate_command(const Arguments& arguments) {
  if (arguments.explain) {
    return explain(*arguments.explain, arguments);
  }
  proxy::EnvoyOptions options = envoy_options(arguments);
  options.checked = true;
  options.memberships = reported_among(arguments.paths, observed::HealthOf::everything);
  std::string text;
  bool well = true;
  std::vector<std::string> of_envoy;
  for (const std::string& path : arguments.paths) {
    auto proxy = scenario::ProxyConfiguration::read({path}, options);
    if (!proxy.is_scenario()) {
      of_envoy.push_back(path);
      if (arguments.paths.size() == 1) {
        return validate_proxy(proxy, arguments);
      }
      continue;
    }
    const scenario::Reading reading = std::move(proxy).into_scenario();
    say_all(reading, arguments);
    const scenario::Reading swept = sweep::check_block(reading);
    say_all(swept, arguments);
    const bool right = reading.scenario && !has_errors(swept.diagnostics);
    well = well && right;
    text += right ? verdict(reading) : "";
  }
  if (!of_envoy.empty()) {
    CommandResult result = validate_proxy(scenario::ProxyConfiguration::read(of_envoy, options), arguments);
    well = well && result.code == ExitCode::well;
    text = (well ? text : "") + result.output;
  } else if (!well) {
    text.clear();
  }
  return {std::move(text), well ? ExitCode::well : ExitCode::bad_input};
}

void add_validate_options(CLI::App& app, RawArguments& raw) {
  add_document_options(app, DocumentOptions::without_request, raw);
  option(app, "Output", "FORMAT", "-o,--output", raw.format, "Of Envoy documents: table or json (default: table)");
  add_profile(app, raw);
  app.add_flag("--github", raw.github, "Also print what is wrong as GitHub annotations, on standard error")
      ->group("Output");
  add_pasted_options(app, PastedOptions::usual, raw);
  option(app, "Output", "CODE", "--explain", raw.explain, "Explain a diagnostic code; reads no files");
}

// Explaining a code reads no files.
std::optional<UsageProblem> check_files_to_validate(const Command& command, const Arguments& arguments) {
  return arguments.explain ? std::nullopt : check_any_path(command, arguments);
}

}  // namespace

const Command commands::validate{.name = "validate",
                                 .group = "Write",
                                 .summary = "Report every problem in scenario files, with its line and column",
                                 .usage = "FILE...",
                                 .path_name = "FILE",
                                 .path_help = "Scenario files, JSON or YAML; - reads standard input",
                                 .example = "  spillway validate failover.yaml\n  spillway validate --explain SP104",
                                 .add_options = add_validate_options,
                                 .check = check_files_to_validate,
                                 .execute = validate_command,
                                 .takes_pasted = true};

}  // namespace spillway::cli
