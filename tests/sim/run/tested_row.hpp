// Judges the counts of a run against the exact shares of its table.
//
//   std::map<std::uint32_t, test::TestedRow> rows;                 // by epoch
//   for (const run::Share& share : results.shares) { rows[share.epoch].add(share); }
//   CHECK(rows[outcomes.epoch].chance(outcomes.sent) > alpha);
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/run/results.hpp"
#include "tests/support/g_test.hpp"

namespace spillway::test {

// A row of a run's table: the counts of what has an exact share, and of the rest, which found no host.
struct TestedRow {
  std::map<std::uint32_t, std::pair<std::uint64_t, double>> joint = {};
  std::map<std::uint32_t, std::int64_t> missing = {};  // rows of joint shares
  std::vector<std::uint64_t> counts = {};
  std::vector<double> shares = {};

  void add(const run::Share& share) {
    if (share.joint == 0) {
      counts.push_back(*share.requests);
      shares.push_back(*share.exact);
      return;
    }
    auto& [count, part] = joint[share.joint];
    count += *share.requests;
    part += share.at_rest;
    missing.try_emplace(share.joint, share.joint_rows).first->second -= 1;
  }

  // The p-value of the G-test of the counts against the shares; 1 if some sum has no exact share.
  [[nodiscard]] double chance(std::uint64_t sent) {
    for (const auto& [number, sum] : joint) {
      if (missing.at(number) != 0) {
        return 1.0;
      }
      counts.push_back(sum.first);
      shares.push_back(sum.second);
    }
    std::uint64_t found = 0;
    double whole = 0.0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      found += counts[cell];
      whole += shares[cell];
    }
    counts.push_back(sent - found);
    shares.push_back(whole > 1.0 - 1e-9 ? 0.0 : 1.0 - whole);
    return support::g_test(counts, shares);
  }
};

}  // namespace spillway::test
