// The second half of reading, in stages: from the written form to its meaning.
//
//   Topology topology = read_topology(std::move(header));
//   Services services = read_services(std::move(topology));   // ... and so on, in the order of the types below
//
// Each stage takes the previous one by value and extends it. A function takes the earliest stage that has what it
// needs, so the compiler enforces the order. A stage reports errors without stopping; its Scenario is valid only if no
// error was reported.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/shapes.hpp"
#include "models/envoy/api/setting_places.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/kuma/documents/documents.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/names.hpp"
#include "sim/scenario/messages/health_steps.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::messages {
struct EndpointGroup;  // traffic.hpp
struct Event;          // events.hpp
struct Scenario;       // scenario.hpp
struct Workload;       // workload.hpp
}  // namespace spillway::messages

namespace spillway::scenario {
struct ClientEntry;  // client.hpp
struct RequestKind;  // workload.hpp
struct Service;      // service.hpp
namespace istio_binding {
struct MeshReading;  // mesh_reading.hpp
class ViewCache;     // view_cache.hpp
}  // namespace istio_binding
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

struct Header {
  const messages::Scenario& file;
  Diagnostics& problems;
  Sources& sources;        // the scenario's file, and the files that it names
  Scenario scenario = {};  // as far as it has been read
};
[[nodiscard]] Header read_header(const messages::Scenario& file, Sources& sources, Diagnostics& problems);

// Reads the whole scenario if a control plane is simulated.
[[nodiscard]] Scenario read_control_plane(Header header);

struct Topology : Header {
  Names zones{"zone", "SP104"};
  Names nodes{"node", "SP105"};
  std::vector<std::vector<std::uint32_t>> nodes_of_zone = {};
  std::vector<double> speeds = {};  // by node

  // Adds a zone without nodes. Returns false if the name is taken, which is reported.
  bool add_zone(Zone zone, Span where);
  config::NodeIndex add_node(Node node, Span where, double speed = 1.0);
};
[[nodiscard]] Topology read_topology(Header header);

struct Services : Topology {
  Names services{"service", "SP107"};
  Names endpoints{"endpoint", "SP108"};  // of all services
  // By the position of an endpoint in `endpoints`.
  std::vector<std::pair<std::uint32_t, config::HostIndex>> host_of_endpoint = {};
  // Written addresses by service: the endpoints that have them, in file order.
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::pair<config::HostIndex, Span>>> addresses = {};

