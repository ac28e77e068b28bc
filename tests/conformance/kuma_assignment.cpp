// The load assignment of one client and cluster, the cluster's settings, and where the requests go in a state of
// health.
#include <algorithm>
#include <cmath>

#include "models/kuma/assign.hpp"
#include "models/kuma/rules.hpp"
#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_kinds.hpp"
#include "tests/conformance/kuma_shares.hpp"

namespace spillway::conformance {

namespace {

json json_of(const kuma::LoadAssignment& assignment, const std::vector<kuma::Endpoint>& endpoints) {
  json list = json::array();
  for (const auto& locality : assignment.localities) {
    json entry = {{"priority", locality.priority}, {"zone", nullptr}, {"weight", nullptr}};
    if (locality.has_locality) {
      entry["zone"] = locality.zone;
    }
    if (!locality.sub_zone.empty()) {
      entry["sub_zone"] = locality.sub_zone;
    }
    if (locality.weight) {
      entry["weight"] = *locality.weight;
    }
    entry["endpoints"] = json::array();
    for (const auto& assigned : locality.endpoints) {
      const auto& endpoint = endpoints[assigned.endpoint];
      entry["endpoints"].push_back(
          {{"id", kuma::to_text(endpoint)}, {"weight", endpoint.weight == 0 ? json(nullptr) : json(endpoint.weight)}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// As protobuf writes them in JSON: 64-bit numbers as text, zero of a plain number not at all.
json json_of(const kuma::LeastRequestLbConfig& config) {
  json object = json::object();
  if (config.choice_count) {
    object["choiceCount"] = *config.choice_count;
  }
  if (config.active_request_bias) {
    object["activeRequestBias"] = json::object();
    if (*config.active_request_bias != 0.0) {
      object["activeRequestBias"]["defaultValue"] = *config.active_request_bias;
    }
  }
  return object;
}

json json_of(const kuma::RingHashLbConfig& config) {
  json object = json::object();
  if (config.minimum_ring_size) {
    object["minimumRingSize"] = std::to_string(*config.minimum_ring_size);
  }
  if (config.maximum_ring_size) {
    object["maximumRingSize"] = std::to_string(*config.maximum_ring_size);
  }
  if (config.hash_function == kuma::HashFunction::murmur_hash_2) {
    object["hashFunction"] = "MURMUR_HASH_2";
  }
  return object;
}

json json_of(const kuma::MaglevLbConfig& config) {
  json object = json::object();
  if (config.table_size) {
    object["tableSize"] = std::to_string(*config.table_size);
  }
  return object;
}

template <class Config>
void check_config(const char* field, const std::optional<Config>& config, Check& check) {
  check.equal_if_expected(field, [&config] { return config ? json_of(*config) : json(nullptr); });
}

void check_settings(const kuma::ClusterSettings& settings, Check& check) {
  check.equal("lb_policy", std::string(kuma::envoy_name(settings.lb_policy)));
  check.equal("locality_weighted", settings.locality_weighted);
  check_config("least_request", settings.least_request_lb_config, check);
  check_config("ring_hash", settings.ring_hash_lb_config, check);
  check_config("maglev", settings.maglev_lb_config, check);
}

// The merged conf of the case, or what its policies make of it for the destination that its context names.
std::optional<kuma::Conf> conf_of(const json& test_case, const json& context, const kuma::Client& client,
                                  config::KumaProfile profile) {
  const json& policy = test_case.at("policy");
  if (!policy.is_array()) {
    return read_merged_conf(policy);
  }
  const json named = object_of(context, "destination");
  kuma::Destination destination;
  destination.kind = named.value("kind", std::string("kuma.io/service"));
  destination.name = named.value("name", named.value("display_name", std::string()));
  destination.labels[std::string(kuma::display_name_label)] = destination.name;
  destination.port_name = named.value("port_name", std::string());
  const auto policies = read_policies(policy);
  const auto rule = destination.kind == "kuma.io/service" ? kuma::tag_rule(policies, client, destination.name, profile)
                                                          : kuma::resource_rule(policies, client, destination, profile);
  return rule ? std::optional(rule->conf) : std::nullopt;
}

struct Replayed {
  kuma::Client client;
  std::vector<kuma::Endpoint> endpoints;
  std::vector<bool> unhealthy;
  kuma::LoadAssignment assignment;
  kuma::ClusterSettings settings;
};

Replayed assign(const json& test_case, config::KumaProfile profile) {
  const json context = object_of(test_case, "context");
  Replayed result;
  result.client = read_client(test_case.at("client"), context);
  for (const json& endpoint : test_case.at("endpoints")) {
    const std::string health = endpoint.value("health", std::string("healthy"));
    if (health != "healthy" && health != "unhealthy" && health != "removed") {
      throw std::invalid_argument("unknown health " + health);
    }
    if (health != "removed") {
      result.endpoints.push_back(read_endpoint(endpoint, context, result.client.zone));
      result.unhealthy.push_back(health == "unhealthy");
    }
  }
  const auto conf = conf_of(test_case, context, result.client, profile);
  const auto destination = destination_model(context, profile);
  const bool egress = has(context, "zone_egress_enabled") && context.at("zone_egress_enabled").get<bool>();
  result.assignment = kuma::assign({.endpoints = result.endpoints,
                                    .client = &result.client,
                                    .destination = destination,
                                    .conf = conf,
                                    .zone_egress_enabled = egress,
                                    .profile = profile});
  result.settings = kuma::cluster_settings(conf, result.client, destination);
  return result;
}

// Percent by endpoint, printed with four decimals; endpoints that get nothing are not listed.
void check_shares(const char* field, const std::map<std::string, double>& shares, Check& check) {
  check.documentation(field);
  if (!check.expects(field)) {
    return;
  }
  constexpr double half_a_digit = 0.5e-4;
  constexpr double rounding = 1e-9;
  json expected = check.expected().at(field);
  for (const auto& [endpoint, share] : shares) {
    const double percent = expected.value(endpoint, 0.0);
    if (std::abs(percent - share * 100.0) > half_a_digit + rounding) {
      check.fail(std::string(field) + "." + endpoint + ": expected " + std::to_string(percent) + ", got " +
                 std::to_string(share * 100.0));
    }
    expected.erase(endpoint);
  }
  for (const auto& [endpoint, percent] : expected.items()) {
    check.fail(std::string(field) + "." + endpoint + ": not an endpoint of the assignment");
  }
}

void check_priorities(const envoy::ClusterState& state, bool any_endpoint, Check& check) {
  json health = json::array();
  for (const auto& availability : state.priorities.availability) {
    health.push_back(availability.healthy);
  }
  if (any_endpoint) {
    check.equal("priority_health", health);
    check.equal("priority_load", state.priorities.load.healthy);
  }
  check.equal_if_expected("panic_priorities", [&state] {
    json panic = json::array();
    for (std::size_t priority = 0; priority < state.priorities.panic.size(); ++priority) {
      if (state.priorities.panic[priority]) {
        panic.push_back(priority);
      }
    }
    return panic;
  });
}

}  // namespace

void replay_kuma_assignment(const json& test_case, config::KumaProfile profile, Check& check) {
  const Replayed replayed = assign(test_case, profile);
  check.documentation("shares_confidence");
  check.equal("localities", json_of(replayed.assignment, replayed.endpoints));
  const auto factor = replayed.assignment.overprovisioning_factor;
  check.equal("overprovisioning_factor", factor ? json(*factor) : json(nullptr));
  check_settings(replayed.settings, check);

  const json context = object_of(test_case, "context");
  const double panic_threshold = context.value("panic_threshold_percent", 50.0);
  const auto state = kuma_cluster_state(replayed.assignment, replayed.settings, replayed.endpoints, replayed.unhealthy,
                                        panic_threshold);
  const auto shares = kuma_shares(*state, replayed.assignment, replayed.settings, replayed.endpoints);
  double found = 0.0;
  for (const auto& [endpoint, share] : shares) {
    found += share;
  }
  check_shares("shares", shares, check);
  check_shares("shares_all_healthy", shares, check);
  check.equal_rounded("share_no_host", 100.0 * (1.0 - found), 4);
  check_priorities(*state, !replayed.assignment.localities.empty(), check);
  check_end_to_end(shares, check);
}

void replay_kuma_grouping(const json& test_case, config::KumaProfile /*profile*/, Check& check) {
  const json context = object_of(test_case, "context");
  std::vector<kuma::Endpoint> endpoints;
  for (const json& endpoint : test_case.at("endpoints")) {
    endpoints.push_back(read_endpoint(endpoint, context, ""));
  }
  check.equal("localities", json_of(kuma::group(endpoints), endpoints));
}

}  // namespace spillway::conformance
