// The part of a plan that is measured: every failure as things are, the highest rate, and whether numbers of endpoints
// that are enough by their shares are enough by latency and errors too.
#pragma once

#include <vector>

#include "sim/plan/plan.hpp"

namespace spillway::plan {

class Measurement {
 public:
  // `worlds` must outlive this.
  Measurement(const Worlds& worlds, std::vector<Bound> bounds, Evaluator::Effort effort)
      : worlds_(&worlds), bounds_(std::move(bounds)), effort_(effort), evaluate_(effort) {}

  void measure(const World& world, std::vector<Row>& rows) const;

  // `rows` have been measured. Nothing above `most` is tried.
  [[nodiscard]] MeasuredHeadroom headroom(const World& world, const std::vector<Row>& rows, double most) const;

  // Adds endpoints where the busiest one is of the failure that does not hold, until every one holds or so many have
  // been added that more would not help. Then takes single ones away again that are not needed.
  void raise(const std::vector<Bound>& bounds, Fewest& fewest) const;

 private:
  // Measured only where what follows from shares holds.
  [[nodiscard]] std::vector<Row> all_of(const World& world, const std::vector<Bound>& bounds) const;
  void lower(const std::vector<Bound>& bounds, Fewest& fewest) const;

  const Worlds* worlds_;
  std::vector<Bound> bounds_;
  Evaluator::Effort effort_;
  Evaluator evaluate_;
};

}  // namespace spillway::plan
