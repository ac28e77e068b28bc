#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/engine/disturbed_server.hpp"
#include "sim/engine/fifo_server.hpp"
#include "tests/support/properties.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using engine::DisturbedServer;
using engine::FifoServer;
using Nanoseconds = std::chrono::nanoseconds;

TEST_CASE("requests wait for the core that is free first") {
  FifoServer server({.cores = 2});
  CHECK(server.arrive(0ms, 10ms)->end == 10ms);
  CHECK(server.arrive(1ms, 4ms)->end == 5ms);
  const auto third = server.arrive(2ms, 4ms);
  CHECK(third->start == 5ms);
  CHECK(third->end == 9ms);
  CHECK(server.arrive(9ms, 1ms)->start == 9ms);
}

TEST_CASE("a queue that is full turns requests away until somebody starts") {
  FifoServer server({.cores = 1, .queue = 1});
  CHECK(server.arrive(0ms, 10ms));
  CHECK(server.arrive(1ms, 10ms));
  CHECK_FALSE(server.arrive(9ms, 10ms));
  CHECK(server.arrive(10ms, 10ms)->start == 20ms);
  FifoServer without({.cores = 1, .queue = 0});
  CHECK(without.arrive(0ms, 10ms));
  CHECK_FALSE(without.arrive(9ms, 10ms));
  CHECK(without.arrive(10ms, 10ms));
}

namespace {

struct ServerArrival {
  Nanoseconds at{0};
  Nanoseconds service_time{0};
};

// The slow twin: walks from one nanosecond at which something happens to the next, with a line of people and cores.
std::vector<std::optional<Nanoseconds>> by_hand(const std::vector<ServerArrival>& arrivals,
                                                const scenario::Servers& servers) {
  std::vector<std::optional<Nanoseconds>> ends(arrivals.size());
  std::deque<std::size_t> line;
  std::vector<Nanoseconds> busy_until;
  const auto serve_until = [&](Nanoseconds now) {
    while (true) {
      std::sort(busy_until.begin(), busy_until.end());
      if (busy_until.empty() || busy_until.front() > now) {
        return;
      }
      const Nanoseconds free_at = busy_until.front();
      busy_until.erase(busy_until.begin());
      if (!line.empty()) {
        ends[line.front()] = free_at + arrivals[line.front()].service_time;
        busy_until.push_back(*ends[line.front()]);
        line.pop_front();
      }
    }
  };
  for (std::size_t number = 0; number < arrivals.size(); ++number) {
    serve_until(arrivals[number].at);
    if (busy_until.size() < servers.cores) {
      ends[number] = arrivals[number].at + arrivals[number].service_time;
      busy_until.push_back(*ends[number]);
    } else if (!servers.queue || line.size() < *servers.queue) {
      line.push_back(number);
    }
  }
  serve_until(Nanoseconds::max());
  return ends;
}

std::vector<ServerArrival> any_arrivals() {
  std::vector<ServerArrival> arrivals;
  Nanoseconds at{0};
  const int count = *rc::gen::inRange(1, 200);
  for (int i = 0; i < count; ++i) {
    at += Nanoseconds{*rc::gen::inRange(0, 5)};
    arrivals.push_back({at, Nanoseconds{*rc::gen::inRange(0, 20)}});
  }
  return arrivals;
}

scenario::Servers any_servers() {
  scenario::Servers servers{.cores = *rc::gen::inRange<std::uint32_t>(1, 13)};
  if (*rc::gen::arbitrary<bool>()) {
    servers.queue = *rc::gen::inRange<std::uint32_t>(0, 6);
  }
  return servers;
}

std::vector<std::optional<Nanoseconds>> by_disturbed(const std::vector<ServerArrival>& arrivals,
                                                     const scenario::Servers& servers) {
  DisturbedServer server(servers);
  std::vector<std::optional<Nanoseconds>> ends(arrivals.size());
  const auto depart_until = [&](Nanoseconds now) {
    while (server.next_departure() <= now && server.present() > 0) {
      const auto departure = server.depart();
      ends[departure.request] = departure.at;
    }
  };
  for (std::uint32_t number = 0; number < arrivals.size(); ++number) {
    depart_until(arrivals[number].at);
    (void)server.arrive(arrivals[number].at, number, arrivals[number].service_time);
  }
  depart_until(Nanoseconds::max());
  return ends;
}

}  // namespace

TEST_CASE("both kinds of stations serve as a line of people does") {
  CHECK(support::holds("departures agree to the nanosecond", [] {
    const std::vector<ServerArrival> arrivals = any_arrivals();
    const scenario::Servers servers = any_servers();
    const auto expected = by_hand(arrivals, servers);
    FifoServer server(servers);
    for (std::size_t number = 0; number < arrivals.size(); ++number) {
      const auto served = server.arrive(arrivals[number].at, arrivals[number].service_time);
      RC_ASSERT(served.has_value() == expected[number].has_value());
      RC_ASSERT(!served || served->end == *expected[number]);
    }
    RC_ASSERT(by_disturbed(arrivals, servers) == expected);
  }));
}

TEST_CASE("a station that becomes slower keeps what it has promised and is slow with the rest") {
  DisturbedServer server({.cores = 1});
  CHECK(server.arrive(0ms, 0, 10ms));
  CHECK(server.arrive(1ms, 1, 10ms));
  server.set_slowness(5ms, 3.0);
  CHECK(server.depart().at == 10ms);
  CHECK(server.depart().at == 40ms);
}

TEST_CASE("processor sharing gives each request its part of the cores, one core at most") {
  DisturbedServer server({.cores = 1, .discipline = scenario::Discipline::processor_sharing});
  CHECK(server.arrive(0ms, 0, 10ms));
  CHECK(server.arrive(4ms, 1, 3ms));  // 6 ms are left of the first; both advance at half speed
  CHECK(server.next_departure() == 10ms);
  CHECK(server.depart().request == 1);
  CHECK(server.depart().at == 13ms);
  DisturbedServer two({.cores = 2, .discipline = scenario::Discipline::processor_sharing});
  CHECK(two.arrive(0ms, 0, 10ms));
  CHECK(two.arrive(0ms, 1, 10ms));
  CHECK(two.next_departure() == 10ms);
  CHECK(two.arrive(0ms, 2, 10ms));
  CHECK(two.next_departure() == 15ms);
  two.set_slowness(0ms, 2.0);
  CHECK(two.next_departure() == 30ms);
}

TEST_CASE("a station that is cleared forgets everybody, in the order of arrival") {
  DisturbedServer server({.cores = 1, .queue = 5});
  for (std::uint32_t request = 0; request < 4; ++request) {
    CHECK(server.arrive(0ms, request, 10ms));
  }
  CHECK(server.depart().request == 0);
  CHECK(server.clear(12ms) == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(server.next_departure() == DisturbedServer::never);
  CHECK(server.arrive(13ms, 9, 1ms));
  CHECK(server.next_departure() == 14ms);
}
