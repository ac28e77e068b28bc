// A variation of a scenario file: different numbers of endpoints, and additional changes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::scenario {

// The location of a group in the file: `services[service].endpoints[group]`, or a group of pods of its documents.
struct GroupPlace {
  static constexpr std::uint32_t of_pods = UINT32_MAX;  // `group` is PodGroup::number
  std::uint32_t service = 0;
  std::uint32_t group = 0;
  auto operator<=>(const GroupPlace&) const = default;
};

// Identical endpoints for which the file has a count, or pods of one workload in one zone. A variation may change their
// number.
struct EndpointGroup {
  GroupPlace place;
  config::ServiceIndex service;
  config::ZoneIndex zone;
  std::uint32_t count = 1;
  std::optional<double> price = {};  // per hour and endpoint
  std::string workload = {};         // of pods: "Deployment frontend"; else empty
};

struct Variation {
  // Counts of at least 1; groups without an entry keep theirs.
  std::map<GroupPlace, std::uint32_t> counts = {};
  // Additional changes, applied after those of the file at the same time. Changes of per-client clusters in a mesh are
  // ignored, because these follow from the changes of their service.
  std::vector<Change> changes = {};
};

}  // namespace spillway::scenario
