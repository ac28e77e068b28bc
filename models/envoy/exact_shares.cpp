#include "models/envoy/exact_shares.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "models/envoy/cluster_shares.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/share_rows.hpp"
#include "models/envoy/share_trace.hpp"

namespace spillway::envoy {

namespace {

void add_aggregate(const ClusterState& state, const RequestClass& requests, ExactShares& result, ShareTrace* trace) {
  if (state.levels.empty()) {
    return;
  }
  for (std::uint32_t child = 0; child < state.children.size(); ++child) {
    const ClusterState* const known = state.children[child].get();
    if (known == nullptr || known->aggregate) {
      continue;
    }
    ShareRows rows(known->hosts.hosts.size());
    RequestClass own = requests;
    if (!own.active_requests.empty()) {
      own.active_requests = own.active_requests.subspan(state.first_host_of_child[child], known->hosts.hosts.size());
    }
    if (!own.circumstances.alike.empty()) {
      own.circumstances.alike =
          own.circumstances.alike.subspan(state.first_host_of_child[child], known->hosts.hosts.size());
    }
    if (!own.circumstances.slow_start_factors.empty()) {
      own.circumstances.slow_start_factors =
          own.circumstances.slow_start_factors.subspan(state.first_host_of_child[child], known->hosts.hosts.size());
    }
    for_each_choice(state.priority_table, [&](PriorityChoice choice, policies::ResidueRange range) {
      const AggregateLevel& level = state.levels[choice.priority.value];
      if (level.child == child) {
        const std::size_t position = trace == nullptr ? 0
                                                      : trace->begin({.kind = ShareStep::Kind::level,
                                                                      .state = &state,
                                                                      .probability = chance(range),
                                                                      .choice = choice,
                                                                      .residues = {range.begin, range.end}});
        add_cluster_shares(*known, own, PriorityChoice{level.priority, choice.availability}, chance(range), rows,
                           trace);
        if (trace != nullptr) {
          trace->end_with_parts(position);
        }
      }
    });
    rows.append_to(result, known->hosts.hosts, child);
  }
}

}  // namespace

bool ExactShares::closed_form() const noexcept {
  return std::all_of(hosts.begin(), hosts.end(), [](const HostShare& row) { return row.joint == 0; });
}

void ExactShares::keep(double part) {
  for (HostShare& row : hosts) {
    row.share *= part;
  }
}

void ExactShares::add_all(const ClusterState& state) {
  const auto add = [this](const PrioritySet& set, std::uint32_t child) {
    std::vector<bool> has_row(set.hosts.size(), false);
    for (const HostShare& row : hosts) {
      if (row.child == child) {
        has_row[row.host.value] = true;
      }
    }
    for (std::uint32_t index = 0; index < has_row.size(); ++index) {
      if (!has_row[index]) {
        hosts.push_back({.host = config::HostIndex{index}, .priority = set.hosts[index].priority, .child = child});
      }
    }
  };
  for (std::uint32_t child = 0; child < state.children.size(); ++child) {
    if (state.children[child] != nullptr) {
      add(state.children[child]->hosts, child);
    }
  }
  if (!state.aggregate) {
    add(state.hosts, 0);
  }
  std::sort(hosts.begin(), hosts.end(), [](const HostShare& left, const HostShare& right) {
    return std::tuple(left.child, left.host.value, left.availability) <
           std::tuple(right.child, right.host.value, right.availability);
  });
}

void ExactShares::join_all(std::string_view why) {
  for (HostShare& row : hosts) {
    row.joint = row.joint_if_carried = 1;
  }
  sums_are_exact = hosts.empty();
  why_joint = why;
}

void ExactShares::add_possible(const ClusterState& state,
                               const std::function<bool(std::uint32_t, config::HostIndex)>& may_get) {
  const auto add_cluster = [&](const ClusterState& cluster, std::uint32_t child) {
    std::vector<bool> listed(cluster.hosts.hosts.size(), false);
    for (const HostShare& row : hosts) {
      if (row.child == child) {
        listed[row.host.value] = true;
      }
    }
    for (const HostSet& set : cluster.hosts.host_sets) {
      for (const config::HostIndex host : set.all.hosts()) {
        if (!listed[host.value] && may_get(child, host)) {
          const Host& of = cluster.hosts.hosts[host.value];
          hosts.push_back(
              {.host = host, .priority = of.priority, .availability = availability_of(of.flags), .child = child});
        }
      }
    }
  };
  if (!state.aggregate) {
    add_cluster(state, 0);
    return;
  }
  for (std::uint32_t child = 0; child < state.children.size(); ++child) {
    if (state.children[child] != nullptr && !state.children[child]->aggregate) {
      add_cluster(*state.children[child], child);
    }
  }
}

ExactShares exact_shares(const ClusterState& state, const RequestClass& requests, ShareTrace* trace) {
  ExactShares result;
  if (state.aggregate) {
    add_aggregate(state, requests, result, trace);
  } else {
    ShareRows rows(state.hosts.hosts.size());
    add_cluster_shares(state, requests, std::nullopt, 1.0, rows, trace);
    rows.append_to(result, state.hosts.hosts, 0);
  }
  return result;
}

}  // namespace spillway::envoy
