// How busy stations are, for those who ask.
#include "sim/run/requests/server_queues.hpp"

namespace spillway::run {

void Stations::measure(std::span<const Nanoseconds> ends) {
  if (elsewhere_) {
    elsewhere_loads_.assign(fifo_.size() + disturbed_.size(), {.load = engine::StationLoad(ends)});
    for (std::uint32_t index = 0; index < endpoints_.size(); ++index) {
      if (endpoints_[index].station != none) {
        elsewhere_loads_[place_elsewhere(endpoints_[index])].cores = measured(config::EndpointIndex{index}).cores;
      }
    }
    return;
  }
  for (engine::FifoStation& station : fifo_) {
    station.measure(ends);
  }
  for (Disturbed& of : disturbed_) {
    of.station.measure(ends);
  }
}

void Stations::note_present(config::EndpointIndex index, std::size_t present, Nanoseconds now) {
  const Endpoint& endpoint = endpoints_[index.value];
  if (elsewhere_loads_.empty() || endpoint.station == none) {
    return;
  }
  Elsewhere& of = elsewhere_loads_[place_elsewhere(endpoint)];
  of.hold(now);
  of.present = present;
  of.load.see_line(present - std::min(present, of.cores));
}

void Stations::end_periods(Nanoseconds now) {
  for (Elsewhere& of : elsewhere_loads_) {
    of.hold(now);
  }
  for (engine::FifoStation& station : fifo_) {
    station.end_periods(now);
  }
  for (std::uint32_t station = 0; station < disturbed_.size(); ++station) {
    depart_until(station, now);
    disturbed_[station].station.end_periods(now);
  }
}

Stations::Measured Stations::measured(config::EndpointIndex index) const {
  const Endpoint& endpoint = endpoints_[index.value];
  if (endpoint.station == none) {
    return {};
  }
  const scenario::Endpoint& described = scenario_->endpoints[index.value];
  const scenario::Servers& servers =
      described.servers ? *described.servers : *scenario_->nodes[described.node.value].servers;
  if (elsewhere_) {
    return {servers.cores, elsewhere_loads_.empty() ? nullptr : &elsewhere_loads_[place_elsewhere(endpoint)].load};
  }
  return {servers.cores,
          endpoint.disturbed ? disturbed_[endpoint.station].station.load() : fifo_[endpoint.station].load()};
}

}  // namespace spillway::run
