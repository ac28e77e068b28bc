// How busy stations are, for those who ask.
#include "sim/run/stations.hpp"

namespace spillway::run {

void Stations::measure(std::span<const Nanoseconds> ends) {
  for (engine::FifoStation& station : fifo_) {
    station.measure(ends);
  }
  for (Disturbed& of : disturbed_) {
    of.station.measure(ends);
  }
}

void Stations::end_periods(Nanoseconds now) {
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
  return {servers.cores,
          endpoint.disturbed ? disturbed_[endpoint.station].station.load() : fifo_[endpoint.station].load()};
}

}  // namespace spillway::run
