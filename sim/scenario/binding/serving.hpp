// Interprets cores, queues and service times.
#pragma once

#include <memory>
#include <optional>

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/nanoseconds.hpp"

namespace spillway::scenario {
struct ServiceVariation;  // serving.hpp
}  // namespace spillway::scenario

namespace spillway::messages {
struct EndpointGroup;  // traffic.hpp
struct Servers;        // serving.hpp
struct ServiceTime;    // serving.hpp
}  // namespace spillway::messages

namespace spillway::scenario::binding {

// Returns the cores that are written; nullopt if there are none. `capacity` is true if a capacity is written, which
// means at least one core.
[[nodiscard]] std::optional<Servers> read_servers(const messages::Servers& servers, bool capacity,
                                                  Diagnostics& problems);

// The mean of a duration and its variation; null if the duration is constant.
struct TimeDistribution {
  Nanoseconds mean{0};
  std::shared_ptr<const ServiceVariation> variation = {};
};
[[nodiscard]] TimeDistribution read_distribution(const messages::ServiceTime& written, Diagnostics& problems);

// Sets the service time and the cores of an endpoint, on a node of speed 1.
void read_serving(const messages::EndpointGroup& group, Endpoint& endpoint, Diagnostics& problems);

// Returns the same endpoint on a node of this speed.
[[nodiscard]] Endpoint at_speed(const Endpoint& endpoint, double speed);

}  // namespace spillway::scenario::binding
