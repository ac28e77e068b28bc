#include "sim/sweep/space.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sim/sweep/sampling.hpp"

using namespace spillway;
using namespace spillway::sweep;

namespace {

std::vector<std::string> setting(const Space& space, std::uint64_t number) {
  std::vector<std::string> texts;
  for (const Value& value : space.values_of(number)) {
    texts.push_back(value.text);
  }
  return texts;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("sweep: a grid has every combination, the last key moving fastest") {
  Sources sources;
  const Space space = std::get<Space>(read_space({.over = {"a=1,2", "b=x,y,z"}}, sources));
  REQUIRE(space.settings() == 6);
  CHECK(setting(space, 0) == List{"1", "x"});
  CHECK(setting(space, 1) == List{"1", "y"});
  CHECK(setting(space, 5) == List{"2", "z"});
}

TEST_CASE("sweep: columns of a table move together and are combined with other keys") {
  Sources sources;
  const Space space = std::get<Space>(
      read_space({.over = {"c=7,8"}, .csv_name = "t.csv", .csv_text = "a,b\n1,\"x, y\"\r\n2,z\n"}, sources));
  REQUIRE(space.settings() == 4);
  CHECK(setting(space, 0) == List{"7", "1", "x, y"});
  CHECK(setting(space, 3) == List{"8", "2", "z"});
}

TEST_CASE("sweep: keys are called by their last part where that tells them apart") {
  Sources sources;
  const Space space = std::get<Space>(
      read_space({.over = {"clients[a].workload.rate=1", "clients[b].workload.rate=1", "duration=1"}}, sources));
  CHECK(space.keys()[0].name == "clients[a].workload.rate");
  CHECK(space.keys()[2].name == "duration");
}

TEST_CASE("sweep: keys and tables that make no sense are all told, with their places") {
  const auto codes = [](const SpaceText& text) {
    Sources sources;
    std::vector<std::string> found;
    const auto read = read_space(text, sources);
    for (const auto& problem : std::get<Diagnostics>(read)) {
      found.push_back(problem.code);
    }
    return found;
  };
  CHECK(codes({.over = {"rate", "clients[=1", "a=,", "=3"}}) == List{"SP951", "SP951", "SP951", "SP951"});
  CHECK(codes({.over = {"clients[].a=1"}}) == List{"SP950"});
  CHECK(codes({.over = {"a=1", "a=2"}}) == List{"SP951"});
  CHECK(codes({.csv_name = "t.csv", .csv_text = "a,b\n1\n"}) == List{"SP951"});
  CHECK(codes({.csv_name = "t.csv", .csv_text = "a,b\n"}) == List{"SP951"});
  CHECK(codes({.over = {"a=1"}, .design = Design::latin, .samples = 3}) == List{"SP951"});
}

TEST_CASE("sweep: a Latin hypercube has one point in each stratum of every key") {
  constexpr std::size_t points = 50;
  const std::vector<double> parts = latin_hypercube(points, 3, 7);
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    std::set<int> strata;
    for (std::size_t point = 0; point < points; ++point) {
      strata.insert(static_cast<int>(parts[point * 3 + dimension] * points));
    }
    CHECK(strata.size() == points);
  }
  CHECK(latin_hypercube(points, 3, 7) == parts);
  CHECK(latin_hypercube(points, 3, 8) != parts);
}

// Sobol 1967 in Gray code order: 1/2; 3/4, 1/4; 3/8, 7/8, 5/8, 1/8 of the first dimension.
TEST_CASE("sweep: Sobol's sequence begins as it is published") {
  const std::vector<double> first = sobol_sequence(7, 1);
  CHECK(first == std::vector<double>{0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125});
  const std::vector<double> two = sobol_sequence(3, 2);
  CHECK(two == std::vector<double>{0.5, 0.5, 0.75, 0.25, 0.25, 0.75});
}

TEST_CASE("sweep: a screening moves one key at a time by two thirds, and stays within its range") {
  constexpr std::size_t keys = 4;
  const std::vector<double> parts = morris_ways(10, keys, 1);
  REQUIRE(parts.size() == 10 * (keys + 1) * keys);
  CHECK(*std::min_element(parts.begin(), parts.end()) >= -1e-12);
  CHECK(*std::max_element(parts.begin(), parts.end()) <= 1.0 + 1e-12);
  for (std::size_t way = 0; way < 10; ++way) {
    std::set<std::size_t> moved;
    for (std::size_t step = 0; step < keys; ++step) {
      for (std::size_t key = 0; key < keys; ++key) {
        const std::size_t from = (way * (keys + 1) + step) * keys + key;
        if (parts[from] != parts[from + keys]) {
          moved.insert(key);
          CHECK(std::abs(parts[from] - parts[from + keys]) == Approx(2.0 / 3.0));
        }
      }
    }
    CHECK(moved.size() == keys);
  }
}
