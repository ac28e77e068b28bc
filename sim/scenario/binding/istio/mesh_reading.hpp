// What reading a scenario with Istio's documents leaves for the reading of a change to its DestinationRules.
//
//   MeshReading left;
//   Scenario before = read_written(file, sources, problems, &cache, &left);
//   std::optional<Scenario> after = read_with_rules(left, file, {&rule}, sources, more_problems, &cache);
//
// Only clients of services that a changed rule names are led to their views anew; everything else is taken over, and
// scenario and diagnostics are those of a whole reading.
#pragma once

#include <cstddef>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/istio/lints.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::istio_binding {

struct MeshReading {
  IstioMesh mesh = {};
  Scenario unled = {};  // before its clients were led to their views
  Scenario led = {};    // read to the end
  Views::Made made = {};
  // What was said before anything about the documents, between that and the clients, and after the clients.
  Diagnostics before = {};
  Diagnostics between = {};
  Diagnostics after = {};

  // A client's traps, and how many services and routes the scenario had once it was led.
  struct Led {
    std::size_t services = 0;
    std::size_t routes = 0;
    std::vector<istio::Lint> lints = {};
  };
  std::vector<Led> clients = {};
};

}  // namespace spillway::scenario::istio_binding
