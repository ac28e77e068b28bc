// What the command line says of Envoy's documents.
#pragma once

#include "cli/arguments.hpp"
#include "sim/scenario/envoy/read_envoy_documents.hpp"

namespace spillway::cli {

[[nodiscard]] scenario::EnvoyOptions envoy_options(const Arguments& arguments);

// The scenario, or Envoy's documents as one; what was read of a dump is said on standard error, beside diagnostics.
[[nodiscard]] scenario::Reading read_documents(const Arguments& arguments);

}  // namespace spillway::cli
