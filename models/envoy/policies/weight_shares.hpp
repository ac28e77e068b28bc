// The closed form of every policy that follows weights: a host's part of the weights of its list.
#pragma once

#include <span>

#include "models/envoy/policies/pick_input.hpp"

namespace spillway::envoy::policies {

// Adds probability * weight / sum to `shares`, one entry per host of the source. Linear.
inline void add_weight_shares(const ShareInput& input, double probability, std::span<double> shares) {
  const auto weights = input.sources.weights(input.source);
  double sum = 0.0;
  for (const double weight : weights) {
    sum += weight;
  }
  for (std::size_t host = 0; host < weights.size(); ++host) {
    shares[host] += probability * weights[host] / sum;
  }
}

}  // namespace spillway::envoy::policies
