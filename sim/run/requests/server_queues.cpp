#include "sim/run/requests/server_queues.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "models/istio/proxy.hpp"
#include "sim/engine/entity.hpp"
#include "sim/engine/prefetch.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using engine::prefetch_all;

namespace {

constexpr auto later_deadline = [](const auto& left, const auto& right) { return left.at > right.at; };

}  // namespace

Nanoseconds ServerQueues::slowed(Nanoseconds time, double slowness) noexcept {
  return Nanoseconds{std::llround(std::min(static_cast<double>(time.count()) * slowness, 1e18))};
}

ServerQueues::ServerQueues(const scenario::Scenario& scenario, std::uint64_t seed, const world::World& world,
                           engine::Calendar& calendar)
    : scenario_(&scenario), world_(&world), calendar_(&calendar), endpoints_(scenario.endpoints.size()) {
  const auto draws = [](const scenario::Endpoint& endpoint) { return endpoint.variation != nullptr; };
  distributions_.reserve(
      static_cast<std::size_t>(std::count_if(scenario.endpoints.begin(), scenario.endpoints.end(), draws)));
  std::shared_ptr<const engine::ServiceTime> distribution;
  const scenario::Endpoint* of_distribution = nullptr;
  for (std::size_t index = 0; index < endpoints_.size(); ++index) {
    const scenario::Endpoint& endpoint = scenario.endpoints[index];
    endpoints_[index].service_time = endpoint.service_time;
    endpoints_[index].node = endpoint.node;
    if (endpoint.variation != nullptr) {
      endpoints_[index].distribution = static_cast<std::uint32_t>(distributions_.size());
      if (of_distribution == nullptr || of_distribution->variation != endpoint.variation ||
          of_distribution->service_time != endpoint.service_time) {
        distribution = std::make_shared<const engine::ServiceTime>(endpoint.service_time, *endpoint.variation);
        of_distribution = &endpoint;
      }
      distributions_.emplace_back(engine::RandomStream({seed, engine::Purpose::service, engine::entity(endpoint.id)}),
                                  distribution);
    }
  }
  add_servers();
  note_order();
  // No event of a server itself can come between two requests.
  const bool apart = disturbed_.empty() && !fifo_.empty();
  in_lines_ = apart && ways_are_few();
  by_time_ = apart && !in_lines_;
  far_ = endpoints_.size() >= many_endpoints;
}

void ServerQueues::add_servers() {
  const std::vector<bool> disturbed = disturbed_endpoints();
  std::vector<bool> node_disturbed(scenario_->nodes.size(), false);
  for (std::size_t index = 0; index < endpoints_.size(); ++index) {
    const config::NodeIndex node = scenario_->endpoints[index].node;
    node_disturbed[node.value] = node_disturbed[node.value] || disturbed[index];
  }
  std::vector<std::uint32_t> of_node(scenario_->nodes.size(), none);
  const auto undisturbed = std::count_if(disturbed.begin(), disturbed.end(),
                                         [](bool endpoint_is_disturbed) { return !endpoint_is_disturbed; });
  const bool any_servers = std::any_of(scenario_->endpoints.begin(), scenario_->endpoints.end(),
                                       [](const auto& endpoint) { return endpoint.servers.has_value(); });
  fifo_.reserve(any_servers ? static_cast<std::size_t>(undisturbed) : 0);
  for (std::size_t index = 0; index < endpoints_.size(); ++index) {
    const scenario::Endpoint& described = scenario_->endpoints[index];
    const scenario::Node& node = scenario_->nodes[described.node.value];
    Endpoint& endpoint = endpoints_[index];
    endpoint.own_server = described.servers.has_value();
    if (!described.servers && !node.servers) {
      continue;
    }
    const scenario::Servers& servers = described.servers ? *described.servers : *node.servers;
    endpoint.disturbed = servers.discipline == scenario::Discipline::processor_sharing ||
                         (described.servers ? disturbed[index] : node_disturbed[described.node.value]);
    std::uint32_t own = none;
    std::uint32_t& server = described.servers ? own : of_node[described.node.value];
    if (server == none) {
      server = add_server(servers, endpoint.disturbed);
      if (endpoint.disturbed) {
        node_of_disturbed_.push_back(described.node);
      }
    }
    endpoint.server = server;
  }
}

