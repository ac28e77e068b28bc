// Three zones with endpoints of 200 requests a second each, and clients in every zone that stay there as long as they
// can: the scenario of docs/planning-capacity.md with any numbers.
#pragma once

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace spillway::support {

inline std::string three_zones(const std::array<std::uint32_t, 3>& endpoints, const std::array<double, 3>& rates,
                               const std::string& extra = "objectives: [{ utilisation: 80%, error_share: 0% }]\n") {
  std::string text =
      "name: three zones\nduration: 10s\nzones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]\n"
      "links:\n"
      "  - { between: [zone-1, zone-2], price: 0.01/GB }\n"
      "  - { between: [zone-1, zone-3], price: 0.02/GB }\n"
      "services:\n  - name: backend\n    endpoints:\n";
  for (std::size_t zone = 0; zone < endpoints.size(); ++zone) {
    text += fmt::format(
        "      - {{ count: {}, zone: zone-{}, capacity: 200rps, request_bytes: 1000, response_bytes: 9000, tags: {{ "
        "kuma.io/protocol: tcp }} }}\n",
        endpoints[zone], zone + 1);
  }
  text +=
      "policies:\n"
      "  - type: MeshLoadBalancingStrategy\n    name: local-first\n    mesh: default\n    spec:\n      to:\n"
      "        - targetRef: { kind: MeshService, name: backend }\n"
      "          default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } }\n"
      "clients:\n";
  for (std::size_t zone = 0; zone < rates.size(); ++zone) {
    text += fmt::format("  - {{ name: web-{0}, zone: zone-{0}, workload: {{ service: backend, rate: {1}rps }} }}\n",
                        zone + 1, rates[zone]);
  }
  return text + extra;
}

}  // namespace spillway::support
