#include "sim/scenario/written/circuit_breakers.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::Record;

void describe(Fields& fields, CircuitBreakers::RetryBudget& budget) {
  fields.message();
  fields.optional("budget_percent", budget.budget_percent, Record<PercentMessage>{},
                  "of the requests in flight and waiting; default: 20");
  fields.optional("min_retry_concurrency", budget.min_retry_concurrency, grammar::Whole{0, largest_uint32},
                  "so many retries at once in any case; default: 3");
}

void describe(Fields& fields, CircuitBreakers::Thresholds& thresholds) {
  const grammar::Whole number{0, largest_uint32};
  fields.message();
  fields.optional("priority", thresholds.priority, grammar::Choice{CircuitBreakers::Thresholds::priorities, {}},
                  "of routes; default: DEFAULT");
  fields.optional("max_connections", thresholds.max_connections, number, "default: 1024");
  fields.optional("max_pending_requests", thresholds.max_pending_requests, number,
                  "requests that wait for a connection; default: 1024");
  fields.optional("max_requests", thresholds.max_requests, number, "requests in flight; default: 1024");
  fields.optional("max_retries", thresholds.max_retries, number, "retries in flight; default: 3");
  fields.optional("retry_budget", thresholds.retry_budget, Record<CircuitBreakers::RetryBudget>{},
                  "instead of max_retries");
  fields.optional("track_remaining", thresholds.track_remaining, grammar::Flag{}, "for statistics");
  fields.optional("max_connection_pools", thresholds.max_connection_pools, number, "default: no limit");
}

void describe(Fields& fields, CircuitBreakers& breakers) {
  fields.message();
  fields.formerly("default", "thresholds");
  fields.formerly("high", "thresholds");
  breakers.source.keep(fields);
  fields.optional("thresholds", breakers.thresholds, ListOf<Record<CircuitBreakers::Thresholds>>{},
                  "the first one of a priority counts");
  fields.optional("per_host_thresholds", breakers.per_host_thresholds, ListOf<Record<CircuitBreakers::Thresholds>>{},
                  "of each host: max_connections");
}

}  // namespace spillway::scenario::written
