// Measures the load of servers.
#include "sim/run/requests/server_queues.hpp"
#include "sim/scenario/endpoint.hpp"

namespace spillway::run {

void ServerQueues::measure(std::span<const Nanoseconds> ends) {
  if (elsewhere_) {
    elsewhere_loads_.assign(fifo_.size() + disturbed_.size(), {.load = engine::ServerLoad(ends)});
    for (std::uint32_t index = 0; index < endpoints_.size(); ++index) {
      if (endpoints_[index].server != none) {
        elsewhere_loads_[place_elsewhere(endpoints_[index])].cores = measured(config::EndpointIndex{index}).cores;
      }
    }
    return;
  }
  for (engine::FifoServer& server : fifo_) {
    server.measure(ends);
  }
  for (Disturbed& of : disturbed_) {
    of.server.measure(ends);
  }
}

void ServerQueues::note_present(config::EndpointIndex index, std::size_t present, Nanoseconds now) {
  const Endpoint& endpoint = endpoints_[index.value];
  if (elsewhere_loads_.empty() || endpoint.server == none) {
    return;
  }
  Elsewhere& of = elsewhere_loads_[place_elsewhere(endpoint)];
  of.hold(now);
  of.present = present;
  of.load.see_line(present - std::min(present, of.cores));
}

void ServerQueues::end_periods(Nanoseconds now) {
  for (Elsewhere& of : elsewhere_loads_) {
    of.hold(now);
  }
  for (engine::FifoServer& server : fifo_) {
    server.end_periods(now);
  }
  for (std::uint32_t server = 0; server < disturbed_.size(); ++server) {
    depart_until(server, now);
    disturbed_[server].server.end_periods(now);
  }
}

ServerQueues::Measured ServerQueues::measured(config::EndpointIndex index) const {
  const Endpoint& endpoint = endpoints_[index.value];
  if (endpoint.server == none) {
    return {};
  }
  const scenario::Endpoint& described = scenario_->endpoints[index.value];
  const scenario::Servers& servers =
      described.servers ? *described.servers : *scenario_->nodes[described.node.value].servers;
  if (elsewhere_) {
    return {servers.cores, elsewhere_loads_.empty() ? nullptr : &elsewhere_loads_[place_elsewhere(endpoint)].load};
  }
  return {servers.cores,
          endpoint.disturbed ? disturbed_[endpoint.server].server.load() : fifo_[endpoint.server].load()};
}

}  // namespace spillway::run
