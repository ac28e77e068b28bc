// A host's health flags as one proxy knows them, and the host lists that follow from them.
//
//   HostFlags flags = eds_health_flags(config::HealthStatus::degraded, config::EnvoyProfile::current);
//   coarse_health(flags);   // Health::degraded
//   is_excluded(flags);     // false
//
// All functions are O(1). Source: docs/behaviour/envoy-before-pick.md 1, envoy-host-pick.md 2; Envoy's
// upstream_impl.cc.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/profile.hpp"
#include "models/envoy/availability.hpp"

namespace spillway::envoy {

// Envoy's Host::HealthFlag, with the same names.
enum class HostFlag : std::uint16_t {
  failed_active_hc = 1U << 0U,
  failed_outlier_check = 1U << 1U,
  failed_eds_health = 1U << 2U,
  degraded_active_hc = 1U << 3U,
  degraded_eds_health = 1U << 4U,
  pending_dynamic_removal = 1U << 5U,
  pending_active_hc = 1U << 6U,
  excluded_via_immediate_hc_fail = 1U << 7U,
  active_hc_timeout = 1U << 8U,
  eds_status_draining = 1U << 9U,
};

// A set of HostFlag.
class HostFlags {
 public:
  constexpr HostFlags() = default;
  constexpr HostFlags(std::initializer_list<HostFlag> flags) {
    for (const HostFlag flag : flags) {
      set(flag);
    }
  }

  constexpr void set(HostFlag flag) noexcept { bits_ = static_cast<std::uint16_t>(bits_ | bit(flag)); }
  constexpr void clear(HostFlag flag) noexcept { bits_ = static_cast<std::uint16_t>(bits_ & ~bit(flag)); }
  constexpr void add(HostFlags others) noexcept { bits_ = static_cast<std::uint16_t>(bits_ | others.bits_); }
  [[nodiscard]] constexpr bool has(HostFlag flag) const noexcept { return (bits_ & bit(flag)) != 0; }

  friend constexpr bool operator==(const HostFlags&, const HostFlags&) = default;

 private:
  static constexpr unsigned bit(HostFlag flag) noexcept { return static_cast<std::uint16_t>(flag); }
  std::uint16_t bits_ = 0;
};

// Returns the first match of: any failure or draining, unhealthy; any degradation, degraded; otherwise healthy.
[[nodiscard]] constexpr Health coarse_health(HostFlags flags) noexcept {
  if (flags.has(HostFlag::failed_active_hc) || flags.has(HostFlag::failed_outlier_check) ||
      flags.has(HostFlag::failed_eds_health) || flags.has(HostFlag::eds_status_draining)) {
    return Health::unhealthy;
  }
  if (flags.has(HostFlag::degraded_active_hc) || flags.has(HostFlag::degraded_eds_health)) {
    return Health::degraded;
  }
  return Health::healthy;
}

// True if the host is left out of the denominators of availability, panic and locality weights. Excluded hosts are also
// in one of the lists above.
[[nodiscard]] constexpr bool is_excluded(HostFlags flags) noexcept {
  return flags.has(HostFlag::pending_active_hc) || flags.has(HostFlag::excluded_via_immediate_hc_fail) ||
         flags.has(HostFlag::eds_status_draining);
}

// Returns the flags that a host's health_status sets, in EDS and in a static load_assignment.
//
// Before Envoy 1.30, a draining host only counts as failed and stays in the denominators.
[[nodiscard]] constexpr HostFlags eds_health_flags(config::HealthStatus status, config::EnvoyProfile profile) noexcept {
  switch (status) {
    case config::HealthStatus::unhealthy:
    case config::HealthStatus::timeout:
      return {HostFlag::failed_eds_health};
    case config::HealthStatus::draining:
      return config::before(profile, 30) ? HostFlags{HostFlag::failed_eds_health}
                                         : HostFlags{HostFlag::eds_status_draining};
    case config::HealthStatus::degraded:
      return {HostFlag::degraded_eds_health};
    case config::HealthStatus::unknown:
    case config::HealthStatus::healthy:
      break;
  }
  return {};
}

// Returns the status checked against override_host_status: failed checks first, then the status from EDS.
[[nodiscard]] constexpr config::HealthStatus detailed_health(config::HealthStatus eds_status,
                                                             HostFlags flags) noexcept {
  using Status = config::HealthStatus;
  if (flags.has(HostFlag::failed_active_hc) || flags.has(HostFlag::failed_outlier_check)) {
    return Status::unhealthy;
  }
  if (eds_status == Status::unhealthy || eds_status == Status::draining || eds_status == Status::timeout) {
    return eds_status;
  }
  return flags.has(HostFlag::degraded_active_hc) ? Status::degraded : eds_status;
}

}  // namespace spillway::envoy
