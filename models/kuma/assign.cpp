#include "models/kuma/assign.hpp"

#include <utility>
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

  // Places the endpoint at a position. It has no locality if it is dropped.
  PlacedEndpoint place(const Endpoint& endpoint, std::size_t position) const {
    const std::string_view zone = zone_of(endpoint, profile_);
    if (zone == zone_) {
      return place_locally(endpoint, position);
    }
    if (through_egress_) {
      return {
          position, EndpointLocality{.zone = egress_zone(failover_), .priority = remote_priority}, {PlacedBy::egress}};
    }
    const FailoverGroup* const rule = find_group(failover_, zone);
    if (rule == nullptr) {
      return {position, std::nullopt, {PlacedBy::no_rule}};
    }
    return {position,
            EndpointLocality{.zone = std::string(zone), .priority = rule->priority},
            {PlacedBy::failover_rule, rule->rule}};
  }

 private:
  PlacedEndpoint place_locally(const Endpoint& endpoint, std::size_t position) const {
    EndpointLocality locality{.zone = zone_, .priority = local_priority, .weight = rest_weight};
    const AffinityGroup* const found = find_group(affinity_, endpoint);
    if (found == nullptr) {
      return {position, std::move(locality), {PlacedBy::local_rest}};
    }
    locality.sub_zone = found->key + "=" + found->value;
    locality.weight = found->weight;
    return {position, std::move(locality), {PlacedBy::affinity_tag, found->entry}};
  }

  config::KumaProfile profile_;
  const std::string& zone_;
  std::vector<AffinityGroup> affinity_;
  std::vector<FailoverGroup> failover_;
  bool through_egress_;
};

// Groups the endpoints that have a place, and lists the others.
LoadAssignment rewrite(const AssignInput& input, const Conf& conf) {
  const Placer placer(input, conf);
  std::vector<PlacedEndpoint> kept;
  std::vector<AssignedEndpoint> dropped;
  kept.reserve(input.endpoints.size());
  for (std::size_t position = 0; position < input.endpoints.size(); ++position) {
    PlacedEndpoint placed = placer.place(input.endpoints[position], position);
    if (placed.placement.by == PlacedBy::no_rule) {
      dropped.push_back({position, placed.placement});
    } else {
      kept.push_back(std::move(placed));
    }
  }
  LoadAssignment result = group(input.endpoints, kept);
  result.dropped = std::move(dropped);
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
