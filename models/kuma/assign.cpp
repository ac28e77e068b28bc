#include "models/kuma/assign.hpp"

#include <vector>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/failover_groups.hpp"
#include "models/kuma/overprovisioning_factor.hpp"

namespace spillway::kuma {

namespace {

constexpr std::uint32_t local_priority = 0;
constexpr std::uint32_t remote_priority = 1;

bool is_real(DestinationModel destination) {
  return destination != DestinationModel::tag;
}

// True if the plugin leaves the list unchanged. A builtin gateway with a real destination is a defect,
// kumahq/kuma#18732.
bool keeps_base(const AssignInput& input) {
  switch (input.client->role) {
    case ProxyRole::sidecar:
      break;
    case ProxyRole::builtin_gateway:
      if (is_real(input.destination)) {
        return true;
      }
      break;
    case ProxyRole::zone_egress:
      if (input.destination == DestinationModel::mesh_external_service) {
        return true;
      }
      break;
    case ProxyRole::zone_proxy_egress:
      return true;
  }
  return !input.conf && !is_real(input.destination);
}

void set_remote_priority(LoadAssignment& assignment, const Conf& conf, const std::string& client_zone) {
  const bool disabled = conf.localityAwareness && conf.localityAwareness->disabled.value_or(false);
  for (AssignedLocality& locality : assignment.localities) {
    if (!locality.has_locality || locality.zone == client_zone) {
      continue;
    }
    locality.priority = disabled ? local_priority : remote_priority;
    for (AssignedEndpoint& endpoint : locality.endpoints) {
      endpoint.placement = {PlacedBy::remote_priority};
    }
  }
}

// Places endpoints by the rules of one client.
class Placer {
 public:
  Placer(const AssignInput& input, const Conf& conf)
      : profile_(input.profile),
        zone_(input.client->zone),
        affinity_(affinity_groups(conf, *input.client, input.profile)),
        failover_(failover_groups(conf, zone_, input.profile)),
        through_egress_(input.zone_egress_enabled && !is_real(input.destination) &&
                        input.client->role != ProxyRole::zone_egress && input.profile != config::KumaProfile::head) {}

  // Sets the endpoint's locality, unless the endpoint is dropped.
  Placement place(Endpoint& endpoint) const {
    const std::string_view zone = zone_of(endpoint, profile_);
    if (zone == zone_) {
      return place_locally(endpoint);
    }
    if (through_egress_) {
      endpoint.locality = {.zone = egress_zone(failover_), .priority = remote_priority};
      return {PlacedBy::egress};
    }
    const FailoverGroup* const rule = find_group(failover_, zone);
    if (rule == nullptr) {
      return {PlacedBy::no_rule};
    }
    endpoint.locality = {.zone = std::string(zone), .priority = rule->priority};
    return {PlacedBy::failover_rule, rule->rule};
  }

 private:
  Placement place_locally(Endpoint& endpoint) const {
    endpoint.locality = {.zone = zone_, .priority = local_priority, .weight = rest_weight};
    const AffinityGroup* const found = find_group(affinity_, endpoint);
    if (found == nullptr) {
      return {PlacedBy::local_rest};
    }
    endpoint.locality->sub_zone = found->key + "=" + found->value;
    endpoint.locality->weight = found->weight;
    return {PlacedBy::affinity_tag, found->entry};
  }

  config::KumaProfile profile_;
  const std::string& zone_;
  std::vector<AffinityGroup> affinity_;
  std::vector<FailoverGroup> failover_;
  bool through_egress_;
};

// Groups the endpoints that kept a locality, and lists the others.
LoadAssignment rewrite(const AssignInput& input, const Conf& conf) {
  const Placer placer(input, conf);
  std::vector<Endpoint> kept;
  std::vector<Placement> placements;
  std::vector<std::size_t> positions;
  LoadAssignment result;
  for (std::size_t position = 0; position < input.endpoints.size(); ++position) {
    Endpoint endpoint = input.endpoints[position];
    const Placement placement = placer.place(endpoint);
    if (placement.by == PlacedBy::no_rule) {
      result.dropped.push_back({position, placement});
      continue;
    }
    kept.push_back(std::move(endpoint));
    placements.push_back(placement);
    positions.push_back(position);
  }
  result.localities = group(kept, placements).localities;
  for (AssignedLocality& locality : result.localities) {
    for (AssignedEndpoint& endpoint : locality.endpoints) {
      endpoint.endpoint = positions[endpoint.endpoint];
    }
  }
  result.overprovisioning_factor = overprovisioning_factor(conf, input.profile);
  return result;
}

// Returns the egress of 2.14 as a client: no tags of any client apply to it.
Client egress_client(const Client& egress) {
  return {.name = egress.name, .zone = egress.zone, .role = ProxyRole::zone_egress};
}

}  // namespace

bool rewrites_endpoints(const Conf& conf, config::KumaProfile profile) {
  if (profile == config::KumaProfile::document && conf.localityAwareness) {
    return rewrites_endpoints(conf) || !conf.localityAwareness->disabled.value_or(false);
  }
  return rewrites_endpoints(conf);
}

LoadAssignment assign(const AssignInput& input) {
  if (keeps_base(input)) {
    return group(input.endpoints);
  }
  const Conf conf = input.conf.value_or(Conf{});
  if (rewrites_endpoints(conf, input.profile)) {
    if (input.client->role != ProxyRole::zone_egress) {
      return rewrite(input, conf);
    }
    const Client egress = egress_client(*input.client);
    AssignInput of_egress = input;
    of_egress.client = &egress;
    return rewrite(of_egress, conf);
  }
  LoadAssignment assignment = group(input.endpoints);
  set_remote_priority(assignment, conf, input.client->zone);
  return assignment;
}

}  // namespace spillway::kuma
