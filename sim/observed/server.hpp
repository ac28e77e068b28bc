// What an Envoy tells of itself: /server_info and /runtime.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "models/config/locality.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::observed {

struct ServerInfo {
  std::string version;  // "1.40.0"; empty: not told
  std::string node_id = {};
  std::string node_cluster = {};
  config::Locality locality = {};
  std::uint32_t concurrency = 0;   // workers; 0: not told
  std::chrono::seconds uptime{0};  // of this process
};

// Nothing if the file is none, with the reason in `problems` (SP790).
[[nodiscard]] std::optional<ServerInfo> read_server_info(Sources& sources, std::uint32_t file,
                                                         Diagnostics& problems);

// The final value of each key, as a text; without those that are empty.
using RuntimeValues = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::optional<RuntimeValues> read_runtime_values(Sources& sources, std::uint32_t file,
                                                               Diagnostics& problems);

}  // namespace spillway::observed
