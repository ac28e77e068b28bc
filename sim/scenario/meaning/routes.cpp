#include "sim/scenario/meaning/routes.hpp"

#include <limits>
#include <utility>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/meaning/pick_policy.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;

std::optional<config::Struct> metadata_of(const Field<written::Metadata>& field) {
  return field ? std::optional(field->filter_metadata.value) : std::nullopt;
}

envoy::routes::Rewrite rewrite_of(const written::RouteAction& action) {
  return {.prefix_rewrite = action.prefix_rewrite.value_or(""),
          .regex_rewrite = *action.regex_rewrite,
          .host_rewrite_literal = action.host_rewrite_literal.value_or(""),
          .host_rewrite_header = action.host_rewrite_header.value_or(""),
          .host_rewrite_path_regex = *action.host_rewrite_path_regex,
          .append_x_forwarded_host = action.append_x_forwarded_host.value_or(false)};
}

// The connection manager's timeouts count from the request; what is answered is answered at once, so that the shorter
// one is both.
void read_timeouts(const written::RouteAction& action, Route& route, Diagnostics& problems) {
  route.timeout = action.timeout.value_or(route.timeout);
  route.stream_timeout = action.idle_timeout.value_or(Nanoseconds{0});
  route.reads_grpc_timeout =
      action.max_grpc_timeout.present || action.max_stream_duration->grpc_timeout_header_max.present;
  if (!action.max_stream_duration.present) {
    return;
  }
  route.timeout = Nanoseconds{0};
  const Nanoseconds longest = action.max_stream_duration->max_stream_duration.value_or(Nanoseconds{0});
  if (longest > Nanoseconds{0} && (route.stream_timeout == Nanoseconds{0} || longest < route.stream_timeout)) {
    route.stream_timeout = longest;
  }
  if (action.timeout && *action.timeout > Nanoseconds{0}) {
    problems.push_back(with_note(
        warning("SP218", "a timeout without effect", action.timeout.where, "`max_stream_duration` takes its place"),
        "Envoy's router does not look at `timeout` where a route has a `max_stream_duration`"));
  }
}

void add_cluster(const ServiceOf& service_of, const Field<std::string>& name, std::uint32_t weight,
                 std::optional<config::Struct> metadata, Route& route) {
  route.clusters.push_back(service_of(name));
  route.route.action.clusters.push_back({name.value_or(""), weight, std::move(metadata)});
}

void read_weighted_clusters(const ServiceOf& service_of, const Field<written::WeightedCluster>& field, Route& route,
                            Diagnostics& problems) {
  std::uint64_t sum = 0;
  bool readable = field->clusters.given;
  for (const auto& cluster : *field->clusters) {
    const std::uint64_t weight = cluster->weight.value_or(0);
    sum += weight;
    readable = readable && cluster->weight.given;
    add_cluster(service_of, cluster->name, static_cast<std::uint32_t>(weight), metadata_of(cluster->metadata_match),
                route);
    route.route.action.clusters.back().host_rewrite_literal = cluster->host_rewrite_literal.value_or("");
  }
  if (readable && sum == 0) {
    problems.push_back(error("SP139", "Envoy refuses these weighted clusters", field.where,
                             "Sum of weights in the weighted_cluster must be greater than 0."));
  }
  if (sum > std::numeric_limits<std::uint32_t>::max()) {
    problems.push_back(error("SP139", "Envoy refuses these weighted clusters", field.where,
                             "the sum of their weights exceeds 4294967295"));
  }
}

}  // namespace

Route read_route(const written::Route& written, const ServiceOf& service_of, Diagnostics& problems) {
  const written::RouteAction& action = *written.route;
  Route route;
  route.route.match = read_route_match(*written.match, problems);
  route.route.action.metadata_match = metadata_of(action.metadata_match);
  route.route.action.hash_policy = *action.hash_policy;
  route.route.action.rewrite = rewrite_of(action);
  if (action.weighted_clusters) {
    read_weighted_clusters(service_of, action.weighted_clusters, route, problems);
  } else if (action.cluster) {
    add_cluster(service_of, action.cluster, 1, std::nullopt, route);
  }
  if (action.retry_policy) {
    refuse(config::refusal(*action.retry_policy),
           {"this retry policy", action.retry_policy->source.object, action.retry_policy.where}, problems);
    route.retry_policy = *action.retry_policy;
  }
  read_timeouts(action, route, problems);
  route.priority = static_cast<config::RoutingPriority>(action.priority.value_or(0));
  read_filters(written, route, problems);
  return route;
}

void read_routes(Context& context) {
  for (const auto& field : context.file.routes.value) {
    Route route = read_route(
        *field,
        [&](const Field<std::string>& name) {
          return config::ServiceIndex{context.services.resolve(name, context.problems).value_or(0)};
        },
        context.problems);
    context.routes.push_back(route.route);
    context.scenario.routes.push_back(std::move(route));
  }
  // What would have matched nobody can tell once something is wrong.
  context.routes_complete = !has_errors(context.problems);
}

}  // namespace spillway::scenario::meaning
