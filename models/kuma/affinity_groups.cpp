#include "models/kuma/affinity_groups.hpp"

#include <algorithm>

#include "models/numeric/stable_sort.hpp"

namespace spillway::kuma {

std::uint32_t default_affinity_weight(std::size_t entries, std::size_t entry) {
  constexpr std::size_t powers_in_63_bits = 18;  // 9 * 10^19 does not fit; on x86-64 its low 32 bits are 0
  const std::size_t power = entries - 1 - entry;
  if (power > powers_in_63_bits) {
    return 0;
  }
  std::uint64_t weight = 9;
  for (std::size_t step = 0; step < power; ++step) {
    weight *= 10;
  }
  return static_cast<std::uint32_t>(weight);
}

std::vector<AffinityGroup> affinity_groups(const Conf& conf, const Client& client, config::KumaProfile profile) {
  std::vector<AffinityGroup> groups;
  if (!conf.localityAwareness || !conf.localityAwareness->localZone ||
      !conf.localityAwareness->localZone->affinityTags) {
    return groups;
  }
  const std::vector<AffinityTag>& tags = *conf.localityAwareness->localZone->affinityTags;
  for (std::size_t entry = 0; entry < tags.size(); ++entry) {
    const std::string_view key = value_of(tags[entry].key);
    if (auto value = affinity_value(client, key, profile)) {
      groups.push_back({entry, std::string(key), *std::move(value),
                        tags[entry].weight.value_or(default_affinity_weight(tags.size(), entry))});
    }
  }
  const bool weighted = !tags.empty() && tags.front().weight.has_value();
  if (profile == config::KumaProfile::document && weighted) {
    numeric::stable_sort(
        groups, [](const AffinityGroup& left, const AffinityGroup& right) { return left.weight > right.weight; });
  }
  return groups;
}

std::uint64_t weight_sum(const std::vector<AffinityGroup>& groups, config::KumaProfile profile) {
  std::uint64_t sum = profile == config::KumaProfile::document ? 0 : rest_weight;
  for (const AffinityGroup& group : groups) {
    sum += group.weight;
  }
  return sum;
}

const AffinityGroup* find_group(const std::vector<AffinityGroup>& groups, const Endpoint& endpoint) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&endpoint](const AffinityGroup& group) {
    // Kuma takes kuma.io/service out of the endpoints' tags.
    return group.key != service_tag && affinity_value(endpoint, group.key) == group.value;
  });
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace spillway::kuma
