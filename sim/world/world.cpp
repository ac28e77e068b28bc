#include "sim/world/world.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <functional>
#include <simgrid/s4u.hpp>
#include <string>
#include <unordered_map>

namespace spillway::world {

namespace s4u = simgrid::s4u;

namespace {

constexpr double nominal_speed = 1e9;       // flops; nothing computes in the modes that are built on this
constexpr double nominal_bandwidth = 1e15;  // bytes a second; links without a bandwidth do not limit

double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-9;
}
Nanoseconds nanoseconds(double time) {
  return Nanoseconds{std::llround(time * 1e9)};
}

// SimGrid's engine replaces the process's signal handlers, one of which turns an interrupt into exit code 1.
class KeptSignalHandlers {
 public:
  KeptSignalHandlers() {
    for (std::size_t index = 0; index < signals.size(); ++index) {
      sigaction(signals[index], nullptr, &kept_[index]);
    }
  }
  ~KeptSignalHandlers() {
    for (std::size_t index = 0; index < signals.size(); ++index) {
      sigaction(signals[index], &kept_[index], nullptr);
    }
  }
  KeptSignalHandlers(const KeptSignalHandlers&) = delete;
  KeptSignalHandlers& operator=(const KeptSignalHandlers&) = delete;

 private:
  static constexpr std::array<int, 4> signals{SIGINT, SIGSEGV, SIGABRT, SIGTERM};
  std::array<struct sigaction, signals.size()> kept_{};
};

std::unique_ptr<s4u::Engine> make_engine() {
  const KeptSignalHandlers kept;
  std::array<std::string, 2> arguments{"spillway", "--log=root.thresh:critical"};
  std::array<char*, 3> pointers{arguments[0].data(), arguments[1].data(), nullptr};
  int count = 2;
  return std::make_unique<s4u::Engine>(&count, pointers.data());
}

// SimGrid's signals cannot be disconnected one by one, so what is connected once looks up who listens now.
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

struct World::Platform {
  std::unique_ptr<s4u::Engine> engine = make_engine();
  double clock_at_start = s4u::Engine::get_clock();
  std::vector<s4u::Host*> hosts;                                         // by node
  std::vector<s4u::Link*> links;                                         // by link
  std::vector<std::pair<config::ZoneIndex, config::ZoneIndex>> between;  // by link

  explicit Platform(const scenario::Scenario& scenario) {
    s4u::NetZone* root = s4u::create_full_zone("everything");
    std::vector<s4u::NetZone*> zones;
    std::vector<simgrid::kernel::routing::NetPoint*> gateways;
    for (const scenario::Zone& zone : scenario.zones) {
      zones.push_back(s4u::create_star_zone("zone:" + zone.name)->set_parent(root));
      gateways.push_back(zones.back()->create_router("gateway:" + zone.name));
    }
    for (std::uint32_t node = 0; node < scenario.nodes.size(); ++node) {
      hosts.push_back(zones[scenario.nodes[node].zone.value]->create_host(host_name(scenario, config::NodeIndex{node}),
                                                                          nominal_speed));
      hosts.back()->seal();
    }
    for (s4u::NetZone* zone : zones) {
      zone->seal();
    }
    for (const scenario::Link& link : scenario.links) {
      const std::uint32_t first = link.first.value;
      const std::uint32_t second = link.second.value;
      links.push_back(
          root->create_link("link:" + scenario.zones[first].name + ":" + scenario.zones[second].name, nominal_bandwidth)
              ->set_latency(seconds(link.latency))
              ->seal());
      between.emplace_back(link.first, link.second);
      root->add_route(zones[first]->get_netpoint(), zones[second]->get_netpoint(), gateways[first], gateways[second],
                      {s4u::LinkInRoute(links.back())});
    }
    root->seal();
  }
};

std::string host_name(const scenario::Scenario& scenario, config::NodeIndex node) {
  return "node:" + scenario.nodes[node.value].name;
}

World::World(const scenario::Scenario& scenario)
    : zones_(scenario.zones.size()),
      node_on_(scenario.nodes.size(), 1),
      node_outages_(scenario.nodes.size(), 0),
      zone_latency_(zones_ * zones_, Nanoseconds{0}),
      zone_linked_(zones_ * zones_, 1),
      platform_(std::make_unique<Platform>(scenario)) {
  connect_signals_once();
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
    node_zone_.push_back(scenario.nodes[node].zone.value);
    listeners().hosts.emplace(platform_->hosts[node], [this, node](bool on) {
      node_on_[node] = on ? 1 : 0;
      node_outages_[node] += on ? 0 : 1;
    });
  }
  for (std::size_t link = 0; link < scenario.links.size(); ++link) {
    read_link(link);
    listeners().links.emplace(platform_->links[link], [this, link](bool) { read_link(link); });
  }
}

World::~World() {
  listeners() = {};
}

Nanoseconds World::now() const {
  return nanoseconds(s4u::Engine::get_clock() - platform_->clock_at_start);
}

void World::advance_to(Nanoseconds time) {
  // run_until may stop short of the date where SimGrid has an event of its own. The clocks are compared as SimGrid
  // keeps them: past 100 days its doubles no longer tell every nanosecond apart.
  const double date = platform_->clock_at_start + seconds(time);
  while (s4u::Engine::get_clock() < date) {
    platform_->engine->run_until(date);
  }
}

void World::set_on(config::NodeIndex node, bool on) {
  s4u::Host* host = platform_->hosts[node.value];
  if (on) {
    host->turn_on();
  } else {
    host->turn_off();
  }
}

void World::set_on(config::LinkIndex link, bool on) {
  if (on) {
    platform_->links[link.value]->turn_on();
  } else {
    platform_->links[link.value]->turn_off();
  }
}

void World::set_latency(config::LinkIndex link, Nanoseconds latency) {
  platform_->links[link.value]->set_latency(seconds(latency));
  read_link(link.value);
}

void World::read_link(std::size_t link) {
  const auto [first, second] = platform_->between[link];
  const Nanoseconds latency = nanoseconds(platform_->links[link]->get_latency());
  const std::uint8_t linked = platform_->links[link]->is_on() ? 1 : 0;
  for (const std::size_t pair :
       {std::size_t{first.value} * zones_ + second.value, std::size_t{second.value} * zones_ + first.value}) {
    zone_latency_[pair] = latency;
    zone_linked_[pair] = linked;
  }
}

}  // namespace spillway::world
