#include "sim/scenario/binding/routes.hpp"

#include <limits>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/proxy/pick_policy.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

void warn_of_replaced_timeout(const messages::Described<messages::RouteAction>& action, Diagnostics& problems) {
  if (action.timeout_replaced) {
    problems
        .warning("SP218", action.source.place_of("timeout").value_or(Span{}), "a timeout without effect",
                 "`max_stream_duration` takes its place")
        .note("Envoy's router ignores `timeout` where a route has a `max_stream_duration`");
  }
}

// Resolves the route's clusters to services, each at the place where it is named.
void find_services(const ServiceOf& service_of, const messages::Described<messages::RouteAction>& action, Route& route,
                   Diagnostics& problems) {
  std::vector<messages::Source> places = {action.source};
  const char* name_key = "cluster";
  const std::vector<messages::Source> weighted = action.source.items_of("weighted_clusters");
  if (!weighted.empty()) {
    places = weighted.front().items_of("clusters");
    name_key = "name";
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < action.clusters.size(); ++i) {
    route.clusters.push_back(service_of(places[i].text(name_key, action.clusters[i].name)));
    sum += action.clusters[i].weight;
  }
  const char* wrong = action.sound && sum == 0 ? "Sum of weights in the weighted_cluster must be greater than 0."
                      : sum > std::numeric_limits<std::uint32_t>::max() ? "the sum of their weights exceeds 4294967295"
                                                                        : nullptr;
  if (!weighted.empty() && wrong != nullptr) {
    problems.error("SP139", action.source.place_of("weighted_clusters").value_or(Span{}),
                   "Envoy refuses these weighted clusters", "{}", {wrong});
  }
}

// Refuses hashes other than headers under profile seed: the page of 1.6 has "only HTTP header hashing"
// (docs/profiles.md).
void refuse_hashes_of_the_seed(const messages::Described<messages::RouteAction>& action, Diagnostics& problems) {
  for (const messages::Source& policy : action.source.items_of("hash_policy")) {
    if (!policy.member("header")) {
      problems
          .error("SP168", policy.object->span, "a hash of something else than a header under profile seed",
                 "the documents of Envoy 1.6 hash headers only")
          .help("hash a header, or write `profile: { envoy: current }` to see what today's Envoy does");
    }
  }
}

}  // namespace

Route read_route(const messages::Route& written, const ServiceOf& service_of, Diagnostics& problems) {
  const messages::Described<messages::RouteAction>& action = *written.route;
  Route route{{action}, {*written.match, action}, {}};
  find_services(service_of, action, route, problems);
  warn_of_replaced_timeout(action, problems);
  read_filters(written, route, problems);
  return route;
}

Routes read_routes(Clusters clusters) {
  Routes so_far{std::move(clusters)};
  for (const auto& field : so_far.file.routes.value) {
    Route route = read_route(
        *field,
        [&](const Field<std::string>& name) {
          return config::ServiceIndex{so_far.services.resolve(name, so_far.problems).value_or(0)};
        },
        so_far.problems);
    if (so_far.scenario.profile.envoy == config::EnvoyProfile::seed) {
      refuse_hashes_of_the_seed(*field->route, so_far.problems);
    }
    route.origins.push_back({"route", field.where});
    so_far.routes.push_back(route.route);
    so_far.scenario.routes.push_back(std::move(route));
  }
  // After an error it is unknown which requests the route would have matched.
  so_far.routes_complete = !has_errors(so_far.problems);
  return so_far;
}

}  // namespace spillway::scenario::binding
