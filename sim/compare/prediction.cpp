#include "sim/compare/prediction.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "models/envoy/exact_shares.hpp"
#include "models/envoy/newcomers.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/numeric/disjoint_sets.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::compare {
namespace {

using scenario::Scenario;

config::ServiceIndex asked_first(const Scenario& world) {
  return scenario::services_of(world, world.clients.front()).front();
}

void tell(scenario::Service& service, const EdsReport& reported) {
  for (config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    for (config::LbEndpoint& endpoint : entry.lb_endpoints) {
      if (const auto status = reported.status.find(endpoint.address); status != reported.status.end()) {
        endpoint.health_status = status->second;
      }
      if (const auto weight = reported.weights.find(endpoint.address); weight != reported.weights.end()) {
        endpoint.load_balancing_weight = weight->second;
      }
    }
  }
}

void move_client(Scenario& world, const config::Locality& to) {
  for (std::uint32_t node = 0; node < world.nodes.size(); ++node) {
    if (scenario::locality_of(world, config::NodeIndex{node}) == to) {
      world.clients.front().node = config::NodeIndex{node};
      return;
    }
  }
}

bool is_hashed(const envoy::policies::Config& config) {
  return std::visit(
      [](const auto& policy) {
        using Policy = typename envoy::policies::PolicyOf<std::decay_t<decltype(policy)>>::type;
        if constexpr (envoy::policies::IsHashPolicy<Policy>) {
          return true;
        } else if constexpr (requires { policy.subset_lb_policy; }) {
          return is_hashed(policy.subset_lb_policy.get().config);
        } else if constexpr (requires { policy.fallback_policy.get(); }) {
          return is_hashed(policy.fallback_policy.get().config);
        } else {
          return false;
        }
      },
      config);
}

// The hosts of the service and its members, without shares, in the order of targets.
struct Layout {
  std::vector<PredictedHost> hosts;
  std::vector<std::uint32_t> host_of_target;  // by target
};

Layout layout_of(const Scenario& world, const run::Targets& targets) {
  Layout layout;
  std::map<std::pair<std::string, std::string>, std::uint32_t> known;
  for (std::uint32_t index = 0; index < targets.size(); ++index) {
    const run::Target& target = targets.at(index);
    const scenario::Service& service = world.services[target.service.value];
    std::uint32_t position = target.host.value;
    const config::LocalityLbEndpoints* entry = nullptr;
    for (const config::LocalityLbEndpoints& one : service.load_assignment.endpoints) {
      if (position < one.lb_endpoints.size()) {
        entry = &one;
        break;
      }
      position -= static_cast<std::uint32_t>(one.lb_endpoints.size());
    }
    const config::LbEndpoint& endpoint = entry->lb_endpoints[position];
    const std::string& address = target.endpoint_in(world).id;
    const auto [place, fresh] =
        known.emplace(std::pair(service.name, address), static_cast<std::uint32_t>(layout.hosts.size()));
    if (fresh) {
      layout.hosts.push_back({service.name, address, entry->locality, entry->priority, endpoint.load_balancing_weight,
                              endpoint.health_status});
    }
    layout.host_of_target.push_back(place->second);
  }
  return layout;
}

// Puts the hosts of each joint share into one cell. Joint shares that are not exact even as a sum share one cell.
void mark_cells(std::vector<PredictedHost>& hosts, const Layout& layout, const run::Snapshot::Shares& shares) {
  numeric::DisjointSets cells(static_cast<std::uint32_t>(hosts.size()));
  std::map<std::uint32_t, std::uint32_t> missing;
  std::map<std::uint32_t, std::uint32_t> first_of_joint;
  for (const run::Snapshot::Row& row : shares.rows) {
    if (row.joint == 0) {
      continue;
    }
    const std::uint32_t host = layout.host_of_target[row.target];
    missing.try_emplace(row.joint, row.joint_rows).first->second -= 1;
    cells.join(first_of_joint.try_emplace(row.joint, host).first->second, host);
  }
  std::optional<std::uint32_t> open;
  for (const auto& [joint, rows] : missing) {
    if (rows > 0) {
      const std::uint32_t host = first_of_joint.at(joint);
      cells.join(open.value_or(host), host);
      open = host;
    }
  }
  for (std::uint32_t host = 0; host < hosts.size(); ++host) {
    hosts[host].cell = cells.find(host);
  }
}

}  // namespace

Prediction predict(const Scenario& original, const EdsReport& reported) {
  Scenario world = original;
  for (const config::ServiceIndex member : scenario::members_of(world, asked_first(world))) {
    tell(world.services[member.value], reported);
  }
  if (reported.client) {
    move_client(world, *reported.client);
  }
  const run::Snapshot snapshot(world, run::Nanoseconds{0});
  const run::FlowIndex flow = *snapshot.flows().of_client(config::ClientEntryIndex{0}).begin();
  // A retry is a pick too and is counted as one, so it does not change shares of picks.
  const bool slow_start =
      reported.newcomers && envoy::slow_start_window(*snapshot.upstreams().state(flow)) > run::Nanoseconds{0};
  const envoy::Circumstances circumstances{.loaded = true, .slow_start = slow_start};
  const auto exact = snapshot.traffic().exact_shares(flow, snapshot.state(flow), circumstances);
  const run::Snapshot::Shares shares = snapshot.shares(flow, exact);
  const run::Targets targets(world, snapshot.flows().at(flow).service);
  Layout layout = layout_of(world, targets);
  Prediction prediction{.hosts = std::move(layout.hosts), .basis = shares.basis, .why_joint = shares.why_joint};
  double sum = 0.0;
  for (const run::Snapshot::Row& row : shares.rows) {
    prediction.hosts[layout.host_of_target[row.target]].share += row.share;
    sum += row.share;
  }
  prediction.dropped = std::max(0.0, 1.0 - sum);
  for (PredictedHost& host : prediction.hosts) {
    host.share = sum > 0.0 ? host.share / sum : 0.0;
  }
  mark_cells(prediction.hosts, layout, shares);
  return prediction;
}

bool picks_by_hash(const Scenario& world) {
  const auto members = scenario::members_of(world, asked_first(world));
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return is_hashed(world.services[member.value].cluster.lb_policy);
  });
}

bool picks_by_load(const Scenario& world) {
  const auto members = scenario::members_of(world, asked_first(world));
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return envoy::policies::reads_active_requests(world.services[member.value].cluster.lb_policy);
  });
}

const envoy::Cluster& cluster_of(const Scenario& world) {
  return world.services[asked_first(world).value].cluster;
}

std::vector<std::string> children_of(const Scenario& world) {
  return cluster_of(world).aggregate_clusters;
}

}  // namespace spillway::compare
