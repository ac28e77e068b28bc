// Determines which of the meshes in Kuma's documents a scenario is about.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/refused.hpp"
#include "models/kuma/documents/documents.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"

namespace spillway::scenario::binding {
namespace {

using kuma::Documents;
using kuma::Origin;

constexpr const char* usual_mesh = "default";

// Returns the origins of documents, kind by kind, without kinds that are in no mesh.
std::vector<const Origin*> origins_in_meshes(const Documents& documents) {
  std::vector<const Origin*> origins;
  const auto add = [&](const auto& list) {
    for (const auto& document : list) {
      if (!document.origin.mesh.empty()) {
        origins.push_back(&document.origin);
      }
    }
  };
  add(documents.strategies);
  add(documents.http_routes);
  add(documents.tcp_routes);
  add(documents.circuit_breakers);
  add(documents.health_checks);
  add(documents.retries);
  add(documents.timeouts);
  add(documents.inbound);
  add(documents.dataplanes);
  add(documents.mesh_zone_addresses);
  add(documents.external_services);
  add(documents.mesh_services);
  add(documents.mesh_multi_zone_services);
  add(documents.mesh_external_services);
  return origins;
}

// Returns the dataplanes that are clients: those that `clients` names, or without `clients` those with outbounds.
std::vector<const Origin*> client_dataplanes(const KumaServices& so_far) {
  std::set<std::string> names;
  for (const auto& client : so_far.file.clients.value) {
    names.insert(client->name.value_or(""));
  }
  std::vector<const Origin*> found;
  for (const auto& document : so_far.documents.dataplanes) {
    const bool asks = so_far.file.clients.present ? names.contains(document.origin.name) : !document.outbounds.empty();
    if (asks) {
      found.push_back(&document.origin);
    }
  }
  return found;
}

std::vector<std::string> meshes_of(const std::vector<const Origin*>& origins) {
  std::vector<std::string> meshes;
  for (const Origin* const origin : origins) {
    meshes.push_back(origin->mesh);
  }
  return meshes;
}

}  // namespace

std::string mesh_of_clients(const KumaServices& so_far) {
  const Documents& documents = so_far.documents;
  const std::vector<std::string> all = meshes_of(origins_in_meshes(documents));
  std::vector<std::string> candidates = meshes_of(client_dataplanes(so_far));
  for (std::size_t i = 0; candidates.empty() && i < documents.meshes.size(); ++i) {
    candidates.push_back(documents.meshes[i].value.name);
  }
  for (std::size_t i = 0; candidates.empty() && i < documents.dataplanes.size(); ++i) {
    candidates.push_back(documents.dataplanes[i].origin.mesh);
  }
  if (candidates.empty() && std::find(all.begin(), all.end(), usual_mesh) == all.end()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(candidates),
                 [](const std::string& mesh) { return grammar::nearest(mesh, {usual_mesh}).empty(); });
  }
  std::map<std::string, std::size_t> documents_in;
  for (const std::string& mesh : all) {
    ++documents_in[mesh];
  }
  const auto most = std::max_element(
      candidates.begin(), candidates.end(),
      [&](const std::string& left, const std::string& right) { return documents_in[left] < documents_in[right]; });
  return most == candidates.end() ? usual_mesh : *most;
}

void refuse_other_meshes(const KumaServices& so_far, const std::string& mesh) {
  std::set<std::string> with_clients;
  for (const Origin* const origin : client_dataplanes(so_far)) {
    with_clients.insert(origin->mesh);
    if (origin->mesh != mesh && so_far.file.clients.present) {
      so_far.problems
          .error("SP635", origin->name_at, "clients of two meshes, `{0}` and `{1}`",
                 "a client has this name, and other clients are in `{0}`", {mesh, origin->mesh})
          .help("simulate each mesh in a scenario of its own");
    }
  }
  const auto refuse = [&](const Origin& origin, const std::string& name, bool is_mesh) {
    grammar::suggest(so_far.problems
                         .error("SP634", is_mesh ? origin.name_at : origin.mesh_at, "{} that no client is in: `{}`",
                                "has no effect", {is_mesh ? "a mesh" : "a " + origin.kind + " of a mesh", name})
                         .note("the clients are in mesh `{}`", {mesh}),
                     name, {mesh});
  };
  for (const Origin* const origin : origins_in_meshes(so_far.documents)) {
    if (origin->mesh != mesh && !with_clients.contains(origin->mesh)) {
      refuse(*origin, origin->mesh, false);
    }
  }
  for (const auto& document : so_far.documents.meshes) {
    if (document.value.name != mesh && !with_clients.contains(document.value.name)) {
      refuse(document.origin, document.value.name, true);
    }
  }
}

}  // namespace spillway::scenario::binding
