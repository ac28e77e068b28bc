// The exact shares of one plain cluster and its subsets and fallbacks: the building block of exact_shares().
//
//   ShareRows rows(state.hosts.hosts.size());
//   add_cluster_shares(state, requests, std::nullopt, 1.0, rows, nullptr);
//   rows.append_to(result, state.hosts.hosts, 0);
#pragma once

#include <cstdint>
#include <optional>

#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

class ShareRows;      // share_rows.hpp
class ShareTrace;     // share_trace.hpp
struct ClusterState;  // cluster_state.hpp
struct RequestClass;  // exact_shares.hpp

inline constexpr std::uint32_t residues = 100;  // a priority is chosen by draw % 100

// Calls visit(choice, range) for each range of draws % 100 with the same choice.
template <class Visit>
void for_each_choice(const PriorityTable& table, Visit visit) {
  std::uint32_t begin = 0;
  for (std::uint32_t end = 1; end <= residues; ++end) {
    if (end == residues || table[end] != table[begin]) {
      visit(table[begin], policies::ResidueRange{begin, end});
      begin = end;
    }
  }
}

[[nodiscard]] inline double chance(policies::ResidueRange range) {
  return static_cast<double>(range.end - range.begin) / residues;
}

// Adds to `rows` the part of `probability` that finds a host, and the steps to `trace` if that is not null. `forced`:
// the level that an aggregate chose.
void add_cluster_shares(const ClusterState& state, const RequestClass& requests,
                        const std::optional<PriorityChoice>& forced, double probability, ShareRows& rows,
                        ShareTrace* trace);

}  // namespace spillway::envoy
