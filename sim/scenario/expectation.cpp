#include "sim/scenario/expectation.hpp"

#include <algorithm>

namespace spillway::scenario {

std::vector<std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>> utilisation_windows(
    const std::vector<Expectation>& expectations) {
  std::vector<std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>> windows;
  for (const Expectation& expectation : expectations) {
    if (const auto* const assertion = std::get_if<UtilisationAssertion>(&expectation)) {
      const std::pair window{assertion->from, assertion->to};
      if (std::find(windows.begin(), windows.end(), window) == windows.end()) {
        windows.push_back(window);
      }
    }
  }
  return windows;
}

}  // namespace spillway::scenario
