#include "sim/engine/alias_table.hpp"

#include <numeric>

namespace spillway::engine {

AliasTable::AliasTable(std::span<const double> weights) : columns_(weights.size()) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto count = static_cast<double>(weights.size());
  std::vector<double> parts;
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t position = 0; position < weights.size(); ++position) {
    parts.push_back(weights[position] / sum * count);
    (parts.back() < 1.0 ? small : large).push_back(position);
    columns_[position].other = position;
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t needy = small.back();
    const std::uint32_t giver = large.back();
    small.pop_back();
    columns_[needy] = {static_cast<std::uint32_t>(parts[needy] * 0x1p32), giver};
    parts[giver] -= 1.0 - parts[needy];
    if (parts[giver] < 1.0) {
      large.pop_back();
      small.push_back(giver);
    }
  }
}

}  // namespace spillway::engine
