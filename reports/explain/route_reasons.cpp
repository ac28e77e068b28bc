#include "reports/explain/route_reasons.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "models/config/metadata.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "reports/explain/explain.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/explain/variation.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {
namespace {

// The metadata of the target's hosts in the services to which the client's requests for a service go.
std::vector<const config::Struct*> metadata_of(const scenario::Scenario& scenario, const Question& question,
                                               const Target& target) {
  std::vector<const config::Struct*> found;
  for (const config::ServiceIndex asked : scenario::services_of(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, asked) != question.service) {
      continue;
    }
    const run::Targets targets(scenario, asked);
    for (std::uint32_t index = 0; index < targets.size(); ++index) {
      const run::Target& of = targets.at(index);
      if (!target.has(EndpointShare{run::share_place(scenario, of)})) {
        continue;
      }
      if (const auto* const endpoint = scenario::lb_endpoint_of(scenario.services[of.service.value], of.host)) {
        found.push_back(&endpoint->metadata);
      }
    }
  }
  return found;
}

bool has_all(const config::Struct& metadata, const config::Struct& requested) {
  return std::all_of(requested.fields().begin(), requested.fields().end(), [&](const config::Field& field) {
    const config::Value* const own = metadata.find(field.name);
    return own != nullptr && *own == field.value;
  });
}

std::string place_of(const scenario::Route& route, const Sources& sources) {
  return route.origins.empty() ? std::string() : place_in_file(sources, route.origins.back().where);
}

}  // namespace

std::vector<Fact> route_reasons(const scenario::Scenario& scenario, const Sources& sources, const Question& question,
                                const Target& target) {
  std::vector<Fact> reasons;
  const std::string service = printable(scenario.services[question.service.value].name);
  const std::vector<const config::Struct*> metadata = metadata_of(scenario, question, target);
  for (const RouteOfKinds& of : routes_to(scenario, question.client, question.service)) {
    const scenario::Route& route = scenario.routes[of.route];
    if (metadata.empty() && target.kind == Target::Kind::zone) {
      reasons.push_back(words("", fmt::format("the route sends the requests to {}, which has no endpoint in {}",
                                              service, printable(target.name))));
      reasons.back().where = place_of(route, sources);
    }
    const auto& clusters = route.route.action.clusters;
    const bool none_matches = std::all_of(clusters.begin(), clusters.end(), [&](const auto& cluster) {
      const auto criteria = envoy::routes::merge_criteria(
          {route.route.action.metadata_match ? &*route.route.action.metadata_match : nullptr,
           cluster.metadata_match ? &*cluster.metadata_match : nullptr});
      return criteria && std::none_of(metadata.begin(), metadata.end(),
                                      [&](const config::Struct* own) { return has_all(*own, *criteria); });
    });
    if (!metadata.empty() && none_matches) {
      reasons.push_back(words("", fmt::format("the route requests metadata that no endpoint of {} has "
                                              "(metadata_match)",
                                              printable(target.name))));
      reasons.back().where = place_of(route, sources);
    }
  }
  return reasons;
}

}  // namespace spillway::reports::explain
