// Busy cores and lines over time.
#include <catch2/catch.hpp>
#include <chrono>
#include <vector>

#include "sim/engine/disturbed_server.hpp"
#include "sim/engine/fifo_server.hpp"
#include "sim/engine/random_stream.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using engine::DisturbedServer;
using engine::FifoServer;
using engine::ServerLoad;
using std::chrono::nanoseconds;

namespace {

struct Arrival {
  nanoseconds at{0};
  nanoseconds service{0};
};

std::vector<ServerLoad::Period> fifo(const scenario::Servers& servers, const std::vector<Arrival>& arrivals,
                                     const std::vector<nanoseconds>& ends) {
  FifoServer server(servers);
  server.measure(ends);
  for (const Arrival& arrival : arrivals) {
    (void)server.arrive(arrival.at, arrival.service);
  }
  server.end_periods(ends.back());
  return server.load()->periods();
}

std::vector<ServerLoad::Period> disturbed(const scenario::Servers& servers, const std::vector<Arrival>& arrivals,
                                          const std::vector<nanoseconds>& ends) {
  DisturbedServer server(servers);
  server.measure(ends);
  const auto depart_until = [&](nanoseconds now) {
    while (server.next_departure() <= now) {
      server.depart();
    }
  };
  for (const Arrival& arrival : arrivals) {
    depart_until(arrival.at);
    (void)server.arrive(arrival.at, 0, arrival.service);
  }
  depart_until(ends.back());
  server.end_periods(ends.back());
  return server.load()->periods();
}

void check(const ServerLoad::Period& period, double busy, double waited, std::uint32_t queue_max) {
  CHECK(period.busy == busy);
  CHECK(period.waited == waited);
  CHECK(period.queue_max == queue_max);
}

}  // namespace

// One core; service takes 3. Arrivals at 0, 1, 2 start at 0, 3, 6 and leave at 3, 6, 9. The second one waits from 1 to
// 3, the third one from 2 to 6; who arrives when a period ends belongs to the next one.
TEST_CASE("a station's load is split where periods end") {
  const std::vector<Arrival> arrivals{{0ns, 3ns}, {1ns, 3ns}, {2ns, 3ns}};
  const std::vector<nanoseconds> ends{2ns, 4ns, 10ns, 20ns};
  for (const auto& periods : {fifo({.cores = 1}, arrivals, ends), disturbed({.cores = 1}, arrivals, ends)}) {
    REQUIRE(periods.size() == 3);  // nothing happens after 9
    check(periods[0], 2.0, 1.0, 1);
    check(periods[1], 2.0, 3.0, 2);
    check(periods[2], 5.0, 2.0, 1);
    CHECK(periods[2].period == 2);
  }
}

// Two requests share one core from 1 on: the first one has 2 of 3 left and leaves at 5, the other one at 6.
TEST_CASE("under processor sharing those beyond the number of cores count as the line") {
  const scenario::Servers servers{.cores = 1, .queue = {}, .discipline = scenario::Discipline::processor_sharing};
  const auto periods = disturbed(servers, {{0ns, 3ns}, {1ns, 3ns}}, {4ns, 10ns});
  REQUIRE(periods.size() == 2);
  check(periods[0], 4.0, 3.0, 1);
  check(periods[1], 2.0, 1.0, 1);
}

TEST_CASE("both kinds of stations measure the same load") {
  engine::RandomStream draws({11, engine::Purpose::service, 1});
  std::vector<Arrival> arrivals;
  nanoseconds now{0};
  for (int i = 0; i < 20'000; ++i) {
    now += nanoseconds{draws() % 100};
    arrivals.push_back({now, nanoseconds{draws() % 290}});
  }
  std::vector<nanoseconds> ends;
  for (nanoseconds end = 777ns; end < now + 2000ns; end += 777ns) {
    ends.push_back(end);
  }
  for (const scenario::Servers& servers : {scenario::Servers{.cores = 1, .queue = 5}, scenario::Servers{.cores = 3},
                                           scenario::Servers{.cores = 6}, scenario::Servers{.cores = 2, .queue = 0}}) {
    const auto expected = disturbed(servers, arrivals, ends);
    const auto periods = fifo(servers, arrivals, ends);
    REQUIRE(periods.size() == expected.size());
    for (std::size_t i = 0; i < periods.size(); ++i) {
      REQUIRE(periods[i].period == expected[i].period);
      REQUIRE(periods[i].busy == expected[i].busy);
      REQUIRE(periods[i].waited == expected[i].waited);
      REQUIRE(periods[i].queue_max == expected[i].queue_max);
    }
  }
}
