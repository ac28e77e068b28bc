#include "sim/world/machine.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>

#include "sim/world/platform.hpp"

namespace spillway::world {

struct Machine::Host {
  std::unique_ptr<simgrid::s4u::Engine> engine = make_engine();
  double clock_at_start = simgrid::s4u::Engine::get_clock();
  simgrid::s4u::Host* host = nullptr;
};

Machine::Machine(std::uint32_t cores, double speed) : host_(std::make_unique<Host>()) {
  auto* const zone = simgrid::s4u::create_star_zone("zone-1");
  host_->host = zone->create_host("control-plane", nominal_speed * speed);
  host_->host->set_core_count(static_cast<int>(cores));
  host_->host->seal();
  zone->seal();
}

Machine::~Machine() = default;

Machine::Nanoseconds Machine::now() const {
  return nanoseconds(simgrid::s4u::Engine::get_clock() - host_->clock_at_start);
}

void Machine::advance_to(Nanoseconds time) {
  const double date = host_->clock_at_start + seconds(time);
  while (simgrid::s4u::Engine::get_clock() < date) {
    host_->engine->run_until(date);
  }
}

std::uint32_t Machine::cores() const {
  return static_cast<std::uint32_t>(host_->host->get_core_count());
}

Machine::Nanoseconds Machine::time_of(Nanoseconds work) const {
  constexpr double longest = 1e9;  // seconds: thirty years are practically for ever
  return nanoseconds(std::min(static_cast<double>(work.count()) / host_->host->get_speed(), longest));
}

}  // namespace spillway::world
