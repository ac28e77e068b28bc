// The second half of reading: from what is written to what it means, in stages.
//
//   Topology topology = read_topology(std::move(header));
//   Services services = read_services(std::move(topology));   // ... and so on, in the order of the types below
//
// A stage takes the one before it and is that one with more: a function that needs what some stage has found out asks
// for its type, so that it cannot be called earlier. A stage reports what is wrong without stopping; the Scenario in it
// is worth something only if nothing was reported.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/shapes.hpp"
#include "models/envoy/api/setting_places.hpp"
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
}  // namespace spillway::scenario

namespace spillway::scenario::istio_binding {
struct MeshReading;  // mesh_reading.hpp
}  // namespace spillway::scenario::istio_binding

namespace spillway::scenario::binding {

struct Header {
  const messages::Scenario& file;
  Diagnostics& problems;
  Sources& sources;        // the scenario's file, and those that it names
  Scenario scenario = {};  // as far as it has been read
};
[[nodiscard]] Header read_header(const messages::Scenario& file, Sources& sources, Diagnostics& problems);

// All there is where a control plane is simulated.
[[nodiscard]] Scenario read_control_plane(Header header);

struct Topology : Header {
  Names zones{"zone", "SP104"};
  Names nodes{"node", "SP105"};
  std::vector<std::vector<std::uint32_t>> nodes_of_zone = {};
  std::vector<double> speeds = {};  // by node

  // A zone without nodes. False: another one has its name, which is reported.
  bool add_zone(Zone zone, Span where);
  config::NodeIndex add_node(Node node, Span where, double speed = 1.0);
};
[[nodiscard]] Topology read_topology(Header header);

struct Services : Topology {
  Names services{"service", "SP107"};
  Names endpoints{"endpoint", "SP108"};  // of all services
  // By the position of an endpoint in `endpoints`.
  std::vector<std::pair<std::uint32_t, config::HostIndex>> host_of_endpoint = {};
  // Addresses that are written, by service: the endpoints that have them, in the order of the file.
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::pair<config::HostIndex, Span>>> addresses = {};

