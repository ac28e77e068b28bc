// The answer of Prometheus' HTTP API to a range query (/api/v1/query_range): counters over time.
//
//   std::optional<RangeAnswer> answer = read_range_answer(sources, 0, problems);
//   increase_of(answer->series.front());    // with restarts of the counter, which begin at 0 again
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/observed/prometheus_line.hpp"

namespace spillway::observed {

struct RangePoint {
  double at = 0.0;  // seconds since 1970
  double value = 0.0;
};

struct RangeSeries {
  Labels labels;  // `__name__` among them
  std::vector<RangePoint> points;
};

struct RangeAnswer {
  std::vector<RangeSeries> series;
};

// Nothing if the file is none, or the answer is an error of Prometheus', with the reason in `problems` (SP790, SP791).
[[nodiscard]] std::optional<RangeAnswer> read_range_answer(Sources& sources, std::uint32_t file,
                                                           Diagnostics& problems);

// By how much the counter grew from the first point to the last.
[[nodiscard]] double increase_of(const RangeSeries& series) noexcept;

// How often it began at 0 again in between.
[[nodiscard]] std::size_t resets_of(const RangeSeries& series) noexcept;

}  // namespace spillway::observed
