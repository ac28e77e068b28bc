#include "models/envoy/active_requests.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

#include "tests/support/draws.hpp"

using spillway::envoy::ActiveRequests;
using spillway::envoy::SparseCounts;

TEST_CASE("sparse counts are those of a map, whatever comes and goes") {
  spillway::support::Draws stream(5);
  for (const std::uint64_t hosts : {3U, 40U, 100'000U}) {
    SparseCounts counts;
    std::map<std::uint32_t, std::uint32_t> expected;
    std::vector<std::uint32_t> in_flight;
    for (int step = 0; step < 20'000; ++step) {
      // Up to some hundreds at a time, then down to none and up again.
      const bool comes = in_flight.empty() || stream() % 1000 < (step / 2000 % 2 == 0 ? 600U : 400U);
      if (comes) {
        in_flight.push_back(static_cast<std::uint32_t>(stream() % hosts));
        counts.increase(in_flight.back());
        ++expected[in_flight.back()];
      } else {
        std::swap(in_flight[stream() % in_flight.size()], in_flight.back());
        counts.decrease(in_flight.back());
        --expected[in_flight.back()];
        in_flight.pop_back();
      }
      const auto host = static_cast<std::uint32_t>(stream() % hosts);
      REQUIRE(counts[host] == expected[host]);
    }
    for (const auto& [host, count] : expected) {
      REQUIRE(counts[host] == count);
    }
    CHECK(counts.total(0, hosts) == in_flight.size());
  }
}

TEST_CASE("a view of sparse counts and one of an array say the same, of parts too") {
  const std::vector<std::uint32_t> array{0, 3, 0, 1, 2, 0};
  SparseCounts counts;
  for (std::size_t host = 0; host < array.size(); ++host) {
    for (std::uint32_t request = 0; request < array[host]; ++request) {
      counts.increase(host);
    }
  }
  const ActiveRequests sparse(counts, array.size());
  const ActiveRequests dense(array);
  CHECK(sparse.total() == 6);
  CHECK(dense.total() == 6);
  for (std::size_t host = 0; host < array.size(); ++host) {
    CHECK(sparse[host] == dense[host]);
  }
  CHECK(sparse.subspan(3).total() == dense.subspan(3).total());
  CHECK(sparse.subspan(1, 3)[2] == 1);
  CHECK(dense.subspan(1, 3)[2] == 1);
  CHECK(sparse.subspan(1, 3).total() == 4);
  CHECK(ActiveRequests().empty());
  CHECK_FALSE(sparse.empty());
  // Every other number.
  const std::vector<std::uint32_t> spread{0, 9, 3, 9, 0, 9, 1, 9, 2, 9, 0, 9};
  const ActiveRequests strided(spread.data(), 2, array.size());
  CHECK(strided.total() == 6);
  CHECK(strided[4] == 2);
  CHECK(strided.subspan(1, 3).total() == 4);
}
