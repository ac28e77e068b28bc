// The exact shares of an epoch: the mean of its states' exact shares, weighted by what was sent in each.
//
//   ExactMean mean(targets, forwarded);
//   mean.add(shares_of_state, weight);
//   mean.share(row);
//
// A row that has the same share in every state comes out as that very double, whatever the weights: a deterministic
// share is compared by equality.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/envoy/exact_shares.hpp"
#include "sim/run/targets.hpp"

namespace spillway::run {

class ExactMean {
 public:
  // `forwarded`: by target, its part of what its host gets; empty where no host is a zone proxy. Both must outlive
  // this.
  explicit ExactMean(const Targets& targets, std::span<const double> forwarded = {})
      : targets_(&targets), forwarded_(forwarded), rows_(targets.size() * 3ULL) {}

  // Weights are not negative; a state of weight 0 counts for nothing. O(shares).
  void add(const envoy::ExactShares& shares, double weight);

  // By engine::row_of. Nothing added: 0. Absent where one of the states has no closed form.
  [[nodiscard]] std::optional<double> share(std::uint32_t row) const noexcept;

  // Whether every state has a closed form.
  [[nodiscard]] bool closed_form() const noexcept { return closed_form_; }

  // What the states' shares assume, or why there are none.
  [[nodiscard]] const std::string& basis() const noexcept { return basis_; }

 private:
  struct Row {
    double weighted = 0.0;  // sum of weight * share
    double weight = 0.0;    // of the states that have the row
    double first = 0.0;     // share in the first of them
    bool uniform = true;    // the same share in all of them
  };

  void add(std::uint32_t row, double share, double weight);

  const Targets* targets_;
  std::span<const double> forwarded_;
  std::vector<Row> rows_;
  double weight_ = 0.0;
  bool closed_form_ = true;
  std::string basis_;
};

}  // namespace spillway::run
