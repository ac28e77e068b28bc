// Envoy's names of the counters of a host.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/observed/clusters.hpp"

namespace spillway::observed {

struct HostCounterName {
  std::string_view name;
  std::uint64_t HostCounters::* counter;
};

inline constexpr std::array host_counter_names =
    std::to_array<HostCounterName>({{"rq_total", &HostCounters::rq_total},
                                    {"rq_success", &HostCounters::rq_success},
                                    {"rq_error", &HostCounters::rq_error},
                                    {"rq_timeout", &HostCounters::rq_timeout},
                                    {"cx_total", &HostCounters::cx_total},
                                    {"cx_connect_fail", &HostCounters::cx_connect_fail},
                                    {"rq_active", &HostCounters::rq_active},
                                    {"cx_active", &HostCounters::cx_active}});

}  // namespace spillway::observed
