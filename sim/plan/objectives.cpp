#include "sim/plan/objectives.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace spillway::plan {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A sum of doubles that stands for the limit itself is not above it.
constexpr double rounding = 1e-9;

std::set<std::uint32_t> asked_services(const scenario::Scenario& scenario) {
  std::set<std::uint32_t> services;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : services_of(scenario, client)) {
      services.insert(scenario::asked_for(scenario, service).value);
    }
  }
  return services;
}

void add_bounds(const scenario::Objective& objective, config::ServiceIndex service, std::vector<Bound>& bounds) {
  const auto add = [&](Metric metric, const std::optional<double>& limit) {
    if (limit) {
      bounds.push_back({metric, service, *limit});
    }
  };
  const auto seconds = [](const std::optional<std::chrono::nanoseconds>& time) {
    return time ? std::optional(static_cast<double>(time->count()) * 1e-9) : std::nullopt;
  };
  add(Metric::utilisation, objective.utilisation);
  add(Metric::p50, seconds(objective.p50));
  add(Metric::p90, seconds(objective.p90));
  add(Metric::p99, seconds(objective.p99));
  add(Metric::error_share, objective.error_share);
  add(Metric::cross_zone_share, objective.cross_zone_share);
  add(Metric::cross_zone_cost, objective.cross_zone_cost);
}

// The busiest of the endpoints that the service's requests go to, or that only others' go to but stand in its list.
std::optional<Margin> busiest(const Loads& loads, const Bound& bound) {
  std::optional<Margin> margin;
  const std::vector<double>& rates = loads.rates_by_service[bound.service.value];
  for (std::uint32_t index = 0; index < rates.size(); ++index) {
    if (rates[index] > 0.0 && loads.utilisation[index] && (!margin || *loads.utilisation[index] > margin->value)) {
      margin = Margin{bound, *loads.utilisation[index], config::EndpointIndex{index}};
    }
  }
  return margin;
}

}  // namespace

bool grows_with_rate(Metric metric) {
  return metric != Metric::error_share && metric != Metric::cross_zone_share;
}

bool follows_from_shares(Metric metric) {
  return metric != Metric::p50 && metric != Metric::p90 && metric != Metric::p99;
}

std::vector<Bound> bounds_of(const scenario::Scenario& scenario) {
  scenario::Objective usual;
  usual.utilisation = 1.0;
  usual.error_share = 0.0;
  const std::vector<scenario::Objective> usual_ones = {usual};
  std::vector<Bound> bounds;
  for (const scenario::Objective& objective : scenario.objectives.empty() ? usual_ones : scenario.objectives) {
    for (const std::uint32_t service : asked_services(scenario)) {
      if (!objective.service || objective.service->value == service) {
        add_bounds(objective, {service}, bounds);
      }
    }
  }
  return bounds;
}

bool Margin::holds() const noexcept {
  return value <= bound.limit * (1.0 + rounding) + 1e-12;
}

double Margin::growth() const noexcept {
  if (!grows_with_rate(bound.metric)) {
    return holds() ? infinite : 0.0;
  }
  return value > 0.0 ? bound.limit / value : infinite;
}

std::vector<Margin> margins_of(const Loads& loads, const std::vector<Bound>& bounds) {
  std::vector<Margin> margins;
  for (const Bound& bound : bounds) {
    const ServiceLoad& service = loads.services[bound.service.value];
    switch (bound.metric) {
      case Metric::utilisation:
        if (auto margin = busiest(loads, bound)) {
          margins.push_back(*margin);
        }
        break;
      case Metric::error_share:
        margins.push_back({bound, service.no_host});
        break;
      case Metric::cross_zone_share:
        margins.push_back({bound, service.cross_zone});
        break;
      case Metric::cross_zone_cost:
        margins.push_back({bound, service.cost});
        break;
      case Metric::p50:
      case Metric::p90:
      case Metric::p99:
        break;
    }
  }
  return margins;
}

std::optional<Margin> tightest(const std::vector<Margin>& margins) {
  const auto least = std::min_element(margins.begin(), margins.end(), [](const Margin& left, const Margin& right) {
    return left.growth() < right.growth();
  });
  return least == margins.end() ? std::nullopt : std::optional(*least);
}

double growth_of_service(const scenario::Scenario& still, const Loads& loads, const std::vector<Bound>& bounds,
                         config::ServiceIndex service) {
  const std::vector<std::optional<Station>> stations = stations_of(still);
  std::vector<double> own(still.endpoints.size(), 0.0);  // utilisation by this service's requests, by station
  const std::vector<double>& of_service = loads.rates_by_service[service.value];
  for (std::size_t index = 0; index < of_service.size(); ++index) {
    if (stations[index]) {
      own[stations[index]->number] += of_service[index] * stations[index]->seconds / stations[index]->cores;
    }
  }
  double growth = infinite;
  for (const Bound& bound : bounds) {
    if (bound.metric == Metric::utilisation) {
      const std::vector<double>& rates = loads.rates_by_service[bound.service.value];
      for (std::size_t index = 0; index < rates.size(); ++index) {
        if (rates[index] <= 0.0 || !stations[index]) {
          continue;
        }
        const double part = own[stations[index]->number];
        const double others = *loads.utilisation[index] - part;
        if (part > 0.0) {
          growth = std::min(growth, std::max(0.0, (bound.limit - others) / part));
        } else if (others > bound.limit * (1.0 + rounding)) {
          growth = 0.0;
        }
      }
    } else if (bound.service == service) {
      for (const Margin& margin : margins_of(loads, {bound})) {
        growth = std::min(growth, margin.growth());
      }
    }
  }
  return growth;
}

}  // namespace spillway::plan
