#include "models/kuma/messages/zone_proxies.hpp"

#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, ZoneIngress::Networking& networking) {
  fields.optional("advertisedAddress", networking.advertisedAddress, any_text,
                  "where other zones reach it; without one they do not");
  fields.optional("advertisedPort", networking.advertisedPort, Uint32{0, 65'535}, "where other zones reach it");
  fields.without_influence({"address", "port", "admin"});
}

void describe(Fields& fields, ZoneIngress::AvailableService& service) {
  fields.required("tags", service.tags, TagMap{}, "of the instances");
  fields.optional("instances", service.instances, Uint32{}, "how many have these tags; default: 0");
  fields.optional("mesh", service.mesh, Text{}, "default: default");
  fields.optional("externalService", service.externalService, grammar::Flag{}, "leads out of the mesh");
}

void describe(Fields& fields, ZoneIngress& ingress) {
  fields.optional("zone", ingress.zone, Text{}, "that it leads to; default: the label kuma.io/zone");
  fields.required("networking", ingress.networking, Record<ZoneIngress::Networking>{}, "its address");
  fields.optional("availableServices", ingress.availableServices, ListOf<Record<ZoneIngress::AvailableService>>{},
                  "what it advertises; default: what the zone's dataplanes serve");
}

void describe(Fields& fields, ZoneEgress::Networking& networking) {
  fields.required("address", networking.address, Text{}, "where the zone's proxies reach it");
  fields.required("port", networking.port, port_number, "where the zone's proxies reach it");
  fields.without_influence({"admin"});
}

void describe(Fields& fields, ZoneEgress& egress) {
  fields.optional("zone", egress.zone, Text{}, "that it leads out of; default: the label kuma.io/zone");
  fields.required("networking", egress.networking, Record<ZoneEgress::Networking>{}, "its address");
}

void describe(Fields& fields, MeshZoneAddress& address) {
  fields.required("address", address.address, Text{}, "where other zones reach the zone of the label kuma.io/zone");
  fields.required("port", address.port, port_number, "where other zones reach it");
}

}  // namespace spillway::messages
