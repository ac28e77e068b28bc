// Accumulates the exact shares of one cluster by host and list, and records which of them are known only jointly.
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

// The shares by host and list of one cluster including its subsets, and the assumptions made.
class ShareRows {
 public:
  explicit ShareRows(std::size_t hosts) : shares_(lists * hosts, 0.0) {}

  void add(config::HostIndex host, Availability availability, double share) {
    shares_[place(host, availability)] += share;
  }
  // Adds shares, one per host.
  void add(std::span<const config::HostIndex> hosts, Availability availability, std::span<const double> shares) {
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      add(hosts[position], availability, shares[position]);
    }
  }

  // Records an assumption, once however many balancers make it.
  void assume(std::string_view basis);

  // Makes the shares of these hosts in a list a joint share. `if_carried`: only if schedules continue in the middle of
  // a round.
  enum class When : std::uint8_t { always, if_carried };
  void join(std::span<const config::HostIndex> hosts, Availability availability, When when, std::string_view why);

  [[nodiscard]] bool is_joint(config::HostIndex host, Availability availability) const noexcept {
    return joint_.has(place(host, availability));
  }

  // Appends the rows of this cluster, with joint shares numbered after existing ones. `hosts` gives the priorities.
  void append_to(ExactShares& result, const Hosts& hosts, std::uint32_t child);

 private:
  [[nodiscard]] std::uint32_t place(config::HostIndex host, Availability availability) const noexcept {
    return lists * host.value + static_cast<std::uint32_t>(availability);
  }

  // A partition into joint shares. A joint share has at least two rows, or one row whose own share is not exact.
  struct Joint {
    numeric::DisjointSets sets;             // by place, nonzero if in a joint share; empty if none is
    std::vector<std::uint8_t> in_one = {};  // by place, nonzero if in a joint share; empty if none is

    [[nodiscard]] bool has(std::uint32_t place) const noexcept { return !in_one.empty() && in_one[place] != 0; }
    // Returns the number of the joint share; 0 if the row is in none.
    [[nodiscard]] std::uint32_t number_of(std::uint32_t place, std::uint32_t first) noexcept {
      return has(place) ? first + sets.find(place) + 1 : 0;
    }
  };
  void join(Joint& joint, std::span<const config::HostIndex> hosts, Availability availability) const;

  static constexpr std::uint32_t lists = 3;

  std::vector<double> shares_;       // by place
  Joint joint_;                      // for When::always
  std::optional<Joint> if_carried_;  // for both values of When; nullopt if equal to joint_
  ExactShares assumed_;
};

// Joins the hosts of a list if they have no share of their own in these circumstances. That is so if picks depend on
// requests in flight, on earlier events or on reported loads. O(hosts).
void join_list(ShareRows& rows, const ClusterState& state, const RequestClass& requests,
               const policies::ShareInput& input, Availability availability);

// Joins the hosts of a hash table. Under a bounded load, a full host passes requests on to any other host of the table.
// Hosts of equal keys share the slots of these keys. `of`: joins only the hosts that this one shares with; nullopt for
// all.
void join_table(ShareRows& rows, const RequestClass& requests, const policies::HashTable& table,
                Availability availability, std::optional<config::HostIndex> of = std::nullopt);

}  // namespace spillway::envoy
