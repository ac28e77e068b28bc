// envoy.config.cluster.v3.CircuitBreakers as it stands verbatim in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

struct CircuitBreakers {
  static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers";
  struct RetryBudget {
    static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget";
    Field<PercentMessage> budget_percent;
    Field<std::uint64_t> min_retry_concurrency;
  };
  struct Thresholds {
    static constexpr const char* definition = "envoy.config.cluster.v3.CircuitBreakers.Thresholds";
    static inline const std::vector<std::string> priorities = {"DEFAULT", "HIGH"};
    Field<std::size_t> priority;
    Field<std::uint64_t> max_connections;
    Field<std::uint64_t> max_pending_requests;
    Field<std::uint64_t> max_requests;
    Field<std::uint64_t> max_retries;
    Field<RetryBudget> retry_budget;
    Field<bool> track_remaining;
    Field<std::uint64_t> max_connection_pools;
  };
  Source source;
  Field<std::vector<Field<Thresholds>>> thresholds;
  Field<std::vector<Field<Thresholds>>> per_host_thresholds;
};
void describe(Fields& fields, CircuitBreakers::RetryBudget& budget);
void describe(Fields& fields, CircuitBreakers::Thresholds& thresholds);
void describe(Fields& fields, CircuitBreakers& breakers);

}  // namespace spillway::scenario::written
