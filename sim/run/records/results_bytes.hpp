// Results as bytes and back, so that a process of its own can hand them to its parent.
//
//   run::Results same = run::results_from_bytes(run::results_to_bytes(results));
//
// For one program on one machine: no format that anybody may keep. Linear.
#pragma once

#include <string>
#include <string_view>

namespace spillway::run {

struct Results;  // results.hpp

[[nodiscard]] std::string results_to_bytes(const Results& results);
// `bytes` must come from results_to_bytes.
[[nodiscard]] Results results_from_bytes(std::string_view bytes);

}  // namespace spillway::run
