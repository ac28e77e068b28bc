#include "models/envoy/policies/ring_hash/ring_hash.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "models/envoy/hash_balancer.hpp"
#include "models/numeric/hash.hpp"

namespace spillway::envoy::policies::ring_hash {

namespace {

HashFunction function_of(const Config& config, config::EnvoyProfile profile) {
  const bool seed = profile == config::EnvoyProfile::seed;
  return config.hash_function.value_or(seed ? HashFunction::murmur_hash_2 : HashFunction::xx_hash);
}

// How many points each host gets by its weight; `scale` is the length of the ring before rounding.
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
}

std::optional<std::size_t> Ring::point_of(std::uint64_t hash) const noexcept {
  if (points_.empty()) {
    return std::nullopt;
  }
  const auto at_or_after =
      std::lower_bound(points_.begin(), points_.end(), hash,
                       [](const Point& point, std::uint64_t wanted) { return point.hash < wanted; });
  return at_or_after == points_.end() ? 0 : static_cast<std::size_t>(at_or_after - points_.begin());
}

std::optional<config::HostIndex> Ring::pick(std::uint64_t hash, std::uint32_t attempt) const noexcept {
  const std::optional<std::size_t> first = point_of(hash);
  return first ? std::optional(points_[(*first + attempt) % points_.size()].host) : std::nullopt;
}

void Ring::add_shares(ResidueRange, double probability, std::span<double> shares) const {
  constexpr double circumference = 18446744073709551616.0;
  for (std::size_t point = 0; point < points_.size(); ++point) {
    // The first arc starts after the last point and runs through zero; a ring of one point is all of it.
    const std::uint64_t before = point == 0 ? points_.back().hash : points_[point - 1].hash;
    const std::uint64_t arc = points_[point].hash - before;
    const double length = points_.size() == 1 ? circumference : static_cast<double>(arc);
    shares[points_[point].host.value] += probability * length / circumference;
  }
}

}  // namespace spillway::envoy::policies::ring_hash
