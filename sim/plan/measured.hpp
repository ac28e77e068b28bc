// What shares do not say: latency, and errors that come from queues, timeouts and breakers. Measured in `requests`
// mode, several times with independent draws, and told no firmer than that.
//
//   Evaluator evaluate({.replications = 5, .jobs = 2});
//   std::vector<Estimate> estimates = evaluate({still}, bounds);
//   judge(estimates);                           // holds, fails, or open: the interval holds the limit
//
// Every objective is a share of requests: of those that fail, or of those that fail or are not answered within the
// limit of a latency. So nothing is read from a histogram, and a request that timed out or was turned away is late.
//
// The search for the highest rate has its parts apart: the evaluator plays, judge() scores, Steps says what to try
// next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/plan/variants.hpp"

namespace spillway::plan {

// The share of requests that miss a bound. A latency is that of the client entry that is furthest from holding.
struct Estimate {
  Bound bound;
  std::optional<config::ClientEntryIndex> client = {};  // of a latency
  std::uint64_t requests = 0;                           // of all replications
  double missed = 0.0;  // share of requests that failed or, of a latency, were not answered within the limit
  double failed = 0.0;  // share of requests that failed
  // 95 % interval of `missed`: Wilson's of independent requests and Student's of the replications, whichever reaches
  // further. Never of width zero.
  double low = 0.0;
  double high = 1.0;
  // Of a latency: seconds within which the bound's part of the requests of all replications is answered, within 1 %;
  // none: so many were not answered at all.
  std::optional<double> quantile = {};

  // The share of requests that may miss the bound: 0.01 of a p99.
  [[nodiscard]] double allowed() const noexcept;
  // Open where what is allowed lies within the interval. Where nothing may be missed, what was seen decides. What
  // is not asked for misses nothing.
  [[nodiscard]] Judgement judgement() const noexcept;
  // Where it is open: of how many requests Wilson's interval would be narrow enough, if the same part of them missed.
  // None: it is decided, no number would do, or the replications differ by more than so many requests explain.
  [[nodiscard]] std::optional<std::uint64_t> requests_needed() const noexcept;
};

// Whether nothing fails, and what is open lacks nothing but requests.
[[nodiscard]] bool lacks_requests(const std::vector<Estimate>& estimates);

// Of all together: one that fails fails all, one that is open leaves all open.
[[nodiscard]] Judgement judge(const std::vector<Estimate>& estimates);

// The bounds that must be measured: those of latency; of errors too where something can end a request badly that
// depends on load: bounded queues, circuit breakers, routes with their timeouts, links that are down; and where errors
// alone say what overload does, since no utilisation is bounded.
[[nodiscard]] std::vector<Bound> measured_bounds(const scenario::Scenario& scenario, const std::vector<Bound>& bounds);

class Evaluator {
 public:
  using Effort = plan::Effort;
  explicit Evaluator(Effort effort) : effort_(effort) {}

  // Simulates the moment for the scenario's duration, after its warm-up or from empty queues. The same estimates for
  // any number of jobs. Throws std::runtime_error if a replication ends by itself.
  [[nodiscard]] std::vector<Estimate> operator()(const Simulated& simulated, const std::vector<Bound>& bounds) const;

  // The same from no more replications than fail one of the bounds.
  [[nodiscard]] std::vector<Estimate> until_failed(const Simulated& simulated, const std::vector<Bound>& bounds) const;

  // The same from no more replications than decide: after every second one it ends if one of the bounds fails, or all
  // hold by their intervals. That no request fails where none may takes all replications.
  [[nodiscard]] std::vector<Estimate> until_decided(const Simulated& simulated, const std::vector<Bound>& bounds) const;

 private:
  // After every second replication it ends where `enough` says so.
  template <class Enough>
  [[nodiscard]] std::vector<Estimate> until(const Simulated& simulated, const std::vector<Bound>& bounds,
                                            Enough enough) const;

  Effort effort_;
};

// Where to look next for the highest growth that holds: up by halves again as long as all holds, then between what held
// and what did not, until they are 2 % apart. Where what did not hold is open, then upwards for what fails, within 10
// %.
class Steps {
 public:
  // Nothing above `most` is of interest.
  explicit Steps(double most) : most_(most) {}

  // Nothing once the search is over.
  [[nodiscard]] std::optional<double> next() const;
  void tell(double growth, Judgement judgement);

  // About how many more there are; for a progress bar.
  [[nodiscard]] int left() const;

  [[nodiscard]] double holds() const noexcept { return holds_; }  // the highest that held; 0: none
  // The lowest that failed, above all that held.
  [[nodiscard]] std::optional<double> fails() const noexcept { return fails_; }

 private:
  static constexpr double resolution = 1.02;
  static constexpr int most_steps = 24;
  [[nodiscard]] std::optional<double> next_above() const;

  double most_;
  double holds_ = 0.0;
  std::optional<double> not_holding_;  // the lowest that failed or is open
  std::optional<double> fails_;
  double open_ = 0.0;  // the highest that is open
  int steps_ = 0;
};

}  // namespace spillway::plan
