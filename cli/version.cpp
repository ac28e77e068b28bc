#include "cli/commands.hpp"

namespace spillway::cli {

CommandResult version_command() {
  return {"spillway " SPILLWAY_VERSION
          "\n"
          "SimGrid " SPILLWAY_SIMGRID_VERSION
          "\n"
          "profiles envoy: current, seed; kuma: release-2.14, head, document\n",
          ExitCode::well};
}

}  // namespace spillway::cli
