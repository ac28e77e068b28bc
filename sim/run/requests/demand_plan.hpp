// Facts about the requests of one Demand that hold for the whole run, and the times at which they are given up.
//
//   for (const Demand& demand : ...) { plans.push_back(plan_of(demand, parts, may_open_late)); }
//   Deadline deadline = deadline_of_try(attempt, cluster);
#pragma once

#include <cstdint>

#include "models/envoy/forward.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::run {

struct Demand;        // traffic.hpp
struct LaneHost;      // fast_lane.hpp
struct RequestParts;  // request_parts.hpp
struct Try;           // request_try.hpp

inline constexpr std::uint32_t most_workers = 128;        // that a CalendarEvent has room for
inline constexpr std::uint32_t most_demands = 1U << 24U;  // that ServerQueues::Approaching has room for

// The time at which a request or a try is given up, and the event then.
struct Deadline {
  Nanoseconds at = engine::Calendar::never;
  engine::CalendarEventKind late = engine::CalendarEventKind::timeout;
};

// Returns when the whole request is given up; without a route after Envoy's 15 s. `delay`: as in Try.
[[nodiscard]] Deadline deadline_of_request(const Demand& demand, Nanoseconds sent_at, Nanoseconds delay) noexcept;
// Returns when a try of the request is given up. `cluster`: that of the picked host.
[[nodiscard]] Deadline deadline_of_try(const Try& attempt, const envoy::Cluster& cluster) noexcept;

// The facts of one Demand.
struct DemandPlan {
  const Demand* demand = nullptr;
  std::uint32_t first_proxy = 0;
  // State between tries is opened only when a first try fails or has to wait, and a response 200 ends a first try
  // without a report. Otherwise it is opened on arrival.
  bool opens_late = false;
  bool keeps = false;       // state is kept between tries
  bool by_session = false;  // hosts may be named by a session
  bool is_awaited = false;  // the response time decides what its client does next
  // How long a first try may take, and the event when it is given up; never if there is no limit.
  Nanoseconds patience = engine::Calendar::never;
  engine::CalendarEventKind late = engine::CalendarEventKind::timeout;
  // By host, if the flow's requests can take the fast lane; null otherwise.
  LaneHost* lane = nullptr;
};

// Returns the plan of a demand, without a lane. `may_open_late`: responses of the scenario have no health-check
// headers, and requests are not traced.
[[nodiscard]] DemandPlan plan_of(const Demand& demand, const RequestParts& parts, bool may_open_late);

}  // namespace spillway::run