  // A service without endpoints; its cluster and load assignment have its name.
  Service& add_service(const std::string& name, Span where);
  // `id` means this host from now on.
  void name_endpoint(const std::string& id, std::uint32_t service, config::HostIndex host, Span where);
};
[[nodiscard]] Services read_services(Topology topology);

// With what Kuma's documents add: zones, endpoints and services.
struct KumaServices : Services {
  kuma::Documents documents = {};
  kuma_binding::KumaMesh mesh = {};  // that they are about
};
[[nodiscard]] KumaServices read_kuma_services(Services services);

// Likewise Istio's.
struct MeshServices : KumaServices {
  istio_binding::IstioMesh istio = {};
};
[[nodiscard]] MeshServices read_istio_services(KumaServices services);

// With those that the timeline adds.
struct Endpoints : MeshServices {
  std::map<std::size_t, std::vector<config::HostIndex>> added = {};  // by the event's position in the timeline
};
[[nodiscard]] Endpoints read_endpoints(MeshServices services);

struct Clusters : Endpoints {};
[[nodiscard]] Clusters read_clusters(Endpoints endpoints);

struct Routes : Clusters {
  // As matching needs them, in their order; requests may go by them only if all could be read.
  std::vector<envoy::routes::Route> routes = {};
  bool routes_complete = true;
};
[[nodiscard]] Routes read_routes(Clusters clusters);

struct Clients : Routes {
  Names clients{"client", "SP109"};
  std::vector<std::vector<config::ServiceIndex>> services_of_client = {};  // that its requests go to
  std::uint64_t kinds = 0;                                                 // of requests, of all clients
};
[[nodiscard]] Clients read_clients(Routes routes);

struct Timeline : Clients {};
// `further`: changes beside those of the file.
[[nodiscard]] Timeline read_timeline(Clients clients, const std::vector<Change>& further);

// Every client has for each service what Kuma's policies give it.
struct KumaClients : Timeline {
  messages::PlacesOfViews setting_places = {};  // where the policies or rules say the settings
};
[[nodiscard]] KumaClients lead_kuma_clients(Timeline timeline);

// Likewise what Istio's rules give it.
struct MeshClients : KumaClients {};
// `cache`: of views; null: nothing is kept. `left`: gets what a reading of other rules may take over; may be null.
[[nodiscard]] MeshClients lead_istio_clients(KumaClients clients, istio_binding::ViewCache* cache,
                                             istio_binding::MeshReading* left);

void read_expectations(MeshClients& so_far);
void read_planning(MeshClients& so_far);  // objectives and failures

// Parts of stages.

// Of a map of texts, those that could be read.
[[nodiscard]] std::map<std::string, std::string> plain_map(const grammar::MapOf<grammar::Text>::Value& written);

// How the endpoints of documents serve.
void read_documents_serving(MeshServices& so_far);

// Adds the services that the file itself writes and Istio's rules name to the mesh of Istio's documents.
void take_written_services(MeshServices& so_far);

// What admission says of Istio's documents, and the traps that they are.
void lint_istio_documents(const istio_binding::IstioMesh& mesh, const messages::Scenario& file, Diagnostics& problems);

// The service or the kinds of requests of a workload. `where`: the client.
void read_requests(Clients& so_far, const messages::Workload& written, ClientEntry& entry, Span where);

// Dataplanes that ask for something.
void read_mesh_clients(Clients& so_far);

// Requests that ask for a service by name, by a route of their own, which this adds.
[[nodiscard]] RequestKind straight_request(Scenario& scenario, config::ServiceIndex service);

// Adds a group's endpoints to the service and returns their places in it.
std::vector<config::HostIndex> add_group(Services& so_far, std::uint32_t service, const messages::EndpointGroup& group,
                                         Span where);

// The one service that an event is about; nothing if that cannot be told (reported).
[[nodiscard]] std::optional<std::uint32_t> service_of(const Services& so_far, const messages::Event& event, Span where);

// The hosts that an event is about, in the order of the file; nothing if that cannot be told (reported).
[[nodiscard]] std::optional<std::vector<config::HostIndex>> select_hosts(const Services& so_far,
                                                                         const messages::Event& event,
                                                                         std::uint32_t service, Span where);

// Whether an event may happen at its time (reported if not).
[[nodiscard]] bool in_time(const Header& so_far, const messages::Event& event);

// When and to whom an event is told.
struct EdsAnnouncement {
  Nanoseconds at{0};
  std::vector<config::ZoneIndex> audience = {};
  bool arrives = true;  // before the end of the run
};
[[nodiscard]] EdsAnnouncement announcement_of(const Topology& so_far, const messages::Event& event);

// Endpoints that come or go. `position`: of the event in the timeline.
void read_membership(Timeline& so_far, std::size_t position, const messages::Event& event, Span where);

// How many of `total` endpoints an amount is, rounded half up; a fraction that gives no whole number is a warning.
// Nothing if it is more than there are (reported).
[[nodiscard]] std::optional<std::uint32_t> count_of(const messages::Amount& amount, std::uint32_t total, Span where,
                                                    Diagnostics& problems);

// The first `healthy` of these hosts are told healthy, the next `degraded` degraded, the others unhealthy. With
// `healthy` left out, all but the degraded are healthy. Nothing if they are more than there are (reported).
[[nodiscard]] std::optional<EdsHealth> tell(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts,
                                            const grammar::Field<messages::Amount>& healthy,
                                            const grammar::Field<messages::Amount>& degraded, Diagnostics& problems);

// A change of health: into the load assignment at the start, else into the list of changes.
void apply_health(Scenario& scenario, Nanoseconds at, EdsHealth reported, Span where);

// The health timeline of one group of endpoints.
void read_health_steps(Header& so_far, config::ServiceIndex service, const messages::EndpointGroup& group,
                       const std::vector<config::HostIndex>& hosts);

// What EDS makes of an address that is listed again, of all changes in their order.
void keep_first_addresses(Timeline& so_far);

// Of hosts that change their priority.
void add_other_places(Scenario& scenario);

// endpoint_stale_after, of all changes that are told.
void read_stale_assignments(Timeline& so_far);

// What a column's title means for one client and service; nothing if it means nothing (reported).
[[nodiscard]] std::optional<Column> read_column(const MeshClients& so_far, const grammar::Field<std::string>& title,
                                                config::ServiceIndex service);

}  // namespace spillway::scenario::binding
