// Formats simulated times in seconds, as in tables.
#pragma once

#include <chrono>
#include <string>

namespace spillway::reports {

// Returns the fewest decimals that represent this time exactly in seconds.
[[nodiscard]] int decimals_of(std::chrono::nanoseconds time);

// Formats seconds with the fewest decimals, at least `decimals`: "10", "0.25".
[[nodiscard]] std::string seconds_text(std::chrono::nanoseconds time, int decimals = 0);

// Formats the time of an event: "20.5 ms", "3601.701 s". From 1 s on it has whole milliseconds, rounded down, if it is
// `precise` or the time has more than three digits before the point; else three significant digits.
[[nodiscard]] std::string event_time(std::chrono::nanoseconds time, bool precise);

// Returns "0 - 10 s".
[[nodiscard]] std::string time_range(std::chrono::nanoseconds start, std::chrono::nanoseconds end);

}  // namespace spillway::reports
