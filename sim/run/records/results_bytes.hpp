// Converts results to bytes and back, so that a child process can pass them to its parent.
//
//   run::Results same = run::results_from_bytes(run::results_to_bytes(results));
//
// For one program on one machine: not a format to store. Linear.
#pragma once

#include <string>
#include <string_view>

namespace spillway::run {

struct Results;  // results.hpp

[[nodiscard]] std::string results_to_bytes(const Results& results);
// Precondition: `bytes` comes from results_to_bytes.
[[nodiscard]] Results results_from_bytes(std::string_view bytes);

}  // namespace spillway::run
