// Forward declarations of configuration, for headers that only refer to them. Comments name the defining header.
#pragma once

#include <cstdint>

namespace spillway::config {

struct CircuitBreakers;                  // circuit_breakers.hpp
struct ClusterLoadAssignment;            // cluster_load_assignment.hpp
struct DropOverload;                     // cluster_load_assignment.hpp
struct CommonLbConfig;                   // common_lb_config.hpp
struct Runtime;                          // common_lb_config.hpp
struct HealthCheck;                      // health_check.hpp
struct Locality;                         // locality.hpp
enum class EnvoyProfile : std::uint8_t;  // profile.hpp
enum class KumaProfile : std::uint8_t;   // profile.hpp
enum class IstioProfile : std::uint8_t;  // profile.hpp
struct RetryPolicy;                      // retry_policy.hpp

}  // namespace spillway::config
