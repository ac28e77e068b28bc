#include "sim/world/world.hpp"

#include <functional>
#include <simgrid/s4u.hpp>
#include <string>
#include <unordered_map>

#include "sim/scenario/scenario.hpp"
#include "sim/world/platform.hpp"

namespace spillway::world {

namespace s4u = simgrid::s4u;

namespace {

// SimGrid's signals cannot be disconnected one by one. So each is connected once and looks up the current listeners.
struct Listeners {
  std::unordered_map<const s4u::Host*, std::function<void(bool on)>> hosts;
  std::unordered_map<const s4u::Link*, std::function<void(bool on)>> links;
};

Listeners& listeners() {
  static Listeners listening;
  return listening;
}

template <class Resource>
void tell(const std::unordered_map<const Resource*, std::function<void(bool)>>& listening, const Resource& resource) {
  const auto found = listening.find(&resource);
  if (found != listening.end()) {
    found->second(resource.is_on());
  }
}

void connect_signals_once() {
  static const bool connected = [] {
    s4u::Host::on_state_change_cb([](const s4u::Host& host) { tell(listeners().hosts, host); });
    s4u::Link::on_state_change_cb([](const s4u::Link& link) { tell(listeners().links, link); });
    return true;
  }();
  static_cast<void>(connected);
}

}  // namespace

std::string host_name(config::NodeIndex node) {
  return "node:" + std::to_string(node.value);
}

World::World(const scenario::Scenario& scenario, Use use)
    : use_(use),
      zones_(scenario.zones.size()),
      node_on_(scenario.nodes.size(), 1),
      node_outages_(scenario.nodes.size(), 0),
      zone_latency_(zones_ * zones_, Nanoseconds{0}),
      zone_linked_(zones_ * zones_, 1),
      platform_(std::make_unique<Platform>(scenario, use)) {
  connect_signals_once();
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
    node_zone_.push_back(scenario.nodes[node].zone.value);
    listeners().hosts.emplace(platform_->hosts[node], [this, node](bool on) {
      node_on_[node] = on ? 1 : 0;
      node_outages_[node] += on ? 0 : 1;
      any_outage_ = any_outage_ || !on;
    });
  }
  for (std::size_t link = 0; link < scenario.links.size(); ++link) {
    set_latency(config::LinkIndex{static_cast<std::uint32_t>(link)}, scenario.links[link].latency);
    if (use_ == Use::clock) {
      continue;
    }
    read_link(link);
    for (const s4u::Link* const way : {platform_->links[link].there, platform_->links[link].back}) {
      listeners().links.emplace(way, [this, link](bool) { read_link(link); });
    }
  }
}

World::~World() {
  listeners() = {};
}

Nanoseconds World::now() const {
  return nanoseconds(s4u::Engine::get_clock() - platform_->clock_at_start);
}

void World::advance_to(Nanoseconds time) {
  // run_until may stop before the date if SimGrid has an event of its own. The clocks are compared in SimGrid's
  // doubles: past 100 days these no longer distinguish every nanosecond.
  const double date = platform_->clock_at_start + seconds(time);
  while (s4u::Engine::get_clock() < date) {
    platform_->engine->run_until(date);
  }
}

void World::set_on(config::NodeIndex node, bool on) {
  const auto set = [on](s4u::Host* host) {
    if (on) {
      host->turn_on();
    } else {
      host->turn_off();
    }
  };
  set(platform_->hosts[node.value]);
  for (std::size_t own = platform_->hosts.size(); own < platform_->workshops.size(); ++own) {
    if (platform_->workshops[own].node == node) {
      set(platform_->workshops[own].host);
    }
  }
}

void World::set_on(config::LinkIndex link, bool on) {
  const TwoWays& ways = platform_->links[link.value];
  if (use_ == Use::clock) {
    keep_linked(ways, on);
    return;
  }
  for (s4u::Link* const way : {ways.there, ways.back}) {
    if (on) {
      way->turn_on();
    } else {
      way->turn_off();
    }
  }
}

void World::set_latency(config::LinkIndex link, Nanoseconds latency) {
  const TwoWays& ways = platform_->links[link.value];
  zone_latency_[std::size_t{ways.first.value} * zones_ + ways.second.value] = latency;
  zone_latency_[std::size_t{ways.second.value} * zones_ + ways.first.value] = latency;
}

void World::keep_linked(const TwoWays& ways, bool linked) {
  zone_linked_[std::size_t{ways.first.value} * zones_ + ways.second.value] = linked ? 1 : 0;
  zone_linked_[std::size_t{ways.second.value} * zones_ + ways.first.value] = linked ? 1 : 0;
}

// Updates a link: if it is off in one direction, it carries no responses, or no requests.
void World::read_link(std::size_t link) {
  const TwoWays& ways = platform_->links[link];
  keep_linked(ways, ways.there->is_on() && ways.back->is_on());
}

}  // namespace spillway::world
