// The zones of a world, and the places of pods in them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spillway::scenario::pasted {

using Json = nlohmann::ordered_json;

struct AssumedZone {
  std::string name = {};
  std::string region = {};
  std::string sub_zone = {};
  std::vector<std::string> nodes = {};  // of documents, or one that is assumed
  std::size_t pods = 0;                 // asked for; 0: not said

  [[nodiscard]] std::string locality() const;
};

// Collects "region/zone/subzone" of rules and entries: keys and values of distribute, failover, `locality`.
void collect_localities(const Json& value, const std::string& key, std::vector<std::string>& found);

// Returns the zones that these localities name: those of a region alone get two names.
[[nodiscard]] std::vector<AssumedZone> zones_of_localities(const std::vector<std::string>& localities);

}  // namespace spillway::scenario::pasted
