// What admission says of a document, one line a finding: "refused distribute-sum-not-100 at spec.trafficPolicy...".
#pragma once

#include <string>
#include <vector>

#include "models/istio/validation.hpp"

namespace spillway::istio::test {

using Lines = std::vector<std::string>;

inline Lines lines_of(const std::vector<Finding>& findings) {
  Lines lines;
  for (const Finding& finding : findings) {
    lines.push_back((finding.refused ? "refused " : "warned ") + finding.reason + " at " + finding.path);
  }
  return lines;
}

// The paths of `lines` moved below another place: "at .outlierDetection" -> "at spec.trafficPolicy.outlierDetection".
inline Lines below(const std::string& place, Lines lines) {
  for (std::string& line : lines) {
    const std::size_t at = line.find(" at ");
    line.insert(at + 4, place);
  }
  return lines;
}

// A policy where a rule may have one: the rule's own, that of its second subset, and that of its second port.
struct Place {
  std::string path = {};
  DestinationRule rule = {};
};

inline std::vector<Place> places_of_policy(const TrafficPolicy& policy) {
  DestinationRule bare;
  bare.host = "web";
  Place own{"spec.trafficPolicy", bare};
  own.rule.trafficPolicy = policy;
  Place subset{"spec.subsets[1].trafficPolicy", bare};
  subset.rule.subsets = {{.name = "v1"}, {.name = "v2"}};
  subset.rule.subsets[1].trafficPolicy = policy;
  Place port{"spec.trafficPolicy.portLevelSettings[1]", bare};
  TrafficPolicy other;
  other.loadBalancer.emplace();
  port.rule.trafficPolicy.emplace().portLevelSettings = {{.port = 80, .policy = other}, {.port = 81, .policy = policy}};
  return {own, subset, port};
}

}  // namespace spillway::istio::test
