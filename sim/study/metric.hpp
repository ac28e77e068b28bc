// The catalogue of metrics that objectives limit: their names, units, and how they depend on the rate of requests.
//
//   facts(Metric::p999).name;   // "p999"
//   facts(Metric::p999).late;   // 0.001: part of the requests that may take longer
//
// Guarantee: facts() is defined for every Metric. A metric is added here and in the loads or counts that it is read
// from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace spillway::study {

enum class Metric : std::uint8_t {
  utilisation,
  p50,
  p90,
  p95,
  p99,
  p999,
  error_share,
  cross_zone_share,
  cross_zone_cost,
  machine_cost,
  link_utilisation,  // part of the bandwidth of the busiest link that the service's requests cross; not an objective
  connection_utilisation,  // part of the connections over HTTP/1.1 that the busiest proxy may open; not an objective
};

enum class Unit : std::uint8_t { share, seconds, money };  // money: per month of 730 hours

struct MetricFacts {
  std::string_view name = {};
  Unit unit = Unit::share;
  bool grows = false;               // in proportion to the requests, or with them
  std::optional<double> late = {};  // a latency: share of all requests that may be late
};

[[nodiscard]] constexpr MetricFacts facts(Metric metric) {
  constexpr std::array<MetricFacts, 12> all = {
      {{.name = "utilisation", .unit = Unit::share, .grows = true},
       {"p50", Unit::seconds, true, 0.50},
       {"p90", Unit::seconds, true, 0.10},
       {"p95", Unit::seconds, true, 0.05},
       {"p99", Unit::seconds, true, 0.01},
       {"p999", Unit::seconds, true, 0.001},
       {.name = "error_share"},
       {.name = "cross_zone_share"},
       {.name = "cross_zone_cost", .unit = Unit::money, .grows = true},
       {.name = "machine_cost", .unit = Unit::money},
       {.name = "link_utilisation", .unit = Unit::share, .grows = true},
       {.name = "connection_utilisation", .unit = Unit::share, .grows = true}}};
  return all[static_cast<std::size_t>(metric)];
}

}  // namespace spillway::study
