#include "sim/engine/calendar.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "sim/engine/random_stream.hpp"

using spillway::engine::Calendar;
using spillway::engine::CalendarEvent;
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
    const CalendarEvent moment = calendar.pop();
    REQUIRE(moment.at == nanoseconds{first->first});
    REQUIRE(moment.proxy == first->second);
    waiting.erase(first);
    REQUIRE(calendar.size() == waiting.size());
  }
}

namespace {

// A calendar against a sorted list, while moments come `gap` apart and stay for about `stay`.
void compare_with_sorting(std::uint64_t gap, std::uint64_t stay, int steps, std::uint64_t seed) {
  Calendar calendar;
  spillway::engine::RandomStream draw({.seed = seed});
  std::vector<std::tuple<std::int64_t, bool, std::uint32_t>> waiting;
  std::int64_t now = 0;
  for (std::uint32_t number = 0; number < static_cast<std::uint32_t>(steps); ++number) {
    const std::uint64_t longer = draw() % 50 == 0 ? 1000 : 1;  // some far beyond the others
    const auto at = now + static_cast<std::int64_t>(draw() % (stay * longer));
    const bool first = draw() % 4 == 0;
    const CalendarEvent moment{.at = nanoseconds{at}, .proxy = number};
    first ? calendar.push_first(moment, calendar.draw_sequence()) : calendar.push(moment);
    waiting.emplace_back(at, !first, number);
    now += static_cast<std::int64_t>(draw() % (2 * gap));
    while (calendar.next_time().count() <= now) {
      const auto expected = std::min_element(waiting.begin(), waiting.end());
      const CalendarEvent popped = calendar.pop();
      REQUIRE(popped.at.count() == std::get<0>(*expected));
      REQUIRE(popped.proxy == std::get<2>(*expected));
      *expected = waiting.back();
      waiting.pop_back();
    }
    REQUIRE(calendar.size() == waiting.size());
  }
}

}  // namespace

TEST_CASE("a calendar agrees with sorting at any density, and while the density changes") {
  compare_with_sorting(1'000, 30'000, 20'000, 1);
  compare_with_sorting(1'000'000, 3'000'000, 20'000, 2);
  compare_with_sorting(1, 100, 20'000, 3);
  compare_with_sorting(1'000'000'000, 10, 10'000, 4);
}

TEST_CASE("what is pushed first leaves before the others of its time") {
  Calendar calendar;
  calendar.push({.at = nanoseconds{5}, .proxy = 1});
  const std::uint64_t early = calendar.draw_sequence();
  calendar.push({.at = nanoseconds{5}, .proxy = 3});
  calendar.push({.at = nanoseconds{5}, .proxy = 2}, early);
  calendar.push_first({.at = nanoseconds{5}, .proxy = 0}, calendar.draw_sequence());
  for (std::uint32_t expected = 0; expected < 4; ++expected) {
    CHECK(calendar.pop().proxy == expected);
  }
}

TEST_CASE("what follows is announced step by step before it leaves, and leaves as it does without") {
  Calendar announced;
  Calendar plain;
  spillway::engine::RandomStream draw({.seed = 11});
  constexpr std::uint32_t moments = 20'000;
  std::vector<unsigned> steps(moments, 0);
  std::vector<bool> gone(moments, false);
  std::int64_t now = 0;
  std::uint32_t well_announced = 0;
  for (std::uint32_t number = 0, left = 0; left < moments;) {
    while (number < moments && announced.size() < 500) {
      const CalendarEvent moment{.at = nanoseconds{now + static_cast<std::int64_t>(draw() % 50'000)},
                                 .proxy = number++};
      announced.push(moment);
      plain.push(moment);
    }
    const CalendarEvent first = announced.pop([&](const CalendarEvent& soon, unsigned step) {
      REQUIRE_FALSE(gone[soon.proxy]);
      REQUIRE(step < Calendar::steps);
      steps[soon.proxy] |= 1U << step;
    });
    REQUIRE(plain.pop().proxy == first.proxy);
    gone[first.proxy] = true;
    now = first.at.count();
    well_announced += steps[first.proxy] == (1U << Calendar::steps) - 1 ? 1 : 0;
    ++left;
  }
  // But for those that came too late, and a fifth before the calendar knows how close moments come.
  CHECK(well_announced > moments * 7 / 10);
}
