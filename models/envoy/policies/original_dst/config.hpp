// The configuration of a cluster of type ORIGINAL_DST.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace spillway::envoy::policies::original_dst {

struct Config {
  bool use_http_header = false;
  std::string http_header_name = {};  // if empty: x-envoy-original-dst-host
  bool use_metadata_key = false;      // metadata_key is set; Sources has its values
  std::optional<std::uint16_t> upstream_port_override = std::nullopt;
  std::chrono::nanoseconds cleanup_interval = std::chrono::milliseconds{5000};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::original_dst
