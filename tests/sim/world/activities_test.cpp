#include "sim/world/activities.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <simgrid/s4u.hpp>
#include <stdexcept>

#include "sim/engine/random_stream.hpp"
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
struct Played {
  struct End {
    Ending ending = Ending::answered;
    std::size_t hops = 0;
    Nanoseconds at{0};
  };

  explicit Played(const Scenario& scenario) : world(scenario, World::Use::activities), activities(scenario, world) {}

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
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', megabyte, 3 * megabyte, 500ms);
    played.wait();
  });
  CHECK(played.ends['a'].ending == Ending::answered);
  CHECK(played.ends['a'].hops == 2);
  CHECK(played.ends['a'].at == 1ms + 1s + 500ms + 1ms + 3s);
}

TEST_CASE("two equal transfers on one link get half its bandwidth each, and what goes the other way none of theirs") {
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', megabyte, 0, 0ns);
    played.start('b', megabyte, 0, 0ns);
    played.start('c', 0, megabyte, 0ns);
    played.wait();
  });
  CHECK(played.ends['a'].at == 2ms + 2s);
  CHECK(played.ends['b'].at == 2ms + 2s);
  CHECK(played.ends['c'].at == 2ms + 1s);
}

TEST_CASE("a transfer that comes later shares what is left of the other: max-min fairness by hand") {
  // The first has the link alone for 0.5 s, both share it for 1 s, and the second has it alone for its last 0.5 s.
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', megabyte, 0, 0ns);
    played.wait_until(500ms);
    played.start('b', megabyte, 0, 0ns);
    played.wait();
  });
  CHECK(played.ends['a'].at == 2ms + 1500ms);
  CHECK(played.ends['b'].at == 2ms + 2s);
}

TEST_CASE("Poisson transfers share a link as M/D/1 with processor sharing: they take S / (1 - rho) on average") {
  constexpr double rho = 0.6;
  constexpr int transfers = 6'000;
  constexpr double mean_gap = 1e9 / rho;  // nanoseconds, since one takes a second alone
  Played played(two_zones());
  spillway::support::Draws draws(7);
  std::vector<double> times(transfers);
  played.activities.conduct([&] {
    Nanoseconds at{0};
    for (int number = 0; number < transfers; ++number) {
      at += Nanoseconds{std::llround(-std::log(spillway::engine::unit_interval(draws)) * mean_gap)};
      played.wait_until(at);
      played.activities.start({.way = {NodeIndex{0}, NodeIndex{1}},
                               .endpoint = EndpointIndex{0},
                               .request_bytes = megabyte,
                               .reach = [] { return Nanoseconds{0}; },
                               .end =
                                   [&, at, number](Ending /*ending*/, std::size_t /*hops*/) {
                                     times[static_cast<std::size_t>(number)] =
                                         static_cast<double>((played.world.now() - at - 2ms).count()) * 1e-9;
                                   }});
    }
    played.wait_until(at + 1h);
  });
  const spillway::support::Interval interval = spillway::support::batch_means(times);
  INFO(interval.middle << " +- " << interval.half_width);
  CHECK(interval.contains(1.0 / (1.0 - rho)));
  CHECK(interval.half_width < 0.5);
}

TEST_CASE("where there is no link, or one without bandwidth, size costs nothing") {
  Scenario scenario = two_zones();
  scenario.links[0].bandwidth.reset();
  Played played(scenario);
  played.activities.conduct([&] {
    played.start('a', 1'000'000 * megabyte, 1'000'000 * megabyte, 0ns);
    played.start('b', megabyte, megabyte, 0ns, {NodeIndex{2}, NodeIndex{1}});
    played.start('c', megabyte, megabyte, 0ns, {NodeIndex{1}, NodeIndex{1}});
    played.wait();
  });
  CHECK(played.ends['a'].at == 2ms);
  CHECK(played.ends['b'].at == 0ms);
  CHECK(played.ends['c'].at == 0ms);
}

TEST_CASE("cores take requests first in, first out") {
  Played played(two_zones({.cores = 2, .queue = 2}));
  played.activities.conduct([&] {
    for (const char name : {'a', 'b', 'c', 'd', 'e'}) {
      played.start(name, 0, 0, 10ms);
    }
    played.wait();
  });
  CHECK(played.ends['a'].at == 12ms);
  CHECK(played.ends['b'].at == 12ms);
  CHECK(played.ends['c'].at == 22ms);
  CHECK(played.ends['d'].at == 22ms);
  CHECK(played.ends['e'].ending == Ending::turned_away);
  CHECK(played.ends['e'].at == 2ms);
}