std::uint32_t ServerQueues::add_server(const scenario::Servers& servers, bool disturbed) {
  if (disturbed) {
    disturbed_.emplace_back(servers);
    return static_cast<std::uint32_t>(disturbed_.size()) - 1;
  }
  fifo_.emplace_back(servers);
  return static_cast<std::uint32_t>(fifo_.size()) - 1;
}

// Returns the endpoints whose speed changes or whose node goes off.
std::vector<bool> ServerQueues::disturbed_endpoints() const {
  scenario::EverChanged changed = scenario::ever_changed(*scenario_);
  for (std::size_t index = 0; index < changed.speed.size(); ++index) {
    changed.speed[index] = changed.speed[index] || changed.node[scenario_->endpoints[index].node.value];
  }
  return std::move(changed.speed);
}

// Notes whether requests reach an endpoint in order: all clients are equally far away for the whole run, to the
// nanosecond.
void ServerQueues::note_order() {
  constant_ways_ =
      !LinkJitter(*scenario_).any() &&
      std::none_of(scenario_->changes.begin(), scenario_->changes.end(), [](const scenario::Change& change) {
        const auto* const link = std::get_if<scenario::LinkChange>(&change.effect);
        return link != nullptr && link->latency;
      });
  std::vector<std::uint8_t> known(scenario_->nodes.size(), 0);  // 1: in order, 2: not
  for (std::size_t index = 0; index < endpoints_.size() && constant_ways_; ++index) {
    const config::NodeIndex node = scenario_->endpoints[index].node;
    if (known[node.value] == 0) {
      const auto& clients = scenario_->clients;
      const bool alike = std::all_of(clients.begin(), clients.end(), [&](const scenario::ClientEntry& client) {
        return world_->latency(client.node, node) == world_->latency(clients.front().node, node);
      });
      known[node.value] = alike ? 1 : 2;
    }
    endpoints_[index].in_order = known[node.value] == 1;
  }
}

// True if there are only a few different paths.
bool ServerQueues::ways_are_few() const {
  constexpr std::size_t few_zones = 8;
  return constant_ways_ && scenario_->zones.size() <= few_zones &&
         std::none_of(scenario_->clients.begin(), scenario_->clients.end(),
                      [](const scenario::ClientEntry& client) { return client.zone_proxy.has_value(); });
}

bool ServerQueues::all_foreseen() const noexcept {
  return constant_ways_ && std::none_of(endpoints_.begin(), endpoints_.end(), [](const Endpoint& endpoint) {
           return endpoint.server != none && endpoint.disturbed;
         });
}

ServerQueues::Foreseen ServerQueues::foreseen(config::EndpointIndex index) noexcept {
  const Endpoint& endpoint = endpoints_[index.value];
  Foreseen result;
  result.distribution_ = endpoint.distribution == none ? nullptr : &distributions_[endpoint.distribution];
  result.server_ = endpoint.server == none ? nullptr : &fifo_[endpoint.server];
  result.service_time_ = endpoint.service_time;
  return result;
}

void ServerQueues::send(config::EndpointIndex index, const Journey& journey, Nanoseconds now) {
  Endpoint& endpoint = endpoints_[index.value];
  const std::uint64_t sequence = calendar_->draw_sequence();
  if (endpoint.server == none) {
    settle(journey, journey.moment.kind, now + journey.way.whole() + draw_service_time(endpoint), sequence);
    return;
  }
  if (!endpoint.disturbed && endpoint.in_order) {
    reach_fifo(index, journey, now + journey.way.there, sequence);
    return;
  }
  if (!endpoint.disturbed && journey.way.there == Nanoseconds{0}) {
    reach_fifo_or_break(index.value, journey, true, sequence, now);
    return;
  }
  const Job job{.journey = journey, .sequence = sequence, .endpoint = index.value, .waits = true, .used = true};
  const std::uint32_t place = add_job(job);
  const Nanoseconds arrival = now + journey.way.there;
  if (journey.way.there == Nanoseconds{0}) {
    reach(place, now);
    return;
  }
  if (stand_apart()) {
    stand_in_line({.at = arrival, .sequence = sequence, .endpoint = index.value, .proxy = place, .is_job = true}, now);
  } else {
    calendar_->push_first({.at = arrival, .target = place, .kind = CalendarEventKind::reaches_server}, sequence);
  }
  if (journey.deadline < arrival) {
    settle(journey, journey.moment.kind, engine::Calendar::never, sequence);
    jobs_[place].waits = false;
  }
}

