#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "sim/diff/changes.hpp"
#include "sim/diff/look.hpp"
#include "sim/diff/paired.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::diff {
namespace {

struct EndpointLoad {
  std::string zone;
  std::optional<double> utilisation;
  double rate = 0.0;
  double limit = 1.0;
};

// The error of counting, in addition to rounding: counts are of this many seconds of requests.
class Noise {
 public:
  Noise(const Look& before, const Look& after)
      : before_(before),
        after_(after),
        counted_(!before.is_exact() || !after.is_exact()),
        seconds_(std::min(seconds_of(before), seconds_of(after))) {}

  // True if rates [requests/s] may be equal: counts deviate by more only once in a million.
  [[nodiscard]] bool same_rate(double before, double after) const {
    const double independent = quantile * std::sqrt((before + after) / seconds_);
    return same(before, after) || (counted_ && (std::abs(after - before) <= independent ||
                                                std::abs(after - before) <= independent * spread()));
  }

  // True if the load is above the limit. Excesses that counting or rounding may explain do not count.
  [[nodiscard]] bool is_above(const EndpointLoad& load, double limit) const {
    if (!load.utilisation || *load.utilisation <= limit || same(*load.utilisation, limit)) {
      return false;
    }
    const double above = load.rate * (1.0 - limit / *load.utilisation);
    const double independent = quantile * std::sqrt(load.rate / seconds_);
    return !counted_ || (above > independent && above > independent * spread());
  }

 private:
  static constexpr double quantile = 4.8916;
  static double seconds_of(const Look& look) { return static_cast<double>(look.still().duration.count()) * 1e-9; }
  // Returns the factor by which counts deviate more than those of independent requests. Call last: it is expensive.
  [[nodiscard]] double spread() const { return std::sqrt(std::max(before_.overdispersion(), after_.overdispersion())); }

  const Look& before_;
  const Look& after_;
  bool counted_;
  double seconds_;
};

double limit_of(const std::vector<plan::Bound>& bounds, const plan::Loads& loads, std::uint32_t endpoint) {
  double limit = 1.0;
  for (const plan::Bound& bound : bounds) {
    if (bound.metric == plan::Metric::utilisation && loads.rates_by_service[bound.service.value][endpoint] > 0.0) {
      limit = std::min(limit, bound.limit);
    }
  }
  return limit;
}

std::map<std::string, EndpointLoad> loads_by_name(const Look& look) {
  const scenario::Scenario& still = look.still();
  // Objectives that a plan assumes by default do not make a change an overload.
  const std::vector<plan::Bound> bounds =
      still.objectives.empty() ? std::vector<plan::Bound>{} : plan::bounds_of(still);
  std::map<std::string, EndpointLoad> loads;
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    const scenario::Endpoint& endpoint = still.endpoints[index];
    loads[endpoint.id] = {still.zones[still.nodes[endpoint.node.value].zone.value].name,
                          look.loads().utilisation[index], look.loads().rates[index],
                          limit_of(bounds, look.loads(), index)};
  }
  return loads;
}

bool same_load(const Noise& noise, const EndpointLoad& before, const EndpointLoad& after) {
  if (!before.utilisation || !after.utilisation) {
    return before.utilisation.has_value() == after.utilisation.has_value();
  }
  // Changed cores or service times show in the cost per request.
  const bool same_cost = before.rate <= 0.0 || after.rate <= 0.0 ||
                         same(*before.utilisation / before.rate, *after.utilisation / after.rate);
  return same(*before.utilisation, *after.utilisation) || (same_cost && noise.same_rate(before.rate, after.rate));
}

// Returns each zone's busiest endpoint; the first of equals by name.
std::map<std::string, std::pair<std::string, EndpointLoad>> busiest_of(const std::map<std::string, EndpointLoad>& all) {
  std::map<std::string, std::pair<std::string, EndpointLoad>> busiest;
  for (const auto& [id, load] : all) {
    if (!load.utilisation) {
      continue;
    }
    const auto [place, is_first] = busiest.try_emplace(load.zone, id, load);
    const double most = *place->second.second.utilisation;
    if (!is_first && *load.utilisation > most && !same(*load.utilisation, most)) {
      place->second = {id, load};
    }
  }
  return busiest;
}

