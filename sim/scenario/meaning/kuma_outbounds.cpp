// Dataplanes that ask for something: the clients of a scenario that names none.
#include <algorithm>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using kuma::DestinationModel;
using kuma_documents::DataplaneDocument;

constexpr double usual_rate = 100.0;  // requests a second

void report_cross_mesh(Context& context, const std::string& from, const std::string& to, Span where) {
  Diagnostic problem = error("SP631", "traffic from mesh " + in_ticks(from) + " to mesh " + in_ticks(to), where,
                             "leads to another mesh");
  problem.notes.emplace_back(
      "locality awareness across meshes is unsupported in Kuma itself (kumahq/kuma#14109), so that shares would be "
      "meaningless");
  problem.helps.emplace_back("simulate each mesh in a scenario of its own");
  context.problems.push_back(std::move(problem));
}

bool refers_to(const kuma_documents::Outbound::Backend& reference, const mesh::Destination& destination) {
  const bool kind =
      (reference.kind == "MeshService" && destination.model == DestinationModel::mesh_service) ||
      (reference.kind == "MeshMultiZoneService" && destination.model == DestinationModel::mesh_multi_zone_service) ||
      (reference.kind == "MeshExternalService" && destination.model == DestinationModel::mesh_external_service);
  const bool named =
      reference.name.empty() ? kuma::has_all(destination.labels, reference.labels) : destination.name == reference.name;
  return kind && named && (reference.port == 0 || reference.port == destination.port);
}

// What an outbound leads to; nothing if that is not there (reported).
std::optional<config::ServiceIndex> service_of_outbound(Context& context, const DataplaneDocument& document,
                                                        const kuma_documents::Outbound& outbound) {
  const std::string tag(kuma::value_of(outbound.tags, kuma::service_tag));
  const std::string_view mesh = kuma::value_of(outbound.tags, kuma::mesh_tag);
  if (document.origin.mesh != context.mesh.mesh.name || (!mesh.empty() && mesh != document.origin.mesh)) {
    report_cross_mesh(context, document.origin.mesh, mesh.empty() ? context.mesh.mesh.name : std::string(mesh),
                      outbound.where);
    return std::nullopt;
  }
  for (const mesh::Destination& destination : context.mesh.destinations) {
    const bool by_tag = !outbound.backendRef && destination.model == DestinationModel::tag && destination.name == tag;
    if (by_tag || (outbound.backendRef && refers_to(*outbound.backendRef, destination))) {
      return destination.service;
    }
  }
  const std::string name = outbound.backendRef ? outbound.backendRef->name : tag;
  for (const auto& other : context.documents.dataplanes) {
    const auto& inbounds = other.value.inbounds;
    const bool serves = std::any_of(inbounds.begin(), inbounds.end(), [&](const kuma::Inbound& inbound) {
      return kuma::value_of(inbound.tags, kuma::service_tag) == name;
    });
    if (serves && other.origin.mesh != document.origin.mesh) {
      report_cross_mesh(context, document.origin.mesh, other.origin.mesh, outbound.where);
      return std::nullopt;
    }
  }
  context.problems.push_back(with_note(error("SP633", "an outbound to nothing", outbound.where,
                                             "no dataplane or service of the documents is " + in_ticks(name)),
                                       context.services.note()));
  return std::nullopt;
}

}  // namespace

void read_mesh_clients(Context& context) {
  if (context.documents.empty() || context.file.clients.present) {
    return;
  }
  Scenario& scenario = context.scenario;
  for (const DataplaneDocument& document : context.documents.dataplanes) {
    if (document.outbounds.empty()) {
      continue;
    }
    const auto placed = std::find_if(context.mesh.dataplanes.begin(), context.mesh.dataplanes.end(),
                                     [&](const auto& one) { return one.value.name == document.origin.name; });
    ClientEntry entry;
    entry.name = document.origin.name;
    if (placed == context.mesh.dataplanes.end()) {
      continue;
    }
    entry.node = placed->endpoints.empty() ? config::NodeIndex{context.nodes_of_zone[placed->zone.value].front()}
                                           : scenario.endpoints[placed->endpoints.front().value].node;
    context.clients.add(entry.name, document.origin.name_at, context.problems);
    entry.workload.rate = usual_rate;
    for (const kuma_documents::Outbound& outbound : document.outbounds) {
      const auto service = service_of_outbound(context, document, outbound);
      if (!service) {
        continue;
      }
      RequestKind kind;
      kind.name = scenario.services[service->value].name;
      kind.request.headers = {{":method", "GET"}, {":path", "/"}};
      kind.route = add_straight_route(context, *service);
      entry.workload.service = *service;
      entry.workload.requests.push_back(std::move(kind));
    }
    if (!entry.workload.requests.empty()) {
      context.services_of_client.push_back(services_of(scenario, entry));
      scenario.clients.push_back(std::move(entry));
    }
  }
  if (scenario.clients.empty()) {
    context.problems.push_back(with_help(error("SP116", "no client that sends requests", context.documents.first,
                                               "no Dataplane among the documents has an outbound"),
                                         "write `clients`, or `networking.outbound` in a Dataplane"));
  }
}

}  // namespace spillway::scenario::meaning
