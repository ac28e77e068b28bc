#include "models/envoy/policies/random/random.hpp"

#include <array>
#include <cstdint>
#include <numeric>

#include "models/envoy/policies/random/policy.hpp"

namespace spillway::envoy::policies::random {

void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares) {
  const std::size_t hosts = input.sources.hosts(input.source).size();
  const std::size_t period = std::gcd(std::size_t{100}, hosts);
  std::array<std::uint32_t, 100> draws_by_class{};
  for (std::uint32_t residue = input.residues.begin; residue < input.residues.end; ++residue) {
    ++draws_by_class[residue % period];
  }
  const double all = static_cast<double>(hosts) * (input.residues.end - input.residues.begin);
  for (std::size_t host = 0; host < hosts; ++host) {
    const auto favourable = static_cast<double>(draws_by_class[host % period] * period);
    shares[host] += probability * favourable / all;
  }
}

}  // namespace spillway::envoy::policies::random
