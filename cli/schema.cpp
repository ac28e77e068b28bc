#include "cli/commands.hpp"
#include "sim/scenario/json_schema.hpp"

namespace spillway::cli {

CommandResult schema_command() {
  return {scenario::json_schema(), ExitCode::well};
}

}  // namespace spillway::cli
