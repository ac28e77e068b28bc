#include "reports/expectations/what_is_wanted.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "reports/text/percent.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

// Rounding error of a summed percentage.
constexpr double slack_of_shares = 1e-11;

// The limit of useful repetition; above it the figure may as well be the limit itself.
constexpr double most_times = 10'000.0;
constexpr std::string_view too_near = "it is too near the limit for a longer run to decide it";

std::string replications_to_decide(double times, std::uint32_t replications) {
  return fmt::format("`run --replications {}`",
                     static_cast<std::uint64_t>(std::ceil(times * static_cast<double>(std::max(replications, 1U)))));
}

// Rounds up to two significant digits.
std::uint64_t about(double number) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(number)) - 1.0));
  return static_cast<std::uint64_t>(std::ceil(number / unit) * unit);
}

}  // namespace

Wanted wanted_by(scenario::Comparison comparison, const scenario::Figure& figure) {
  const double limit = figure.number / 100.0;
  switch (comparison) {
    case scenario::Comparison::equals: {
      const double half_a_digit = 0.5 * std::pow(10.0, -figure.decimals) / 100.0;
      return {limit - half_a_digit, limit + half_a_digit, true};
    }
    case scenario::Comparison::at_most:
      return {-std::numeric_limits<double>::infinity(), limit};
    case scenario::Comparison::at_least:
      return {limit, std::numeric_limits<double>::infinity()};
  }
  return {};
}

study::Verdict decide(const Counted& counted, const Wanted& wanted) {
  const auto [low, high] = counted.interval;
  if (low > wanted.high + slack_of_shares || high < wanted.low - slack_of_shares) {
    return study::Verdict::missed;
  }
  if (wanted.is_figure || (low >= wanted.low - slack_of_shares && high <= wanted.high + slack_of_shares)) {
    return study::Verdict::met;
  }
  // No number of requests proves an absence, so an observed absence is accepted.
  const bool is_none = counted.value <= 0.0 && wanted.high == 0.0;
  const bool is_all = counted.value >= 1.0 && wanted.low == 1.0;
  return is_none || is_all ? study::Verdict::met : study::Verdict::undecided;
}

std::string interval_text(const Counted& counted) {
  return fmt::format("95 % interval {} to {} %", simulated_percent(counted.interval.low),
                     simulated_percent(counted.interval.high));
}

double times_as_many(const Counted& counted, const Wanted& wanted) {
  const double distance = std::min(std::abs(counted.value - wanted.low), std::abs(counted.value - wanted.high));
  const double reach = std::max(counted.value - counted.interval.low, counted.interval.high - counted.value);
  return distance > 0.0 ? std::max(1.0, reach * reach / (distance * distance))
                        : std::numeric_limits<double>::infinity();
}

std::string requests_to_decide(const Counted& share, const Wanted& wanted, std::uint64_t requests,
                               std::uint32_t replications) {
  const double times = times_as_many(share, wanted);
  if (!(times <= most_times)) {
    return std::string(too_near);
  }
  return fmt::format("about {} requests would decide it: a longer time, or {}",
                     with_thousands(about(times * static_cast<double>(requests))),
                     replications_to_decide(times, replications));
}

std::string time_to_decide(const Counted& part, const Wanted& wanted, std::chrono::nanoseconds window,
                           std::uint32_t replications) {
  const double times = times_as_many(part, wanted);
  if (!(times <= most_times)) {
    return std::string(too_near);
  }
  const double seconds = times * std::chrono::duration<double>(window).count();
  return fmt::format("a window of about {} would decide it, or {}", duration_text(seconds),
                     replications_to_decide(times, replications));
}

}  // namespace spillway::reports
