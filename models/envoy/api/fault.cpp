#include "models/envoy/api/fault.hpp"

#include <algorithm>

#include "models/envoy/api/fractional_percent.hpp"

namespace spillway::messages {

namespace {

struct FixedDelay {
  grammar::Nanoseconds fixed_delay{0};
  FractionalPercent percentage = {};
};

}  // namespace

template <>
struct Grammar<FixedDelay> {
  static constexpr const char* definition = "envoy.extensions.filters.common.fault.v3.FaultDelay";
  static void describe(Fields& fields, FixedDelay& delay) {
    fields.message();
    required(fields, "fixed_delay", delay.fixed_delay,
             grammar::ProtoDuration{grammar::Nanoseconds{0},
                                    "Envoy refuses others: FixedDelay: value must be greater than 0s", "0+(\\.0+)?s"},
             "before the router gets the request");
    optional(fields, "percentage", delay.percentage, Message<FractionalPercent>{},
             "part of the requests that waits; default: none");
    fields.not_simulated("header_delay", "a delay that requests name is not supported yet");
  }
};

void Grammar<FaultDelay>::describe(Fields& fields, FaultDelay& fault) {
  FixedDelay delay{fault.time, {fault.per_million, FractionalPercent::million}};
  fields.message();
  required(fields, "delay", delay, Message<FixedDelay>{}, "requests that wait");
  for (const char* const other :
       {"abort", "upstream_cluster", "downstream_nodes", "headers", "max_active_faults", "response_rate_limit"}) {
    fields.not_simulated(other, "only a `delay` is supported");
  }
  fields.without_influence({"delay_percent_runtime", "delay_duration_runtime", "abort_percent_runtime",
                            "abort_http_status_runtime", "abort_grpc_status_runtime", "max_active_faults_runtime",
                            "response_rate_limit_percent_runtime", "disable_downstream_cluster_stats",
                            "filter_metadata"});
  const std::uint64_t numerator =
      std::uint64_t{delay.percentage.numerator} * (FaultDelay::million / denominators[delay.percentage.denominator]);
  fault = {static_cast<std::uint32_t>(std::min<std::uint64_t>(numerator, FaultDelay::million)), delay.fixed_delay};
}

}  // namespace spillway::messages
