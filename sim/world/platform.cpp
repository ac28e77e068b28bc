#include "sim/world/platform.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <variant>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::world {

namespace s4u = simgrid::s4u;

namespace {

constexpr double nominal_bandwidth = 1e15;    // bytes per second, of links that do not limit
constexpr int any_number_of_cores = 1 << 20;  // of nodes that do not limit
constexpr double bits_in_a_byte = 8.0;

// Restores the process's signal handlers after SimGrid's engine has replaced them; one of its handlers turns an
// interrupt into exit code 1.
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

// Returns the slownesses that an endpoint will ever have, 1 first.
std::vector<double> slownesses_of(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  std::vector<double> result = {1.0};
  for (const scenario::Change& change : scenario.changes) {
    const auto* const slow = std::get_if<scenario::Slow>(&change.effect);
    if (slow == nullptr) {
      continue;
    }
    const auto& hosts = scenario.services[slow->service.value].hosts;
    const bool concerned = std::any_of(slow->hosts.begin(), slow->hosts.end(),
                                       [&](config::HostIndex host) { return hosts[host.value].endpoint == endpoint; });
    if (concerned && std::find(result.begin(), result.end(), slow->slowness) == result.end()) {
      result.push_back(slow->slowness);
    }
  }
  return result;
}

}  // namespace

// Returns an engine with CM02 without TCP's window and without acknowledgements that use bandwidth: a transfer sends
// its bytes through its share of the bandwidth. Dates closer to each other than the precision are one.
std::unique_ptr<s4u::Engine> make_engine() {
  const KeptSignalHandlers kept;
  std::array<std::string, 6> arguments{"spillway",
                                       "--log=root.thresh:critical",
                                       "--cfg=network/model:CM02",
                                       "--cfg=network/TCP-gamma:0",
                                       "--cfg=network/crosstraffic:0",
                                       "--cfg=surf/precision:1e-12"};
  std::array<char*, arguments.size() + 1> pointers{};
  std::transform(arguments.begin(), arguments.end(), pointers.begin(), [](std::string& text) { return text.data(); });
  int count = arguments.size();
  return std::make_unique<s4u::Engine>(&count, pointers.data());
}

World::Platform::Platform(const scenario::Scenario& scenario, Use use)
    : engine(make_engine()), clock_at_start(s4u::Engine::get_clock()) {
  s4u::NetZone* root = s4u::create_full_zone("everything");
  std::vector<s4u::NetZone*> zones;
  std::vector<simgrid::kernel::routing::NetPoint*> gateways;
  // SimGrid's objects are numbered, since it accepts no name twice, and a scenario's names are arbitrary.
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    zones.push_back(s4u::create_star_zone("zone:" + std::to_string(zone))->set_parent(root));
    gateways.push_back(zones.back()->create_router("gateway:" + std::to_string(zone)));
  }
  for (std::uint32_t node = 0; node < scenario.nodes.size(); ++node) {
    const auto& servers = scenario.nodes[node].servers;
    hosts.push_back(
        zones[scenario.nodes[node].zone.value]->create_host(host_name(config::NodeIndex{node}), nominal_speed));
    hosts.back()->set_core_count(servers ? static_cast<int>(servers->cores) : any_number_of_cores);
    hosts.back()->seal();
  }
  if (use == Use::activities) {
    for (std::size_t zone = 0; zone < zones.size(); ++zone) {
      ports.push_back(zones[zone]->create_host("port:" + std::to_string(zone), nominal_speed));
      ports.back()->seal();
    }
    add_workshops(scenario, zones);
    s4u::NetZone* const nowhere = s4u::create_star_zone("outside")->set_parent(root);
    outside = nowhere->create_host("outside", nominal_speed);
    outside->seal();
    nowhere->seal();
  }
  for (s4u::NetZone* zone : zones) {
    zone->seal();
  }
  add_links(scenario, root, zones, gateways);
  root->seal();
}

void World::Platform::add_workshops(const scenario::Scenario& scenario, const std::vector<s4u::NetZone*>& zones) {
  for (std::uint32_t node = 0; node < scenario.nodes.size(); ++node) {
    workshops.push_back({hosts[node], config::NodeIndex{node}});
  }
  for (std::uint32_t index = 0; index < scenario.endpoints.size(); ++index) {
    const scenario::Endpoint& endpoint = scenario.endpoints[index];
    if (!endpoint.servers) {
      workshop_of.push_back(endpoint.node.value);
      continue;
    }
    workshop_of.push_back(static_cast<std::uint32_t>(workshops.size()));
    Workshop& own = workshops.emplace_back();
    own.node = endpoint.node;
    own.slownesses = slownesses_of(scenario, config::EndpointIndex{index});
    std::vector<double> speeds;
    for (const double slowness : own.slownesses) {
      speeds.push_back(nominal_speed / slowness);
    }
    own.host =
        zones[scenario.nodes[endpoint.node.value].zone.value]->create_host("cores:" + std::to_string(index), speeds);
    own.host->set_core_count(static_cast<int>(endpoint.servers->cores));
    own.host->seal();
  }
}

void World::Platform::add_links(const scenario::Scenario& scenario, s4u::NetZone* root,
                                const std::vector<s4u::NetZone*>& zones,
                                const std::vector<simgrid::kernel::routing::NetPoint*>& gateways) {
  // SimGrid looks up each link's name in every zone, which takes seconds for 100,000 links. So links are created only
  // if they carry traffic.
  const bool carry = outside != nullptr;
  for (const scenario::Link& link : scenario.links) {
    const auto add = [&](config::ZoneIndex from, config::ZoneIndex to) {
      const double bandwidth = link.bandwidth ? *link.bandwidth / bits_in_a_byte : nominal_bandwidth;
      s4u::Link* const way =
          root->create_link("link:" + std::to_string(from.value) + ":" + std::to_string(to.value), bandwidth)
              ->set_latency(0.0)
              ->seal();
      root->add_route(zones[from.value]->get_netpoint(), zones[to.value]->get_netpoint(), gateways[from.value],
                      gateways[to.value], {s4u::LinkInRoute(way)}, false);
      return way;
    };
    links.push_back({link.first, link.second, carry ? add(link.first, link.second) : nullptr,
                     carry ? add(link.second, link.first) : nullptr, link.bandwidth.has_value()});
  }
  if (!carry) {
    return;
  }
  by_zones.assign(zones.size(), std::vector<const TwoWays*>(zones.size(), nullptr));
  for (const TwoWays& link : links) {
    by_zones[link.first.value][link.second.value] = &link;
    by_zones[link.second.value][link.first.value] = &link;
  }
}

}  // namespace spillway::world
