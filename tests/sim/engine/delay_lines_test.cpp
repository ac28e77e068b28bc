#include "sim/engine/delay_lines.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "tests/support/draws.hpp"

using namespace std::chrono_literals;
using spillway::engine::DelayLines;

TEST_CASE("a delay is one line, however often it is asked for") {
  DelayLines<int> lines;
  const std::uint32_t three = lines.line_of(3ms);
  CHECK(lines.line_of(5ms) != three);
  CHECK(lines.line_of(3ms) == three);
}

TEST_CASE("nobody arrives where nobody has set out") {
  CHECK(DelayLines<int>().next_time() == DelayLines<int>::never);
}

TEST_CASE("who sets out later by a shorter way arrives first, and equal times in the order of setting out") {
  DelayLines<int> lines;
  const std::uint32_t slow = lines.line_of(7ms);
  const std::uint32_t fast = lines.line_of(3ms);
  lines.push(slow, 0ms, 1);
  lines.push(fast, 1ms, 2);
  lines.push(fast, 4ms, 3);
  std::vector<std::pair<std::chrono::nanoseconds, int>> arrived;
  while (lines.next_time() != DelayLines<int>::never) {
    const auto [at, what] = lines.pop();
    arrived.emplace_back(at, what);
  }
  CHECK(arrived == std::vector<std::pair<std::chrono::nanoseconds, int>>{{4ms, 2}, {7ms, 1}, {7ms, 3}});
}

TEST_CASE("any number on their way arrive in the order of a sorted list") {
  spillway::support::Draws draws(11);
  DelayLines<std::uint32_t> lines;
  std::vector<std::pair<std::chrono::nanoseconds, std::uint32_t>> sorted;
  std::vector<std::pair<std::chrono::nanoseconds, std::uint32_t>> arrived;
  std::chrono::nanoseconds now{0};
  const auto take_until = [&](std::chrono::nanoseconds limit) {
    while (lines.next_time() <= limit) {
      const auto [at, what] = lines.pop();
      arrived.emplace_back(at, what);
    }
  };
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    now += std::chrono::nanoseconds{draws() % 3};
    const std::chrono::nanoseconds delay{1 + draws() % 7 * 100};
    take_until(now);
    lines.push(lines.line_of(delay), now, number);
    sorted.emplace_back(now + delay, number);
  }
  take_until(now + 1ms);
  std::sort(sorted.begin(), sorted.end());
  CHECK(arrived == sorted);
}
