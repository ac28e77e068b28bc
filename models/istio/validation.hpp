// The errors and warnings of istiod's admission for a document. A refused document counts as absent.
//
//   for (const Finding& finding : validate(rule)) { finding.path; }   // "spec.trafficPolicy.outlierDetection"
//
// Source: docs/behaviour/istio.md 11; istiod's pkg/config/validation/validation.go, agent/validation.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/istio/resources.hpp"
#include "models/istio/virtual_service.hpp"

namespace spillway::istio {

struct Finding {
  bool refused = true;       // if false, a warning
  std::string reason = {};   // our own identifier: "distribute-sum-not-100"
  std::string path = {};     // the field: "spec.trafficPolicy.loadBalancer"
  std::string message = {};  // the problem, in istiod's words
};

// Returns the findings in istiod's order.
[[nodiscard]] std::vector<Finding> validate(const DestinationRule& rule);
[[nodiscard]] std::vector<Finding> validate(const VirtualService& service);
[[nodiscard]] std::vector<Finding> validate(const ServiceEntry& entry);
[[nodiscard]] std::vector<Finding> validate(const Sidecar& sidecar);
[[nodiscard]] std::vector<Finding> validate(const MeshConfig& mesh);  // paths begin at its own fields

// Checks parts that documents have in common: durations (at least one millisecond, whole milliseconds) and retries.
void check_duration(const std::optional<Duration>& duration, const std::string& path, std::vector<Finding>& findings);
void check_retries(const HttpRetry& retries, const std::string& path, std::vector<Finding>& findings);

[[nodiscard]] bool is_refused(const std::vector<Finding>& findings);

}  // namespace spillway::istio
