// The verdict of a study on what was asked of it: an objective, an expectation, a condition, a prediction.
//
//   std::max(Verdict::met, Verdict::missed)   // missed: the verdict on both
//
// Guarantee: of two verdicts the greater one is the verdict on both.
#pragma once

#include <cstdint>

namespace spillway::study {

enum class Verdict : std::uint8_t {
  met,
  unknown,    // nothing was measured, or it cannot be compared; a reason says why
  undecided,  // the limit lies within the interval of what was measured
  missed,
};

}  // namespace spillway::study
