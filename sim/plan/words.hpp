// The words of a scenario's documents for settings of Envoy: advice names what the reader can write.
//
//   name_of(Knob::num_retries, documents_of(scenario));   // "retries.attempts" with Istio's documents
#pragma once

#include <cstdint>
#include <string>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

enum class Documents : std::uint8_t { envoy, kuma, istio };

// Returns whose documents configure the clients' clusters; Envoy's without a mesh.
[[nodiscard]] Documents documents_of(const scenario::Scenario& scenario);

enum class Knob : std::uint8_t {
  healthy_panic_threshold,
  max_ejection_percent,
  num_retries,
  max_retries,
  max_requests
};

// Returns the name of the setting. Source: DestinationRule and VirtualService of Istio; MeshCircuitBreaker,
// MeshHealthCheck and MeshRetry of Kuma.
[[nodiscard]] std::string name_of(Knob knob, Documents documents);

}  // namespace spillway::plan
