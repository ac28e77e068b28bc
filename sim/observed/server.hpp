// Information about an Envoy itself: /server_info and /runtime.
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
  std::string version;  // "1.40.0"; empty if unknown
  std::string node_id = {};
  std::string node_cluster = {};
  config::Locality locality = {};
  std::uint32_t concurrency = 0;   // number of workers; 0 if unknown
  std::chrono::seconds uptime{0};  // of this process
};

// Returns nullopt if the file is no such output; `problems` has the reason (SP790).
[[nodiscard]] std::optional<ServerInfo> read_server_info(Sources& sources, std::uint32_t file, Diagnostics& problems);

// The final value of each key, as a text; keys with an empty value are left out.
using RuntimeValues = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::optional<RuntimeValues> read_runtime_values(Sources& sources, std::uint32_t file,
                                                               Diagnostics& problems);

}  // namespace spillway::observed
