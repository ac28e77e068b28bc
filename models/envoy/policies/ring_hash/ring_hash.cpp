#include "models/envoy/policies/ring_hash/ring_hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/ring_hash/config.hpp"
#include "models/envoy/policies/ring_hash/policy.hpp"
#include "models/numeric/hash.hpp"

namespace spillway::envoy::policies::ring_hash {

namespace {

HashFunction function_of(const Config& config, config::EnvoyProfile profile) {
  const bool seed = profile == config::EnvoyProfile::seed;
  return config.hash_function.value_or(seed ? HashFunction::murmur_hash_2 : HashFunction::xx_hash);
}

// Returns the number of points of each host, by weight. `scale` is the length of the ring before rounding.
std::vector<std::uint64_t> weighted_counts(std::span<const NormalizedHost> hosts, double scale) {
  std::vector<std::uint64_t> counts;
  counts.reserve(hosts.size());
  double current = 0.0;
  double target = 0.0;
  for (const NormalizedHost& host : hosts) {
    target += scale * host.weight;
    std::uint64_t points = 0;
    for (; current < target; current += 1.0) {
      ++points;
    }
    counts.push_back(points);
  }
  return counts;
}

double scale_of(const Config& config, std::span<const NormalizedHost> hosts) {
  double least = 1.0;
  for (const NormalizedHost& host : hosts) {
    least = std::min(least, host.weight);
  }
  return std::min(std::ceil(least * static_cast<double>(config.minimum_ring_size)) / least,
                  static_cast<double>(config.maximum_ring_size));
}

}  // namespace

void Ring::plan(const Config& config, const HashTableInput& input, std::vector<std::uint64_t>& counts) {
  const std::size_t hosts = input.hosts.size();
  if (input.profile == config::EnvoyProfile::seed) {
    const std::uint64_t each = std::max<std::uint64_t>(1, (config.minimum_ring_size + hosts - 1) / hosts);
    counts.assign(hosts, each);
    size_ = each * hosts;
  } else {
    const double scale = scale_of(config, input.hosts);
    size_ = static_cast<std::uint64_t>(std::ceil(scale));
    counts = weighted_counts(input.hosts, scale);
  }
  min_hashes_per_host_ = size_;
  for (const std::uint64_t count : counts) {
    min_hashes_per_host_ = std::min(min_hashes_per_host_, count);
    max_hashes_per_host_ = std::max(max_hashes_per_host_, count);
  }
}

Ring::Ring(const Config& config, const HashTableInput& input) {
  if (input.hosts.empty()) {
    return;
  }
  std::vector<std::uint64_t> counts;
  plan(config, input, counts);
  points_.reserve(size_);
  const bool murmur = function_of(config, input.profile) == HashFunction::murmur_hash_2;
  const bool use_hostname = config.consistent_hashing_lb_config.use_hostname_for_hashing;
  std::string key;
  std::array<char, 20> digits{};
  for (std::size_t position = 0; position < input.hosts.size(); ++position) {
    const config::HostIndex host = input.hosts[position].host;
    key = hash_key(input.endpoints[host.value], use_hostname);
    key += '_';
    const std::size_t stem = key.size();
    for (std::uint64_t point = 0; point < counts[position]; ++point) {
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), point).ptr;
      key.resize(stem);
      key.append(digits.data(), end);
      points_.push_back({murmur ? numeric::murmur2_64(key) : numeric::xxhash64(key), host});
    }
  }
  std::sort(points_.begin(), points_.end(), [](const Point& left, const Point& right) {
    return left.hash != right.hash ? left.hash < right.hash : left.host < right.host;
  });
  divide();
}

void Ring::divide() {
  const std::size_t sectors = std::max<std::size_t>(2, std::bit_ceil(points_.size()));
  sector_shift_ = 64U - static_cast<unsigned>(std::countr_zero(sectors));
  first_of_sector_.reserve(sectors + 1);
  std::uint32_t point = 0;
  for (std::uint64_t sector = 0; sector < sectors; ++sector) {
    while (point < points_.size() && points_[point].hash >> sector_shift_ < sector) {
      ++point;
    }
    first_of_sector_.push_back(point);
  }
  first_of_sector_.push_back(static_cast<std::uint32_t>(points_.size()));
}

