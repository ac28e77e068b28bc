#include "sim/engine/departures.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <queue>
#include <set>

#include "sim/engine/random_stream.hpp"

using namespace std::chrono_literals;
using spillway::engine::Departures;
using spillway::engine::RandomStream;
using std::chrono::nanoseconds;

namespace {

// Plays `requests` against a plain set of pairs; gaps and stays by the given functions of a draw.
template <class Gap, class Stay>
void compare(int requests, Gap gap, Stay stay) {
  Departures<int> departures;
  std::multiset<std::pair<nanoseconds, int>> expected;
  RandomStream draw({.seed = 8});
  nanoseconds now{0};
  for (int request = 0; request < requests; ++request) {
    now += nanoseconds{gap(request, draw())};
    std::multiset<int> over;
    departures.end_until(now, [&](int who) { over.insert(who); }, [](int) {});
    while (!expected.empty() && expected.begin()->first <= now) {
      const auto found = over.find(expected.begin()->second);
      REQUIRE(found != over.end());
      over.erase(found);
      expected.erase(expected.begin());
    }
    REQUIRE(over.empty());
    const nanoseconds at = now + nanoseconds{stay(request, draw())};
    departures.push(at, request);
    expected.emplace(at, request);
    REQUIRE(departures.size() == expected.size());
  }
}

}  // namespace

TEST_CASE("everybody departs who is over by now, and nobody else") {
  compare(
      200'000, [](int, std::uint64_t draw) { return static_cast<std::int64_t>(draw % 2'000); },
      [](int, std::uint64_t draw) { return static_cast<std::int64_t>(draw % 5'000'000); });
}

TEST_CASE("departures follow rates that change a thousandfold, and stays of any length") {
  compare(
      200'000,
      [](int request, std::uint64_t draw) {
        return static_cast<std::int64_t>(draw % (request / 20'000 % 2 == 0 ? 500 : 500'000));
      },
      [](int, std::uint64_t draw) { return std::int64_t{1} << (draw % 34); });
}

TEST_CASE("departures at once and long after everybody has gone") {
  compare(
      50'000,
      [](int request, std::uint64_t draw) {
        return request % 10'000 == 0 ? std::int64_t{3'600'000'000'000} : static_cast<std::int64_t>(draw % 3);
      },
      [](int, std::uint64_t draw) { return static_cast<std::int64_t>(draw % 4); });
}

TEST_CASE("whoever is taken out of departures leaves with their time, and all others stay") {
  Departures<int> departures;
  for (int who = 0; who < 1'000; ++who) {
    departures.push(nanoseconds{who * 1'000}, who);
  }
  std::set<int> taken;
  departures.take_out([](int who) { return who % 3 == 0; },
                      [&](nanoseconds at, int who) {
                        CHECK(at == nanoseconds{who * 1'000});
                        taken.insert(who);
                      });
  CHECK(taken.size() == 334);
  CHECK(departures.size() == 666);
  std::set<int> over;
  departures.end_until(1s, [&](int who) { over.insert(who); }, [](int) {});
  CHECK(over.size() == 666);
  CHECK(std::none_of(over.begin(), over.end(), [](int who) { return who % 3 == 0; }));
}
