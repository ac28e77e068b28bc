// The mesh defined by Istio and Kubernetes documents, in terms of a scenario: the service port of each scenario
// service, and the endpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/istio/documents/documents.hpp"
#include "models/istio/registry.hpp"

namespace spillway::scenario::istio_binding {

// A port of a service, and the scenario's service for it.
struct Destination {
  config::ServiceIndex service = {};
  std::size_t position = 0;  // in registry.services
  std::uint32_t port = 0;
};

struct IstioMesh {
  istio::LocatedDocuments documents = {};
  istio::Registry registry = {};
  std::vector<Destination> destinations = {};
  std::map<std::string, config::EndpointIndex> by_address = {};  // "ip:port"

  [[nodiscard]] bool empty() const noexcept { return documents.empty(); }
};

}  // namespace spillway::scenario::istio_binding
