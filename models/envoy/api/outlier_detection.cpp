#include "models/envoy/api/outlier_detection.hpp"

namespace spillway::messages {

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
           "consecutive 5xx that eject a host; default: 5");
  optional(fields, "interval", detection.interval, ProtoDuration{},
           "between the sweeps that judge and that end ejections; default: 10s");
  optional(fields, "base_ejection_time", detection.base_ejection_time, ProtoDuration{},
           "ejection time, multiplied by the number of ejections of the host; default: 30s");
  optional(fields, "max_ejection_time", detection.max_ejection_time, ProtoDuration{},
           "maximum ejection time; default: 300s, or base_ejection_time if that is longer");
  optional(fields, "max_ejection_time_jitter", detection.max_ejection_time_jitter, ProtoDuration{},
           "maximum random time added; default: 0s");
  percentage(fields, "max_ejection_percent", detection.max_ejection_percent,
             "percentage of hosts that may be ejected at the same time; default: 10");
  percentage(fields, "enforcing_consecutive_5xx", detection.enforcing_consecutive_5xx,
             "the chance that a detected host is ejected; default: 100");
  optional(fields, "always_eject_one_host", detection.always_eject_one_host, grammar::Flag{true},
           "allow one ejection whatever max_ejection_percent is; default: false");
  optional(fields, "consecutive_gateway_failure", detection.consecutive_gateway_failure, number,
           "consecutive 502, 503 or 504 that eject a host; default: 5");
  percentage(fields, "enforcing_consecutive_gateway_failure", detection.enforcing_consecutive_gateway_failure,
             "the chance that such a host is ejected; default: 0");
  optional(fields, "success_rate_minimum_hosts", detection.success_rate_minimum_hosts, number,
           "minimum number of hosts to compare success rates; default: 5");
  optional(fields, "success_rate_request_volume", detection.success_rate_request_volume, number,
           "minimum requests of each host in an interval; default: 100");
  optional(fields, "success_rate_stdev_factor", detection.success_rate_stdev_factor, number,
           "thousandths of a standard deviation below the mean at which a host is ejected; default: 1900");
  percentage(fields, "enforcing_success_rate", detection.enforcing_success_rate,
             "the chance that such a host is ejected; default: 100");
  percentage(fields, "failure_percentage_threshold", detection.failure_percentage_threshold,
             "failure percentage at which a host is ejected; default: 85");
  optional(fields, "failure_percentage_minimum_hosts", detection.failure_percentage_minimum_hosts, number,
           "minimum number of hosts to judge failures; default: 5");
  optional(fields, "failure_percentage_request_volume", detection.failure_percentage_request_volume, number,
           "minimum requests of each host in an interval; default: 50");
  percentage(fields, "enforcing_failure_percentage", detection.enforcing_failure_percentage,
             "the chance that such a host is ejected; default: 0");
  optional(fields, "successful_active_health_check_uneject_host", detection.successful_active_health_check_uneject_host,
           grammar::Flag{true}, "a host that passes an active check returns immediately; default: true");
  optional(fields, "split_external_local_origin_errors", detection.split_external_local_origin_errors, grammar::Flag{},
           "connecting and answering are judged apart; default: false");
  optional(fields, "consecutive_local_origin_failure", detection.consecutive_local_origin_failure, number,
           "consecutive failures to connect that eject a host; default: 5");
  percentage(fields, "enforcing_consecutive_local_origin_failure", detection.enforcing_consecutive_local_origin_failure,
             "the chance that such a host is ejected; default: 100");
  percentage(fields, "enforcing_local_origin_success_rate", detection.enforcing_local_origin_success_rate,
             "the chance that a host is ejected for its rate of connections; default: 100");
  percentage(fields, "enforcing_failure_percentage_local_origin", detection.enforcing_failure_percentage_local_origin,
             "the chance that one is ejected for its failures to connect; default: 0");
  optional(fields, "detect_degraded_hosts", detection.detect_degraded_hosts, grammar::Flag{true},
           "a host that answers with x-envoy-degraded counts as degraded; endpoints here never do; default: false");
  fields.not_simulated("monitors", "monitors of other kinds are not supported yet");
}

}  // namespace spillway::messages
