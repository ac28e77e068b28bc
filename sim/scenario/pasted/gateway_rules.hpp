// The rules of routes at gateways of Envoy Gateway, with the endpoints of their backendRefs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/pasted/gateway_matches.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {

struct GatewayBackend {
  std::string name = {};
  bool is_service = true;
  bool has_names = false;  // a Backend with host names in the place of addresses
  bool has_filters = false;
  std::uint64_t weight = 1;
  std::uint64_t priority = 0;
  Json endpoints = Json::array();  // with `node`, or `zone` if the document of a Backend names it
  std::uint64_t zone_preference = 0;
};

struct GatewayRule {
  std::string route = {};
  std::string name = {};  // of its cluster
  std::vector<GatewayMatch> matches = {};
  std::vector<std::string> hosts = {};
  std::vector<GatewayBackend> backends = {};
  const Json* document = nullptr;  // the route, in the inventory
  const Json* rule = nullptr;
};

struct GatewayRules {
  std::vector<GatewayRule> rules = {};  // those with backends
  std::vector<std::string> assumed = {};
};

// Collects the rules of the inventory's routes with a Gateway as parent, or without parents. Backends without endpoints
// get 2 in each of `zones` zones. Lifetime: the inventory must outlive the result.
[[nodiscard]] GatewayRules gateway_rules(const MeshInventory& inventory, std::size_t zones);

}  // namespace spillway::scenario::pasted
