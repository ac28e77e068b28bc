// Results that shares do not give: latency, and errors caused by queues, timeouts and breakers. They are measured in
// `requests` mode, in several independent replications, and reported with intervals.
//
//   Evaluator evaluate({.replications = 5, .jobs = 2});
//   std::vector<Estimate> estimates = evaluate({still}, bounds);
//   judge(estimates);                           // holds, fails, or open: the interval holds the limit
//
// Every objective is a share of requests: failed ones or, for a latency, failed or slower than its limit. No limit is
// therefore read from a histogram. A request that timed out or was rejected counts as late.
//
// The search for the highest rate has separate parts: the evaluator simulates, judge() scores, Steps chooses the next
// rate.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/objectives.hpp"
#include "sim/plan/variants.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {

// The share of requests that miss a bound. For a latency, this is the client entry that is furthest from meeting it.
struct Estimate {
  Bound bound;
  std::optional<config::ClientEntryIndex> client = {};  // for a latency only
  std::uint64_t requests = 0;                           // in all replications
  double missed = 0.0;  // share of requests that failed or, for a latency, exceeded the limit
  double failed = 0.0;  // share of requests that failed
  // 95 % interval of `missed`, the wider of two: Wilson's for independent requests and Student's for the replications.
  // Its width is never zero.
  double low = 0.0;
  double high = 1.0;
  // For a latency: seconds within which the bound's part of all replications' requests is answered, within 1 %. nullopt
  // if fewer requests were answered.
  std::optional<double> quantile = {};

  // Returns the share of requests that may miss the bound: 0.01 for a p99.
  [[nodiscard]] double allowed() const noexcept;
  // Returns open if the allowed share is inside the interval. If no request may miss, the observed count decides.
  // Without requests, the bound is met.
  [[nodiscard]] study::Verdict judgement() const noexcept;
  // If open, returns the number of requests with a narrow enough Wilson interval, assuming the same share of misses.
  // Returns nullopt if decided or if no number is enough. Also returns nullopt if replications differ by more than this
  // many requests explain.
  [[nodiscard]] std::optional<std::uint64_t> requests_needed() const noexcept;
};

// True if no estimate fails and the open ones lack only requests.
[[nodiscard]] bool lacks_requests(const std::vector<Estimate>& estimates);

// Returns fails if any estimate fails, else open if any is open.
[[nodiscard]] study::Verdict judge(const std::vector<Estimate>& estimates);

// True if requests can fail for a reason that neither shares nor LoadLimits show: bounded queues, breakers of hosts,
// links that are down.
[[nodiscard]] bool errors_by_load(const scenario::Scenario& scenario);

// Returns the bounds that must be measured. Latency bounds always are. Error bounds are if load can fail requests
// in a way that LoadLimits do not cover: bounded queues, breakers of hosts, links that are down. Error bounds are also
// measured if no utilisation bound would show overload.
[[nodiscard]] std::vector<Bound> measured_bounds(const scenario::Scenario& scenario, const std::vector<Bound>& bounds);

class Evaluator {
 public:
  using Effort = plan::Effort;
  explicit Evaluator(Effort effort) : effort_(effort) {}

  // Simulates the time for the scenario's duration, after its warm-up or from empty queues. The estimates are
  // independent of the number of jobs. Throws std::runtime_error if a replication terminates early. `loads`, if not
  // null, receives the loads of the same replications.
  [[nodiscard]] std::vector<Estimate> operator()(const Simulated& simulated, const std::vector<Bound>& bounds,
                                                 Loads* loads = nullptr) const;

  // Like operator(), but stops as soon as one bound fails.
  [[nodiscard]] std::vector<Estimate> until_failed(const Simulated& simulated, const std::vector<Bound>& bounds) const;

  // Like operator(), but stops after an even number of replications if one bound fails or all bounds hold by their
  // intervals. A bound of zero failures needs every replication.
  [[nodiscard]] std::vector<Estimate> until_decided(const Simulated& simulated, const std::vector<Bound>& bounds) const;

 private:
  // Stops after an even number of replications if `enough` returns true.
  template <class Enough>
  [[nodiscard]] std::vector<Estimate> until(const Simulated& simulated, const std::vector<Bound>& bounds,
                                            Enough enough) const;

  Effort effort_;
};

// Chooses the next growth in the search for the highest that holds. Steps up by half while everything holds, then
// bisects until the bounds are 2 % apart. If the upper one is open, searches upwards for one that fails, within 10 %.
class Steps {
 public:
  // Growths above `most` are not tried.
  explicit Steps(double most) : most_(most) {}

  // Returns nullopt once the search is over.
  [[nodiscard]] std::optional<double> next() const;
  void tell(double growth, study::Verdict judgement);

  // Returns the approximate number of remaining steps; for a progress bar.
  [[nodiscard]] int left() const;

  [[nodiscard]] double holds() const noexcept { return holds_; }  // the highest that held; 0 if none did
  // Returns the lowest growth that failed, above all that held.
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
