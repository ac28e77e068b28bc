// The second half of reading: from what is written to what it means. Each part is a function over one Context, and
// reports what it finds without stopping; the Scenario in it is worth something only if nothing was reported.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/istio/istio_mesh.hpp"
#include "sim/scenario/istio/mesh_reading.hpp"
#include "sim/scenario/kuma/documents.hpp"
#include "sim/scenario/lints/setting_places.hpp"
#include "sim/scenario/meaning/names.hpp"
#include "sim/scenario/mesh/kuma_mesh.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/written/scenario.hpp"

namespace spillway::scenario::meaning {

struct Context {
  const written::Scenario& file;
  Diagnostics& problems;
  Sources& sources;  // the scenario's file, and those that it names
  Scenario scenario = {};
  Names zones{"zone", "SP104"};
  Names nodes{"node", "SP105"};
  Names services{"service", "SP107"};
  Names endpoints{"endpoint", "SP108"};  // of all services
  Names clients{"client", "SP109"};
  std::vector<std::vector<std::uint32_t>> nodes_of_zone = {};
  std::vector<double> speeds = {};  // by node
  // By the position of an endpoint in `endpoints`.
  std::vector<std::pair<std::uint32_t, config::HostIndex>> host_of_endpoint = {};
  // The routes as matching needs them, in their order; requests may go by them only if all could be read.
  std::vector<envoy::routes::Route> routes = {};
  bool routes_complete = true;
  // Of each client: where its requests go.
  std::vector<std::vector<config::ServiceIndex>> services_of_client = {};
  std::uint64_t kinds = 0;  // of requests, of all clients
  // Addresses that are written, by service: the endpoints that have them, in the order of the file.
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::pair<config::HostIndex, Span>>> addresses = {};
  // By the position of an event in the timeline: the endpoints that it adds.
  std::map<std::size_t, std::vector<config::HostIndex>> added = {};
  kuma_documents::Documents documents = {};          // of Kuma
  mesh::KumaMesh mesh = {};                          // that they are about
  istio_documents::IstioMesh istio = {};             // Istio's, and the mesh that they make
  istio_documents::ViewCache* view_cache = nullptr;  // of views of Istio's documents; null: nothing is kept
};

// Of a map of texts, those that could be read.
[[nodiscard]] std::map<std::string, std::string> plain_map(const grammar::MapOf<grammar::Text>::Value& written);

void read_header(Context& context);
void read_control_plane(Context& context);  // after read_header: all there is, where one is played
void read_topology(Context& context);
void read_kuma_documents(Context& context);  // after read_topology
void read_services(Context& context);        // after read_topology
void read_mesh(Context& context);            // after read_kuma_documents and read_services: what the documents add
void read_istio_mesh(Context& context);      // after read_mesh: what Istio's documents add
// After read_timeline: what every client has for their services. Returns where the rules say its settings. `left`: gets
// what a reading of other rules may take over; may be null.
[[nodiscard]] lints::PlacesOfViews play_istio_mesh(Context& context, istio_documents::MeshReading* left);
void lint_istio_documents(Context& context);    // what admission says of them, and the traps that they are
void read_documents_serving(Context& context);  // after read_istio_mesh: how their endpoints serve
void read_mesh_clients(Context& context);       // after read_clients: dataplanes that ask for something
// After read_timeline: what every client has for each service. Returns where the policies say its settings.
[[nodiscard]] lints::PlacesOfViews play_mesh(Context& context);
void read_additions(Context& context);  // after read_services: endpoints that the timeline adds
void read_clusters(Context& context);   // after read_additions
void read_routes(Context& context);     // after read_clusters
void read_clients(Context& context);    // after read_routes
void read_timeline(Context& context);   // after read_additions
void read_repeated_addresses(
    Context& context);                    // after read_timeline: what EDS makes of an address that is listed again
void add_other_places(Context& context);  // after read_timeline: of hosts that change their priority
void read_stale_assignments(Context& context);  // after read_repeated_addresses: endpoint_stale_after
void read_expectations(Context& context);       // after read_clients
void read_planning(Context& context);           // after play_mesh: objectives and failures

// The service or the kinds of requests of a workload. `where`: the client.
void read_requests(Context& context, const written::Workload& written, ClientEntry& entry, Span where);

// A route of its own for requests that ask for a service by name.
std::uint32_t add_straight_route(Context& context, config::ServiceIndex service);

// Adds a group's endpoints to the service and returns their places in it.
std::vector<config::HostIndex> add_group(Context& context, std::uint32_t service, const written::EndpointGroup& group,
                                         Span where);

// The one service that an event is about; nothing if that cannot be told (reported).
[[nodiscard]] std::optional<std::uint32_t> service_of(Context& context, const written::Event& event, Span where);

// The hosts that an event is about, in the order of the file; nothing if that cannot be told (reported).
[[nodiscard]] std::optional<std::vector<config::HostIndex>> select_hosts(Context& context, const written::Event& event,
                                                                         std::uint32_t service, Span where);

// Whether an event may happen at its time (reported if not).
[[nodiscard]] bool in_time(Context& context, const written::Event& event);

// When and to whom an event is told.
struct Telling {
  Nanoseconds at{0};
  std::vector<config::ZoneIndex> audience = {};
  bool arrives = true;  // before the end of the run
};
[[nodiscard]] Telling telling_of(Context& context, const written::Event& event);

// Endpoints that come or go. `position`: of the event in the timeline.
void read_membership(Context& context, std::size_t position, const written::Event& event, Span where);

// How many of `total` endpoints an amount is, rounded half up; a fraction that gives no whole number is a warning.
// Nothing if it is more than there are (reported).
[[nodiscard]] std::optional<std::uint32_t> count_of(const written::Amount& amount, std::uint32_t total, Span where,
                                                    Diagnostics& problems);

// The first `healthy` of these hosts are told healthy, the next `degraded` degraded, the others unhealthy. With
// `healthy` left out, all but the degraded are healthy. Nothing if they are more than there are (reported).
[[nodiscard]] std::optional<TellHealth> tell(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts,
                                             const grammar::Field<written::Amount>& healthy,
                                             const grammar::Field<written::Amount>& degraded, Diagnostics& problems);

// A change of health: into the load assignment at the start, else into the list of changes.
void apply_health(Context& context, Nanoseconds at, TellHealth told, Span where);

// The health timeline of one group of endpoints.
void read_health_steps(Context& context, config::ServiceIndex service, const written::EndpointGroup& group,
                       const std::vector<config::HostIndex>& hosts);

// What a column's title means for one client and service; nothing if it means nothing (reported).
[[nodiscard]] std::optional<Column> read_column(Context& context, const grammar::Field<std::string>& title,
                                                config::ServiceIndex service);

}  // namespace spillway::scenario::meaning
