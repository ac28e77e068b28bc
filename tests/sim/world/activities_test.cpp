#include "sim/world/activities.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <simgrid/s4u.hpp>
#include <stdexcept>

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/serving.hpp"
#include "tests/support/confidence.hpp"
#include "tests/support/draws.hpp"

using namespace std::chrono_literals;
using spillway::config::EndpointIndex;
using spillway::config::LinkIndex;
using spillway::config::NodeIndex;
using spillway::config::ZoneIndex;
using spillway::scenario::Discipline;
using spillway::scenario::LinkChange;
using spillway::scenario::Scenario;
using spillway::scenario::Servers;
using spillway::world::Activities;
using spillway::world::Ending;
using spillway::world::Trip;
using spillway::world::World;

using Nanoseconds = std::chrono::nanoseconds;

namespace {

constexpr std::uint64_t megabyte = 1'000'000;

// Two zones with a link of 1 ms that carries a megabyte a second each way, and one endpoint in the second zone.
Scenario two_zones(const Servers& servers = {.cores = 2}) {
  Scenario scenario;
  scenario.duration = 100s;
  scenario.zones = {{"zone-1", ""}, {"zone-2", ""}, {"zone-3", ""}};
  scenario.nodes = {{"z1", ZoneIndex{0}, ""}, {"z2", ZoneIndex{1}, ""}, {"z3", ZoneIndex{2}, ""}};
  scenario.links = {{.first = ZoneIndex{0}, .second = ZoneIndex{1}, .latency = 1ms, .bandwidth = 8e6}};
  scenario.endpoints.push_back({"backend-1", NodeIndex{1}});
  scenario.endpoints.back().servers = servers;
  scenario.services.emplace_back();
  scenario.services.back().hosts.push_back({EndpointIndex{0}});
  return scenario;
}

// What becomes of trips, by the name that each was given.
struct Simulated {
  struct End {
    Ending ending = Ending::answered;
    std::size_t hops = 0;
    Nanoseconds at{0};
  };

  explicit Simulated(const Scenario& scenario) : world(scenario, World::Use::activities), activities(scenario, world) {}

  void start(char name, std::uint64_t request_bytes, std::uint64_t response_bytes, Nanoseconds service_time,
             std::vector<NodeIndex> way = {NodeIndex{0}, NodeIndex{1}}) {
    activities.start(
        {.way = std::move(way),
         .endpoint = EndpointIndex{0},
         .request_bytes = request_bytes,
         .response_bytes = response_bytes,
         .reach = [service_time] { return service_time; },
         .end = [this, name](Ending ending, std::size_t hops) { ends[name] = {ending, hops, world.now()}; }});
  }
  void wait_until(Nanoseconds time) {
    while (!activities.wait_until(time)) {
    }
  }
  // Time for everything to end.
  void wait() { wait_until(90s); }

  World world;
  Activities activities;
  std::map<char, End> ends;
};

}  // namespace

TEST_CASE("a trip takes the latency and its bytes both ways, and its service time") {
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 3 * megabyte, 500ms);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].ending == Ending::answered);
  CHECK(simulated.ends['a'].hops == 2);
  CHECK(simulated.ends['a'].at == 1ms + 1s + 500ms + 1ms + 3s);
}

TEST_CASE("two equal transfers on one link get half its bandwidth each, and what goes the other way none of theirs") {
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 0, 0ns);
    simulated.start('b', megabyte, 0, 0ns);
    simulated.start('c', 0, megabyte, 0ns);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 2ms + 2s);
  CHECK(simulated.ends['b'].at == 2ms + 2s);
  CHECK(simulated.ends['c'].at == 2ms + 1s);
}

TEST_CASE("a transfer that comes later shares what is left of the other: max-min fairness by hand") {
  // The first has the link alone for 0.5 s, both share it for 1 s, and the second has it alone for its last 0.5 s.
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 0, 0ns);
    simulated.wait_until(500ms);
    simulated.start('b', megabyte, 0, 0ns);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 2ms + 1500ms);
  CHECK(simulated.ends['b'].at == 2ms + 2s);
}

TEST_CASE("Poisson transfers share a link as M/D/1 with processor sharing: they take S / (1 - rho) on average") {
  constexpr double rho = 0.6;
  constexpr int transfers = 6'000;
  constexpr double mean_gap = 1e9 / rho;  // nanoseconds, since one takes a second alone
  Simulated simulated(two_zones());
  spillway::support::Draws draws(7);
  std::vector<double> times(transfers);
  simulated.activities.conduct([&] {
    Nanoseconds at{0};
    for (int number = 0; number < transfers; ++number) {
      at += Nanoseconds{std::llround(-std::log(spillway::engine::unit_interval(draws)) * mean_gap)};
      simulated.wait_until(at);
      simulated.activities.start({.way = {NodeIndex{0}, NodeIndex{1}},
                                  .endpoint = EndpointIndex{0},
                                  .request_bytes = megabyte,
                                  .reach = [] { return Nanoseconds{0}; },
                                  .end =
                                      [&, at, number](Ending /*ending*/, std::size_t /*hops*/) {
                                        times[static_cast<std::size_t>(number)] =
                                            static_cast<double>((simulated.world.now() - at - 2ms).count()) * 1e-9;
                                      }});
    }
    simulated.wait_until(at + 1h);
  });
  const spillway::support::Interval interval = spillway::support::batch_means(times);
  INFO(interval.middle << " +- " << interval.half_width);
  CHECK(interval.contains(1.0 / (1.0 - rho)));
  CHECK(interval.half_width < 0.5);
}

