#include "sim/run/requests/trips.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/world/activities.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using world::Ending;

namespace {

constexpr auto gives_up_later = [](const auto& left, const auto& right) { return left.at > right.at; };

std::vector<config::NodeIndex> way_to(const scenario::Scenario& scenario, const Target& target,
                                      config::NodeIndex client) {
  std::vector<config::NodeIndex> way = {client};
  for (const config::EndpointIndex proxy : target.via) {
    way.push_back(scenario.endpoints[proxy.value].node);
  }
  way.push_back(target.endpoint_in(scenario).node);
  return way;
}

}  // namespace

Trips::Trips(const scenario::Scenario& scenario, ServerQueues& server_queues, const world::World& world,
             world::Activities& activities, engine::Calendar& calendar)
    : scenario_(&scenario),
      server_queues_(&server_queues),
      world_(&world),
      activities_(&activities),
      calendar_(&calendar) {
  server_queues.serve_elsewhere();
  activities.watch([this](config::EndpointIndex endpoint, std::size_t present) {
    server_queues_->note_present(endpoint, present, world_->now());
  });
}

void Trips::send(const Target& target, const scenario::ClientEntry& client, config::NodeIndex from,
                 const Journey& journey, std::span<const RoundTrip> deviations, Nanoseconds now) {
  const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
  const Sent sent{.journey = journey, .sequence = calendar_->draw_sequence(), .at = now, .waits = true, .used = true};
  const std::uint32_t place = add(sent);
  ++waiting_;
  if (journey.deadline != engine::Calendar::never) {
    deadlines_.push_back({journey.deadline, sent.sequence, place});
    std::push_heap(deadlines_.begin(), deadlines_.end(), gives_up_later);
    arm();
  }
  // As in ServerQueues: without a queue the service time is known at once.
  std::optional<Nanoseconds> known;
  if (!endpoint.servers && !scenario_->nodes[endpoint.node.value].servers) {
    known = server_queues_->draw_service_time(target.endpoint);
  }
  world::Trip trip;
  trip.way = way_to(*scenario_, target, from);
  for (const RoundTrip& deviation : deviations) {
    trip.deviations.emplace_back(deviation.there, deviation.back);
  }
  trip.endpoint = target.endpoint;
  trip.request_bytes = client.workload.request_bytes.value_or(endpoint.request_bytes);
  trip.response_bytes = client.workload.response_bytes.value_or(endpoint.response_bytes);
  trip.reach = [this, at = target.endpoint, node = endpoint.node, outages = journey.moment.node_outages,
                known]() -> std::optional<Nanoseconds> {
    if (world_->outages(node) != outages) {
      return std::nullopt;
    }
    return known ? *known : server_queues_->draw_service_time(at);
  };
  trip.end = [this, place, there = trip.way.size() - 1](Ending ending, std::size_t hops) {
    finish(place, ending, hops, there);
  };
  activities_->start(std::move(trip));
}

std::uint32_t Trips::add(const Sent& sent) {
  if (free_.empty()) {
    sent_.push_back(sent);
    return static_cast<std::uint32_t>(sent_.size()) - 1;
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  sent_[place] = sent;
  return place;
}

// Ends a trip. Runs on the trip's own actor.
void Trips::finish(std::uint32_t place, Ending ending, std::size_t hops, std::size_t hops_there) {
  Sent& sent = sent_[place];
  const Nanoseconds now = world_->now();
  if (sent.waits) {
    switch (ending) {
      case Ending::answered:
        settle(sent, sent.journey.moment.kind, now);
        break;
      case Ending::turned_away:
        settle(sent, CalendarEventKind::queue_full, now);
        break;
      case Ending::broken_off:
        settle(sent, CalendarEventKind::reset, now + sent.journey.way.back);
        break;
      case Ending::lost:
        // Without its first link there is no connection; a connection that existed closes.
        settle(sent, hops == 0 && hops_there > 0 ? CalendarEventKind::connect_failure : CalendarEventKind::reset, now);
    }
  }
  sent.used = false;
  free_.push_back(place);
}

// Delivers the outcome to the sender at this time, unless the sender has given up before.
void Trips::settle(Sent& sent, CalendarEventKind kind, Nanoseconds at) {
  CalendarEvent moment = sent.journey.moment;
  moment.kind = kind;
  calendar_->push(sent.journey.met_at(moment, at), sent.sequence);
  sent.waits = false;
  --waiting_;
}

bool Trips::is_over(const Deadline& deadline) const noexcept {
  const Sent& sent = sent_[deadline.sent];
  return !sent.used || sent.sequence != deadline.sequence || !sent.waits;
}

// Ensures that the next deadline is in the calendar.
void Trips::arm() {
  while (!deadlines_.empty() && is_over(deadlines_.front())) {
    std::pop_heap(deadlines_.begin(), deadlines_.end(), gives_up_later);
    deadlines_.pop_back();
  }
  if (!deadlines_.empty() && deadlines_.front().at < next_deadline_) {
    next_deadline_ = deadlines_.front().at;
    calendar_->push_first({.at = next_deadline_, .kind = CalendarEventKind::server_deadline},
                          calendar_->draw_sequence());
  }
}

void Trips::simulate(const CalendarEvent& moment) {
  if (moment.at != next_deadline_) {
    return;
  }
  while (!deadlines_.empty() && (deadlines_.front().at <= moment.at || is_over(deadlines_.front()))) {
    const Deadline deadline = deadlines_.front();
    std::pop_heap(deadlines_.begin(), deadlines_.end(), gives_up_later);
    deadlines_.pop_back();
    if (!is_over(deadline)) {
      Sent& sent = sent_[deadline.sent];
      settle(sent, sent.journey.late, deadline.at);
    }
  }
  next_deadline_ = engine::Calendar::never;
  arm();
}

void Trips::set(const scenario::Slow& change) {
  for (const config::HostIndex host : change.hosts) {
    activities_->set_slowness(scenario::endpoint_index(*scenario_, change.service, host), change.slowness);
  }
}

}  // namespace spillway::run
