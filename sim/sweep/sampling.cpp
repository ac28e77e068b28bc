#include "sim/sweep/sampling.hpp"

#include <boost/random/sobol.hpp>
#include <numeric>
#include <utility>

#include "sim/engine/random_stream.hpp"

namespace spillway::sweep {
namespace {

// Returns a stream for designs, independent of the streams of runs because its entity differs.
engine::RandomStream stream_of(std::uint64_t seed, std::uint64_t entity) {
  constexpr std::uint64_t designs = 0x5357454550ULL;
  return engine::RandomStream({.seed = seed, .purpose = engine::Purpose::arrivals, .entity = designs + entity});
}

double unit(engine::RandomStream& stream) {
  constexpr unsigned unused_bits = 11;
  return static_cast<double>(stream() >> unused_bits) * 0x1.0p-53;
}

std::size_t below(engine::RandomStream& stream, std::size_t limit) {
  return static_cast<std::size_t>(unit(stream) * static_cast<double>(limit));
}

std::vector<std::size_t> shuffled(std::size_t count, engine::RandomStream& stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[below(stream, left)]);
  }
  return order;
}

}  // namespace

std::vector<double> latin_hypercube(std::size_t points, std::size_t dimensions, std::uint64_t seed) {
  std::vector<double> parts(points * dimensions);
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    engine::RandomStream stream = stream_of(seed, dimension);
    const std::vector<std::size_t> strata = shuffled(points, stream);
    for (std::size_t point = 0; point < points; ++point) {
      parts[point * dimensions + dimension] =
          (static_cast<double>(strata[point]) + unit(stream)) / static_cast<double>(points);
    }
  }
  return parts;
}

std::vector<double> sobol_sequence(std::size_t points, std::size_t dimensions) {
  boost::random::sobol sequence(dimensions);
  std::vector<double> parts(points * dimensions);
  for (double& part : parts) {
    part = static_cast<double>(sequence()) * 0x1.0p-64;
  }
  return parts;
}

std::vector<double> morris_ways(std::size_t starts, std::size_t dimensions, std::uint64_t seed) {
  constexpr double step = 2.0 / 3.0;
  constexpr std::size_t low_levels = 2;  // 0 and 1/3: a step up from either stays within the cube
  std::vector<double> parts;
  parts.reserve(starts * (dimensions + 1) * dimensions);
  for (std::size_t start = 0; start < starts; ++start) {
    engine::RandomStream stream = stream_of(seed, start);
    std::vector<double> point(dimensions);
    std::vector<bool> upwards(dimensions);
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      upwards[dimension] = below(stream, 2) == 0;
      const double low = static_cast<double>(below(stream, low_levels)) / 3.0;
      point[dimension] = upwards[dimension] ? low : low + step;
    }
    parts.insert(parts.end(), point.begin(), point.end());
    for (const std::size_t dimension : shuffled(dimensions, stream)) {
      point[dimension] += upwards[dimension] ? step : -step;
      parts.insert(parts.end(), point.begin(), point.end());
    }
  }
  return parts;
}

std::vector<double> saltelli_points(std::size_t base, std::size_t dimensions) {
  const std::vector<double> both = sobol_sequence(base, 2 * dimensions);
  std::vector<double> parts;
  parts.reserve(base * (dimensions + 2) * dimensions);
  const auto add = [&](auto from_b) {
    for (std::size_t point = 0; point < base; ++point) {
      for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        const std::size_t column = from_b(dimension) ? dimensions + dimension : dimension;
        parts.push_back(both[point * 2 * dimensions + column]);
      }
    }
  };
  add([](std::size_t) { return false; });
  add([](std::size_t) { return true; });
  for (std::size_t changed = 0; changed < dimensions; ++changed) {
    add([changed](std::size_t dimension) { return dimension == changed; });
  }
  return parts;
}

}  // namespace spillway::sweep
