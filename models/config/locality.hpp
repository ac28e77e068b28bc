// The location of a host or a proxy in Envoy's three parts (envoy.config.core.v3.Locality).
//
// Ordered byte by byte as (region, zone, sub_zone), the order in which Envoy lists the localities of a priority
// (upstream_impl.cc; docs/behaviour/envoy-before-pick.md 1.1).
#pragma once

#include <compare>
#include <string>

namespace spillway::config {

struct Locality {
  std::string region;
  std::string zone;
  std::string sub_zone;

  friend auto operator<=>(const Locality&, const Locality&) = default;
  [[nodiscard]] bool empty() const noexcept { return region.empty() && zone.empty() && sub_zone.empty(); }
};

}  // namespace spillway::config
