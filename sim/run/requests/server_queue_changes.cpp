// What the timeline does to stations: endpoints become slower or faster, nodes go off.
#include "sim/run/requests/server_queues.hpp"

namespace spillway::run {

using engine::Happening;

void Stations::set(const scenario::Slow& change, Nanoseconds now) {
  for (const config::HostIndex host : change.hosts) {
    const config::EndpointIndex index = scenario::endpoint_index(*scenario_, change.service, host);
    Endpoint& endpoint = endpoints_[index.value];
    endpoint.slowness = change.slowness;
    if (endpoint.station != none && endpoint.disturbed && endpoint.own_station) {
      depart_until(endpoint.station, now);
      disturbed_[endpoint.station].station.set_slowness(now, change.slowness);
      // What is in the calendar may be too early now, and is found out then.
      disturbed_[endpoint.station].next_departure = engine::DisturbedStation::never;
      arm(endpoint.station);
    }
  }
}

void Stations::lose(config::NodeIndex node, Nanoseconds now) {
  for (std::uint32_t station = 0; station < disturbed_.size(); ++station) {
    if (node_of_disturbed_[station] != node) {
      continue;
    }
    depart_until(station, now);
    for (const std::uint32_t place : disturbed_[station].station.clear(now)) {
      const Job& job = jobs_[place];
      if (job.waits) {
        settle(job.journey, Happening::reset, now + job.journey.way.back, job.sequence);
      }
      remove_job(place);
    }
  }
}

}  // namespace spillway::run
