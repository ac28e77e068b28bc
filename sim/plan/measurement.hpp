// The part of a plan that is measured: every failure as things are, the highest rate, and whether numbers of endpoints
// that are enough by their shares are enough by latency and errors too.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

namespace spillway::plan {

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
  [[nodiscard]] MeasuredHeadroom headroom(const Variant& variant, const std::vector<Row>& rows, double most,
                                          const Progress& progress) const;

  // Adds endpoints where the busiest one is of the failure that does not hold, until every one holds or so many have
  // been added that more would not help. Then takes single ones away again that are not needed. What is left was seen
  // to hold with all replications; what was passed on the way may have been judged by fewer (Evaluator::until_decided).
  void raise(const std::vector<Bound>& bounds, Fewest& fewest, const Progress& progress) const;

 private:
  // The first failure that does not hold, by shares first and by what is measured then; `likely` is tried first, and is
  // the one that was found. `firmly`: with all replications.
  [[nodiscard]] std::optional<Row> first_not_holding(const Variant& variant, const std::vector<Bound>& bounds,
                                                     bool firmly, std::size_t& likely) const;
  void lower(const std::vector<Bound>& bounds, Fewest& fewest, std::size_t& likely) const;

  const Variants* variants_;
  std::vector<Bound> bounds_;
  Evaluator::Effort effort_;
  Evaluator evaluate_;
};

}  // namespace spillway::plan