TEST_CASE("shared cores work on all requests at once, each on one core at most") {
  Scenario scenario = two_zones({.cores = 2, .queue = {}, .discipline = Discipline::processor_sharing});
  scenario.changes.push_back({1s, spillway::scenario::Slow{{}, {spillway::config::HostIndex{0}}, 2.0}, {}});
  Played played(scenario);
  played.activities.conduct([&] {
    played.start('a', 0, 0, 10ms);
    played.wait_until(500ms);
    for (const char name : {'b', 'c', 'd', 'e'}) {
      played.start(name, 0, 0, 10ms);
    }
    played.wait_until(1s);
    played.start('f', 0, 0, 10ms);
    played.wait_until(1006ms);  // half of it is done
    played.activities.set_slowness(EndpointIndex{0}, 2.0);
    played.wait();
  });
  CHECK(played.ends['a'].at == 12ms);
  for (const char name : {'b', 'c', 'd', 'e'}) {
    CHECK(played.ends[name].at == 522ms);
  }
  CHECK(played.ends['f'].at == 1s + 1ms + 5ms + 10ms + 1ms);
}

TEST_CASE("a link that fails loses what is on it, both ways") {
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', megabyte, 0, 0ns);
    played.start('b', 0, megabyte, 0ns);
    played.start('c', 0, 0, 5s);
    played.wait_until(500ms);
    played.world.set_on(LinkIndex{0}, false);
    played.wait_until(1s);
    played.world.set_on(LinkIndex{0}, true);
    played.wait();
  });
  CHECK(played.ends['a'].ending == Ending::lost);
  CHECK(played.ends['a'].hops == 0);
  CHECK(played.ends['a'].at == 500ms);
  CHECK(played.ends['b'].ending == Ending::lost);
  CHECK(played.ends['b'].hops == 1);
  CHECK(played.ends['c'].ending == Ending::answered);
}

TEST_CASE("a node that goes off breaks off what it serves and what waits there") {
  Played played(two_zones({.cores = 1}));
  played.activities.conduct([&] {
    for (const char name : {'a', 'b', 'c'}) {
      played.start(name, 0, 0, 1s);
    }
    played.wait_until(100ms);
    played.world.set_on(NodeIndex{1}, false);
    played.wait_until(200ms);
    played.world.set_on(NodeIndex{1}, true);
    played.start('d', 0, 0, 1s);
    played.wait();
  });
  for (const char name : {'a', 'b', 'c'}) {
    CHECK(played.ends[name].ending == Ending::broken_off);
    CHECK(played.ends[name].at == 100ms);
  }
  CHECK(played.ends['d'].ending == Ending::answered);
  CHECK(played.ends['d'].at == 1202ms);
}

TEST_CASE("a latency that changes is that of transfers which begin afterwards") {
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', 0, 0, 0ns);
    played.wait_until(500us);
    played.world.set_latency(LinkIndex{0}, 7ms);
    played.wait();
  });
  CHECK(played.ends['a'].at == 1ms + 7ms);
}

TEST_CASE("zone proxies pass a request on once they have all of it") {
  Scenario scenario = two_zones();
  scenario.links.push_back({.first = ZoneIndex{1}, .second = ZoneIndex{2}, .latency = 2ms, .bandwidth = 4e6});
  scenario.endpoints[0].node = NodeIndex{2};
  Played played(scenario);
  played.activities.conduct([&] {
    played.start('a', megabyte, 0, 0ns, {NodeIndex{0}, NodeIndex{1}, NodeIndex{2}});
    played.wait();
  });
  CHECK(played.ends['a'].hops == 4);
  CHECK(played.ends['a'].at == 1ms + 1s + 2ms + 2s + 2ms + 1ms);
}

TEST_CASE("what the conductor throws comes out, and the next world begins anew") {
  {
    Played played(two_zones());
    CHECK_THROWS_AS(played.activities.conduct([&] {
      played.start('a', megabyte, 0, 0ns);
      played.wait_until(100ms);
      throw std::runtime_error("stop");
    }),
                    std::runtime_error);
    CHECK(played.ends.empty());
  }
  Played played(two_zones());
  played.activities.conduct([&] {
    played.start('a', megabyte, 0, 0ns);
    played.wait();
  });
  CHECK(played.ends['a'].at == 2ms + 1s);
}
