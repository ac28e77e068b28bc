// How the endpoints that Kuma's and Istio's documents make work on requests, which the scenario says beside them.
#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/serving.hpp"

namespace spillway::scenario::meaning {

void read_documents_serving(Context& context) {
  for (const auto& item : context.file.serving.value) {
    if (!item) {
      continue;
    }
    const auto service = context.services.resolve(item->service, context.problems);
    if (!service || *service >= context.scenario.services.size()) {
      continue;
    }
    written::EndpointGroup group;
    group.service_time = item->service_time;
    group.capacity = item->capacity;
    group.servers = item->servers;
    Endpoint serving;
    read_serving(context, group, serving);
    for (const Host& host : context.scenario.services[*service].hosts) {
      Endpoint& endpoint = context.scenario.endpoints[host.endpoint.value];
      const Endpoint made = at_speed(serving, context.speeds[endpoint.node.value]);
      endpoint.servers = made.servers;
      endpoint.service_time = made.service_time;
      endpoint.variation = made.variation;
    }
  }
}

}  // namespace spillway::scenario::meaning
