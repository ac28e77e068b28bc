// live.reject, and what config.reject and message_defaults ask of the pick policies.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/refusals.hpp"
#include "tests/conformance/envoy_documents.hpp"
#include "tests/conformance/messages.hpp"
#include "tests/conformance/policy_configs.hpp"

namespace spillway::conformance {

namespace {

using envoy::ClusterDocument;
using envoy::Form;
using envoy::refusal;
using envoy::Refusal;

template <class... Refused>
Refusal first_of(const Refused&... refused) {
  Refusal first;
  ((first = first ? first : refused), ...);
  return first;
}

Refusal of_least_request(const json& config, Form form) {
  return refusal(envoy::policies::least_request::Config{.choice_count = config.value("choice_count", 2U)}, form);
}

Refusal of_selectors(const json& config) {
  return read_refusable<messages::SettingsOf<envoy::policies::subset::Policy>>(config).refused;
}

// A case is an excerpt: what it does not speak of is well. A fallback of "..." says that nothing is left out.
struct OverrideHostDocument {
  envoy::policies::override_host::Config config = {};
  envoy::policies::FoundChild fallback = {.written = true, .known = true};
};
Refusal refusal_of(const OverrideHostDocument& document) {
  return refusal(document.config, document.fallback);
}
OverrideHostDocument override_host_document(const json& config) {
  OverrideHostDocument document;
  const json fallback = config.value("fallback_policy", json());
  if (config.contains("override_host_sources")) {
    for (const json& source : config.at("override_host_sources")) {
      document.config.override_host_sources.push_back(
          {source.value("header", std::string()),
           source.contains("metadata") ? std::optional<std::string>("key") : std::nullopt});
    }
  } else if (fallback != "...") {
    document.config.override_host_sources.push_back({.header = "x-host"});
  }
  if (fallback.is_object()) {
    document.fallback.known = false;
    for (const json& policy : fallback.value("policies", json::array())) {
      document.fallback.names.push_back(policy.at("typed_extension_config").at("name").get<std::string>());
      document.fallback.known =
          document.fallback.known || document.fallback.names.back().starts_with("envoy.load_balancing_policies.");
    }
  }
  return document;
}

// Sums that are given in words: "sum of host weights of one priority > 4294967295".
Refusal of_weight_sums(const std::string& words) {
  constexpr std::uint64_t too_much = 4294967296;
  envoy::WeightSums sums;
  if (words.starts_with("sum of host weights")) {
    sums.host_weights = too_much;
  } else if (words.starts_with("sum of locality weights")) {
    sums.locality_weights = too_much;
  } else {
    throw std::invalid_argument("unknown sums " + words);
  }
  return refusal(sums);
}

Refusal of_hash_policy(const json& config, Form form, bool maglev) {
  if (config.is_string()) {
    return of_weight_sums(config.get<std::string>());
  }
  return maglev ? refusal(read_maglev(config), form) : refusal(read_ring_hash(config), form);
}

Refusal of_client_side_weights(const json& config) {
  for (const auto& [field, value] : config.items()) {
    if (field != "error_utilization_penalty") {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  return std::nullopt;  // its bounds are not checked
}

Refusal of_endpoint(const json& config) {
  config::ClusterLoadAssignment assignment;
  auto& group = assignment.endpoints.emplace_back();
  auto& endpoint = group.lb_endpoints.emplace_back();
  for (const auto& [field, value] : config.items()) {
    if (field == "priority") {
      group.priority = {value.get<std::uint32_t>()};
    } else if (field == "overprovisioning_factor") {
      assignment.overprovisioning_factor = value.get<std::uint32_t>();
    } else if (field == "load_balancing_weight") {
      endpoint.load_balancing_weight = value.get<std::uint32_t>();
    } else {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  return refusal(assignment, false);
}

bool known_policy(const std::string& name) {
  return name.starts_with("envoy.load_balancing_policies.");
}

void read_common(const json& common, ClusterDocument& document) {
  // A list names the parts of which each is refused alike.
  if (common.is_array()) {
    document.has_zone_aware_lb_config = true;
    return;
  }
  document.has_zone_aware_lb_config = common.contains("zone_aware_lb_config");
  document.has_locality_weighted_lb_config = common.contains("locality_weighted_lb_config");
  document.has_consistent_hashing_lb_config = common.contains("consistent_hashing_lb_config");
  document.use_hostname_for_hashing =
      common.value("consistent_hashing_lb_config", json::object()).value("use_hostname_for_hashing", false);
}

// Of a cluster what is said of its balancing, in Envoy's words or as "set".
ClusterDocument cluster_document(const json& config) {
  ClusterDocument document;
  document.name = config.value("name", std::string());
  document.type = config.value("type", std::string("STATIC"));
  document.lb_policy = config.value("lb_policy", std::string("ROUND_ROBIN"));
  document.has_load_balancing_policy = config.contains("load_balancing_policy");
  const json policies = config.value("load_balancing_policy", json());
  if (!policies.is_null() && policies != "set") {
    for (const json& policy : policies.is_array() ? policies : policies.at("policies")) {
      document.policy_names.push_back(policy.is_string()
                                          ? policy.get<std::string>()
                                          : policy.at("typed_extension_config").at("name").get<std::string>());
    }
    document.policy_known = std::any_of(document.policy_names.begin(), document.policy_names.end(), known_policy);
  }
  document.has_lb_subset_config = config.contains("lb_subset_config");
  const json subsets = config.value("lb_subset_config", json());
  if (subsets.is_object()) {
    document.locality_weight_aware = subsets.value("locality_weight_aware", false);
  }
  read_common(config.value("common_lb_config", json::object()), document);
  document.has_load_assignment = config.contains("load_assignment");
  const json original_dst = config.value("original_dst_lb_config", json::object());
  document.use_http_header = original_dst.value("use_http_header", false);
  document.http_header_name = original_dst.value("http_header_name", std::string());
  return document;
}

Refusal of_legacy_fields(const json& config) {
  const json common = config.value("common_lb_config", json::object());
  const json hashing =
      common.is_object() ? common.value("consistent_hashing_lb_config", json::object()) : json::object();
  return first_of(refusal(read_message<envoy::policies::ConsistentHashingLbConfig>(hashing), Form::legacy),
                  refusal(read_ring_hash(config.value("ring_hash_lb_config", json::object())), Form::legacy),
                  refusal(read_maglev(config.value("maglev_lb_config", json::object())), Form::legacy),
                  of_least_request(config.value("least_request_lb_config", json::object()), Form::legacy));
}

Refusal of_cluster_message(const json& config) {
  const json subsets = config.value("lb_subset_config", json::object());
  return first_of(of_legacy_fields(config), refusal(cluster_document(config)),
                  subsets.is_object() ? of_selectors(subsets) : std::nullopt);
}

Refusal of_original_dst(json config) {
  config.emplace("lb_policy", "CLUSTER_PROVIDED");
  return of_cluster_message(config);
}

Refusal of_subset(const json& config) {
  if (config.contains("selector")) {
    return of_selectors({{"subset_selectors", json::array({config.at("selector")})}});
  }
  json cluster = config;
  cluster["lb_subset_config"] = "set";
  return refusal(cluster_document(cluster));
}

Refusal of_session(const json& config, envoy::SessionState state) {
  return refusal(state, config.at("name").get<std::string>());
}

using OfMessage = std::function<Refusal(const json&)>;

// One line a message.
const std::map<std::string, OfMessage> message_refusals = {
    {"ring_hash", [](const json& config) { return of_hash_policy(config, Form::typed, false); }},
    {"maglev", [](const json& config) { return of_hash_policy(config, Form::typed, true); }},
    {"ring_hash|maglev", [](const json& config) { return of_hash_policy(config, Form::typed, false); }},
    {"least_request", [](const json& config) { return of_least_request(config, Form::typed); }},
    {"client_side_weighted_round_robin", of_client_side_weights},
    {"subset", of_subset},
    {"override_host", [](const json& config) { return refusal_of(override_host_document(config)); }},
    {"original_dst", of_original_dst},
    {"cluster", of_cluster_message},
    {"endpoint", of_endpoint},
    {"stateful header", [](const json& config) { return of_session(config, envoy::SessionState::header); }},
    {"stateful cookie", [](const json& config) { return of_session(config, envoy::SessionState::cookie); }},
};

json ring_hash_defaults() {
  const envoy::policies::ring_hash::Config config;
  const bool murmur = config.hash_function == envoy::policies::ring_hash::HashFunction::murmur_hash_2;
  return {{"minimum_ring_size", config.minimum_ring_size},
          {"maximum_ring_size", config.maximum_ring_size},
          {"limit", config.maximum_ring_size},
          {"hash_function", murmur ? "MURMUR_HASH_2" : "XX_HASH"},
          {"hash_balance_factor", config.consistent_hashing_lb_config.hash_balance_factor}};
}

json maglev_defaults() {
  const envoy::policies::maglev::Config config;
  return {{"table_size", config.table_size},
          {"limit", envoy::policies::maglev::largest_table},
          {"hash_balance_factor", config.consistent_hashing_lb_config.hash_balance_factor}};
}

json subset_defaults() {
  const envoy::policies::subset::Config config;
  using envoy::policies::subset::FallbackPolicy;
  using envoy::policies::subset::MetadataFallbackPolicy;
  return {{"fallback_policy", config.fallback_policy == FallbackPolicy::no_fallback ? "NO_FALLBACK" : "another"},
          {"metadata_fallback_policy", config.metadata_fallback_policy == MetadataFallbackPolicy::metadata_no_fallback
                                           ? "METADATA_NO_FALLBACK"
                                           : "another"}};
}

json cswrr_defaults() {
  const envoy::policies::client_side_weighted_round_robin::Config config;
  const auto milliseconds = [](auto time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  };
  return {{"blackout_period_ms", milliseconds(config.blackout_period)},
          {"weight_expiration_period_ms", milliseconds(config.weight_expiration_period)},
          {"weight_update_period_ms", milliseconds(config.weight_update_period)},
          {"error_utilization_penalty_code_default", config.error_utilization_penalty}};
}

json original_dst_defaults() {
  const envoy::policies::original_dst::Config config;
  return {
      {"cleanup_interval_ms", std::chrono::duration_cast<std::chrono::milliseconds>(config.cleanup_interval).count()}};
}

const std::map<std::string, std::function<json()>> message_defaults = {
    {"ring_hash", ring_hash_defaults},
    {"maglev", maglev_defaults},
    {"subset", subset_defaults},
    {"client_side_weighted_round_robin", cswrr_defaults},
    {"original_dst", original_dst_defaults},
};

void replay_live_reject(const json& input, Check& check) {
  check.refusal(refusal_of_documents(input.at("clusters"), input.value("routes", json::array())),
                check.expected().at("message"));
}

}  // namespace

Refusal policy_refusal(const std::string& message, const json& config) {
  const auto found = message_refusals.find(message);
  if (found == message_refusals.end()) {
    throw std::invalid_argument("unknown message " + message);
  }
  return found->second(config);
}

json policy_defaults(const std::string& message) {
  const auto found = message_defaults.find(message);
  if (found == message_defaults.end()) {
    throw std::invalid_argument("unknown message " + message);
  }
  return found->second();
}

const Replays& policy_config_replays() {
  static const Replays replays = {{"live.reject", replay_live_reject}};
  return replays;
}

}  // namespace spillway::conformance
