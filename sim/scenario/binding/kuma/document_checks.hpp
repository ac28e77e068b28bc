// Checks a scenario with Kuma's documents for problems that involve several documents.
//
//   refuse_settings_beside(so_far);                 // SP640: Envoy's settings that Kuma's configuration replaces
//   check_zones_of_clients(so_far);                 // SP642: a client in another zone than its Dataplane
//   check_inbound_policies(so_far);                 // SP643, SP645: policies for the requests that a proxy receives
//   warn_of_unused_items(so_far, proxies, true);    // SP649, SP641, SP646: policies, items, settings without effect
//
// Each reports to so_far.problems.
#pragma once

#include <span>

namespace spillway::kuma {
struct Client;  // client.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::binding {
struct KumaClients;  // stages.hpp
}  // namespace spillway::scenario::binding

namespace spillway::scenario::kuma_binding {

void refuse_settings_beside(binding::KumaClients& so_far);
void check_zones_of_clients(binding::KumaClients& so_far);
// `clients`: their proxies.
void check_inbound_policies(binding::KumaClients& so_far, std::span<const kuma::Client> clients);
// `proxies` are the clients and all Dataplanes of the mesh. `ports_have_names` is false if the outbounds of all clients
// write numbers of ports, which names of ports in policies do not reach.
void warn_of_unused_items(binding::KumaClients& so_far, std::span<const kuma::Client> proxies, bool ports_have_names);

}  // namespace spillway::scenario::kuma_binding
