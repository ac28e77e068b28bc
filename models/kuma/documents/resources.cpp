#include "models/kuma/documents/resources.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/messages/dataplane.hpp"
#include "models/kuma/messages/mesh.hpp"
#include "models/kuma/messages/services.hpp"
#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/zone_proxies.hpp"

namespace spillway::kuma {
namespace {

// Returns an error for a resource that Kuma refuses.
Diagnostic refused_resource(const Origin& origin, Span where, std::string why) {
  return error("SP605", where, "{} `{}` is inconsistent", "{}", {origin.kind, origin.name, why});
}

kuma::Inbound read_inbound(const messages::Dataplane::Inbound& inbound, bool advertised_elsewhere) {
  const bool ready = inbound.state.value_or(0) == 0 && (!inbound.health || inbound.health->ready.value_or(false));
  return {.port = *inbound.port,
          .name = inbound.name.value,
          .address = advertised_elsewhere ? std::string() : inbound.address.value,
          .protocol = inbound.protocol.value,
          .tags = inbound.tags.value,
          .ready = ready};
}

Outbound read_outbound(const messages::Dataplane::Outbound& outbound, Span where) {
  Outbound result{.where = where,
                  .address = outbound.address.value_or("127.0.0.1"),
                  .port = *outbound.port,
                  .tags = outbound.tags.value};
  if (outbound.backendRef) {
    result.backendRef = Outbound::Backend{messages::Dataplane::BackendRef::kinds[*outbound.backendRef->kind],
                                          outbound.backendRef->name.value, outbound.backendRef->port.value,
                                          outbound.backendRef->labels.value};
  }
  return result;
}

// Returns the first kuma.io/zone of a dataplane's own tags.
std::string zone_of(const DataplaneDocument& document) {
  for (const kuma::Inbound& inbound : document.value.inbounds) {
    if (const std::string_view zone = kuma::value_of(inbound.tags, kuma::zone_tag); !zone.empty()) {
      return std::string(zone);
    }
  }
  const std::string_view of_gateway =
      document.gateway ? kuma::value_of(document.gateway->tags, kuma::zone_tag) : std::string_view();
  return std::string(of_gateway.empty() ? document.origin.zone() : of_gateway);
}

// True if transparentProxying is written next to the outbounds; its contents do not matter.
bool has_transparent_proxying(const documents::Node& document) {
  const documents::Member* const spec = document.find("spec");
  const documents::Member* const networking = (spec == nullptr ? document : spec->value).find("networking");
  return networking != nullptr && (networking->value.find("transparentProxying") != nullptr ||
                                   networking->value.find("transparent_proxying") != nullptr);
}

template <class Ports>
std::vector<kuma::ServicePort> read_ports(const Ports& written) {
  std::vector<kuma::ServicePort> ports;
  for (const auto& port : written.value) {
    kuma::ServicePort& result = ports.emplace_back();
    result.port = *port->port;
    result.name = port->name.value;
    result.appProtocol = port->appProtocol.value;
    if constexpr (requires { port->targetPort; }) {
      if (port->targetPort && std::holds_alternative<std::string>(*port->targetPort)) {
        result.target_port_name = std::get<std::string>(*port->targetPort);
      } else if (port->targetPort) {
        result.target_port = static_cast<std::uint32_t>(std::get<std::int32_t>(*port->targetPort));
      }
    }
  }
  return ports;
}

// The two parts of "host:port".
struct HostAndPort {
  std::string host;
  std::uint32_t port = 0;
};
std::optional<HostAndPort> split_address(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    return std::nullopt;
  }
  HostAndPort result{address.substr(0, colon)};
  const char* const end = address.data() + address.size();
  const auto number = std::from_chars(address.data() + colon + 1, end, result.port);
  if (number.ec != std::errc() || number.ptr != end || result.port == 0 || result.port > 65'535) {
    return std::nullopt;
  }
  return result;
}

std::string zone_or_label(const grammar::Field<std::string>& zone, const Origin& origin) {
  return zone.value_or(std::string(origin.zone()));
}

}  // namespace

