// What istiod's admission refuses in a document, and what it warns of. A refused document is as if it were not there.
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
  bool refused = true;       // else a warning
  std::string reason = {};   // a word of ours: "distribute-sum-not-100"
  std::string path = {};     // the field: "spec.trafficPolicy.loadBalancer"
  std::string message = {};  // what is wrong, as istiod puts it
};

// In the order in which istiod finds them.
[[nodiscard]] std::vector<Finding> validate(const DestinationRule& rule);
[[nodiscard]] std::vector<Finding> validate(const VirtualService& service);
[[nodiscard]] std::vector<Finding> validate(const ServiceEntry& entry);
[[nodiscard]] std::vector<Finding> validate(const Sidecar& sidecar);
[[nodiscard]] std::vector<Finding> validate(const MeshConfig& mesh);  // paths begin at its own fields

// What the parts of documents have in common: a duration has whole milliseconds and at least one; retries.
void check_duration(const std::optional<Duration>& duration, const std::string& path, std::vector<Finding>& findings);
void check_retries(const HttpRetry& retries, const std::string& path, std::vector<Finding>& findings);

[[nodiscard]] bool is_refused(const std::vector<Finding>& findings);

}  // namespace spillway::istio
