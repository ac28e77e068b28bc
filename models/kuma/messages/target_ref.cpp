#include "models/kuma/messages/target_ref.hpp"

#include "models/kuma/messages/shapes.hpp"

namespace spillway::messages {

void Grammar<kuma::TargetRef>::describe(Fields& fields, kuma::TargetRef& target) {
  optional(fields, "kind", target.kind, any_text, "Mesh, Dataplane, MeshService, ...");
  optional(fields, "name", target.name, any_text, "of the resource (2.14)");
  optional(fields, "namespace", target.namespace_, any_text, "of the resource (2.14)");
  optional(fields, "mesh", target.mesh, any_text, "reserved by Kuma");
  optional(fields, "tags", target.tags, TagMap{}, "that proxies or endpoints must have (2.14)");
  optional(fields, "labels", target.labels, TagMap{}, "that resources must have");
  optional(fields, "sectionName", target.sectionName, any_text, "a port of the resource");
  optional(fields, "proxyTypes", target.proxyTypes, Items<grammar::Text>{any_text}, "Sidecar, Gateway (2.14)");
}

void Grammar<kuma::BackendRef>::describe(Fields& fields, kuma::BackendRef& reference) {
  Grammar<kuma::TargetRef>::describe(fields, reference.targetRef);
  optional(fields, "weight", reference.weight, Uint32{}, "share among the references; default: 1");
  optional(fields, "port", reference.port, Uint32{0, 65'535}, "of a real service");
}

}  // namespace spillway::messages