TEST_CASE("where there is no link, or one without bandwidth, size costs nothing") {
  Scenario scenario = two_zones();
  scenario.links[0].bandwidth.reset();
  Simulated simulated(scenario);
  simulated.activities.conduct([&] {
    simulated.start('a', 1'000'000 * megabyte, 1'000'000 * megabyte, 0ns);
    simulated.start('b', megabyte, megabyte, 0ns, {NodeIndex{2}, NodeIndex{1}});
    simulated.start('c', megabyte, megabyte, 0ns, {NodeIndex{1}, NodeIndex{1}});
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 2ms);
  CHECK(simulated.ends['b'].at == 0ms);
  CHECK(simulated.ends['c'].at == 0ms);
}

TEST_CASE("cores take requests first in, first out") {
  Simulated simulated(two_zones({.cores = 2, .queue = 2}));
  simulated.activities.conduct([&] {
    for (const char name : {'a', 'b', 'c', 'd', 'e'}) {
      simulated.start(name, 0, 0, 10ms);
    }
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 12ms);
  CHECK(simulated.ends['b'].at == 12ms);
  CHECK(simulated.ends['c'].at == 22ms);
  CHECK(simulated.ends['d'].at == 22ms);
  CHECK(simulated.ends['e'].ending == Ending::turned_away);
  CHECK(simulated.ends['e'].at == 2ms);
}

TEST_CASE("shared cores work on all requests at once, each on one core at most") {
  Scenario scenario = two_zones({.cores = 2, .queue = {}, .discipline = Discipline::processor_sharing});
  scenario.changes.push_back({1s, spillway::scenario::Slow{{}, {spillway::config::HostIndex{0}}, 2.0}, {}});
  Simulated simulated(scenario);
  simulated.activities.conduct([&] {
    simulated.start('a', 0, 0, 10ms);
    simulated.wait_until(500ms);
    for (const char name : {'b', 'c', 'd', 'e'}) {
      simulated.start(name, 0, 0, 10ms);
    }
    simulated.wait_until(1s);
    simulated.start('f', 0, 0, 10ms);
    simulated.wait_until(1006ms);  // half of it is done
    simulated.activities.set_slowness(EndpointIndex{0}, 2.0);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 12ms);
  for (const char name : {'b', 'c', 'd', 'e'}) {
    CHECK(simulated.ends[name].at == 522ms);
  }
  CHECK(simulated.ends['f'].at == 1s + 1ms + 5ms + 10ms + 1ms);
}

TEST_CASE("a link that fails loses what is on it, both ways") {
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 0, 0ns);
    simulated.start('b', 0, megabyte, 0ns);
    simulated.start('c', 0, 0, 5s);
    simulated.wait_until(500ms);
    simulated.world.set_on(LinkIndex{0}, false);
    simulated.wait_until(1s);
    simulated.world.set_on(LinkIndex{0}, true);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].ending == Ending::lost);
  CHECK(simulated.ends['a'].hops == 0);
  CHECK(simulated.ends['a'].at == 500ms);
  CHECK(simulated.ends['b'].ending == Ending::lost);
  CHECK(simulated.ends['b'].hops == 1);
  CHECK(simulated.ends['c'].ending == Ending::answered);
}

TEST_CASE("a node that goes off breaks off what it serves and what waits there") {
  Simulated simulated(two_zones({.cores = 1}));
  simulated.activities.conduct([&] {
    for (const char name : {'a', 'b', 'c'}) {
      simulated.start(name, 0, 0, 1s);
    }
    simulated.wait_until(100ms);
    simulated.world.set_on(NodeIndex{1}, false);
    simulated.wait_until(200ms);
    simulated.world.set_on(NodeIndex{1}, true);
    simulated.start('d', 0, 0, 1s);
    simulated.wait();
  });
  for (const char name : {'a', 'b', 'c'}) {
    CHECK(simulated.ends[name].ending == Ending::broken_off);
    CHECK(simulated.ends[name].at == 100ms);
  }
  CHECK(simulated.ends['d'].ending == Ending::answered);
  CHECK(simulated.ends['d'].at == 1202ms);
}

TEST_CASE("a latency that changes is that of transfers which begin afterwards") {
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', 0, 0, 0ns);
    simulated.wait_until(500us);
    simulated.world.set_latency(LinkIndex{0}, 7ms);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 1ms + 7ms);
}

TEST_CASE("zone proxies pass a request on once they have all of it") {
  Scenario scenario = two_zones();
  scenario.links.push_back({.first = ZoneIndex{1}, .second = ZoneIndex{2}, .latency = 2ms, .bandwidth = 4e6});
  scenario.endpoints[0].node = NodeIndex{2};
  Simulated simulated(scenario);
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 0, 0ns, {NodeIndex{0}, NodeIndex{1}, NodeIndex{2}});
    simulated.wait();
  });
  CHECK(simulated.ends['a'].hops == 4);
  CHECK(simulated.ends['a'].at == 1ms + 1s + 2ms + 2s + 2ms + 1ms);
}

TEST_CASE("what the conductor throws comes out, and the next world begins anew") {
  {
    Simulated simulated(two_zones());
    CHECK_THROWS_AS(simulated.activities.conduct([&] {
      simulated.start('a', megabyte, 0, 0ns);
      simulated.wait_until(100ms);
      throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(simulated.ends.empty());
  }
  Simulated simulated(two_zones());
  simulated.activities.conduct([&] {
    simulated.start('a', megabyte, 0, 0ns);
    simulated.wait();
  });
  CHECK(simulated.ends['a'].at == 2ms + 1s);
}
