// Work in our calendar takes as long as SimGrid's executions of it.
#include "sim/world/machine.hpp"

#include <catch2/catch.hpp>
#include <simgrid/s4u.hpp>

#include "sim/control_plane/shared_cores.hpp"

using namespace std::chrono_literals;
using spillway::control_plane::SharedCores;
using spillway::world::Machine;

TEST_CASE("A machine's clock is SimGrid's, and its cores have a speed", "[world]") {
  Machine machine(3, 2.5);
  CHECK(machine.cores() == 3);
  CHECK(machine.time_of(10ms) == 4ms);
  machine.advance_to(10s);
  CHECK(machine.now() == 10s);
  machine.advance_to(10s + 1ns);
  CHECK(machine.now() == 10s + 1ns);
}

// Ten that begin at 1.00, 1.01, ... s and share three cores, each with more to do than the one before.
TEST_CASE("Work that shares cores is done when SimGrid's executions are", "[world]") {
  constexpr int jobs = 10;
  constexpr double speed = 2.0;
  const auto work_of = [](int job) { return 20ms + job * 7ms; };
  std::vector<double> ours(jobs);
  {
    Machine machine(3, speed);
    SharedCores cores(machine.cores());
    std::chrono::nanoseconds now{0};
    const auto end_before = [&](std::chrono::nanoseconds time) {
      for (now = cores.next_end(); now < time; now = cores.next_end()) {
        ours[cores.take_ended(now)] = std::chrono::duration<double>(now).count();
      }
    };
    for (int job = 0; job < jobs; ++job) {
      end_before(1s + job * 10ms);
      cores.add(1s + job * 10ms, machine.time_of(work_of(job)), static_cast<std::uint32_t>(job));
    }
    end_before(100s);
  }

  namespace s4u = simgrid::s4u;
  int count = 1;
  std::string name = "test";
  char* arguments = name.data();
  s4u::Engine engine(&count, &arguments);
  auto* const zone = s4u::create_star_zone("executions");
  s4u::Host* const host = zone->create_host("executions", speed * 1e9);
  host->set_core_count(3)->seal();
  zone->seal();
  const double start = s4u::Engine::get_clock();
  std::vector<double> theirs(jobs);
  for (int job = 0; job < jobs; ++job) {
    s4u::Actor::create("job", host, [&, job] {
      s4u::this_actor::sleep_until(start + 1.0 + 0.01 * job);
      s4u::this_actor::execute(std::chrono::duration<double>(work_of(job)).count() * 1e9);
      theirs[static_cast<std::size_t>(job)] = s4u::Engine::get_clock() - start;
    });
  }
  engine.run();
  for (std::size_t job = 0; job < jobs; ++job) {
    INFO(job);
    CHECK(ours[job] == Approx(theirs[job]).margin(1e-6));
  }
}
