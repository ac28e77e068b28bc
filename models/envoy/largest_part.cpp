#include "models/envoy/largest_part.hpp"

#include <algorithm>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"

namespace spillway::envoy {

namespace {

// Returns how many hosts least request draws, if it draws them with equal probabilities; 0 if not.
std::uint32_t drawn_choices(const ClusterState& state) {
  namespace least_request = policies::least_request;
  const auto* const policy = std::get_if<least_request::Config>(&state.lb_policy);
  const Hosts& hosts = state.hosts.hosts;
  const bool equal =
      std::all_of(hosts.begin(), hosts.end(), [&](const Host& host) { return host.weight == hosts[0].weight; });
  return policy != nullptr && equal && policy->selection_method == least_request::SelectionMethod::n_choices
             ? policy->choice_count
             : 0;
}

}  // namespace

std::map<std::uint32_t, double> joint_sums(const ExactShares& exact) {
  std::map<std::uint32_t, double> sums;
  for (const HostShare& row : exact.hosts) {
    sums[row.joint] += row.share;
  }
  return sums;
}

double largest_part(const ClusterState& state, const HostShare& row, const std::map<std::uint32_t, double>& joint) {
  if (row.joint == 0) {
    return row.share;
  }
  const std::uint32_t choices = drawn_choices(state.aggregate ? *state.children[row.child] : state);
  return choices > 0 ? std::min(joint.at(row.joint), choices * row.share) : joint.at(row.joint);
}

}  // namespace spillway::envoy
