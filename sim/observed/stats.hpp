// The contents of an Envoy's /stats at one time, limited to statistics about the targets of requests.
//
//   std::optional<Stats> moment = read_stats(sources, 0, problems);
//   moment->of("backend", "upstream_rq_retry");   // nullopt if the file does not have it
//
// Supported formats are text, JSON and Prometheus, and also Prometheus scrapes with another label for the cluster
// (`cluster_name`). Envoy replaces each colon of a cluster's name by an underscore, so clusters are found by either
// name. Counts of hosts are present if clusters track them (`per_endpoint_stats`, Prometheus format only).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

struct Stats {
  using Values = std::map<std::string, std::uint64_t, std::less<>>;

  // By cluster in Envoy's spelling; then by statistic, whose names have underscores only: "upstream_rq_retry",
  // "outlier_detection_ejections_enforced_total".
  std::map<std::string, Values, std::less<>> clusters;
  Values server;          // "uptime", "concurrency"
  Clusters per_endpoint;  // rq_total, rq_error, cx_connect_fail and so on, if hosts are tracked

  [[nodiscard]] std::optional<std::uint64_t> of(std::string_view cluster, std::string_view statistic) const;
};

// Returns the name in the spelling of Envoy's statistics.
[[nodiscard]] std::string statistics_name(std::string_view cluster);

// Returns nullopt if the file has none of the three formats; `problems` has the reason (SP790, SP791, SP798). O(length
// of the text).
[[nodiscard]] std::optional<Stats> read_stats(Sources& sources, std::uint32_t file, Diagnostics& problems);

}  // namespace spillway::observed
