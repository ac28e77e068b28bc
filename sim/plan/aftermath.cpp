#include "sim/plan/aftermath.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::plan {
namespace {

// Share of requests that may fail more than before the failure.
constexpr double tolerance = 0.01;

const char* words_of(scenario::Outcome outcome) {
  switch (outcome) {
    case scenario::Outcome::timeout:
      return "time-outs";
    case scenario::Outcome::overflow:
      return "an overflowing circuit breaker";
    case scenario::Outcome::queue_full:
      return "full queues";
    case scenario::Outcome::no_healthy_upstream:
      return "a lack of healthy endpoints";
    default:
      return "failing endpoints";
  }
}

}  // namespace

double Aftermath::Interval::attempts_of_one() const {
  return sent > 0 ? static_cast<double>(attempts) / static_cast<double>(sent) : 1.0;
}

bool Aftermath::Interval::fails_more(const Interval& before) const {
  return failed() > static_cast<double>(sent) * (before.failing() + tolerance) + 3.0 * std::sqrt(failed());
}

bool Aftermath::Interval::waits_more(const Interval& before) const {
  constexpr double as_long = 3.0;
  const auto number = static_cast<double>(sent);
  const double variance = sent > 0 ? std::max(0.0, squares / number - mean() * mean()) : 0.0;
  return before.sent > 0 && sent > 0 && mean() > as_long * before.mean() + 3.0 * std::sqrt(variance / number);
}

std::string Aftermath::Interval::cause() const {
  const auto most =
      std::max_element(scenario::failures.begin(), scenario::failures.end(),
                       [&](scenario::Outcome one, scenario::Outcome other) { return outcomes[one] < outcomes[other]; });
  const std::string why = words_of(outcomes[*most] > 0 ? *most : scenario::Outcome::upstream_error);
  constexpr double retried = 1.2;
  return attempts_of_one() > retried
             ? fmt::format("retries after {} ({:.1f} attempts per request)", why, attempts_of_one())
             : why;
}

bool Aftermath::may_be_bad(EndedFailure failure, std::chrono::nanoseconds duration, std::uint64_t sent,
                           std::uint64_t failed) noexcept {
  // Clients may send less at the end than in the mean.
  constexpr double part_of_mean_rate = 0.1;
  const double quarter = config::seconds(duration - failure.ends) / config::seconds(duration) / 4.0;
  return static_cast<double>(failed) > static_cast<double>(sent) * quarter * part_of_mean_rate * tolerance;
}

void Aftermath::add(const run::TracedRequest& request) {
  Interval* interval = nullptr;
  if (request.sent_at >= failure_.ends) {
    const auto length = (duration_ - failure_.ends) / static_cast<std::int64_t>(intervals);
    const auto number = length.count() > 0 ? (request.sent_at - failure_.ends) / length : 0;
    interval = &after_[std::min(intervals - 1, static_cast<std::size_t>(number))];
  } else if (request.ended_at < failure_.begins) {
    interval = &before_;
  }
  if (interval != nullptr && request.outcome != scenario::Outcome::unfinished) {
    ++interval->sent;
    interval->attempts += request.attempts;
    ++interval->outcomes[request.outcome];
    const double seconds = config::seconds(request.ended_at - request.sent_at);
    interval->seconds += seconds;
    interval->squares += seconds * seconds;
  }
}

Aftermath::Interval Aftermath::quarter(std::size_t number) const {
  Interval sum;
  for (std::size_t index = number * intervals / 4; index < (number + 1) * intervals / 4; ++index) {
    sum.sent += after_[index].sent;
    sum.attempts += after_[index].attempts;
    sum.seconds += after_[index].seconds;
    sum.squares += after_[index].squares;
    for (std::size_t outcome = 0; outcome < sum.outcomes.all.size(); ++outcome) {
      sum.outcomes.all[outcome] += after_[index].outcomes.all[outcome];
    }
  }
  return sum;
}

bool Aftermath::recovers() const {
  return !quarter(3).is_bad(before_);
}

Recovery Aftermath::recovery() const {
  const double length = config::seconds(duration_ - failure_.ends);
  Recovery recovery;
  if (recovers()) {
    recovery.verdict = Recovery::Verdict::recovers;
    for (std::size_t index = 0; index < intervals; ++index) {
      if (after_[index].is_bad(before_)) {
        recovery.seconds = length * static_cast<double>(index + 1) / static_cast<double>(intervals);
      }
    }
    return recovery;
  }
  const Interval last = quarter(3);
  if (!last.fails_more(before_)) {
    recovery.reason = fmt::format("requests still take {:.1f} times as long as before, {:.0f} s after the failure",
                                  last.mean() / before_.mean(), length);
    return recovery;
  }
  // Fewer requests fail than in the quarter before: a backlog is being worked off.
  constexpr double falling = 0.9;
  if (last.failing() < falling * quarter(2).failing()) {
    recovery.reason = fmt::format("fewer and fewer requests fail, but {:.3g} % still do {:.0f} s after the failure",
                                  100.0 * last.failing(), length);
    return recovery;
  }
  recovery.verdict = Recovery::Verdict::does_not_recover;
  recovery.watched = length;
  recovery.failing = last.failing();
  recovery.attempts = last.attempts_of_one();
  recovery.held_down_by = last.cause();
  return recovery;
}

}  // namespace spillway::plan
