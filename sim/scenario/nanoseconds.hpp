// The unit of every time in a scenario.
#pragma once

#include <chrono>

namespace spillway::scenario {

using Nanoseconds = std::chrono::nanoseconds;

}  // namespace spillway::scenario
