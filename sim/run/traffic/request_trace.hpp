// What became of one request, for those who want to know it of every one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "models/config/strong.hpp"
#include "sim/scenario/expectation.hpp"

namespace spillway::run {

struct TracedRequest {
  std::chrono::nanoseconds sent_at{0};
  std::chrono::nanoseconds ended_at{0};
  config::ClientEntryIndex client;
  std::uint32_t number = 0;      // which of the entry's clients, from 0
  config::ServiceIndex service;  // asked for
  // Of the last attempt, where there was any; a cluster is that of the host that was picked, before zone proxies.
  struct Destination {
    config::ServiceIndex cluster;
    config::Priority priority;
    config::EndpointIndex endpoint;
    std::span<const config::EndpointIndex> via;  // zone proxies in between
  };
  std::optional<Destination> destination = {};
  scenario::Outcome outcome = scenario::Outcome::ok;
  std::uint32_t attempts = 0;  // hosts that were picked for it
  std::uint32_t session = 0;   // which of its client's sessions it belongs to, from 1; 0: none
};

// Called in the order in which requests end, those of one nanosecond in an order that is the same in every run.
using RequestTrace = std::function<void(const TracedRequest&)>;

}  // namespace spillway::run
