// Checks a scenario with Kuma's documents for problems that involve several documents.
//
//   refuse_settings_beside(so_far);                 // SP640: Envoy's settings that Kuma's configuration replaces
//   check_zones_of_clients(so_far);                 // SP642: a client in another zone than its Dataplane
//   check_inbound_policies(so_far);                 // SP643, SP645: policies for the requests that a proxy receives
//   warn_of_unused_items(so_far);                   // SP641: items of `to` that name nothing; SP646: unused settings
//
// Each reports to so_far.problems.
#pragma once

namespace spillway::scenario::binding {
struct KumaClients;  // stages.hpp
}  // namespace spillway::scenario::binding

namespace spillway::scenario::kuma_binding {

void refuse_settings_beside(binding::KumaClients& so_far);
void check_zones_of_clients(binding::KumaClients& so_far);
void check_inbound_policies(binding::KumaClients& so_far);
void warn_of_unused_items(binding::KumaClients& so_far);

}  // namespace spillway::scenario::kuma_binding
