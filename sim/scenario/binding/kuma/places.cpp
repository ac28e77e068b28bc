#include "sim/scenario/binding/kuma/places.hpp"

#include <algorithm>

#include "models/documents/problem.hpp"
#include "models/kuma/references.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::binding {

bool leads_to(const kuma::DataplaneDocument& document, const kuma::Outbound& outbound,
              const kuma_binding::Destination& destination) {
  const auto& reference = outbound.backendRef;
  if (!reference) {
    return destination.model == kuma::DestinationModel::tag &&
           kuma::value_of(outbound.tags, kuma::service_tag) == destination.name;
  }
  return reference->kind == destination.kind() && (reference->port == 0 || reference->port == destination.port) &&
         kuma::refers_to({reference->name, "", &reference->labels},
                         {std::string(document.origin.name_space()), document.zone}, destination.name,
                         destination.labels);
}

KumaPlaces::KumaPlaces(Topology& so_far) : so_far_(so_far), scenario_(so_far.scenario) {}

config::NodeIndex KumaPlaces::node_of(config::ZoneIndex zone, const kuma::Tags& tags) const {
  const std::string_view hostname = kuma::value_of(tags, "kubernetes.io/hostname");
  for (const std::uint32_t node : so_far_.nodes_of_zone[zone.value]) {
    if (scenario_.nodes[node].name == hostname) {
      return {node};
    }
  }
  return {so_far_.nodes_of_zone[zone.value].empty() ? 0 : so_far_.nodes_of_zone[zone.value].front()};
}

config::ZoneIndex KumaPlaces::add_zone(const std::string& name, Span where) {
  const config::ZoneIndex zone{so_far_.zones.count()};
  so_far_.add_zone({name, ""}, where);
  so_far_.add_node({name, zone, ""}, where);
  return zone;
}

std::optional<config::ZoneIndex> KumaPlaces::zone_of(const std::string& name, Span where) {
  if (name.empty()) {
    if (scenario_.zones.size() == 1) {
      return config::ZoneIndex{0};
    }
    so_far_.problems.error("SP632", where, "a document that does not say its zone", "in no zone")
        .help("give it the tag or label `kuma.io/zone`");
    return std::nullopt;
  }
  if (const auto known = so_far_.zones.find(name)) {
    return config::ZoneIndex{*known};
  }
  if (!so_far_.file.zones.present) {
    return add_zone(name, where);
  }
  grammar::Field<std::string> field{name, where, where, true, true};
  const auto zone = so_far_.zones.resolve(field, so_far_.problems);
  return zone ? std::optional(config::ZoneIndex{*zone}) : std::nullopt;
}

const kuma::DataplaneDocument* dataplane_of(const KumaServices& so_far, const std::string& client) {
  const auto& dataplanes = so_far.documents.dataplanes;
  const auto found = std::find_if(dataplanes.begin(), dataplanes.end(), [&](const auto& document) {
    return document.origin.name == client && document.origin.mesh == so_far.mesh.mesh.name;
  });
  return found == dataplanes.end() ? nullptr : &*found;
}

config::EndpointIndex KumaPlaces::add_endpoint(const std::string& id, config::NodeIndex node) {
  scenario_.endpoints.push_back({id, node});
  return {static_cast<std::uint32_t>(scenario_.endpoints.size() - 1)};
}

}  // namespace spillway::scenario::binding
