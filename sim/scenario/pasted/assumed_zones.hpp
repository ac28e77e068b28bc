// The zones of an assumed mesh, with their nodes and pods.
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
  std::vector<std::string> nodes = {};  // from documents, or one that is assumed
  std::size_t pods = 0;                 // requested number; 0 if not given
  bool is_named = true;                 // false if only its region is in the documents

  [[nodiscard]] std::string locality() const;
};

// Collects "region/zone/subzone" of rules and entries: keys and values of distribute, failover, `locality`.
void collect_localities(const Json& value, const std::string& key, std::vector<std::string>& found);

// Returns the zones that these localities name. A locality with only a region gets two zones with assumed names.
[[nodiscard]] std::vector<AssumedZone> zones_of_localities(const std::vector<std::string>& localities);

}  // namespace spillway::scenario::pasted
