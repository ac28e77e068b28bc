#include "sim/engine/merged_arrivals.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace std::chrono_literals;
using namespace spillway;
using engine::Arrivals;
using engine::MergedArrivals;

namespace {

engine::RandomStream stream_for(std::uint64_t entity) {
  return engine::RandomStream({.seed = 5, .purpose = engine::Purpose::arrivals, .entity = entity});
}

using Seen = std::vector<std::tuple<std::chrono::nanoseconds, std::uint32_t, std::uint32_t>>;

std::vector<Arrivals> three_entries() {
  std::vector<Arrivals> entries;
  entries.emplace_back(scenario::Arrivals::poisson, 900.0, 4, stream_for(1));
  entries.emplace_back(scenario::Arrivals::periodic, 250.0, 4, stream_for(2));
  entries.emplace_back(scenario::Arrivals::periodic, 500.0, 2, stream_for(3));
  return entries;
}

// One arrival at a time, the first entry first.
Seen one_by_one(std::chrono::nanoseconds end) {
  std::vector<Arrivals> entries = three_entries();
  Seen seen;
  while (true) {
    std::uint32_t first = 0;
    for (std::uint32_t entry = 1; entry < entries.size(); ++entry) {
      first = entries[entry].next().at < entries[first].next().at ? entry : first;
    }
    if (entries[first].next().at >= end) {
      return seen;
    }
    seen.emplace_back(entries[first].next().at, first, entries[first].next().client);
    entries[first].advance();
  }
}

}  // namespace

TEST_CASE("merged arrivals are those of the entries one by one, whatever pieces of time they are taken in") {
  for (const std::chrono::nanoseconds piece : {std::chrono::nanoseconds{3s}, std::chrono::nanoseconds{17ms}}) {
    std::vector<Arrivals> entries = three_entries();
    MergedArrivals merged({&entries[0], &entries[1], &entries[2]});
    Seen seen;
    for (std::chrono::nanoseconds limit = piece; limit < 3s + piece; limit += piece) {
      for (merged.begin(std::min<std::chrono::nanoseconds>(limit, 3s)); !merged.empty();) {
        const auto [entry, arrival] = merged.pop();
        seen.emplace_back(arrival.at, entry, arrival.client);
      }
    }
    CHECK(seen == one_by_one(3s));
  }
}
