// Requests before a failure and after its end: whether they succeed again.
//
//   Aftermath aftermath({.begins = 10s, .ends = 20s}, scenario.duration);
//   options.trace = [&](const run::TracedRequest& request) { aftermath.add(request); };
//   aftermath.recovery().verdict;   // does_not_recover: as many fail in the last quarter of the time after it
//
// The time after the end is divided into 24 intervals. One is bad if more requests fail than before the failure, beyond
// 1 % of the requests and three standard errors, or if they take three times as long in the mean, beyond three standard
// errors: they wait behind a backlog. Requests without a response at the end of the run count in neither.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/plan/recovery.hpp"
#include "sim/plan/world.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::plan {

class Aftermath {
 public:
  // Precondition: the failure ends before `duration`, the length of the run.
  Aftermath(EndedFailure failure, std::chrono::nanoseconds duration) : failure_(failure), duration_(duration) {}

  // False if too few requests of a whole run failed for a bad last quarter.
  [[nodiscard]] static bool may_be_bad(EndedFailure failure, std::chrono::nanoseconds duration, std::uint64_t sent,
                                       std::uint64_t failed) noexcept;

  void add(const run::TracedRequest& request);

  // True unless the last quarter of the time is bad.
  [[nodiscard]] bool recovers() const;

  // Returns the verdict without a fix. Unknown if the last quarter is bad, but clearly better than the one before, or
  // if its requests only wait.
  [[nodiscard]] Recovery recovery() const;

 private:
  static constexpr std::size_t intervals = 24;

  struct Interval {
    std::uint64_t sent = 0;
    std::uint64_t attempts = 0;
    scenario::OutcomeCounts outcomes = {};
    double seconds = 0.0;  // of all requests, until they end
    double squares = 0.0;

    [[nodiscard]] double mean() const { return sent > 0 ? seconds / static_cast<double>(sent) : 0.0; }
    [[nodiscard]] double failed() const { return static_cast<double>(sent - outcomes[scenario::Outcome::ok]); }
    [[nodiscard]] double failing() const { return sent > 0 ? failed() / static_cast<double>(sent) : 0.0; }
    [[nodiscard]] double attempts_of_one() const;
    [[nodiscard]] bool fails_more(const Interval& before) const;
    [[nodiscard]] bool waits_more(const Interval& before) const;
    [[nodiscard]] bool is_bad(const Interval& before) const { return fails_more(before) || waits_more(before); }
    // Describes what most requests fail of, and the retries.
    [[nodiscard]] std::string cause() const;
  };

  // Returns a quarter of the time, from 0 to 3, as one interval.
  [[nodiscard]] Interval quarter(std::size_t number) const;

  EndedFailure failure_;
  std::chrono::nanoseconds duration_;
  Interval before_ = {};
  std::array<Interval, intervals> after_ = {};
};

}  // namespace spillway::plan
