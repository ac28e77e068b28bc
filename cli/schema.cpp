#include "cli/commands.hpp"
#include "sim/scenario/json_schema.hpp"

namespace spillway::cli {

namespace {

CommandResult schema_command(const Arguments& /*arguments*/) {
  return {scenario::json_schema(), ExitCode::well};
}

}  // namespace

const Command commands::schema{.name = "schema",
                               .group = "Write",
                               .summary = "Print the JSON Schema of scenario files",
                               .example = "  spillway schema > scenario.json",
                               .execute = schema_command,
                               .has_limits = false};

}  // namespace spillway::cli
