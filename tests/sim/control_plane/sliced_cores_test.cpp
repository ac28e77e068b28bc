// Work in turns, by hand.
#include "sim/control_plane/sliced_cores.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace std::chrono_literals;
using spillway::control_plane::SlicedCores;

namespace {

// When each piece is done.
std::map<std::uint32_t, std::chrono::nanoseconds> ends(SlicedCores& cores) {
  std::map<std::uint32_t, std::chrono::nanoseconds> result;
  while (cores.next_event() != std::chrono::nanoseconds::max()) {
    const auto now = cores.next_event();
    if (const auto place = cores.take_event(now)) {
      result[*place] = now;
    }
  }
  return result;
}

}  // namespace

TEST_CASE("Pieces take turns, and short ones do not wait for long ones to end", "[control_plane]") {
  SlicedCores cores(1, 10ms);
  cores.add(0ms, 25ms, 0);
  cores.add(0ms, 4ms, 1);
  cores.add(0ms, 10ms, 2);
  // 0: 0-10, 1: 10-14, 2: 14-24, 0: 24-34, 0: 34-39.
  const auto done = ends(cores);
  CHECK(done.at(1) == 14ms);
  CHECK(done.at(2) == 24ms);
  CHECK(done.at(0) == 39ms);
  CHECK(cores.busy_nanoseconds(50ms) == 39e6);
}

TEST_CASE("What comes while all cores are busy waits for the end of a slice", "[control_plane]") {
  SlicedCores cores(2, 10ms);
  cores.add(0ms, 30ms, 0);
  cores.add(2ms, 30ms, 1);
  cores.add(3ms, 5ms, 2);
  CHECK(cores.busy_nanoseconds(5ms) == 8e6);
  // 0: 0-10, 1: 2-12, 2: 10-15 on the first core, 0: 12-22 on the second, 1: 15-25, 0: 22-32, 1: 25-35.
  const auto done = ends(cores);
  CHECK(done.at(2) == 15ms);
  CHECK(done.at(0) == 32ms);
  CHECK(done.at(1) == 35ms);
  CHECK(cores.busy_nanoseconds(35ms) == 65e6);
}

TEST_CASE("Work without anything to do is done at once", "[control_plane]") {
  SlicedCores cores(1, 10ms);
  CHECK(cores.next_event() == std::chrono::nanoseconds::max());
  cores.add(7ms, 0ms, 4);
  CHECK(cores.next_event() == 7ms);
  CHECK(cores.take_event(7ms) == 4U);
}