void ServerQueues::prefetch(const CalendarEvent& moment, unsigned step) const noexcept {
  if (moment.kind != CalendarEventKind::reaches_server) {
    return;
  }
  const Job& job = jobs_[moment.target];
  if (step == 0) {
    prefetch_all(job);
  } else if (step == 1) {
    prefetch(config::EndpointIndex{job.endpoint});
  }
}

void ServerQueues::prefetch(config::EndpointIndex index) const noexcept {
  const Endpoint& endpoint = endpoints_[index.value];
  if (endpoint.distribution != none) {
    distributions_[endpoint.distribution].prefetch();
  }
  if (endpoint.server != none && !endpoint.disturbed) {
    __builtin_prefetch(&fifo_[endpoint.server], 1);
  }
}

// Delivers the response to its sender at this time, unless the sender has given up before.
void ServerQueues::settle(const Journey& journey, CalendarEventKind kind, Nanoseconds answer, std::uint64_t sequence) {
  CalendarEvent met = journey.moment;
  met.at = std::min(answer, journey.deadline);
  met.kind = answer > journey.deadline ? journey.late : kind;
  engine::push_answer(*calendar_, met, sequence);
}

std::uint32_t ServerQueues::add_job(const Job& job) {
  if (free_jobs_.empty()) {
    jobs_.push_back(job);
    return static_cast<std::uint32_t>(jobs_.size()) - 1;
  }
  const std::uint32_t place = free_jobs_.back();
  free_jobs_.pop_back();
  jobs_[place] = job;
  return place;
}

void ServerQueues::remove_job(std::uint32_t job) {
  jobs_[job].used = false;
  free_jobs_.push_back(job);
}

void ServerQueues::simulate(const CalendarEvent& moment) {
  switch (moment.kind) {
    case CalendarEventKind::reaches_server:
      reach(moment.target, moment.at);
      return;
    case CalendarEventKind::leaves_server:
      if (disturbed_[moment.target].next_departure == moment.at) {
        disturbed_[moment.target].next_departure = engine::DisturbedServer::never;
        depart_until(moment.target, moment.at);
        arm(moment.target);
      }
      return;
    default:
      pass_deadlines(moment.target, moment.at);
  }
}

void ServerQueues::reach(std::uint32_t place, Nanoseconds now) {
  const Job& job = jobs_[place];
  if (endpoints_[job.endpoint].disturbed &&
      world_->outages(endpoints_[job.endpoint].node) == job.journey.moment.node_outages) {
    reach_disturbed(place, now);
    return;
  }
  reach_fifo_or_break(job.endpoint, job.journey, job.waits, job.sequence, now);
  remove_job(place);
}

void ServerQueues::reach_fifo_or_break(std::uint32_t index, const Journey& journey, bool waits, std::uint64_t sequence,
                                       Nanoseconds now) {
  Endpoint& endpoint = endpoints_[index];
  if (world_->outages(endpoint.node) != journey.moment.node_outages) {
    if (waits) {
      settle(journey, CalendarEventKind::reset, now + journey.way.back, sequence);
    }
  } else if (waits) {
    reach_fifo(config::EndpointIndex{index}, journey, now, sequence);
  } else {
    // A request whose sender has given up still occupies a core; its response is dropped.
    (void)fifo_[endpoint.server].arrive(now, draw_service_time(endpoint));
  }
}

