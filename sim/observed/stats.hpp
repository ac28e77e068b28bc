// What an Envoy's /stats says at one moment, as far as it tells something about where requests went.
//
//   std::optional<Stats> moment = read_stats(sources, 0, problems);
//   moment->of("backend", "upstream_rq_retry");   // none: the file does not say
//
// Read are the text, the JSON and the Prometheus format, and what Prometheus scraped with other labels for the cluster
// (`cluster_name`). Envoy writes an underscore for each colon of a cluster's name, so clusters are found by either.
// Counts of hosts stand in it where clusters track them (`per_endpoint_stats`, Prometheus format alone).
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

  // By cluster, as Envoy writes it; of each, statistics by their names with underscores alone: "upstream_rq_retry",
  // "outlier_detection_ejections_enforced_total".
  std::map<std::string, Values, std::less<>> clusters;
  Values server;          // "uptime", "concurrency"
  Clusters per_endpoint;  // rq_total, rq_error, cx_connect_fail and so on, where hosts are tracked

  [[nodiscard]] std::optional<std::uint64_t> of(std::string_view cluster, std::string_view statistic) const;
};

// The name as Envoy writes it in statistics.
[[nodiscard]] std::string statistics_name(std::string_view cluster);

// Nothing if the file is none of the three, with the reason in `problems` (SP790, SP791, SP798). Linear in the text.
[[nodiscard]] std::optional<Stats> read_stats(Sources& sources, std::uint32_t file,
                                              Diagnostics& problems);

}  // namespace spillway::observed
