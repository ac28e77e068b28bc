#include "sim/plan/independent.hpp"

#include <algorithm>

#include "sim/plan/objectives.hpp"
#include "sim/run/parts/components.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::plan {
namespace {

std::vector<std::optional<std::uint32_t>> by_service(const scenario::Scenario& scenario,
                                                     const run::Components& components) {
  std::vector<std::optional<std::uint32_t>> of_service(scenario.services.size());
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[index])) {
      const std::uint32_t own = components.of(config::ClientEntryIndex{index});
      of_service[service.value] = own;
      of_service[scenario::asked_for(scenario, service).value] = own;
      for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
        of_service[member.value] = own;
        of_service[scenario::asked_for(scenario, member).value] = own;
      }
    }
  }
  return of_service;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> components_of_services(const scenario::Scenario& scenario) {
  return by_service(scenario, run::Components(scenario));
}

std::vector<scenario::ScenarioTemplate::Part> independent_parts(const scenario::Scenario& scenario) {
  const run::Components components(scenario);
  std::vector<scenario::ScenarioTemplate::Part> parts(components.count());
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    parts[components.of({client})].clients.push_back({client});
  }
  const auto of_service = by_service(scenario, components);
  for (std::uint32_t service = 0; service < of_service.size(); ++service) {
    if (of_service[service]) {
      parts[*of_service[service]].services.push_back({service});
    }
  }
  return parts;
}

std::vector<Bound> bounds_in_part(const std::vector<Bound>& bounds, const scenario::ScenarioTemplate::Part& part,
                                  bool numbered_anew) {
  std::vector<Bound> own;
  for (Bound bound : bounds) {
    const auto place = std::lower_bound(part.services.begin(), part.services.end(), bound.service);
    if (place != part.services.end() && *place == bound.service) {
      bound.service = numbered_anew ? config::ServiceIndex{static_cast<std::uint32_t>(place - part.services.begin())}
                                    : bound.service;
      own.push_back(bound);
    }
  }
  return own;
}

}  // namespace spillway::plan
