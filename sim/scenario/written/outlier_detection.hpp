// envoy.config.cluster.v3.OutlierDetection as it stands verbatim in files.
#pragma once

#include <cstdint>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

struct OutlierDetection {
  static constexpr const char* definition = "envoy.config.cluster.v3.OutlierDetection";
  Field<std::uint64_t> consecutive_5xx;
  Field<grammar::Nanoseconds> interval;
  Field<grammar::Nanoseconds> base_ejection_time;
  Field<grammar::Nanoseconds> max_ejection_time;
  Field<grammar::Nanoseconds> max_ejection_time_jitter;
  Field<std::uint64_t> max_ejection_percent;
  Field<std::uint64_t> enforcing_consecutive_5xx;
  Field<bool> always_eject_one_host;
  Field<std::uint64_t> consecutive_gateway_failure;
  Field<std::uint64_t> enforcing_consecutive_gateway_failure;
  Field<std::uint64_t> success_rate_minimum_hosts;
  Field<std::uint64_t> success_rate_request_volume;
  Field<std::uint64_t> success_rate_stdev_factor;
  Field<std::uint64_t> enforcing_success_rate;
  Field<std::uint64_t> failure_percentage_threshold;
  Field<std::uint64_t> failure_percentage_minimum_hosts;
  Field<std::uint64_t> failure_percentage_request_volume;
  Field<std::uint64_t> enforcing_failure_percentage;
  Field<bool> successful_active_health_check_uneject_host;
  Field<bool> split_external_local_origin_errors;
  Field<std::uint64_t> consecutive_local_origin_failure;
  Field<std::uint64_t> enforcing_consecutive_local_origin_failure;
  Field<std::uint64_t> enforcing_local_origin_success_rate;
  Field<std::uint64_t> enforcing_failure_percentage_local_origin;
};
void describe(Fields& fields, OutlierDetection& detection);

}  // namespace spillway::scenario::written