  // Adds a service without endpoints; its cluster and load assignment have its name.
  Service& add_service(const std::string& name, Span where);
  // Makes `id` the name of this host.
  void name_endpoint(const std::string& id, std::uint32_t service, config::HostIndex host, Span where);
};
[[nodiscard]] Services read_services(Topology topology);

// The stage with the zones, endpoints and services of Kuma's documents.
struct KumaServices : Services {
  kuma::Documents documents = {};
  kuma_binding::KumaMesh mesh = {};  // the mesh of the clients
};
[[nodiscard]] KumaServices read_kuma_services(Services services);

// The stage with those of Istio's documents.
struct MeshServices : KumaServices {
  istio_binding::IstioMesh istio = {};
};
[[nodiscard]] MeshServices read_istio_services(KumaServices services);

// The stage with the endpoints that the timeline adds.
struct Endpoints : MeshServices {
  std::map<std::size_t, std::vector<config::HostIndex>> added = {};  // by the event's position in the timeline
};
[[nodiscard]] Endpoints read_endpoints(MeshServices services);

struct Clusters : Endpoints {};
[[nodiscard]] Clusters read_clusters(Endpoints endpoints);

struct Routes : Clusters {
  // The routes as matching needs them, in order; requests may be routed only if all could be read.
  std::vector<envoy::routes::Route> routes = {};
  bool routes_complete = true;
};
[[nodiscard]] Routes read_routes(Clusters clusters);

struct Clients : Routes {
  Names clients{"client", "SP109"};
  std::vector<std::vector<config::ServiceIndex>> services_of_client = {};  // the services that its requests go to
  std::uint64_t kinds = 0;  // number of kinds of requests, of all clients
};
[[nodiscard]] Clients read_clients(Routes routes);

struct Timeline : Clients {};
// Reads the timeline. `further` has changes in addition to those of the file.
[[nodiscard]] Timeline read_timeline(Clients clients, const std::vector<Change>& further);

// The stage in which every client has its views by Kuma's policies.
struct KumaClients : Timeline {
  messages::PlacesOfViews setting_places = {};  // the places of settings in policies or rules
};
[[nodiscard]] KumaClients lead_kuma_clients(Timeline timeline);

// The stage in which every client has its views by Istio's rules.
struct MeshClients : KumaClients {};
// Gives clients their views. `cache` keeps views; null if none are kept. `left` receives data for a reading with other
// rules; may be null.
[[nodiscard]] MeshClients lead_istio_clients(KumaClients clients, istio_binding::ViewCache* cache,
                                             istio_binding::MeshReading* left);

void read_expectations(MeshClients& so_far);
void read_planning(MeshClients& so_far);  // objectives and failures

// Parts of stages.

// Returns the texts of a map that could be read.
[[nodiscard]] std::map<std::string, std::string> plain_map(const grammar::MapOf<grammar::Text>::Value& written);

// Reads how the endpoints of documents serve.
void read_documents_serving(MeshServices& so_far);

// Adds the services that the file writes and Istio's rules name to the mesh of Istio's documents.
void take_written_services(MeshServices& so_far);

// Reports the findings of admission for Istio's documents, and their lints.
void lint_istio_documents(const istio_binding::IstioMesh& mesh, const messages::Scenario& file, Diagnostics& problems);

// Reads the service or the kinds of requests of a workload. `where` is the client's place.
void read_requests(Clients& so_far, const messages::Workload& written, ClientEntry& entry, Span where);

// Adds the dataplanes with outbounds as clients.
void read_mesh_clients(Clients& so_far);

// Returns the kind of requests that name a service, by a route of their own, which this adds.
[[nodiscard]] RequestKind straight_request(Scenario& scenario, config::ServiceIndex service);

// Adds a group's endpoints to the service and returns their positions in it.
std::vector<config::HostIndex> add_group(Services& so_far, std::uint32_t service, const messages::EndpointGroup& group,
                                         Span where);

// Returns the one service that an event is about; nullopt if it is unclear (reported).
[[nodiscard]] std::optional<std::uint32_t> service_of(const Services& so_far, const messages::Event& event, Span where);

// Returns the hosts that an event is about, in file order; nullopt if they are unclear (reported).
[[nodiscard]] std::optional<std::vector<config::HostIndex>> select_hosts(const Services& so_far,
                                                                         const messages::Event& event,
                                                                         std::uint32_t service, Span where);

// True if an event may be at its time (reported if not).
[[nodiscard]] bool in_time(const Header& so_far, const messages::Event& event);

// The time and audience of an EDS report.
struct EdsAnnouncement {
  Nanoseconds at{0};
  std::vector<config::ZoneIndex> audience = {};
  bool arrives = true;  // before the end of the run
};
[[nodiscard]] EdsAnnouncement announcement_of(const Topology& so_far, const messages::Event& event);

// Reads endpoints that join or leave. `position` is that of the event in the timeline.
void read_membership(Timeline& so_far, std::size_t position, const messages::Event& event, Span where);

// Returns the number of endpoints that an amount of `total` means, rounded half up; a fraction that gives no whole
// number is a warning. nullopt if it is more than `total` (reported).
[[nodiscard]] std::optional<std::uint32_t> count_of(const messages::Amount& amount, std::uint32_t total, Span where,
                                                    Diagnostics& problems);

// Returns a report in which the first `healthy` of these hosts are healthy, the next `degraded` are degraded, the
// others unhealthy. Without `healthy`, all but the degraded are healthy. nullopt if the amounts exceed the hosts
// (reported).
[[nodiscard]] std::optional<EdsHealth> tell(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts,
                                            const grammar::Field<messages::Amount>& healthy,
                                            const grammar::Field<messages::Amount>& degraded, Diagnostics& problems);

// Applies a change of health: in the load assignment at the start, else in the list of changes.
void apply_health(Scenario& scenario, Nanoseconds at, EdsHealth reported, Span where);

// Reads the health timeline of one group of endpoints.
void read_health_steps(Header& so_far, config::ServiceIndex service, const messages::EndpointGroup& group,
                       const std::vector<config::HostIndex>& hosts);

// Applies EDS's rule for repeated addresses to all changes, in order.
void keep_first_addresses(Timeline& so_far);

// Adds the other places of hosts that change their priority.
void add_other_places(Scenario& scenario);

// Applies endpoint_stale_after to all changes that EDS reports.
void read_stale_assignments(Timeline& so_far);

// Returns the column that a title names for one client and service; nullopt if it is invalid (reported).
[[nodiscard]] std::optional<Column> read_column(const MeshClients& so_far, const grammar::Field<std::string>& title,
                                                config::ServiceIndex service);

}  // namespace spillway::scenario::binding
