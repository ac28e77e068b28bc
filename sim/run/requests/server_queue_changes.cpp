// Changes of servers by the timeline: endpoints become slower or faster, nodes go off.
#include "sim/run/requests/server_queues.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

using engine::CalendarEventKind;

void ServerQueues::set(const scenario::Slow& change, Nanoseconds now) {
  for (const config::HostIndex host : change.hosts) {
    const config::EndpointIndex index = scenario::endpoint_index(*scenario_, change.service, host);
    Endpoint& endpoint = endpoints_[index.value];
    endpoint.slowness = change.slowness;
    if (endpoint.server != none && endpoint.disturbed && endpoint.own_server) {
      depart_until(endpoint.server, now);
      disturbed_[endpoint.server].server.set_slowness(now, change.slowness);
      // Entries already in the calendar may now be too early; they are recognized when they are popped.
      disturbed_[endpoint.server].next_departure = engine::DisturbedServer::never;
      arm(endpoint.server);
    }
  }
}

void ServerQueues::lose(config::NodeIndex node, Nanoseconds now) {
  for (std::uint32_t server = 0; server < disturbed_.size(); ++server) {
    if (node_of_disturbed_[server] != node) {
      continue;
    }
    depart_until(server, now);
    for (const std::uint32_t place : disturbed_[server].server.clear(now)) {
      const Job& job = jobs_[place];
      if (job.waits) {
        settle(job.journey, CalendarEventKind::reset, now + job.journey.way.back, job.sequence);
      }
      remove_job(place);
    }
  }
}

}  // namespace spillway::run
