// Reads how endpoints from Kuma's and Istio's documents serve requests, which the scenario writes next to the
// documents.
#include "sim/scenario/binding/serving.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {

void read_documents_serving(MeshServices& so_far) {
  for (const auto& item : so_far.file.serving.value) {
    if (!item) {
      continue;
    }
    const auto service = so_far.services.resolve(item->service, so_far.problems);
    if (!service || *service >= so_far.scenario.services.size()) {
      continue;
    }
    messages::EndpointGroup group;
    group.service_time = item->service_time;
    group.capacity = item->capacity;
    group.servers = item->servers;
    group.price = item->price;
    Endpoint serving;
    read_serving(group, serving, so_far.problems);
    for (const Host& host : so_far.scenario.services[*service].hosts) {
      Endpoint& endpoint = so_far.scenario.endpoints[host.endpoint.value];
      const Endpoint made = at_speed(serving, so_far.speeds[endpoint.node.value]);
      endpoint.servers = made.servers;
      endpoint.service_time = made.service_time;
      endpoint.capacity = made.capacity;
      endpoint.variation = made.variation;
      endpoint.price = made.price;
    }
  }
}

}  // namespace spillway::scenario::binding
