#include "models/envoy/api/circuit_breakers.hpp"

namespace spillway::messages {

void Grammar<config::RetryBudget>::describe(Fields& fields, config::RetryBudget& budget) {
  fields.message();
  optional(fields, "budget_percent", budget.budget_percent, Message<config::Percent>{},
           "of the requests in flight and waiting; default: 20");
  optional(fields, "min_retry_concurrency", budget.min_retry_concurrency, grammar::Whole{0, largest_uint32},
           "concurrent retries that are always allowed; default: 3");
  fields.not_simulated("budget_interval", "retries are counted against the requests of one moment");
}

void Grammar<config::CircuitBreakerThresholds>::describe(Fields& fields, config::CircuitBreakerThresholds& thresholds) {
  const grammar::Whole number{0, largest_uint32};
  fields.message();
  optional(fields, "priority", thresholds.priority, grammar::Choice{{"DEFAULT", "HIGH"}, {}},
           "of routes; default: DEFAULT");
  optional(fields, "max_connections", thresholds.max_connections, number, "default: 1024");
  optional(fields, "max_pending_requests", thresholds.max_pending_requests, number,
           "requests that wait for a connection; default: 1024");
  optional(fields, "max_requests", thresholds.max_requests, number, "requests in flight; default: 1024");
  optional(fields, "max_retries", thresholds.max_retries, number, "retries in flight; default: 3");
  optional(fields, "retry_budget", thresholds.retry_budget, Message<config::RetryBudget>{}, "instead of max_retries");
  optional(fields, "track_remaining", thresholds.track_remaining, grammar::Flag{}, "for statistics");
  optional(fields, "max_connection_pools", thresholds.max_connection_pools, number, "default: no limit");
}

void Grammar<config::CircuitBreakers>::describe(Fields& fields, config::CircuitBreakers& breakers) {
  fields.message();
  fields.formerly("default", "thresholds");
  fields.formerly("high", "thresholds");
  optional(fields, "thresholds", breakers.thresholds, Items<Message<config::CircuitBreakerThresholds>>{},
           "the first one of a priority counts");
  optional(fields, "per_host_thresholds", breakers.per_host_thresholds,
           Items<Message<config::CircuitBreakerThresholds>>{}, "of each host: max_connections");
}

}  // namespace spillway::messages
