// The part of a plan that is measured: every failure as things are, the highest rate, and whether numbers of endpoints
// that are enough by their shares are enough by latency and errors too.
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

// Its numbers of endpoints, as Variants takes them.
[[nodiscard]] Counts counts_of(const Fewest& fewest);

class Measurement {
 public:
  // `variants` must outlive this.
  Measurement(const Variants& variants, std::vector<Bound> bounds, Evaluator::Effort effort)
      : variants_(&variants), bounds_(std::move(bounds)), effort_(effort), evaluate_(effort) {}

  // Parts of the work that are done, from 0 to 1.
  using Progress = std::function<void(double done)>;

  void measure(const Variant& variant, std::vector<Row>& rows, const Progress& progress) const;

  // `rows` have been measured. Nothing above `most` is tried. Takes it that what holds at some rate holds at lower
  // ones: the failure that was nearest to its limit is searched for its highest rate, and each other one is looked at
  // there, and searched below only if it does not hold.
  //
  // The highest of many rates that were tried is one that chance was kind to: it is proven by replications with draws
  // of their own, or the next lower one that is. Where that is the rate as it is, and is not proven, the row's
  // estimates become those of the proof.
  [[nodiscard]] MeasuredHeadroom headroom(const Variant& variant, std::vector<Row>& rows, double most,
                                          const Progress& progress) const;

  // Adds endpoints where the busiest one is of the failure that does not hold, until every one holds or so many have
  // been added that more would not help. Then takes single ones away again that are not needed. What is left was seen
  // to hold with all replications, drawn anew; what was passed on the way may have been judged by fewer
  // (Evaluator::until_decided).
  void raise(const std::vector<Bound>& bounds, Fewest& fewest, const Progress& progress) const;

 private:
  // The first failure that does not hold, by shares first and by what is measured then; `likely` is tried first, and is
  // the one that was found. `firmly`: with all replications.
  [[nodiscard]] std::optional<Row> first_not_holding(const Variant& variant, const std::vector<Bound>& bounds,
                                                     bool firmly, std::size_t& likely) const;
  void lower(const std::vector<Bound>& bounds, Fewest& fewest, std::size_t& likely) const;
  [[nodiscard]] MeasuredHeadroom search(const Variant& variant, const std::vector<Row>& rows, double most,
                                        const Progress& progress) const;
  void prove(const Variant& variant, std::vector<Row>& rows, MeasuredHeadroom& found, const Progress& progress) const;
  // Whether every row holds at that growth in replications that were not seen before; else says in `found` what ends
  // it.
  [[nodiscard]] bool proven(const Variant& variant, std::vector<Row>& rows, double growth,
                            const std::vector<std::size_t>& order, MeasuredHeadroom& found) const;

  const Variants* variants_;
  std::vector<Bound> bounds_;
  // Of the failure that ends the headroom: what comes in one of so many replications must have a chance to be seen. So
  // many times the plan's own, fewer where that is too many requests for a plan that is waited for.
  static constexpr std::uint32_t proofs_by_replication = 4;
  [[nodiscard]] std::uint32_t proofs_of(const Simulated& simulated, double rate) const;

  // A failure whose queues have not settled when a simulation as long as the scenario ends is simulated for longer:
  // what they come to says whether requests are served in the long run.
  struct LongRun {
    Simulated simulated;
    std::uint32_t replications = 0;
    double seconds = 0.0;
  };
  // Nullopt if the queues settle, or if a longer simulation takes too many requests.
  [[nodiscard]] std::optional<LongRun> long_run(const Variant& variant, const Row& row, double growth) const;
  [[nodiscard]] std::vector<Estimate> estimates_of(const LongRun& run) const;

  Evaluator::Effort effort_;
  Evaluator evaluate_;
};

}  // namespace spillway::plan
