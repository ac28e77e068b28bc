// A sample of Prometheus' text format.
//
//   parse_sample(R"(envoy_cluster_upstream_rq_total{envoy_cluster_name="backend"} 12)")
//
// Source: Prometheus' exposition formats, text format 0.0.4.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::observed {

using Labels = std::map<std::string, std::string, std::less<>>;

struct Sample {
  std::string_view name;
  Labels labels = {};
  double value = 0.0;
};

// Returns nullopt if the line is no sample, or its value is not finite.
[[nodiscard]] std::optional<Sample> parse_sample(std::string_view line);

}  // namespace spillway::observed
