// Requests as an Envoy's access log tells them: where each ended, and when it came.
//
//   std::optional<AccessLog> log = read_access_log(sources, 0, problems);
//   for (const LoggedRequest& request : log->requests) { request.upstream_host; }
//
// Read are Envoy's default format, Istio's default format, and a line of JSON a request, with the operators' names as
// keys (`upstream_host`, `upstream_cluster`, `start_time`, `upstream_request_attempt_count`).
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
  std::string upstream_host;                           // of the last attempt; empty: none was picked
  std::string upstream_cluster;                        // empty: the format does not say
  std::optional<std::chrono::nanoseconds> start = {};  // since 1970
  std::uint32_t attempts = 1;
};

struct AccessLog {
  std::vector<LoggedRequest> requests;  // in the order of the file
};

// Nothing if no line could be read (SP793). Lines of other formats among them are ignored with a warning that
// counts them. Linear in the text.
[[nodiscard]] std::optional<AccessLog> read_access_log(Sources& sources, std::uint32_t file,
                                                       Diagnostics& problems);

// "2026-11-23T06:27:19.904Z" as a time since 1970.
[[nodiscard]] std::optional<std::chrono::nanoseconds> read_start_time(std::string_view text);

}  // namespace spillway::observed
