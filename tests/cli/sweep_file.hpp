// A queue to sweep over, and what stands in the file of a sweep.
#pragma once

#include <algorithm>
#include <string>

#include "sim/sweep/database.hpp"

namespace spillway::support {

inline const std::string queue_scenario = R"(name: queue
duration: 2s
mode: requests
zones: [{ name: zone-1, nodes: [{ name: n1, count: 1 }] }]
services:
  - name: cart
    endpoints: [{ count: 2, zone: zone-1, cores: 1, service_time: { mean: 5ms, distribution: exponential } }]
clients:
  - { name: shop, zone: zone-1, workload: { service: cart, rate: 100rps } }
)";

// With n healthy hosts in each zone these n alone get the traffic, below half of them (n < 5) all ten do.
inline const std::string two_zones_of_ten_hosts = R"(name: two zones
duration: 1s
mode: exact
zones: [{ name: zone-1 }, { name: zone-2 }]
services:
  - name: cart
    endpoints:
      - { count: 10, zone: zone-1, capacity: 100rps, healthy: "10" }
      - { count: 10, zone: zone-2, capacity: 100rps, healthy: "10" }
clients: [{ name: shop, zone: zone-1, workload: { service: cart, rate: 500rps } }]
)";

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The text with its first such part replaced.
inline std::string with(std::string text, const std::string& part, const std::string& instead) {
  return text.replace(text.find(part), part.size(), instead);
}

// Every row of every table, in the order of its key.
inline std::string tables_of(const std::string& file) {
  sweep::Database database(file, sweep::Database::Use::read);
  std::string all;
  for (const char* table :
       {"sweep", "sides", "keys", "inputs", "points", "outcomes", "shares", "loads", "happenings", "claims"}) {
    sweep::Statement columns(database, "SELECT count(*) FROM pragma_table_info('" + std::string(table) + "')");
    const int count = columns.step() ? static_cast<int>(columns.integer(0)) : 0;
    std::string order = "1";
    for (int column = 2; column <= std::min(count, 6); ++column) {
      order += ", " + std::to_string(column);
    }
    sweep::Statement rows(database, "SELECT * FROM " + std::string(table) + " ORDER BY " + order);
    all += std::string(table) + '\n';
    while (rows.step()) {
      for (int column = 0; column < count; ++column) {
        all += rows.is_null(column) ? "-" : rows.text(column);
        all += column + 1 < count ? '|' : '\n';
      }
    }
  }
  return all;
}

}  // namespace spillway::support
