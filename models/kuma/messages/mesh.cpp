#include "models/kuma/messages/mesh.hpp"

#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

using grammar::Flag;
using grammar::ListOf;
using grammar::Record;

void describe(Fields& fields, Mesh::CertificateAuthorityBackend& backend) {
  fields.required("name", backend.name, grammar::Text{}, "what enabledBackend may name");
  fields.without_influence({"type", "mode", "conf", "dpCert", "rootChain"});
}

void describe(Fields& fields, Mesh::Mtls& mtls) {
  fields.optional("enabledBackend", mtls.enabledBackend, any_text,
                  "the backend in use; without one there is no mTLS, and no other zone");
  fields.optional("backends", mtls.backends, ListOf<Record<Mesh::CertificateAuthorityBackend>>{},
                  "who may sign certificates");
  fields.without_influence({"skipValidation"});
}

void describe(Fields& fields, Mesh::Routing& routing) {
  fields.optional("localityAwareLoadBalancing", routing.localityAwareLoadBalancing, Flag{},
                  "2.14: other zones at priority 1 without a policy");
  fields.optional("zoneEgress", routing.zoneEgress, Flag{}, "2.14: other zones are reached through the zone's egress");
  fields.optional("defaultForbidMeshExternalServiceAccess", routing.defaultForbidMeshExternalServiceAccess, Flag{},
                  "false; permissions are not supported");
}

void describe(Fields& fields, Mesh::MeshServices& services) {
  fields.optional("mode", services.mode, grammar::Choice{Mesh::modes},
                  "whether destinations are values of kuma.io/service, real MeshServices or both (2.14)");
}

void describe(Fields& fields, Mesh& mesh) {
  fields.optional("mtls", mesh.mtls, Record<Mesh::Mtls>{}, "whether other zones can be reached");
  fields.optional("routing", mesh.routing, Record<Mesh::Routing>{}, "how other zones are reached");
  fields.optional("meshServices", mesh.meshServices, Record<Mesh::MeshServices>{}, "which destinations there are");
  fields.without_influence(
      {"networking", "tracing", "logging", "metrics", "constraints", "skipCreatingInitialPolicies"});
}

}  // namespace spillway::messages
