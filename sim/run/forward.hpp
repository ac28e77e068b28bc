// Forward declarations of a run's types, for headers that only refer to them. Comments name the defining header.
#pragma once

#include <cstdint>
#include <memory>

#include "models/envoy/forward.hpp"

namespace spillway::run {

struct EventGroup;                    // records/event_log.hpp
struct EventRecord;                   // records/event_log.hpp
struct Events;                        // records/event_log.hpp
enum class EventKind : std::uint8_t;  // records/event_log.hpp
struct SharePlace;                    // records/shares.hpp
struct Epoch;                         // results.hpp
struct Results;                       // results.hpp
struct Options;                       // run.hpp
struct TracedRequest;                 // traffic/request_trace.hpp

// The balancing state of a cluster, as proxies and rows of tables share it.
using BalancingState = std::shared_ptr<const envoy::ClusterState>;

}  // namespace spillway::run
