#include "sim/plan/onset.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "sim/plan/alike.hpp"

namespace spillway::plan {
namespace {

constexpr std::uint32_t all_tried = 64;

std::optional<std::uint32_t> first_number(std::uint32_t most, const std::function<bool(std::uint32_t)>& happens) {
  for (std::uint32_t number = 1; number <= std::min(most, all_tried); ++number) {
    if (happens(number)) {
      return number;
    }
  }
  if (most <= all_tried || !happens(most)) {
    return std::nullopt;
  }
  std::uint32_t low = all_tried;  // does not happen yet
  std::uint32_t high = most;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (happens(middle) ? high : low) = middle;
  }
  return high;
}

// More of the requests for the service leave the zone, by more than counting may be off.
bool leaves_more(const ServiceLoad& before, const ServiceLoad& after) {
  constexpr double quantile = 5.0;
  double noise = 1e-9;
  for (const ServiceLoad& load : {before, after}) {
    if (load.requests > 0) {
      const double share = std::min(1.0, load.cross_zone);
      noise += quantile * std::sqrt((share * (1.0 - share) + 1e-6) / static_cast<double>(load.requests));
    }
  }
  return after.cross_zone > before.cross_zone + noise;
}

}  // namespace

std::vector<Onset> onsets_of(const Variants& variants, const Variant& variant) {
  const Variants few = variants.with_effort({.replications = 1});
  const scenario::Scenario& scenario = variant.scenario;
  const Alike alike(scenario);
  std::set<std::pair<std::uint32_t, std::uint32_t>> asked;  // zone of the clients, service
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (!client.zone_proxy) {
      for (const config::ServiceIndex service : services_of(scenario, client)) {
        asked.insert({scenario.nodes[client.node.value].zone.value, scenario::asked_for(scenario, service).value});
      }
    }
  }
  std::vector<Onset> onsets;
  for (const auto& [zone, service] : asked) {
    Failure failure;
    for (const config::EndpointIndex endpoint : alike.endpoints()) {
      const config::NodeIndex node = scenario.endpoints[endpoint.value].node;
      if (alike.serves(endpoint, {service}) && scenario.nodes[node.value].zone.value == zone) {
        failure.endpoints.push_back(endpoint);
      }
    }
    if (failure.endpoints.empty()) {
      continue;
    }
    Onset onset{{zone}, {service}, static_cast<std::uint32_t>(failure.endpoints.size())};
    const std::vector<config::EndpointIndex> all = std::exchange(failure.endpoints, {});
    // Only this zone's clients speak.
    for (std::uint32_t node = 0; node < scenario.nodes.size(); ++node) {
      if (scenario.nodes[node].zone.value != zone) {
        failure.silent.push_back({node});
      }
    }
    const auto loads = [&](std::uint32_t lost) {
      failure.endpoints.assign(all.begin(), all.begin() + lost);
      return few.loads(variant, failure);
    };
    const Loads before = loads(0);
    onset.cross_zone = before.services[service].cross_zone;
    onset.leaves_zone_at = first_number(onset.endpoints, [&](std::uint32_t lost) {
      return leaves_more(before.services[service], loads(lost).services[service]);
    });
    onset.panic_at = first_number(onset.endpoints,
                                  [&](std::uint32_t lost) { return loads(lost).panics.size() > before.panics.size(); });
    onsets.push_back(onset);
  }
  return onsets;
}

}  // namespace spillway::plan
