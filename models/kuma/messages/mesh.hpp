// The grammar of a Mesh, verbatim as in files, limited to what affects where requests go.
#pragma once

#include <string>
#include <vector>

#include "models/envoy/api/grammar_of.hpp"

namespace spillway::messages {

struct Mesh {
  static constexpr const char* definition = "Mesh.spec";
  static constexpr const char* kind = "Mesh";
  static constexpr bool inlined = true;
  static constexpr bool in_mesh = false;
  static inline const std::vector<std::string> modes = {"Disabled", "Everywhere", "ReachableBackends", "Exclusive"};
  struct CertificateAuthorityBackend {
    static constexpr const char* definition = "Mesh.CertificateAuthorityBackend";
    Field<std::string> name;
  };
  struct Mtls {
    static constexpr const char* definition = "Mesh.Mtls";
    Field<std::string> enabledBackend;
    Field<std::vector<Field<CertificateAuthorityBackend>>> backends;
  };
  struct Routing {
    static constexpr const char* definition = "Mesh.Routing";
    Field<bool> localityAwareLoadBalancing;
    Field<bool> zoneEgress;
    Field<bool> defaultForbidMeshExternalServiceAccess;
  };
  struct MeshServices {
    static constexpr const char* definition = "Mesh.MeshServices";
    Field<std::size_t> mode;  // position in `modes`
  };
  Field<Mtls> mtls;
  Field<Routing> routing;
  Field<MeshServices> meshServices;
};
void describe(Fields& fields, Mesh::CertificateAuthorityBackend& backend);
void describe(Fields& fields, Mesh::Mtls& mtls);
void describe(Fields& fields, Mesh::Routing& routing);
void describe(Fields& fields, Mesh::MeshServices& services);
void describe(Fields& fields, Mesh& mesh);

}  // namespace spillway::messages
