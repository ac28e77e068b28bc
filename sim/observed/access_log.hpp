// Requests from an Envoy access log: the host and start time of each.
//
//   std::optional<AccessLog> log = read_access_log(sources, 0, problems);
//   for (const LoggedRequest& request : log->requests) { request.upstream_host; }
//
// Supported formats are Envoy's default format, Istio's default format, and one JSON line per request. JSON keys are
// the operators' names (`upstream_host`, `upstream_cluster`, `start_time`, `upstream_request_attempt_count`).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::observed {

struct LoggedRequest {
  std::string upstream_host;                           // of the last attempt; empty if none was picked
  std::string upstream_cluster;                        // empty if the format does not have it
  std::optional<std::chrono::nanoseconds> start = {};  // since 1970
  std::uint32_t attempts = 1;
};

struct AccessLog {
  std::vector<LoggedRequest> requests;  // in the order of the file
};

// Returns nullopt if no line could be read (SP793). Lines of other formats in between are ignored; a warning has their
// number. O(length of the text).
[[nodiscard]] std::optional<AccessLog> read_access_log(Sources& sources, std::uint32_t file, Diagnostics& problems);

// Parses "2026-11-23T06:27:19.904Z" as a time since 1970.
[[nodiscard]] std::optional<std::chrono::nanoseconds> read_start_time(std::string_view text);

}  // namespace spillway::observed
