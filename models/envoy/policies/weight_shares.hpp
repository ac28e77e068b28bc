// The closed form of all policies that follow weights: a host's fraction of its list's current weights.
#pragma once

#include <span>
#include <vector>

#include "models/envoy/policies/pick_input.hpp"

namespace spillway::envoy::policies {

// Returns the weights after slow start, by position in the source.
[[nodiscard]] inline std::vector<double> in_slow_start(std::vector<double> weights, const ShareInput& input) {
  const auto hosts = input.sources.hosts(input.source);
  for (std::size_t position = 0; !input.slow_start_factors.empty() && position < hosts.size(); ++position) {
    weights[position] *= input.slow_start_factors[hosts[position].value];
  }
  return weights;
}

// Adds probability * weight / sum to `shares`, one entry per host of the source. Linear in hosts.
inline void add_weight_shares(const ShareInput& input, double probability, std::span<double> shares) {
  const auto own = input.sources.weights(input.source);
  const std::vector<double> weights = in_slow_start({own.begin(), own.end()}, input);
  double sum = 0.0;
  for (const double weight : weights) {
    sum += weight;
  }
  for (std::size_t host = 0; host < weights.size(); ++host) {
    shares[host] += probability * weights[host] / sum;
  }
}

}  // namespace spillway::envoy::policies
