// The data that reading a scenario with Istio documents leaves for re-reading it with changed DestinationRules.
//
//   MeshReading left;
//   Scenario before = read_written(file, sources, problems, &cache, &left);
//   std::optional<Scenario> after = read_with_rules(left, file, {&rule}, sources, more_problems, &cache);
//
// Only clients of services that a changed rule names get new views. Everything else is taken over. The scenario and
// diagnostics equal those of a whole reading.
#pragma once

#include <cstddef>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/istio/lints.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/made_views.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::istio_binding {

struct MeshReading {
  IstioMesh mesh = {};
  Scenario unled = {};  // before clients had their views
  Scenario led = {};    // completely read
  MadeViews made = {};
  // Diagnostics from before the documents, between the documents and the clients, and after the clients.
  Diagnostics before = {};
  Diagnostics between = {};
  Diagnostics after = {};

  // A client's lints, and the numbers of services and routes in the scenario after the client got its views.
  struct Led {
    std::size_t services = 0;
    std::size_t routes = 0;
    std::vector<istio::Lint> lints = {};
  };
  std::vector<Led> clients = {};
};

}  // namespace spillway::scenario::istio_binding
