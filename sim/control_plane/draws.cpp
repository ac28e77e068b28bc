#include "sim/control_plane/draws.hpp"

#include <cmath>
#include <vector>

#include "sim/control_plane/simulate.hpp"

namespace spillway::control_plane {
namespace {

using scenario::LatencyQuantiles;

Draws draws_of(const std::vector<LatencyQuantiles>& figures) {
  Draws draws;
  for (const auto quantile : {&LatencyQuantiles::p50, &LatencyQuantiles::p90, &LatencyQuantiles::p99}) {
    std::vector<double> values;
    for (const LatencyQuantiles& of : figures) {
      if (of.*quantile) {
        values.push_back(*(of.*quantile));
      }
    }
    draws.seeds = figures.size();
    if (values.size() < figures.size()) {
      continue;
    }
    const auto count = static_cast<double>(values.size());
    double sum = 0.0;
    for (const double value : values) {
      sum += value;
    }
    double squares = 0.0;
    for (const double value : values) {
      squares += (value - sum / count) * (value - sum / count);
    }
    draws.mean.*quantile = sum / count;
    draws.deviation.*quantile = std::sqrt(squares / (count - 1.0));
  }
  return draws;
}

}  // namespace

void simulate_other_seeds(const scenario::ControlPlane& plane, std::chrono::nanoseconds duration, std::uint64_t seed,
                          Results& results) {
  std::vector<Results> all{results};
  for (std::uint32_t further = 1; further < seeds_of_draws; ++further) {
    all.push_back(simulate(plane, duration, {.seed = seed + further, .interval = duration, .progress = {}}));
  }
  for (std::size_t position = 0; position < results.settings.size(); ++position) {
    SettingResults& setting = results.settings[position];
    const auto gather = [&](std::size_t rows, std::vector<Draws>& draws, const auto& figure) {
      for (std::size_t row = 0; row < rows; ++row) {
        std::vector<LatencyQuantiles> figures;
        for (const Results& one : all) {
          figures.push_back(figure(one.settings[position], row));
        }
        draws.push_back(draws_of(figures));
      }
    };
    gather(setting.readings.size(), setting.reading_draws,
           [](const SettingResults& of, std::size_t row) { return of.readings[row].latency; });
    gather(setting.ratios.size(), setting.ratio_draws,
           [](const SettingResults& of, std::size_t row) { return of.ratios[row]; });
  }
}

}  // namespace spillway::control_plane
