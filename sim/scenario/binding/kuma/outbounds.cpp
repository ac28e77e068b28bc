// Adds dataplanes with outbounds as the clients of a scenario that names none.
#include <algorithm>

#include "models/documents/problem.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

using kuma::DataplaneDocument;

constexpr double usual_rate = 100.0;  // requests per second

void report_cross_mesh(const Header& so_far, const std::string& from, const std::string& to, Span where) {
  so_far.problems.error("SP631", where, "traffic from mesh `{}` to mesh `{}`", "leads to another mesh", {from, to})
      .note(
          "locality awareness across meshes is unsupported in Kuma itself (kumahq/kuma#14109), so that shares would be "
          "meaningless")
      .help("simulate each mesh in a scenario of its own");
}

// Reports an ambiguous name. A name in several namespaces means that of the dataplane's own, if known.
void report_ambiguous(const Clients& so_far, const DataplaneDocument& document, const kuma::Outbound& outbound,
                      const kuma_binding::Destination& first) {
  for (const kuma_binding::Destination& other : so_far.mesh.destinations) {
    const std::string_view name_space = kuma::value_of(first.labels, kuma::namespace_label);
    const std::string_view of_other = kuma::value_of(other.labels, kuma::namespace_label);
    if (outbound.backendRef->labels.empty() && of_other != name_space && leads_to(document, outbound, other)) {
      so_far.problems
          .error("SP633", outbound.where, "an outbound to one of several services",
                 "`{}` is in the namespaces `{}` and `{}`",
                 {outbound.backendRef->name, std::string(name_space), std::string(of_other)})
          .help(
              "a name is looked for in the Dataplane's namespace, its label k8s.kuma.io/namespace; or write `labels`");
      return;
    }
  }
}

// Returns the service of an outbound; nullopt if it does not exist (reported).
std::optional<config::ServiceIndex> service_of_outbound(const Clients& so_far, const DataplaneDocument& document,
                                                        const kuma::Outbound& outbound) {
  const std::string tag(kuma::value_of(outbound.tags, kuma::service_tag));
  const std::string_view mesh = kuma::value_of(outbound.tags, kuma::mesh_tag);
  if (document.origin.mesh != so_far.mesh.mesh.name || (!mesh.empty() && mesh != document.origin.mesh)) {
    report_cross_mesh(so_far, document.origin.mesh, mesh.empty() ? so_far.mesh.mesh.name : std::string(mesh),
                      outbound.where);
    return std::nullopt;
  }
  for (const kuma_binding::Destination& destination : so_far.mesh.destinations) {
    if (leads_to(document, outbound, destination)) {
      if (outbound.backendRef) {
        report_ambiguous(so_far, document, outbound, destination);
      }
      return destination.service;
    }
  }
  const std::string name = outbound.backendRef ? outbound.backendRef->name : tag;
  for (const auto& other : so_far.documents.dataplanes) {
    const auto& inbounds = other.value.inbounds;
    const bool serves = std::any_of(inbounds.begin(), inbounds.end(), [&](const kuma::Inbound& inbound) {
      return kuma::value_of(inbound.tags, kuma::service_tag) == name;
    });
    if (serves && other.origin.mesh != document.origin.mesh) {
      report_cross_mesh(so_far, document.origin.mesh, other.origin.mesh, outbound.where);
      return std::nullopt;
    }
  }
  so_far.problems
      .error("SP633", outbound.where, "an outbound to nothing", "no dataplane or service of the documents is `{}`",
             {name})
      .note("{}", {so_far.services.note()});
  return std::nullopt;
}

// True if the Dataplane has an outbound to the destination.
bool has_outbound(const DataplaneDocument& document, const kuma_binding::Destination& destination) {
  return std::any_of(document.outbounds.begin(), document.outbounds.end(),
                     [&](const kuma::Outbound& outbound) { return leads_to(document, outbound, destination); });
}

// Warns of listed clients whose Dataplane lists outbounds, and none to a service that they request.
void look_for_outbounds(Clients& so_far) {
  for (std::size_t client = 0; client < so_far.scenario.clients.size(); ++client) {
    const DataplaneDocument* const document = dataplane_of(so_far, so_far.scenario.clients[client].name);
    if (document == nullptr || document->transparent || document->outbounds.empty()) {
      continue;
    }
    for (const kuma_binding::Destination& destination : so_far.mesh.destinations) {
      const auto& asked = so_far.services_of_client[client];
      if (std::find(asked.begin(), asked.end(), destination.service) != asked.end() &&
          !has_outbound(*document, destination)) {
        const std::string& service = so_far.scenario.services[destination.service.value].name;
        so_far.problems
            .warning("SP658", document->origin.name_at, "a Dataplane without an outbound for what its client requests",
                     "none of its outbounds leads to `{}`", {service})
            .note("an outbound to it is assumed; Kuma gives this proxy none");
      }
    }
  }
}

}  // namespace

void read_mesh_clients(Clients& so_far) {
  if (so_far.documents.empty()) {
    return;
  }
  if (so_far.file.clients.present) {
    look_for_outbounds(so_far);
    return;
  }
  Scenario& scenario = so_far.scenario;
  for (const DataplaneDocument& document : so_far.documents.dataplanes) {
    if (document.outbounds.empty()) {
      continue;
    }
    const auto placed = std::find_if(so_far.mesh.dataplanes.begin(), so_far.mesh.dataplanes.end(),
                                     [&](const auto& one) { return one.value.name == document.origin.name; });
    ClientEntry entry;
    entry.name = document.origin.name;
    if (placed == so_far.mesh.dataplanes.end()) {
      continue;
    }
    entry.node = placed->endpoints.empty() ? config::NodeIndex{so_far.nodes_of_zone[placed->zone.value].front()}
                                           : scenario.endpoints[placed->endpoints.front().value].node;
    so_far.clients.add(entry.name, document.origin.name_at, so_far.problems);
    entry.workload.rate = usual_rate;
    for (const kuma::Outbound& outbound : document.outbounds) {
      const auto service = service_of_outbound(so_far, document, outbound);
      if (!service) {
        continue;
      }
      entry.workload.service = *service;
      entry.workload.requests.push_back(straight_request(scenario, *service));
    }
    if (!entry.workload.requests.empty()) {
      so_far.services_of_client.push_back(services_of(scenario, entry));
      scenario.clients.push_back(std::move(entry));
    }
  }
  if (scenario.clients.empty()) {
    so_far.problems
        .error("SP116", so_far.documents.first, "no client that sends requests",
               "no Dataplane among the documents has an outbound")
        .help("write `clients`, or `networking.outbound` in a Dataplane");
  }
}

}  // namespace spillway::scenario::binding
