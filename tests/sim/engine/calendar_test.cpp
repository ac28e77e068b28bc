#include "sim/engine/calendar.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "sim/engine/random_stream.hpp"

using spillway::engine::Calendar;
using spillway::engine::Moment;
using std::chrono::nanoseconds;

TEST_CASE("moments leave by time and those of one time as they came") {
  Calendar calendar;
  CHECK(calendar.next_time() == Calendar::never);
  const std::int64_t times[] = {5, 3, 5, 1, 3, 5};
  for (std::uint32_t number = 0; number < 6; ++number) {
    calendar.push({.at = nanoseconds{times[number]}, .sent_at = {}, .proxy = number});
  }
  const std::uint32_t order[] = {3, 1, 4, 0, 2, 5};
  for (const std::uint32_t expected : order) {
    CHECK(calendar.pop().proxy == expected);
  }
  CHECK(calendar.size() == 0);
}

TEST_CASE("a calendar that moments come to and leave agrees with sorting them") {
  Calendar calendar;
  spillway::engine::RandomStream draw({1, spillway::engine::Purpose::arrivals, 0});
  std::vector<std::pair<std::int64_t, std::uint32_t>> waiting;
  std::uint32_t number = 0;
  for (int step = 0; step < 5000; ++step) {
    if (draw() % 3 != 0 || waiting.empty()) {
      const auto at = static_cast<std::int64_t>(draw() % 50);
      waiting.emplace_back(at, number);
      calendar.push({.at = nanoseconds{at}, .sent_at = {}, .proxy = number});
      ++number;
      continue;
    }
    const auto first = std::min_element(waiting.begin(), waiting.end());
    const Moment moment = calendar.pop();
    REQUIRE(moment.at == nanoseconds{first->first});
    REQUIRE(moment.proxy == first->second);
    waiting.erase(first);
    REQUIRE(calendar.size() == waiting.size());
  }
}
