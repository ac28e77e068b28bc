// Scenarios for relations to be tried on, as JSON trees: drawn by number, and those of the folder scenarios/.
//
//   Json scenario = drawn_world(7);        // the same for the same number
//   for (const CommittedWorld& world : committed_worlds()) { ... }
//
// Drawn ones take turns: of ten, six are written by hand, two have Kuma's documents and two Istio's. Together they use
// every policy, priorities, locality weights, zone-aware routing, subsets, panic, degraded hosts, active checks,
// outlier detection, slow start, retries, circuit breakers, timeouts and every kind of event.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/metamorphic/dice.hpp"

namespace spillway::metamorphic {

using Json = nlohmann::ordered_json;

// A list of one: compilers differ in what they make of nested braces.
[[nodiscard]] inline Json only(Json item) {
  Json list = Json::array();
  list.push_back(std::move(item));
  return list;
}

[[nodiscard]] Json drawn_world(std::uint64_t number);

[[nodiscard]] Json native_world(Dice dice);
// One that has this word somewhere, such as the name of a rare field.
[[nodiscard]] Json native_world_with(const std::string& word, std::uint64_t number);
[[nodiscard]] Json kuma_world(Dice dice);
[[nodiscard]] Json istio_world(Dice dice);

// A scenario of the repository without its expectations and descriptions.
struct CommittedWorld {
  std::string file;  // from the folder of the sources
  Json scenario;
};

// Those with clients and with documents of their own, in the order of their paths.
[[nodiscard]] const std::vector<CommittedWorld>& committed_worlds();

}  // namespace spillway::metamorphic
