#include "sim/engine/upcoming_arrivals.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace std::chrono_literals;
using namespace spillway;
using engine::Arrivals;
using engine::MergedArrivals;
using engine::UpcomingArrivals;

namespace {

std::vector<Arrivals> two_entries() {
  const auto stream = [](std::uint64_t entity) {
    return engine::RandomStream({.seed = 6, .purpose = engine::Purpose::arrivals, .entity = entity});
  };
  std::vector<Arrivals> entries;
  entries.emplace_back(scenario::Arrivals::poisson, 700.0, 3, stream(1));
  entries.emplace_back(scenario::Arrivals::uniform, 200.0, 2, stream(2));
  return entries;
}

std::tuple<std::chrono::nanoseconds, std::uint32_t, std::uint32_t> seen(const MergedArrivals::Next& next) {
  return {next.arrival.at, next.entry, next.arrival.client};
}

}  // namespace

TEST_CASE("upcoming arrivals are those that are merged, and are known before they come") {
  std::vector<Arrivals> entries = two_entries();
  std::vector<Arrivals> others = two_entries();
  UpcomingArrivals upcoming({&entries[0], &entries[1]});
  MergedArrivals merged({&others[0], &others[1]});
  for (const auto limit : {1s, 2s}) {
    upcoming.begin(limit);
    std::vector<std::tuple<std::chrono::nanoseconds, std::uint32_t, std::uint32_t>> all;
    for (merged.begin(limit); !merged.empty();) {
      all.push_back(seen(merged.pop()));
    }
    REQUIRE(all.size() > 1000);
    for (std::size_t place = 0; place < all.size(); ++place) {
      REQUIRE(seen(upcoming.next()) == all[place]);
      for (const std::size_t others_before : {std::size_t{0}, std::size_t{7}, UpcomingArrivals::known - 1}) {
        const auto* const known = upcoming.peek(others_before);
        REQUIRE((known != nullptr) == (place + others_before < all.size()));
        REQUIRE((known == nullptr || seen(*known) == all[place + others_before]));
      }
      upcoming.pop();
    }
    CHECK(upcoming.empty());
  }
}
