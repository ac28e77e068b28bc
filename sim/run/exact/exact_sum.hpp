// The sum of the exact shares of several rows. Precondition: each row is added at most once.
//
//   ExactSum sum;
//   for (const Share& share : results.shares) { if (share.zone == "a") { sum.add(share); } }
//   sum.value();   // nullopt if it has only a part of a joint share, or a part without a share
//
// O(log joint shares) per row.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/numeric/compensated_sum.hpp"
#include "sim/run/results.hpp"

namespace spillway::run {

class ExactSum {
 public:
  // Identifies rows with the same joint share.
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
  // Returns the joint shares of which only some rows were added.
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
  std::map<Joint, std::uint32_t> missing_;  // rows not added yet
};

// Replaces the exact shares by the shares at rest.
inline void take_shares_at_rest(Results& results) {
  results.at_rest = true;
  std::map<std::shared_ptr<const ExactRows>, std::shared_ptr<const ExactRows>> known;  // only looked up
  for (ShareBlock& block : results.shares.blocks()) {
    std::shared_ptr<const ExactRows>& at_rest = known[block.exact];
    if (!at_rest) {
      ExactRows rows{.places = block.exact->places};
      rows.basis_of_others = "no request in flight, no retries, no host in slow start";
      for (std::size_t row = 0; row < block.exact->positions.size(); ++row) {
        rows.add(block.exact->positions[row], block.exact->shares[row], rows.basis_of_others);
      }
      at_rest = std::make_shared<const ExactRows>(std::move(rows));
    }
    block.exact = at_rest;
  }
}

// True if every row has an exact share; otherwise values of single endpoints have to be simulated and counted.
[[nodiscard]] inline bool all_exact(const Results& results) {
  std::set<const ExactRows*> seen;  // clients of a class share them
  return std::all_of(results.shares.blocks().begin(), results.shares.blocks().end(), [&](const ShareBlock& block) {
    return !seen.insert(block.exact.get()).second || std::all_of(block.exact->joint.begin(), block.exact->joint.end(),
                                                                 [](std::uint32_t joint) { return joint == 0; });
  });
}

// True if a row has an exact share, or one at rest that is the mean over connections to zone proxies.
[[nodiscard]] inline bool is_exact_over_connections(const ShareCell& row) {
  return row.joint == 0 || *row.exact_basis == connection_basis;
}

[[nodiscard]] inline bool all_exact_over_connections(const Results& results) {
  const std::vector<ShareBlock>& blocks = results.shares.blocks();
  std::set<const ExactRows*> seen;  // clients of a class share them
  return std::all_of(blocks.begin(), blocks.end(), [&](const ShareBlock& block) {
    if (!seen.insert(block.exact.get()).second) {
      return true;
    }
    bool all = true;
    block.for_each([&](const ShareCell& row) { all = all && is_exact_over_connections(row); });
    return all;
  });
}

}  // namespace spillway::run
