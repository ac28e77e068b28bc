#include "models/kuma/messages/dataplane.hpp"

#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

using grammar::Choice;
using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, Dataplane::Health& health) {
  fields.optional("ready", health.ready, grammar::Flag{}, "default: false");
}

void describe(Fields& fields, Dataplane::Inbound& inbound) {
  fields.required("port", inbound.port, port_number, "where the proxy listens");
  fields.optional("name", inbound.name, Text{}, "what targetPort of a MeshService may say");
  fields.optional("address", inbound.address, Text{}, "default: the dataplane's");
  fields.optional("protocol", inbound.protocol, Text{}, "tcp, http, http2, grpc, ...");
  fields.optional("tags", inbound.tags, TagMap{}, "kuma.io/service and others (2.14)");
  fields.optional("health", inbound.health, Record<Dataplane::Health>{}, "clients see it only if it is ready");
  fields.optional("state", inbound.state, Choice{Dataplane::Inbound::states},
                  "default: Ready; clients do not see others");
  fields.without_influence({"servicePort", "serviceAddress", "serviceProbe"});
}

void describe(Fields& fields, Dataplane::BackendRef& reference) {
  fields.required("kind", reference.kind, Choice{Dataplane::BackendRef::kinds}, "of the destination");
  fields.optional("name", reference.name, Text{}, "of the destination");
  fields.optional("port", reference.port, port_number, "of the destination");
  fields.optional("labels", reference.labels, TagMap{}, "that the destination must have");
  fields.exactly_one({"name", "labels"});
}

void describe(Fields& fields, Dataplane::Outbound& outbound) {
  fields.optional("address", outbound.address, Text{}, "where the proxy listens; default: 127.0.0.1");
  fields.required("port", outbound.port, port_number, "where the proxy listens");
  fields.optional("tags", outbound.tags, TagMap{}, "of the destination: kuma.io/service and others (2.14)");
  fields.optional("backendRef", outbound.backendRef, Record<Dataplane::BackendRef>{}, "the destination");
  fields.exactly_one({"tags", "backendRef"});
}

void describe(Fields& fields, Dataplane::Gateway& gateway) {
  fields.optional("type", gateway.type, Choice{Dataplane::Gateway::types}, "default: DELEGATED");
  fields.required("tags", gateway.tags, TagMap{}, "kuma.io/service and others");
}

void describe(Fields& fields, Dataplane::Listener& listener) {
  fields.required("type", listener.type, Choice{Dataplane::Listener::types}, "what the zone proxy is for (head)");
  fields.optional("state", listener.state, Choice{Dataplane::Listener::states}, "default: Ready");
  fields.required("address", listener.address, Text{}, "where it listens");
  fields.required("port", listener.port, port_number, "where it listens");
  fields.without_influence({"name"});
}

void describe(Fields& fields, Dataplane::Networking& networking) {
  fields.required("address", networking.address, Text{}, "of the proxy");
  fields.optional("advertisedAddress", networking.advertisedAddress, Text{}, "address that clients get instead (2.14)");
  fields.optional("inbound", networking.inbound, ListOf<Record<Dataplane::Inbound>>{}, "its services");
  fields.optional("outbound", networking.outbound, ListOf<Record<Dataplane::Outbound>>{}, "its destinations");
  fields.optional("gateway", networking.gateway, Record<Dataplane::Gateway>{}, "of a proxy that takes traffic in");
  fields.optional("listeners", networking.listeners, ListOf<Record<Dataplane::Listener>>{}, "of a zone proxy (head)");
  fields.without_influence({"transparentProxying", "transparent_proxying", "admin"});
}

void describe(Fields& fields, Dataplane& dataplane) {
  fields.required("networking", dataplane.networking, Record<Dataplane::Networking>{}, "its address");
  fields.without_influence({"metrics", "probes"});
}

}  // namespace spillway::messages
