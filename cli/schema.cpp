#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/shared_options.hpp"
#include "reports/formats.hpp"
#include "sim/scenario/json_schema.hpp"

namespace spillway::cli {
namespace {

CommandResult schema_command(const Arguments& arguments) {
  return {arguments.of_results ? reports::results_schema() : scenario::json_schema(), ExitCode::well};
}

void add_schema_options(CLI::App& app, RawArguments& raw) {
  app.add_flag("--results", raw.of_results, "The schema of the JSON that run and share print")->group("Output");
}

}  // namespace

const Command commands::schema{
    .name = "schema",
    .group = "Write",
    .summary = "Print the JSON Schema of scenario files, or of results",
    .example = "  spillway schema > scenario.json\n  spillway schema --results > results.json",
    .add_options = add_schema_options,
    .execute = schema_command,
    .has_limits = false};

}  // namespace spillway::cli
