// Writes the settings of MeshLoadBalancingStrategy, MeshTimeout and MeshRetry into an outbound listener.
#include <optional>
#include <vector>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/envoy_cluster.hpp"
#include "models/kuma/envoy_retries.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/kuma/outbound_listeners.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/refusals.hpp"
#include "sim/scenario/binding/kuma/views.hpp"

namespace spillway::scenario::kuma_binding {

void OutboundListeners::apply_policies(const Destination& destination, kuma::OutboundListener& into) {
  const bool by_tag = destination.model == kuma::DestinationModel::tag;
  const auto strategy = confs_of(*policies_, *client_, destination).strategy;
  const auto retry = policies_->retries.conf(*client_, destination);
  const auto timeout = policies_->timeouts.conf(*client_, destination);
  // Real destinations have Kuma's defaults even without a document; values of kuma.io/service have not.
  const bool has_timeouts = timeout || !by_tag;
  const kuma::TimeoutConf own = timeout.value_or(kuma::TimeoutConf{});
  const kuma::HttpTimeouts http = own.http.value_or(kuma::HttpTimeouts{});
  if (has_timeouts) {
    into.request_headers_timeout = http.requestHeadersTimeout.value_or(std::chrono::nanoseconds{0});
    into.idle_timeout = own.idleTimeout.value_or(kuma::default_idle_timeout);
  }
  if (retry && retry->tcp && destination.protocol == "tcp") {
    into.max_connect_attempts = retry->tcp->maxConnectAttempt;
  }
  for (kuma::OutboundRoute& route : into.routes) {
    if (route.answers_500) {
      continue;
    }
    // The conf of policies for the MeshHTTPRoute itself.
    const auto of_itself = [&](const auto& policies) {
      return route.origin && !by_tag ? policies.conf(*client_, policies_->resource_of_route(route.origin->item))
                                     : std::nullopt;
    };
    const std::vector<std::optional<kuma::Conf>> most_specific = {of_itself(policies_->strategies), strategy};
    const auto hashes =
        kuma::hash_policies(most_specific, contents_->profile).value_or(std::vector<kuma::HashPolicy>{});
    views_->refusals().look_at_hash_policies(hashes);
    for (const kuma::HashPolicy& hash : hashes) {
      route.hash_policy.push_back(kuma::to_envoy(hash));
    }
    const auto of_route = of_itself(policies_->retries);
    route.retry = of_route && kuma::envoys_retries(*of_route, destination.protocol) ? of_route : retry;
    if (has_timeouts) {
      const auto route_conf = of_itself(policies_->timeouts);
      const auto of_rule = route_conf ? route_conf->http.value_or(kuma::HttpTimeouts{}) : http;
      route.timeout = of_rule.requestTimeout.value_or(kuma::default_request_timeout);
      route.idle_timeout = of_rule.streamIdleTimeout
                               ? of_rule.streamIdleTimeout
                               : http.streamIdleTimeout.value_or(kuma::default_stream_idle_timeout);
    }
  }
}

}  // namespace spillway::scenario::kuma_binding
