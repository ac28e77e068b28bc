#include "models/kuma/messages/services.hpp"

#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

using grammar::Choice;
using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, MeshServicePort& port) {
  fields.optional("name", port.name, any_text, "what sectionName may say; default: the number");
  fields.required("port", port.port, port_number, "port that clients call");
  fields.optional("targetPort", port.targetPort, IntOrString{}, "number or name of the inbound; default: `port`");
  fields.optional("appProtocol", port.appProtocol, any_text, "which routes and checks fit; default: tcp");
}

void describe(Fields& fields, MeshMultiZoneServicePort& port) {
  fields.optional("name", port.name, any_text, "what sectionName may say; default: the number");
  fields.required("port", port.port, port_number, "port that clients call");
  fields.optional("appProtocol", port.appProtocol, any_text, "which routes and checks fit; default: tcp");
}

void describe(Fields& fields, LabelSelector& selector) {
  fields.optional("matchLabels", selector.matchLabels, TagMap{}, "all of them must be there");
}

void describe(Fields& fields, MeshService::DataplaneRef& reference) {
  fields.required("name", reference.name, Text{}, "of the one dataplane that serves it");
}

void describe(Fields& fields, MeshService::Selector& selector) {
  fields.optional("dataplaneTags", selector.dataplaneTags, TagMap{}, "of the inbounds that serve it (2.14)");
  fields.optional("dataplaneRef", selector.dataplaneRef, Record<MeshService::DataplaneRef>{}, "one dataplane");
  fields.optional("dataplaneLabels", selector.dataplaneLabels, Record<LabelSelector>{},
                  "of the dataplanes that serve it");
  fields.at_most_one({"dataplaneTags", "dataplaneRef", "dataplaneLabels"});
}

void describe(Fields& fields, MeshService& service) {
  fields.optional("state", service.state, Choice{MeshService::states},
                  "default: Available; a MeshMultiZoneService leaves out members of other zones that are not");
  fields.optional("selector", service.selector, Record<MeshService::Selector>{}, "who serves it");
  fields.required("ports", service.ports, ListOf<Record<MeshServicePort>>{{}, 1}, "ports that clients may call");
  fields.without_influence({"identities"});
}

void describe(Fields& fields, MeshMultiZoneService::Selector& selector) {
  fields.required("meshService", selector.meshService, Record<LabelSelector>{}, "its members");
}

void describe(Fields& fields, MeshMultiZoneService::MatchedMeshService& service) {
  fields.required("name", service.name, Text{}, "of the member");
  fields.optional("namespace", service.name_space, any_text, "of the member");
  fields.optional("zone", service.zone, any_text, "of the member");
  fields.optional("mesh", service.mesh, any_text, "of the member");
}

void describe(Fields& fields, MeshMultiZoneService::Status& status) {
  fields.optional("meshServices", status.meshServices, ListOf<Record<MeshMultiZoneService::MatchedMeshService>>{},
                  "its members; default: what the selector matches");
  fields.without_influence({"addresses", "vips", "hostnameGenerators", "conditions"});
}

void describe(Fields& fields, MeshMultiZoneService& service) {
  fields.required("selector", service.selector, Record<MeshMultiZoneService::Selector>{}, "its members");
  fields.required("ports", service.ports, ListOf<Record<MeshMultiZoneServicePort>>{{}, 1},
                  "ports that clients may call");
}

void describe(Fields& fields, MeshExternalService::Match& match) {
  fields.required("port", match.port, port_number, "port that clients call");
  fields.optional("protocol", match.protocol, any_text, "which routes and checks fit; default: tcp");
  fields.without_influence({"type"});
}

void describe(Fields& fields, MeshExternalService::Endpoint& endpoint) {
  fields.required("address", endpoint.address, Text{}, "an address, a name, or unix:// and a path");
  fields.optional("port", endpoint.port, Uint32{0, 65'535}, "port, where it is not a path");
  fields.optional("priority", endpoint.priority, Uint32{0, 128}, "those of the next are used where these fail");
}

void describe(Fields& fields, MeshExternalService& service) {
  fields.required("match", service.match, Record<MeshExternalService::Match>{}, "port that clients call");
  fields.optional("endpoints", service.endpoints, ListOf<Record<MeshExternalService::Endpoint>>{}, "its address");
  fields.without_influence({"tls"});
  fields.not_simulated("extension", "extensions are not supported");
}

void describe(Fields& fields, ExternalService::Networking& networking) {
  fields.required("address", networking.address, Text{}, "host:port");
  fields.without_influence({"tls", "disableHostDNSEntry"});
}

void describe(Fields& fields, ExternalService& service) {
  fields.required("networking", service.networking, Record<ExternalService::Networking>{}, "its address");
  fields.required("tags", service.tags, TagMap{}, "kuma.io/service and others");
}

}  // namespace spillway::messages