void ServerQueues::reach_fifo(config::EndpointIndex index, const Journey& journey, Nanoseconds at,
                              std::uint64_t sequence) {
  Endpoint& endpoint = endpoints_[index.value];
  const auto served = fifo_[endpoint.server].arrive(at, draw_service_time(endpoint));
  settle(journey, served ? journey.moment.kind : CalendarEventKind::queue_full,
         (served ? served->end : at) + journey.way.back, sequence);
}

void ServerQueues::reach_disturbed(std::uint32_t place, Nanoseconds now) {
  Job& job = jobs_[place];
  Endpoint& endpoint = endpoints_[job.endpoint];
  depart_until(endpoint.server, now);
  Disturbed& of = disturbed_[endpoint.server];
  if (!of.server.arrive(now, place, draw_service_time(endpoint))) {
    if (job.waits) {
      settle(job.journey, CalendarEventKind::queue_full, now + job.journey.way.back, job.sequence);
    }
    remove_job(place);
  } else if (job.waits && job.journey.deadline != engine::Calendar::never) {
    add_deadline(endpoint.server, {job.journey.deadline, job.sequence, place});
  }
  arm(endpoint.server);
}

void ServerQueues::depart_until(std::uint32_t server, Nanoseconds now) {
  Disturbed& of = disturbed_[server];
  while (of.server.next_departure() <= now) {
    const engine::DisturbedServer::Departure departure = of.server.depart();
    const Job& job = jobs_[departure.request];
    if (job.waits) {
      settle(job.journey, job.journey.moment.kind, departure.at + job.journey.way.back, job.sequence);
    }
    remove_job(departure.request);
  }
}

// Ensures that the server's next departure and deadline are in the calendar.
void ServerQueues::arm(std::uint32_t server) {
  Disturbed& of = disturbed_[server];
  if (const Nanoseconds departure = of.server.next_departure(); departure < of.next_departure) {
    of.next_departure = departure;
    calendar_->push_first({.at = departure, .target = server, .kind = CalendarEventKind::leaves_server},
                          calendar_->draw_sequence());
  }
  if (!of.deadlines.empty() && of.deadlines.front().at < of.next_deadline) {
    of.next_deadline = of.deadlines.front().at;
    calendar_->push_first({.at = of.next_deadline, .target = server, .kind = CalendarEventKind::server_deadline},
                          calendar_->draw_sequence());
  }
}

bool ServerQueues::is_over(const Deadline& deadline) const noexcept {
  const Job& job = jobs_[deadline.job];
  return !job.used || job.sequence != deadline.sequence || !job.waits;
}

void ServerQueues::add_deadline(std::uint32_t server, const Deadline& deadline) {
  Disturbed& of = disturbed_[server];
  constexpr std::size_t always_kept = 64;
  if (of.deadlines.size() > 2 * of.server.present() + always_kept) {
    std::erase_if(of.deadlines, [this](const Deadline& old) { return is_over(old); });
    std::make_heap(of.deadlines.begin(), of.deadlines.end(), later_deadline);
  }
  of.deadlines.push_back(deadline);
  std::push_heap(of.deadlines.begin(), of.deadlines.end(), later_deadline);
}

void ServerQueues::pass_deadlines(std::uint32_t server, Nanoseconds now) {
  Disturbed& of = disturbed_[server];
  if (of.next_deadline != now) {
    return;
  }
  depart_until(server, now);
  while (!of.deadlines.empty() && (of.deadlines.front().at <= now || is_over(of.deadlines.front()))) {
    const Deadline deadline = of.deadlines.front();
    std::pop_heap(of.deadlines.begin(), of.deadlines.end(), later_deadline);
    of.deadlines.pop_back();
    if (!is_over(deadline)) {
      Job& job = jobs_[deadline.job];
      settle(job.journey, job.journey.moment.kind, engine::Calendar::never, job.sequence);
      job.waits = false;
    }
  }
  of.next_deadline = engine::DisturbedServer::never;
  arm(server);
}

void ServerQueues::for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const {
  for (const engine::ServiceDraws& distribution : distributions_) {
    visit(distribution.stream());
  }
}

}  // namespace spillway::run
