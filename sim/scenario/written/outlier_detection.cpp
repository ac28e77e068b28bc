#include "sim/scenario/written/outlier_detection.hpp"

namespace spillway::scenario::written {

namespace {

void percentage(Fields& fields, const char* name, std::uint32_t& into, const char* documentation) {
  const grammar::Whole shape{0, 100, "Envoy refuses others: " + config::at_most(name, 100).text};
  optional(fields, name, into, shape, documentation);
}

}  // namespace

void Grammar<config::OutlierDetection>::describe(Fields& fields, config::OutlierDetection& detection) {
  using grammar::ProtoDuration;
  const grammar::Whole number{0, largest_uint32};
  fields.message();
  fields.formerly("interval_ms", "interval");
  fields.formerly("base_ejection_time_ms", "base_ejection_time");
  optional(fields, "consecutive_5xx", detection.consecutive_5xx, number,
           "so many 5xx in a row eject a host; default: 5");
  optional(fields, "interval", detection.interval, ProtoDuration{},
           "between the sweeps that judge and that end ejections; default: 10s");
  optional(fields, "base_ejection_time", detection.base_ejection_time, ProtoDuration{},
           "a host stays out this long times the number of its ejections; default: 30s");
  optional(fields, "max_ejection_time", detection.max_ejection_time, ProtoDuration{},
           "and not longer than this; default: 300s, or base_ejection_time if that is longer");
  optional(fields, "max_ejection_time_jitter", detection.max_ejection_time_jitter, ProtoDuration{},
           "up to so much is added at random; default: 0s");
  percentage(fields, "max_ejection_percent", detection.max_ejection_percent,
             "at most so many hosts are out at once; default: 10");
  percentage(fields, "enforcing_consecutive_5xx", detection.enforcing_consecutive_5xx,
             "the chance that a detected host is ejected; default: 100");
  optional(fields, "always_eject_one_host", detection.always_eject_one_host, grammar::Flag{true},
           "eject one host whatever max_ejection_percent says; default: false");
  optional(fields, "consecutive_gateway_failure", detection.consecutive_gateway_failure, number,
           "so many 502, 503 or 504 in a row; default: 5");
  percentage(fields, "enforcing_consecutive_gateway_failure", detection.enforcing_consecutive_gateway_failure,
             "the chance that such a host is ejected; default: 0");
  optional(fields, "success_rate_minimum_hosts", detection.success_rate_minimum_hosts, number,
           "success rates are compared among at least so many hosts; default: 5");
  optional(fields, "success_rate_request_volume", detection.success_rate_request_volume, number,
           "with so many requests each in an interval; default: 100");
  optional(fields, "success_rate_stdev_factor", detection.success_rate_stdev_factor, number,
           "a host so many thousandths of a standard deviation below the mean is out; default: 1900");
  percentage(fields, "enforcing_success_rate", detection.enforcing_success_rate,
             "the chance that such a host is ejected; default: 100");
  percentage(fields, "failure_percentage_threshold", detection.failure_percentage_threshold,
             "a host with at least so many failures is out; default: 85");
  optional(fields, "failure_percentage_minimum_hosts", detection.failure_percentage_minimum_hosts, number,
           "failures are judged among at least so many hosts; default: 5");
  optional(fields, "failure_percentage_request_volume", detection.failure_percentage_request_volume, number,
           "with so many requests each in an interval; default: 50");
  percentage(fields, "enforcing_failure_percentage", detection.enforcing_failure_percentage,
             "the chance that such a host is ejected; default: 0");
  optional(fields, "successful_active_health_check_uneject_host", detection.successful_active_health_check_uneject_host,
           grammar::Flag{true}, "a host that passes an active check comes back at once; default: true");
  optional(fields, "split_external_local_origin_errors", detection.split_external_local_origin_errors, grammar::Flag{},
           "connecting and answering are judged apart; default: false");
  optional(fields, "consecutive_local_origin_failure", detection.consecutive_local_origin_failure, number,
           "so many failures to connect in a row; default: 5");
  percentage(fields, "enforcing_consecutive_local_origin_failure", detection.enforcing_consecutive_local_origin_failure,
             "the chance that such a host is ejected; default: 100");
  percentage(fields, "enforcing_local_origin_success_rate", detection.enforcing_local_origin_success_rate,
             "the chance that a host is ejected for its rate of connections; default: 100");
  percentage(fields, "enforcing_failure_percentage_local_origin", detection.enforcing_failure_percentage_local_origin,
             "the chance that one is ejected for its failures to connect; default: 0");
  // By a header of answers (x-envoy-degraded), which no endpoint here sends.
  fields.idle("detect_degraded_hosts", grammar::Flag{});
  fields.not_played("monitors", "monitors of other kinds are not supported yet");
}

}  // namespace spillway::scenario::written
