// The response of Prometheus' HTTP API to a range query (/api/v1/query_range): counters over time.
//
//   std::optional<RangeAnswer> answer = read_range_answer(sources, 0, problems);
//   increase_of(answer->series.front());    // with restarts of the counter, which begin at 0 again
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::observed {

// A sample of Prometheus' text format.
//
//   parse_sample(R"(envoy_cluster_upstream_rq_total{envoy_cluster_name="backend"} 12)")
//
// Source: Prometheus' exposition formats, text format 0.0.4.
using Labels = std::map<std::string, std::string, std::less<>>;

struct Sample {
  std::string_view name;
  Labels labels = {};
  double value = 0.0;
};

// Returns nullopt if the line is no sample, or its value is not finite.
[[nodiscard]] std::optional<Sample> parse_sample(std::string_view line);

struct RangePoint {
  double at = 0.0;  // [s] since 1970
  double value = 0.0;
};

struct RangeSeries {
  Labels labels;  // including `__name__`
  std::vector<RangePoint> points;
};

struct RangeAnswer {
  std::vector<RangeSeries> series;
};

// Returns nullopt if the file is no such response, or is an error of Prometheus; `problems` has the reason (SP790,
// SP791).
[[nodiscard]] std::optional<RangeAnswer> read_range_answer(Sources& sources, std::uint32_t file, Diagnostics& problems);

// Returns the increase of the counter from the first point to the last.
[[nodiscard]] double increase_of(const RangeSeries& series) noexcept;

// Returns how often the counter restarted at 0 in between.
[[nodiscard]] std::size_t resets_of(const RangeSeries& series) noexcept;

}  // namespace spillway::observed
