// A variation of a scenario file: other numbers of endpoints, and more changes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::scenario {

// Where a group stands: `services[service].endpoints[group]`.
struct GroupPlace {
  std::uint32_t service = 0;
  std::uint32_t group = 0;
  auto operator<=>(const GroupPlace&) const = default;
};

// Endpoints alike that the file gives a number, and so may be more or fewer.
struct EndpointGroup {
  GroupPlace place;
  config::ServiceIndex service;
  config::ZoneIndex zone;
  std::uint32_t count = 1;
  std::optional<double> price = {};  // of an hour of each
};

struct Variation {
  // At least 1 each; groups that are not named stay as they are.
  std::map<GroupPlace, std::uint32_t> counts = {};
  // Happen after everything that the file says for the same moment. Those about services that the mesh
  // makes for its proxies are ignored: what these are told follows from the file's.
  std::vector<Change> changes = {};
};

}  // namespace spillway::scenario
