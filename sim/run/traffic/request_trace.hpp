// The outcome of one request, for per-request traces.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "models/config/strong.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::run {

struct TracedRequest {
  std::chrono::nanoseconds sent_at{0};
  std::chrono::nanoseconds ended_at{0};
  config::ClientEntryIndex client;
  std::uint32_t number = 0;      // index among the entry's clients, from 0
  config::ServiceIndex service;  // requested
  // The destination of the last attempt. `cluster` is that of the picked host, before zone proxies.
  struct Destination {
    config::ServiceIndex cluster;
    config::Priority priority;
    config::EndpointIndex endpoint;
    std::span<const config::EndpointIndex> via;  // zone proxies in between
  };
  std::optional<Destination> destination = {};
  scenario::Outcome outcome = scenario::Outcome::ok;
  std::uint32_t attempts = 0;  // hosts that were picked for it
  std::uint32_t session = 0;   // number of its client's session, from 1; 0 if none
};

// Called in the order in which requests end. Requests that end in the same nanosecond have the same order in every run.
using RequestTrace = std::function<void(const TracedRequest&)>;

}  // namespace spillway::run