void add_resource(Documents& documents, const Origin& origin, const messages::Mesh& mesh, Diagnostics& problems) {
  MeshDocument result{.origin = origin};
  result.value = {.name = origin.name,
                  .mtls = !mesh.mtls->enabledBackend.value.empty(),
                  .zoneEgress = mesh.routing->zoneEgress.value_or(false),
                  .localityAwareLoadBalancing = mesh.routing->localityAwareLoadBalancing.value_or(false)};
  const auto& forbidden = mesh.routing->defaultForbidMeshExternalServiceAccess;
  if (forbidden.value_or(false)) {
    problems.error("SP302", forbidden.where, "`defaultForbidMeshExternalServiceAccess: true` is not supported yet",
                   "permissions are not supported");
  }
  const auto& backends = mesh.mtls->backends.value;
  const std::string& enabled = mesh.mtls->enabledBackend.value;
  if (result.value.mtls &&
      std::none_of(backends.begin(), backends.end(), [&](const auto& backend) { return *backend->name == enabled; })) {
    problems.push_back(
        refused_resource(origin, mesh.mtls->enabledBackend.where, "has to be set to one of the backends in the mesh"));
  }
  documents.meshes.push_back(std::move(result));
}

void add_resource(Documents& documents, const Origin& origin, const messages::Dataplane& dataplane,
                  Diagnostics& problems) {
  const messages::Dataplane::Networking& networking = *dataplane.networking;
  const bool advertised = networking.advertisedAddress.given;
  DataplaneDocument result{.origin = origin};
  result.value = {.name = origin.name,
                  .mesh = origin.mesh,
                  .address = advertised ? *networking.advertisedAddress : *networking.address,
                  .labels = origin.labels};
  for (const auto& inbound : networking.inbound.value) {
    result.value.inbounds.push_back(read_inbound(*inbound, advertised));
    result.inbound_at.push_back(inbound.where);
  }
  for (const auto& outbound : networking.outbound.value) {
    result.outbounds.push_back(read_outbound(*outbound, outbound.where));
  }
  result.transparent = has_transparent_proxying(*origin.node);
  if (networking.gateway) {
    result.gateway = Gateway{networking.gateway->type.value_or(0) == 1, *networking.gateway->tags};
    if (!result.value.inbounds.empty()) {
      problems.push_back(
          refused_resource(origin, networking.gateway.key, "inbound cannot be defined both with gateway"));
    }
  }
  for (const auto& listener : networking.listeners.value) {
    result.listeners.push_back(
        {*listener->type == 1, *listener->address, *listener->port, listener->state.value_or(0) == 0});
  }
  result.zone = zone_of(result);
  documents.dataplanes.push_back(std::move(result));
}

void add_resource(Documents& documents, const Origin& origin, const messages::ZoneIngress& ingress,
                  Diagnostics& /*problems*/) {
  ZoneIngressDocument result{.origin = origin};
  result.value = {.zone = zone_or_label(ingress.zone, origin),
                  .advertisedAddress = ingress.networking->advertisedAddress.value,
                  .advertisedPort = ingress.networking->advertisedPort.value};
  for (const auto& service : ingress.availableServices.value) {
    result.value.availableServices.push_back({*service->tags, service->instances.value,
                                              service->mesh.value_or("default"),
                                              service->externalService.value_or(false)});
  }
  documents.zone_ingresses.push_back(std::move(result));
}

void add_resource(Documents& documents, const Origin& origin, const messages::ZoneEgress& egress,
                  Diagnostics& /*problems*/) {
  documents.zone_egresses.push_back(
      {origin, {*egress.networking->address, *egress.networking->port}, zone_or_label(egress.zone, origin)});
}

void add_resource(Documents& documents, const Origin& origin, const messages::MeshZoneAddress& address,
                  Diagnostics& /*problems*/) {
  documents.mesh_zone_addresses.push_back({origin, {std::string(origin.zone()), *address.address, *address.port}});
}

void add_resource(Documents& documents, const Origin& origin, const messages::ExternalService& service,
                  Diagnostics& problems) {
  const auto& address = service.networking->address;
  const auto parts = split_address(*address);
  if (!parts) {
    problems.push_back(refused_resource(origin, address.where, "must be host:port"));
    return;
  }
  documents.external_services.push_back({origin, {origin.name, parts->host, parts->port, *service.tags}});
}

