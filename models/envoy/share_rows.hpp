// Where the exact shares of one cluster are added up: by host and list, with which of them are known together only.
//
//   ShareRows rows(state.hosts.hosts.size());
//   rows.add(host, Availability::healthy, 0.25);
//   join_list(rows, state, requests, input, Availability::healthy);
//   rows.append_to(result, state.hosts.hosts, 0);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/exact_shares.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/numeric/disjoint_sets.hpp"

namespace spillway::envoy::policies {
struct HashTable;   // hash_table.hpp
struct ShareInput;  // pick_input.hpp
}  // namespace spillway::envoy::policies

namespace spillway::envoy {

struct ClusterState;  // cluster_state.hpp

// Shares by host and list of one cluster, all of its subsets together, and what they assume.
class ShareRows {
 public:
  explicit ShareRows(std::size_t hosts) : shares_(lists * hosts, 0.0) {}

  void add(config::HostIndex host, Availability availability, double share) {
    shares_[place(host, availability)] += share;
  }
  // `shares`: one a host.
  void add(std::span<const config::HostIndex> hosts, Availability availability, std::span<const double> shares) {
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      add(hosts[position], availability, shares[position]);
    }
  }

  // Each assumption counts once, however many balancers make it.
  void assume(std::string_view basis);

  // What was added for these hosts of a list is theirs together. `if_carried`: only where schedules go on in the middle
  // of a round.
  enum class When : std::uint8_t { always, if_carried };
  void join(std::span<const config::HostIndex> hosts, Availability availability, When when, std::string_view why);

  [[nodiscard]] bool is_joint(config::HostIndex host, Availability availability) const noexcept {
    return joint_.has(place(host, availability));
  }

  // Appends `hosts` rows, with joint shares numbered after those that are there.
  void append_to(ExactShares& result, const Hosts& hosts, std::uint32_t child);

 private:
  [[nodiscard]] std::uint32_t place(config::HostIndex host, Availability availability) const noexcept {
    return lists * host.value + static_cast<std::uint32_t>(availability);
  }

  // Of one partition: of two rows or more, or of one that is no share of its own.
  struct Joint {
    numeric::DisjointSets sets;             // by place
    std::vector<std::uint8_t> in_one = {};  // likewise; empty: none is

    [[nodiscard]] bool has(std::uint32_t place) const noexcept { return !in_one.empty() && in_one[place] != 0; }
    // 0: of none.
    [[nodiscard]] std::uint32_t number_of(std::uint32_t place, std::uint32_t first) noexcept {
      return has(place) ? first + sets.find(place) + 1 : 0;
    }
  };
  void join(Joint& joint, std::span<const config::HostIndex> hosts, Availability availability) const;

  static constexpr std::uint32_t lists = 3;

  std::vector<double> shares_;       // by place
  Joint joint_;                      // always
  std::optional<Joint> if_carried_;  // those of always too; none: it is the same
  ExactShares assumed_;
};

// Joins the hosts of a list that have no share of their own under these circumstances: where picks depend on the
// requests in flight, on what happened before or on what hosts report. O(hosts).
void join_list(ShareRows& rows, const ClusterState& state, const RequestClass& requests,
               const policies::ShareInput& input, Availability availability);

// Those of a hash table: under a bounded load a host that has its fill hands requests on to any other one of the table,
// and hosts of equal keys share what each of them may own. `of`: only those that this one shares with; none: all.
void join_table(ShareRows& rows, const RequestClass& requests, const policies::HashTable& table,
                Availability availability, std::optional<config::HostIndex> of = std::nullopt);

}  // namespace spillway::envoy