// Traffic of a service between zones, on both sides: the exact value, or one per repetition if counted. Also handles
// figures that shares leave undetermined.
class CrossingOfBoth {
 public:
  using Figure = std::optional<double> (*)(const plan::ServiceLoad&);

  CrossingOfBoth(const Look& before, std::uint32_t old_service, const Look& after, std::uint32_t service)
      : before_(before), after_(after), old_service_(old_service), service_(service) {}

  [[nodiscard]] bool is_same(Figure figure) const {
    const std::optional<double> was = figure(once(before_, old_service_));
    const std::optional<double> is = figure(once(after_, service_));
    if (was && is && same(*was, *is)) {
      return true;
    }
    if (is_known(before_, old_service_, figure) && is_known(after_, service_, figure)) {
      return false;
    }
    // As for shares: Student's interval of the paired differences, with one false alarm in ten thousand.
    constexpr double false_alarm = 1e-4;
    const std::vector<double> old_values = repeated(before_, old_service_, figure);
    std::vector<double> changes = repeated(after_, service_, figure);
    for (std::size_t repetition = 0; repetition < changes.size(); ++repetition) {
      changes[repetition] -= old_values[repetition];
    }
    return std::abs(mean(changes)) <= half_width(changes, false_alarm);
  }

  [[nodiscard]] Part part(const char* name, Figure figure, double scale = 1.0) const {
    return {name, scale * of(before_, old_service_, figure), scale * of(after_, service_, figure)};
  }

 private:
  static const plan::ServiceLoad& once(const Look& look, std::uint32_t service) {
    return look.loads().services[service];
  }
  static bool is_known(const Look& look, std::uint32_t service, Figure figure) {
    return look.is_exact() && figure(once(look, service)).has_value();
  }
  static std::vector<double> repeated(const Look& look, std::uint32_t service, Figure figure) {
    const bool known = is_known(look, service, figure);
    std::vector<double> values;
    for (std::uint32_t repetition = 0; repetition < Look::repetitions; ++repetition) {
      values.push_back(*figure(known ? once(look, service) : look.repeated_loads()[repetition].services[service]));
    }
    return values;
  }
  static double of(const Look& look, std::uint32_t service, Figure figure) {
    return is_known(look, service, figure) ? *figure(once(look, service)) : mean(repeated(look, service, figure));
  }

  const Look& before_;
  const Look& after_;
  std::uint32_t old_service_;
  std::uint32_t service_;
};

std::optional<double> crossing_share_of(const plan::ServiceLoad& load) {
  return load.cross_zone;
}
std::optional<double> crossing_bytes_of(const plan::ServiceLoad& load) {
  return load.bytes;
}
std::optional<double> crossing_cost_of(const plan::ServiceLoad& load) {
  return load.cost;
}

}  // namespace

std::vector<Overload> overloads_of(const Look& before, const Look& after, std::size_t context) {
  const Noise noise(before, after);
  const auto old_loads = loads_by_name(before);
  const auto new_loads = loads_by_name(after);
  std::map<std::string, std::pair<EndpointLoad, EndpointLoad>> both;
  for (const auto& [id, load] : old_loads) {
    both[id].first = load;
  }
  for (const auto& [id, load] : new_loads) {
    both[id].second = load;
  }
  std::vector<Overload> overloads;
  for (const auto& [id, loads] : both) {
    const auto& [old_load, load] = loads;
    if (same_load(noise, old_load, load) && old_load.limit == load.limit) {
      continue;
    }
    const bool over_limit = noise.is_above(load, load.limit);
    const bool over_all = noise.is_above(load, 1.0);
    const bool crosses_limit = over_limit != noise.is_above(old_load, old_load.limit);
    const bool crosses_all = over_all != noise.is_above(old_load, 1.0);
    if (!crosses_limit && !crosses_all) {
      continue;
    }
    const double own_limit = load.utilisation ? load.limit : old_load.limit;
    overloads.push_back({context, id, load.zone.empty() ? old_load.zone : load.zone, old_load.utilisation,
                         load.utilisation, crosses_all && (over_all || !crosses_limit) ? 1.0 : own_limit});
  }
  return overloads;
}