void add_resource(Documents& documents, const Origin& origin, const messages::MeshService& service,
                  Diagnostics& problems) {
  kuma::MeshService result{.name = origin.name,
                           .zone = std::string(origin.zone()),
                           .labels = origin.labels,
                           .ports = read_ports(service.ports),
                           .available = service.state.value_or(0) == 0};
  const messages::MeshService::Selector& selector = service.selector.value;
  if (selector.dataplaneRef) {
    result.dataplaneRef = *selector.dataplaneRef->name;
  }
  if (selector.dataplaneLabels) {
    result.dataplaneLabels = selector.dataplaneLabels->matchLabels.value;
  }
  result.dataplaneTags = selector.dataplaneTags.value;
  for (const auto& port : service.ports.value) {
    if (port->targetPort && std::holds_alternative<std::int32_t>(*port->targetPort) &&
        (std::get<std::int32_t>(*port->targetPort) < 1 || std::get<std::int32_t>(*port->targetPort) > 65'535)) {
      problems.push_back(refused_resource(origin, port->targetPort.where, "must be from 1 to 65535"));
    }
  }
  documents.mesh_services.push_back({origin, std::move(result)});
}

void add_resource(Documents& documents, const Origin& origin, const messages::MeshMultiZoneService& service,
                  Diagnostics& /*problems*/) {
  MeshMultiZoneServiceDocument result{.origin = origin};
  result.value = {.name = origin.name, .labels = origin.labels, .ports = read_ports(service.ports)};
  result.selector = service.selector->meshService->matchLabels.value;
  if (service.status && service.status->meshServices) {
    result.matched.emplace();
    for (const auto& member : *service.status->meshServices) {
      result.matched->push_back(
          {member.where, *member->name, member->name_space.value, member->zone.value, member->mesh.value});
    }
  }
  documents.mesh_multi_zone_services.push_back(std::move(result));
}

void add_resource(Documents& documents, const Origin& origin, const messages::MeshExternalService& service,
                  Diagnostics& problems) {
  kuma::MeshExternalService result{.name = origin.name,
                                   .labels = origin.labels,
                                   .port = *service.match->port,
                                   .endpoints = {},
                                   .protocol = service.match->protocol.value};
  for (const auto& endpoint : service.endpoints.value) {
    if (endpoint->port.value == 0 && !endpoint->address->starts_with("unix://")) {
      problems.push_back(refused_resource(origin, endpoint.where, "port must be from 1 to 65535"));
    }
    result.endpoints.push_back({*endpoint->address, endpoint->port.value, endpoint->priority.value});
  }
  documents.mesh_external_services.push_back({origin, std::move(result)});
}

void find_members(Documents& documents, Diagnostics& problems) {
  const auto& services = documents.mesh_services;
  for (MeshMultiZoneServiceDocument& document : documents.mesh_multi_zone_services) {
    if (!document.matched) {
      for (std::size_t i = 0; i < services.size(); ++i) {
        if (services[i].origin.mesh == document.origin.mesh &&
            kuma::has_all(services[i].origin.labels, document.selector)) {
          document.value.members.push_back(i);
        }
      }
      continue;
    }
    for (const MeshMultiZoneServiceDocument::Matched& member : *document.matched) {
      const auto found = std::find_if(services.begin(), services.end(), [&](const auto& service) {
        return service.origin.display_name() == member.name && service.origin.zone() == member.zone &&
               service.origin.name_space() == member.name_space && service.origin.mesh == document.origin.mesh;
      });
      if (found != services.end()) {
        document.value.members.push_back(static_cast<std::size_t>(found - services.begin()));
      } else {
        problems
            .error("SP607", member.where, "an unknown member `{}` of `{}`",
                   "no MeshService of this name, namespace and zone among the documents",
                   {member.name, document.origin.name})
            .help("add its document, or leave out `status`, so that the selector decides");
      }
    }
  }
}

}  // namespace spillway::kuma
