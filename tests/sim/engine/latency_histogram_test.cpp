#include "sim/engine/latency_histogram.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/engine/random_stream.hpp"

using spillway::engine::LatencyHistogram;
using std::chrono::nanoseconds;

TEST_CASE("quantiles lie within one percent of the true order statistic, from nanoseconds to hours") {
  spillway::engine::RandomStream stream({.seed = 11});
  LatencyHistogram histogram;
  std::vector<std::int64_t> all;
  for (int index = 0; index < 20'000; ++index) {
    const auto duration = static_cast<std::int64_t>(std::pow(10.0, 13.0 * spillway::engine::unit_interval(stream)));
    all.push_back(duration);
    histogram.add(nanoseconds{duration});
  }
  std::sort(all.begin(), all.end());
  for (const double fraction : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(all.size()))) - 1;
    const auto wanted = static_cast<double>(all[rank]);
    CHECK(std::abs(static_cast<double>(histogram.quantile(fraction).count()) - wanted) <= 0.01 * wanted);
  }
  CHECK(histogram.maximum().count() == all.back());
}

TEST_CASE("durations below 128 nanoseconds are exact, and an empty histogram answers zero") {
  LatencyHistogram histogram;
  CHECK(histogram.quantile(0.5) == nanoseconds{0});
  histogram.add(nanoseconds{0});
  histogram.add(nanoseconds{127});
  CHECK(histogram.quantile(0.5) == nanoseconds{0});
  CHECK(histogram.quantile(1.0) == nanoseconds{127});
}

TEST_CASE("durations that are added together count as if each was added alone") {
  spillway::engine::RandomStream stream({.seed = 12});
  std::vector<nanoseconds> all;
  LatencyHistogram one_by_one;
  for (int index = 0; index < 500; ++index) {
    all.emplace_back(static_cast<std::int64_t>(stream() % 10'000'000));
    one_by_one.add(all.back());
  }
  LatencyHistogram together;
  together.add(std::vector<nanoseconds>());
  together.add(all);
  CHECK(together.total() == one_by_one.total());
  CHECK(together.maximum() == one_by_one.maximum());
  for (const double fraction : {0.01, 0.3, 0.5, 0.77, 0.99, 1.0}) {
    CHECK(together.quantile(fraction) == one_by_one.quantile(fraction));
  }
}

TEST_CASE("what lies within a limit is counted to the nanosecond") {
  LatencyHistogram histogram;
  histogram.count_within({nanoseconds{50'000'000}, nanoseconds{49'999'999}});
  histogram.add(nanoseconds{50'000'000}, 3);
  histogram.add(nanoseconds{50'000'001});
  const std::vector<nanoseconds> more = {nanoseconds{1}, nanoseconds{50'000'000}, nanoseconds{60'000'000}};
  histogram.add(more);
  CHECK(histogram.within(0) == 5);
  CHECK(histogram.within(1) == 1);
}
