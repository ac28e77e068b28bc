#include "reports/text/times.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports {

int decimals_of(std::chrono::nanoseconds time) {
  auto rest = time.count() % 1'000'000'000;
  int decimals = 9;
  while (decimals > 0 && rest % 10 == 0) {
    rest /= 10;
    --decimals;
  }
  return decimals;
}

std::string seconds_text(std::chrono::nanoseconds time, int decimals) {
  const int shown = std::max(decimals, decimals_of(time));
  const auto whole = time.count() / 1'000'000'000;
  if (shown == 0) {
    return fmt::format("{}", whole);
  }
  return fmt::format("{}.{}", whole,
                     fmt::format("{:09}", time.count() % 1'000'000'000).substr(0, static_cast<std::size_t>(shown)));
}

std::string event_time(std::chrono::nanoseconds time, bool precise) {
  constexpr std::chrono::seconds four_digits{1000};
  if (time < std::chrono::seconds{1} || (!precise && time < four_digits)) {
    return duration_text(config::seconds(time));
  }
  return seconds_text(std::chrono::floor<std::chrono::milliseconds>(time)) + " s";
}

std::string time_range(std::chrono::nanoseconds start, std::chrono::nanoseconds end) {
  return fmt::format("{} - {} s", seconds_text(start), seconds_text(end));
}

}  // namespace spillway::reports
