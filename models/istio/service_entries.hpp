// Adds ServiceEntries as services: endpoints written in them, and the WorkloadEntries and pods that they select.
//
// Source: docs/behaviour/istio.md 2; istiod's pilot/pkg/serviceregistry/serviceentry/conversion.go.
#pragma once

#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

void add_service_entries(const Documents& documents, Registry& registry);

}  // namespace spillway::istio
