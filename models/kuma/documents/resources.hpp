// One resource at a time, from what is written to what the models take.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/messages/document.hpp"

namespace spillway::scenario::kuma_documents {

void add_resource(Documents& documents, const Origin& origin, const written::Mesh& mesh, Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::Dataplane& dataplane,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::ZoneIngress& ingress,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::ZoneEgress& egress, Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::MeshZoneAddress& address,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::ExternalService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::MeshService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::MeshMultiZoneService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const written::MeshExternalService& service,
                  Diagnostics& problems);

// Once all are there: the members of each MeshMultiZoneService.
void find_members(Documents& documents, Diagnostics& problems);

}  // namespace spillway::scenario::kuma_documents
