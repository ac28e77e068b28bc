#include "sim/compare/compare.hpp"

#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/terminal.hpp"
#include "reports/compare/compare_report.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

std::string first_error(const scenario::Diagnostics& problems) {
  for (const scenario::Diagnostic& problem : problems) {
    if (problem.severity == scenario::Severity::error) {
      return problem.code + ": " + problem.message;
    }
  }
  return "";
}

}  // namespace

CommandResult compare_command(const Arguments& arguments) {
  if (arguments.dump) {
    return compare_dump_command(arguments);
  }
  const ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  if (scenario::has_errors(files.diagnostics)) {
    return {"", ExitCode::bad_input};
  }
  const scenario::ProxyConfiguration configuration =
      read_configuration(arguments, files, observed::HealthOf::eds_alone);
  if (scenario::has_errors(configuration.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  compare::Input input{.names = asked_clusters(configuration, arguments), .observed = files.view()};
  input.read = [&](const std::string& name) {
    auto reading = configuration.cluster(name);
    if (reading.scenario) {
      apply_runtime(files, *reading.scenario);
    }
    return compare::ClusterReading{std::move(reading.scenario), first_error(reading.diagnostics)};
  };
  if (arguments.cluster) {
    const auto reading = configuration.cluster(*arguments.cluster);
    say_diagnostics({std::nullopt, reading.diagnostics, configuration.sources()}, arguments);
    if (!reading.scenario) {
      return {"", ExitCode::bad_input};
    }
  }
  compare::Comparison comparison = compare::compare(input);
  if (arguments.cluster) {
    comparison.unknown.clear();
  }
  return {reports::format_comparison(comparison, arguments.format, look_of_output(arguments)),
          comparison.agrees() ? ExitCode::well : ExitCode::expectation_failed};
}

}  // namespace spillway::cli