std::vector<ZoneLoad> zone_loads_of(const Look& before, const Look& after, std::size_t context) {
  const Noise noise(before, after);
  const auto old_busiest = busiest_of(loads_by_name(before));
  const auto new_busiest = busiest_of(loads_by_name(after));
  std::map<std::string, ZoneLoad> zones;
  std::map<std::string, std::pair<EndpointLoad, EndpointLoad>> loads;
  for (const auto& [zone, busiest] : old_busiest) {
    zones[zone].endpoint_before = busiest.first;
    zones[zone].before = busiest.second.utilisation;
    loads[zone].first = busiest.second;
  }
  for (const auto& [zone, busiest] : new_busiest) {
    zones[zone].endpoint_after = busiest.first;
    zones[zone].after = busiest.second.utilisation;
    loads[zone].second = busiest.second;
  }
  std::vector<ZoneLoad> changed;
  for (auto& [zone, load] : zones) {
    if (!same_load(noise, loads[zone].first, loads[zone].second)) {
      load.context = context;
      load.zone = zone;
      changed.push_back(std::move(load));
    }
  }
  return changed;
}

std::vector<Crossing> crossings_of(const Look& before, const Look& after, std::size_t context) {
  const Noise noise(before, after);
  std::vector<Crossing> crossings;
  for (std::uint32_t index = 0; index < after.still().services.size(); ++index) {
    const auto asks = [index](const Look::Asking& asking) { return asking.service.value == index; };
    const std::string& name = after.still().services[index].name;
    const auto old = std::find_if(before.asking().begin(), before.asking().end(), [&](const Look::Asking& asking) {
      return before.still().services[asking.service.value].name == name;
    });
    if (std::none_of(after.asking().begin(), after.asking().end(), asks) || old == before.asking().end()) {
      continue;
    }
    const plan::ServiceLoad& was = before.loads().services[old->service.value];
    const plan::ServiceLoad& is = after.loads().services[index];
    const CrossingOfBoth both(before, old->service.value, after, index);
    const bool exact = before.is_exact() && after.is_exact();
    const bool same_share = exact ? same(was.cross_zone, is.cross_zone)
                                  : noise.same_rate(was.cross_zone * was.rate, is.cross_zone * is.rate);
    if (same_share && both.is_same(crossing_bytes_of) && both.is_same(crossing_cost_of)) {
      continue;
    }
    Crossing crossing;
    crossing.context = context;
    crossing.service = name;
    crossing.share = both.part("share", crossing_share_of);
    crossing.bytes = both.part("bytes_per_month", crossing_bytes_of, plan::seconds_of_month);
    crossing.cost = both.part("cost_per_month", crossing_cost_of);
    crossings.push_back(std::move(crossing));
  }
  return crossings;
}

std::vector<RateChange> rate_changes_of(const Look& before, const Look& after, std::size_t context) {
  std::vector<RateChange> changes;
  for (const scenario::ClientEntry& client : after.still().clients) {
    const auto old = std::find_if(
        before.still().clients.begin(), before.still().clients.end(),
        [&](const scenario::ClientEntry& other) { return !other.zone_proxy && other.name == client.name; });
    if (client.zone_proxy || old == before.still().clients.end()) {
      continue;
    }
    const double was = old->workload.rate * old->count;
    const double is = client.workload.rate * client.count;
    if (!same(was, is)) {
      changes.push_back({context, {client.name, was, is}});
    }
  }
  return changes;
}

}  // namespace spillway::diff
