// The measured part of a plan: every failure at the present rate, the highest rate, and whether endpoint counts that
// are enough by their shares also meet latency and error bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sim/plan/measured.hpp"
#include "sim/plan/variants.hpp"

namespace spillway::plan {

struct Fewest;            // plan.hpp
struct MeasuredHeadroom;  // plan.hpp
struct Row;               // plan.hpp

// Returns the endpoint counts in the form that Variants takes.
[[nodiscard]] Counts counts_of(const Fewest& fewest);

// Sets the row's estimates. Sets the failing clients too, if load alone makes requests fail: shares do not show these.
void set_estimates(Row& row, const Simulated& simulated, const std::vector<Bound>& bounds, const Evaluator& evaluate);

class Measurement {
 public:
  // `variants` must outlive this. `errors_by_load` is errors_by_load() of the scenario.
  Measurement(const Variants& variants, std::vector<Bound> bounds, Evaluator::Effort effort, bool errors_by_load)
      : variants_(&variants),
        bounds_(std::move(bounds)),
        effort_(effort),
        evaluate_(effort),
        errors_by_load_(errors_by_load) {}

  // Receives the fraction of the work that is done, from 0 to 1.
  using Progress = std::function<void(double done)>;

  void measure(const Variant& variant, std::vector<Row>& rows, const Progress& progress) const;

  // Precondition: `rows` have been measured. Growths above `most` are not tried. Assumes that a failure that holds at
  // some rate holds at lower rates. The failure nearest to its limit is searched for its highest rate. Each other
  // failure is evaluated at that rate and searched below only if it does not hold there.
  //
  // The highest passing rate may have passed by luck, so it is re-tested with new seeds. If it fails, the next lower
  // rate is tested. If the present rate is reached and fails, the row's estimates become those of the re-test.
  [[nodiscard]] MeasuredHeadroom headroom(const Variant& variant, std::vector<Row>& rows, double most,
                                          const Progress& progress) const;

  // Adds endpoints to the busiest one's group of a failure that does not hold. Stops when every failure holds, or when
  // so many were added that more would not help. Then removes single endpoints that are not needed. The result is
  // confirmed with all replications and new seeds. Intermediate layouts may have been judged by fewer
  // (Evaluator::until_decided).
  void raise(const std::vector<Bound>& bounds, Fewest& fewest, const Progress& progress) const;

 private:
  // Returns the bounds that must be counted at this growth of the row's requests; shares tell the others.
  [[nodiscard]] std::vector<Bound> due(const Row& row, double growth) const;
  // Returns the estimates of `due`, which are none if nothing is due.
  [[nodiscard]] std::vector<Estimate> looked_at(const Variant& variant, const Row& row, double growth) const;
  // Returns the first failure that does not hold, by shares first and then by measurement. `likely` is tried first and
  // is set to the failure found. `firmly`: with all replications.
  [[nodiscard]] std::optional<Row> first_not_holding(const Variant& variant, const std::vector<Bound>& bounds,
                                                     bool firmly, std::size_t& likely) const;
  void lower(const std::vector<Bound>& bounds, Fewest& fewest, std::size_t& likely) const;
  [[nodiscard]] MeasuredHeadroom search(const Variant& variant, const std::vector<Row>& rows, double most,
                                        const Progress& progress) const;
  void prove(const Variant& variant, std::vector<Row>& rows, MeasuredHeadroom& found, const Progress& progress) const;
  // True if every row holds at that growth in new replications. Otherwise sets in `found` the bound that fails.
  [[nodiscard]] bool proven(const Variant& variant, std::vector<Row>& rows, double growth,
                            const std::vector<std::size_t>& order, MeasuredHeadroom& found) const;

  const Variants* variants_;
  std::vector<Bound> bounds_;
  // Re-tests per replication of the plan, for the failure that limits the headroom. More replications make rare
  // failures visible. Fewer are used if the total would take too many requests.
  static constexpr std::uint32_t proofs_by_replication = 4;
  [[nodiscard]] std::uint32_t proofs_of(const Simulated& simulated, double rate) const;

  // A longer simulation of a failure whose queues have not settled by the end of the scenario's duration. It shows
  // whether requests are served in the long run.
  struct LongRun {
    Simulated simulated;
    std::uint32_t replications = 0;
    double seconds = 0.0;
  };
  // Returns nullopt if the queues settle, or if a longer simulation would take too many requests.
  [[nodiscard]] std::optional<LongRun> long_run(const Variant& variant, const Row& row, double growth) const;
  [[nodiscard]] std::vector<Estimate> estimates_of(const LongRun& run, const std::vector<Bound>& bounds) const;

  Evaluator::Effort effort_;
  Evaluator evaluate_;
  bool errors_by_load_ = false;  // load fails requests in ways that LoadLimits do not cover
};

}  // namespace spillway::plan
