// Results of child processes, read back: the only way in which plans, comparisons and searches measure.
//
//   std::vector<Figures> all = run::fork_results(30, jobs, simulate_to_bytes, figures_from_bytes, "a trial");
//
// Returns results in the order of the indices, whatever the number of jobs. Throws std::runtime_error with `what` and
// the error if a process fails.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/run/fork_pool.hpp"

namespace spillway::run {

template <class Read>
[[nodiscard]] auto fork_results(std::size_t count, std::size_t jobs,
                                const std::function<std::string(std::size_t index)>& work, const Read& read,
                                const std::string& what, const std::function<void(std::size_t finished)>& done = {}) {
  std::vector<std::decay_t<std::invoke_result_t<const Read&, const std::string&>>> results;
  results.reserve(count);
  for (const ForkedAnswer& answer : fork_map(count, jobs, work, done)) {
    if (!answer.succeeded) {
      throw std::runtime_error(what + ": " + answer.failure);
    }
    results.push_back(read(answer.bytes));
  }
  return results;
}

}  // namespace spillway::run
