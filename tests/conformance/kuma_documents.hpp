// Reads the policies, clients and endpoints that Kuma's cases carry, and writes confs back as JSON.
//
// Unknown fields throw: a case that says more than the models know must not pass.
#pragma once

#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// While one of these lives, unknown fields are dropped, as Kuma's API server drops them.
class DropUnknownFields {
 public:
  DropUnknownFields();
  ~DropUnknownFields();
  DropUnknownFields(const DropUnknownFields&) = delete;
  DropUnknownFields& operator=(const DropUnknownFields&) = delete;
};

[[nodiscard]] kuma::Conf read_conf(const json& conf);
[[nodiscard]] json to_json(const kuma::Conf& conf);
[[nodiscard]] json to_json(const kuma::HashPolicy& policy);

[[nodiscard]] kuma::MeshLoadBalancingStrategy read_spec(const json& policy);
[[nodiscard]] kuma::Policy read_policy(const json& policy);
[[nodiscard]] std::vector<kuma::Policy> read_policies(const json& list);

// {"default": conf}; nothing for null.
[[nodiscard]] std::optional<kuma::Conf> read_merged_conf(const json& policy);

// `context` says the role. Null: a client of no zone.
[[nodiscard]] kuma::Client read_client(const json& client, const json& context);

// Of base priority 0 within the client's zone; elsewhere what the context says.
[[nodiscard]] kuma::Endpoint read_endpoint(const json& endpoint, const json& context, const std::string& client_zone);

[[nodiscard]] kuma::DestinationModel destination_model(const json& context, config::KumaProfile profile);

[[nodiscard]] kuma::Tags read_tags(const json& tags);

// Whether the field is there and not null.
[[nodiscard]] inline bool has(const json& object, const char* field) {
  return object.contains(field) && !object.at(field).is_null();
}

// The object of that name, empty if there is none.
[[nodiscard]] inline json object_of(const json& parent, const char* field) {
  return has(parent, field) ? parent.at(field) : json::object();
}

}  // namespace spillway::conformance
