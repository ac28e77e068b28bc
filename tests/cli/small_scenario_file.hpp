// A scenario file that plays in a moment: ten endpoints in two zones, and the documents' figures for 50 % of the first
// (docs/behaviour/envoy-before-pick.md 15.1).
#pragma once

#include <string>

namespace spillway::support {

inline const std::string small_scenario = R"(name: half of the first zone
duration: 20s
zones:
  - name: zone-1
  - name: zone-2
services:
  - name: backend
    endpoints:
      - { count: 10, zone: zone-1, priority: 0, healthy: "100% 10s, 50%" }
      - { count: 10, zone: zone-2, priority: 1 }
clients:
  - { name: frontend, zone: zone-1, workload: { service: backend, rate: 100rps } }
expect:
  - table: share by priority
    columns: [P0 healthy, P0, P1]
    rows:
      - [100%, 100%, 0%]
      - [50%, 70%, 30%]
)";

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace spillway::support
