// The unit of all times in a run.
#pragma once

#include <chrono>

namespace spillway::run {

using Nanoseconds = std::chrono::nanoseconds;

}  // namespace spillway::run
