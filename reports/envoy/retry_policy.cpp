#include "reports/envoy/retry_policy.hpp"

#include <string>
#include <utility>
#include <variant>

namespace spillway::reports::envoy_export {
namespace {

Json predicate_json(const config::PreviousHosts& /*predicate*/) {
  return extension_json("envoy.retry_host_predicates.previous_hosts",
                        "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate");
}

Json predicate_json(const config::OmitCanaryHosts& /*predicate*/) {
  return extension_json("envoy.retry_host_predicates.omit_canary_hosts",
                        "envoy.extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate");
}

Json predicate_json(const config::OmitHostMetadata& predicate) {
  Json config = Json::object();
  if (!predicate.metadata_match.empty()) {
    config["metadata_match"] = lb_metadata_json(predicate.metadata_match);
  }
  return extension_json("envoy.retry_host_predicates.omit_host_metadata",
                        "envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig", std::move(config));
}

}  // namespace

Json retry_policy_json(const config::RetryPolicy& policy) {
  Json json = {{"retry_on", config::text(policy.retry_on)},
               {"num_retries", policy.num_retries},
               {"host_selection_retry_max_attempts", policy.host_selection_retry_max_attempts}};
  if (policy.per_try_timeout) {
    json["per_try_timeout"] = duration_json(*policy.per_try_timeout);
  }
  for (const config::RetryHostPredicate& predicate : policy.retry_host_predicate) {
    json["retry_host_predicate"].push_back(
        std::visit([](const auto& alternative) { return predicate_json(alternative); }, predicate));
  }
  if (policy.previous_priorities_update_frequency) {
    json["retry_priority"] =
        extension_json("envoy.retry_priorities.previous_priorities",
                       "envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
                       {{"update_frequency", *policy.previous_priorities_update_frequency}});
  }
  if (!policy.retriable_status_codes.empty()) {
    json["retriable_status_codes"] = policy.retriable_status_codes;
  }
  for (const std::string& name : policy.retriable_headers) {
    json["retriable_headers"].push_back({{"name", name}, {"present_match", true}});
  }
  json["retry_back_off"] = {{"base_interval", duration_json(policy.retry_back_off.base_interval)}};
  if (policy.retry_back_off.max_interval) {
    json["retry_back_off"]["max_interval"] = duration_json(*policy.retry_back_off.max_interval);
  }
  return json;
}

}  // namespace spillway::reports::envoy_export
