#include "sim/compare/compare.hpp"

#include <utility>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/proxy_documents.hpp"
#include "cli/terminal.hpp"
#include "reports/compare/compare_report.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::cli {
namespace {

std::string why_not(const scenario::Reading& reading) {
  for (const scenario::Diagnostic& problem : reading.diagnostics) {
    if (problem.severity == scenario::Severity::error) {
      return problem.code + ": " + problem.message;
    }
  }
  return "";
}

}  // namespace

CommandResult compare_command(const Arguments& arguments) {
  const ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  const ProxyDocuments configuration(arguments.paths);
  say_diagnostics({std::nullopt, configuration.problems(), configuration.sources()}, arguments);
  if (scenario::has_errors(files.diagnostics) || scenario::has_errors(configuration.problems())) {
    return {"", ExitCode::bad_input};
  }
  compare::Input input{.observed = files.view()};
  input.names = configuration.names(arguments.cluster, files.clusters_after);
  input.read = [&](const std::string& name) {
    scenario::Reading reading = configuration.read(name);
    return compare::ClusterReading{std::move(reading.scenario), why_not(reading)};
  };
  const compare::Comparison comparison = compare::compare(input);
  return {reports::format_comparison(comparison, arguments.format, look_of_output(arguments)),
          comparison.agrees() ? ExitCode::well : ExitCode::expectation_failed};
}

}  // namespace spillway::cli
