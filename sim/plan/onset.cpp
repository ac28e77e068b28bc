#include "sim/plan/onset.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/plan/alike.hpp"
#include "sim/plan/independent.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service_lookup.hpp"

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

using Lost = std::vector<config::EndpointIndex>;
using Happens = std::function<bool(const Lost&)>;

struct First {
  std::optional<std::uint32_t> number = {};
  std::optional<config::EndpointIndex> kind = {};
};

// Returns how many endpoints must be lost for it to happen, in the order of the file or of one kind only.
First first_of(const Lost& all, const std::map<std::uint32_t, Lost>& kinds, const Happens& happens) {
  const auto some = [](const Lost& of, std::uint32_t number) { return Lost(of.begin(), of.begin() + number); };
  First first{first_number(static_cast<std::uint32_t>(all.size()),
                           [&](std::uint32_t number) { return happens(some(all, number)); })};
  for (const auto& [kind, alike] : kinds) {
    const auto most = std::min(static_cast<std::uint32_t>(alike.size()), first.number.value_or(all_tried + 1) - 1);
    for (std::uint32_t number = 1; number <= most && alike.front() != all.front(); ++number) {
      if (happens(some(alike, number))) {
        first = {number, alike.front()};
        break;
      }
    }
  }
  return first;
}

// True if more of the service's requests leave the zone, beyond the error of counting.
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

// Returns the onsets without dividing the scenario.
std::vector<Onset> onsets_of_whole(const Variants& variants, const Variant& variant) {
  const Variants few = variants.with_effort({.replications = 1});
  const scenario::Scenario& scenario = variant.scenario;
  const Alike alike(scenario);
  std::set<std::pair<std::uint32_t, std::uint32_t>> asked;  // the clients' zone, service
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
    const Lost all = std::exchange(failure.endpoints, {});
    // Silences the clients of all other zones.
    for (std::uint32_t node = 0; node < scenario.nodes.size(); ++node) {
      if (scenario.nodes[node].zone.value != zone) {
        failure.silent.push_back({node});
      }
    }
    std::map<std::uint32_t, Lost> kinds;
    for (const config::EndpointIndex endpoint : all) {
      kinds[alike.class_of(endpoint)].push_back(endpoint);
    }
    std::map<Lost, Loads> known;  // both searches ask for some losses
    const auto loads = [&](const Lost& lost) -> const Loads& {
      const auto found = known.find(lost);
      if (found != known.end()) {
        return found->second;
      }
      failure.endpoints = lost;
      return known.emplace(lost, few.loads(variant, failure)).first->second;
    };
    const Loads before = loads({});
    onset.cross_zone = before.services[service].cross_zone;
    const First leaves = first_of(all, kinds, [&](const Lost& lost) {
      return leaves_more(before.services[service], loads(lost).services[service]);
    });
    const First panic =
        first_of(all, kinds, [&](const Lost& lost) { return loads(lost).panics.size() > before.panics.size(); });
    onset.leaves_zone_at = leaves.number;
    onset.leaves_zone_by = leaves.kind;
    onset.panic_at = panic.number;
    onset.panic_by = panic.kind;
    onsets.push_back(onset);
  }
  return onsets;
}

// Adds the onsets of a part to those of the whole. False if the part cannot be made.
bool add_onsets(const scenario::ScenarioTemplate& base, const Variants& variants,
                const std::unordered_map<std::string, config::EndpointIndex>& index_of,
                const scenario::ScenarioTemplate::Part& part, std::vector<Onset>& onsets) {
  const auto own = base.part(part);
  if (!own) {
    return false;
  }
  const Variants own_variants = variants.of(*own);
  const auto own_variant = own_variants.with({});
  if (!own_variant) {
    return false;
  }
  const auto in_whole = [&](std::optional<config::EndpointIndex>& endpoint) {
    endpoint =
        endpoint ? std::optional(index_of.at(own_variant->scenario.endpoints[endpoint->value].id)) : std::nullopt;
  };
  for (Onset& onset : onsets_of_whole(own_variants, *own_variant)) {
    onset.service = base.numbers_parts_anew() ? part.services[onset.service.value] : onset.service;
    in_whole(onset.leaves_zone_by);
    in_whole(onset.panic_by);
    onsets.push_back(onset);
  }
  return true;
}

}  // namespace

std::vector<Onset> onsets_of(const scenario::ScenarioTemplate& base, const Variants& variants, const Variant& variant) {
  const std::vector<scenario::ScenarioTemplate::Part> parts = independent_parts(variant.scenario);
  std::unordered_map<std::string, config::EndpointIndex> index_of;
  for (std::uint32_t endpoint = 0; endpoint < variant.scenario.endpoints.size(); ++endpoint) {
    index_of.try_emplace(variant.scenario.endpoints[endpoint].id, config::EndpointIndex{endpoint});
  }
  std::vector<Onset> onsets;
  const bool divides = parts.size() > 1 && variant.counts.empty() &&
                       std::all_of(parts.begin(), parts.end(), [&](const scenario::ScenarioTemplate::Part& part) {
                         return add_onsets(base, variants, index_of, part, onsets);
                       });
  if (!divides) {
    return onsets_of_whole(variants, variant);
  }
  std::sort(onsets.begin(), onsets.end(), [](const Onset& left, const Onset& right) {
    return std::pair(left.zone.value, left.service.value) < std::pair(right.zone.value, right.service.value);
  });
  return onsets;
}

}  // namespace spillway::plan
