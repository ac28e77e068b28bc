#include "sim/scenario/expectation.hpp"

#include <algorithm>

namespace spillway::scenario {

namespace {

template <class Assertion>
std::vector<Window> windows_of(const std::vector<Expectation>& expectations) {
  std::vector<Window> windows;
  for (const Expectation& expectation : expectations) {
    if (const auto* const assertion = std::get_if<Assertion>(&expectation)) {
      const Window window{assertion->from, assertion->to};
      if (std::find(windows.begin(), windows.end(), window) == windows.end()) {
        windows.push_back(window);
      }
    }
  }
  return windows;
}

}  // namespace

std::vector<Window> utilisation_windows(const std::vector<Expectation>& expectations) {
  return windows_of<UtilisationAssertion>(expectations);
}

std::vector<Window> outcome_windows(const std::vector<Expectation>& expectations) {
  return windows_of<OutcomeAssertion>(expectations);
}

}  // namespace spillway::scenario
