#include "models/kuma/document_egress.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/kuma/failover_groups.hpp"

namespace spillway::kuma {

namespace {

LoadAssignment document_assignment(AssignInput input) {
  input.profile = config::KumaProfile::document;
  input.zone_egress_enabled = false;  // the client chooses, so that its own rules apply
  return assign(input);
}

std::string sni_of(std::string_view service, std::string_view mesh, std::string_view zone) {
  std::string sni(service);
  sni.append("{mesh=").append(mesh).append(",").append(zone_tag).append("=").append(zone).append("}");
  return sni;
}

}  // namespace

std::vector<AggregateMember> aggregate_members(const AssignInput& input, std::string_view service,
                                               std::string_view mesh) {
  const std::string name(service);
  AggregateMember in_zone{.cluster = name + "_in_zone"};
  std::map<std::pair<std::uint32_t, std::string>, AggregateMember> zones;
  for (const AssignedLocality& locality : document_assignment(input).localities) {
    for (const AssignedEndpoint& assigned : locality.endpoints) {
      const std::string zone(zone_of(input.endpoints[assigned.endpoint], config::KumaProfile::document));
      if (zone == input.client->zone) {
        in_zone.endpoints.push_back(assigned.endpoint);
        continue;
      }
      AggregateMember& member = zones[{locality.priority, zone}];
      member.cluster = name;
      member.cluster.append("_").append(zone);
      member.zone = zone;
      member.sni = sni_of(service, mesh, zone);
      member.endpoints.push_back(assigned.endpoint);
    }
  }
  std::vector<AggregateMember> members = {std::move(in_zone)};
  for (auto& [key, member] : zones) {
    members.push_back(std::move(member));
  }
  return members;
}

ClusterCounts cluster_counts(EgressDesign design, std::span<const AssignInput> clients) {
  ClusterCounts counts{1, 1};
  std::set<std::string> rule_sets;
  for (const AssignInput& client : clients) {
    if (design == EgressDesign::aggregate) {
      // The aggregate itself is a cluster too.
      counts.at_client = std::max(counts.at_client, 1 + aggregate_members(client, "", "").size());
    } else if (design == EgressDesign::hashed_sni) {
      rule_sets.insert(egress_zone(
          failover_groups(client.conf.value_or(Conf{}), client.client->zone, config::KumaProfile::document)));
    }
  }
  if (design == EgressDesign::hashed_sni) {
    counts.at_egress = std::max<std::size_t>(1, rule_sets.size());
  }
  return counts;
}

std::vector<double> leaving_shares(EgressDesign design, const AssignInput& input,
                                   const std::optional<Conf>& whole_mesh) {
  std::vector<double> shares(input.endpoints.size(), 0.0);
  const auto spread_over = [&](std::span<const std::size_t> endpoints) {
    double sum = 0.0;
    for (const std::size_t endpoint : endpoints) {
      shares[endpoint] = std::max(input.endpoints[endpoint].weight, 1U);
      sum += shares[endpoint];
    }
    for (const std::size_t endpoint : endpoints) {
      shares[endpoint] /= sum;
    }
    return shares;
  };
  if (design == EgressDesign::aggregate) {
    const auto members = aggregate_members(input, "", "");
    return members.size() < 2 ? shares : spread_over(members[1].endpoints);
  }
  AssignInput of_design = input;
  if (design == EgressDesign::mesh_scope) {
    of_design.conf = whole_mesh;
  }
  std::map<std::uint32_t, std::vector<std::size_t>> by_priority;
  for (const AssignedLocality& locality : document_assignment(of_design).localities) {
    for (const AssignedEndpoint& assigned : locality.endpoints) {
      if (zone_of(input.endpoints[assigned.endpoint], config::KumaProfile::document) != input.client->zone) {
        by_priority[design == EgressDesign::metadata ? 0 : locality.priority].push_back(assigned.endpoint);
      }
    }
  }
  return by_priority.empty() ? shares : spread_over(by_priority.begin()->second);
}

}  // namespace spillway::kuma
