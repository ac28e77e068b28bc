// Converts one resource at a time, from its written form to the types of the models.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::messages {
struct Dataplane;             // dataplane.hpp
struct ExternalService;       // services.hpp
struct Mesh;                  // mesh.hpp
struct MeshExternalService;   // services.hpp
struct MeshMultiZoneService;  // services.hpp
struct MeshService;           // services.hpp
struct MeshZoneAddress;       // zone_proxies.hpp
struct ZoneEgress;            // zone_proxies.hpp
struct ZoneIngress;           // zone_proxies.hpp
}  // namespace spillway::messages

namespace spillway::kuma {

struct Documents;  // documents.hpp
struct Origin;     // documents.hpp

void add_resource(Documents& documents, const Origin& origin, const messages::Mesh& mesh, Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::Dataplane& dataplane,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::ZoneIngress& ingress,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::ZoneEgress& egress,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::MeshZoneAddress& address,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::ExternalService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::MeshService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::MeshMultiZoneService& service,
                  Diagnostics& problems);
void add_resource(Documents& documents, const Origin& origin, const messages::MeshExternalService& service,
                  Diagnostics& problems);

// Finds the members of each MeshMultiZoneService. Precondition: all resources were added.
void find_members(Documents& documents, Diagnostics& problems);

}  // namespace spillway::kuma