std::optional<std::size_t> Ring::point_of(std::uint64_t hash) const noexcept {
  if (points_.empty()) {
    return std::nullopt;
  }
  const std::uint64_t sector = hash >> sector_shift_;
  const Point* const begin = points_.data() + first_of_sector_[sector];
  const Point* const end = points_.data() + first_of_sector_[sector + 1];
  // Sectors of at most this many points are searched linearly; most have one.
  constexpr std::ptrdiff_t few = 8;
  const auto before = [](const Point& point, std::uint64_t wanted) { return point.hash < wanted; };
  const Point* at_or_after = begin;
  if (end - begin > few) {
    at_or_after = std::lower_bound(begin, end, hash, before);
  } else {
    while (at_or_after != end && before(*at_or_after, hash)) {
      ++at_or_after;
    }
  }
  const auto place = static_cast<std::size_t>(at_or_after - points_.data());
  return place == points_.size() ? 0 : place;
}

std::optional<config::HostIndex> Ring::pick(std::uint64_t hash, std::uint32_t attempt) const noexcept {
  const std::optional<std::size_t> first = point_of(hash);
  if (!first) {
    return std::nullopt;
  }
  return points_[attempt == 0 ? *first : (*first + attempt) % points_.size()].host;
}

void Ring::add_shares(ResidueRange, double probability, std::span<double> shares) const {
  constexpr double circumference = 18446744073709551616.0;
  for (std::size_t point = 0; point < points_.size(); ++point) {
    // The first arc begins after the last point and wraps around zero. If the ring has one point, the arc is the whole
    // ring.
    const std::uint64_t before = point == 0 ? points_.back().hash : points_[point - 1].hash;
    const std::uint64_t arc = points_[point].hash - before;
    const double length = points_.size() == 1 ? circumference : static_cast<double>(arc);
    shares[points_[point].host.value] += probability * length / circumference;
  }
}

std::optional<HashPlace> Ring::place_of(std::uint64_t hash) const {
  const auto position = point_of(hash);
  if (!position) {
    return std::nullopt;
  }
  const Point& point = points_[*position];
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), point.hash, 16).ptr;
  const std::string hexadecimal(digits.data(), static_cast<std::size_t>(end - digits.data()));
  return HashPlace{point.host, "point " + std::to_string(*position) + " of " + std::to_string(points_.size()) +
                                   ", the first at or after the hash: 0x" +
                                   std::string(digits.size() - hexadecimal.size(), '0') + hexadecimal};
}

// Walks the points of both rings in order. Owners change only there; an arc belongs to the point that ends it.
std::optional<double> Ring::moved_part(const Ring& before, const Ring& after, const SameHost& same) {
  constexpr double all_hashes = 18446744073709551616.0;  // 2^64
  const std::span<const Point> old_points = before.points();
  const std::span<const Point> points = after.points();
  double moved = 0.0;
  std::uint64_t from = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto add = [&](double length) {
    const Point& old_point = old_points[i < old_points.size() ? i : 0];
    const Point& point = points[j < points.size() ? j : 0];
    moved += same(old_point.host, point.host) ? 0.0 : length;
  };
  while (i < old_points.size() || j < points.size()) {
    const std::uint64_t to = i == old_points.size()                                       ? points[j].hash
                             : j == points.size() || old_points[i].hash <= points[j].hash ? old_points[i].hash
                                                                                          : points[j].hash;
    // Adds the hashes from .. to, both inclusive. The first arc begins at 0.
    add(static_cast<double>(to - from) + (from == 0 ? 1.0 : 0.0));
    while (i < old_points.size() && old_points[i].hash == to) {
      ++i;
    }
    while (j < points.size() && points[j].hash == to) {
      ++j;
    }
    from = to;
  }
  add(all_hashes - static_cast<double>(from));
  return moved / all_hashes;
}

Refusal refusal(const Config& config, Form form) {
  constexpr std::uint64_t largest_ring = 8388608;
  if (form == Form::legacy && config.minimum_ring_size > largest_ring) {
    return at_most("minimum_ring_size", largest_ring);
  }
  if (form == Form::legacy && config.maximum_ring_size > largest_ring) {
    return at_most("maximum_ring_size", largest_ring);
  }
  if (config.minimum_ring_size > config.maximum_ring_size) {
    return Reason{"ring hash: minimum_ring_size (" + std::to_string(config.minimum_ring_size) +
                      ") > maximum_ring_size (" + std::to_string(config.maximum_ring_size) + ")",
                  {"minimum_ring_size", "maximum_ring_size"}};
  }
  return refusal(config.consistent_hashing_lb_config, form);
}

}  // namespace spillway::envoy::policies::ring_hash
