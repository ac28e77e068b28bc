// The exact shares of one plain cluster and everything inside it: what exact_shares() is made of.
//
//   ShareRows rows(state.hosts.hosts.size());
//   add_cluster_shares(state, requests, std::nullopt, 1.0, rows, nullptr);
//   rows.append_to(result, state.hosts.hosts, 0);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/exact_shares.hpp"
#include "models/numeric/disjoint_sets.hpp"

namespace spillway::envoy {

inline constexpr std::uint32_t residues = 100;  // a priority is chosen by draw % 100

// Calls visit(choice, range) for each stretch of draws % 100 that makes one choice.
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

// Shares by host and list of one cluster, all of its subsets together, and what they assume.
class ShareRows {
 public:
  explicit ShareRows(std::size_t hosts) {
    for (auto& list : by_list_) {
      list.resize(hosts, 0.0);
    }
  }

  void add(config::HostIndex host, Availability availability, double share) {
    by_list_[static_cast<std::size_t>(availability)][host.value] += share;
  }

  // Each assumption counts once, however many balancers make it.
  void assume(std::string_view basis);

  // What was added for these hosts of a list is theirs together. `if_carried`: only where schedules go on in the middle
  // of a round.
  enum class When : std::uint8_t { always, if_carried };
  void join(std::span<const config::HostIndex> hosts, Availability availability, When when, std::string_view why);

  [[nodiscard]] bool is_joint(config::HostIndex host, Availability availability) const noexcept {
    return !joint_[0].in_one.empty() && joint_[0].in_one[place(host, availability)];
  }

  // Appends `hosts` rows, with joint shares numbered after those that are there.
  void append_to(ExactShares& result, const Hosts& hosts, std::uint32_t child);

 private:
  [[nodiscard]] std::uint32_t place(config::HostIndex host, Availability availability) const noexcept {
    return 3 * host.value + static_cast<std::uint32_t>(availability);
  }

  // Of one partition: of two rows or more, or of one that is no share of its own.
  struct Joint {
    numeric::DisjointSets sets;  // by place
    std::vector<bool> in_one;    // likewise
  };
  [[nodiscard]] static std::uint32_t number_of(Joint& joint, std::uint32_t place, std::uint32_t first);

  std::array<std::vector<double>, 3> by_list_;  // by Availability, then HostIndex
  std::array<Joint, 2> joint_;                  // by When; of if_carried those of always too
  ExactShares assumed_;
};

// Adds to `rows` what of `probability` finds a host, and the steps to `trace` if it is not null. `forced`: the level
// that an aggregate chose.
void add_cluster_shares(const ClusterState& state, const RequestClass& requests,
                        const std::optional<PriorityChoice>& forced, double probability, ShareRows& rows,
                        ShareTrace* trace);

}  // namespace spillway::envoy
