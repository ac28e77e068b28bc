// The exact share of several rows of results together, each added at most once.
//
//   ExactSum sum;
//   for (const Share& share : results.shares) { if (share.zone == "a") { sum.add(share); } }
//   sum.value();   // none: some of a joint share lies outside, or it is none even as a whole
//
// O(log joint shares) a row.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "models/numeric/compensated_sum.hpp"
#include "sim/run/results.hpp"

namespace spillway::run {

class ExactSum {
 public:
  // Rows with the same joint share.
  using Joint = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t, std::uint32_t>;

  [[nodiscard]] static Joint joint_of(const Share& row) { return {row.client, row.service, row.epoch, row.joint}; }

  void add(const Share& row) { add(row.at_rest, joint_of(row), row.joint_rows); }
  void add(const Joint& joint, const ShareCell& row) { add(row.at_rest, joint, row.joint_rows); }
  void add(double at_rest, const Joint& joint, std::uint32_t rows) {
    sum_.add(at_rest);
    if (std::get<3>(joint) != 0) {
      missing_.try_emplace(joint, rows).first->second -= 1;
    }
  }

  [[nodiscard]] std::optional<double> value() const {
    for (const auto& [joint, missing] : missing_) {
      if (missing > 0) {
        return std::nullopt;
      }
    }
    return sum_.value();
  }
  // The joint shares of which only some rows were added.
  [[nodiscard]] std::vector<Joint> open_joints() const {
    std::vector<Joint> open;
    for (const auto& [joint, missing] : missing_) {
      if (missing > 0) {
        open.push_back(joint);
      }
    }
    return open;
  }
  [[nodiscard]] double at_rest() const { return sum_.value(); }

 private:
  numeric::CompensatedSum sum_;
  std::map<Joint, std::uint32_t> missing_;  // rows that have not been added
};

// Whether every row has an exact share; else what is asked about single endpoints has to be played and counted.
[[nodiscard]] inline bool all_exact(const Results& results) {
  return std::all_of(results.shares.blocks().begin(), results.shares.blocks().end(), [](const ShareBlock& block) {
    return std::all_of(block.exact->joint.begin(), block.exact->joint.end(),
                       [](std::uint32_t joint) { return joint == 0; });
  });
}

}  // namespace spillway::run
