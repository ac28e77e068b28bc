// A value that cannot be mixed up with another of the same representation.
//
//   using ZoneIndex = Strong<struct ZoneIndexTag, std::uint32_t>;
//   ZoneIndex zone{3};            // explicit in
//   zones[zone.value];            // explicit out
//
// Compares and hashes like its representation; costs nothing at run time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace spillway::config {

template <class Tag, class Representation>
struct Strong {
  Representation value{};
  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;
};

// Positions of zones, nodes, links, services, endpoints and client entries in the scenario's lists.
using ZoneIndex = Strong<struct ZoneIndexTag, std::uint32_t>;
using NodeIndex = Strong<struct NodeIndexTag, std::uint32_t>;
using LinkIndex = Strong<struct LinkIndexTag, std::uint32_t>;
using ServiceIndex = Strong<struct ServiceIndexTag, std::uint32_t>;
using EndpointIndex = Strong<struct EndpointIndexTag, std::uint32_t>;
using ClientEntryIndex = Strong<struct ClientEntryIndexTag, std::uint32_t>;

// Position of a host in its cluster: endpoints of the load assignment, in the order listed.
using HostIndex = Strong<struct HostIndexTag, std::uint32_t>;

// Envoy's priority level, 0 first.
using Priority = Strong<struct PriorityTag, std::uint32_t>;

// A percentage as written in a document: 70.9 means 70.9 %.
using Percent = Strong<struct PercentTag, double>;

}  // namespace spillway::config

template <class Tag, class Representation>
struct std::hash<spillway::config::Strong<Tag, Representation>> {
  std::size_t operator()(const spillway::config::Strong<Tag, Representation>& strong) const noexcept {
    return std::hash<Representation>{}(strong.value);
  }
};
