// Forward declarations of configuration, for headers that only refer to them. Comments name the defining header.
#pragma once

#include <cstdint>

namespace spillway::config {

struct ClusterLoadAssignment;            // cluster_load_assignment.hpp
struct Locality;                         // locality.hpp
enum class EnvoyProfile : std::uint8_t;  // profile.hpp
enum class KumaProfile : std::uint8_t;   // profile.hpp
enum class IstioProfile : std::uint8_t;  // profile.hpp

}  // namespace spillway::config
