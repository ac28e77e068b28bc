#include <algorithm>

#include "sim/scenario/meaning/context.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;

// A duration that Envoy refuses to be zero.
void check_positive(const Field<grammar::Nanoseconds>& field, const char* name, Diagnostics& problems) {
  if (field && *field == grammar::Nanoseconds{0}) {
    problems.push_back(with_note(error("SP126", quoted(name) + " of no duration", field.where, "must be above 0s"),
                                 "Envoy refuses it"));
  }
}

config::OutlierDetection read_outlier_detection(Context& context, const Field<written::OutlierDetection>& field) {
  const written::OutlierDetection& written = *field;
  config::OutlierDetection detection;
  const auto number = [](const Field<std::uint64_t>& value, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(value.value_or(otherwise));
  };
  detection.consecutive_5xx = number(written.consecutive_5xx, detection.consecutive_5xx);
  detection.interval = written.interval.value_or(detection.interval);
  detection.base_ejection_time = written.base_ejection_time.value_or(detection.base_ejection_time);
  detection.max_ejection_time =
      written.max_ejection_time.value_or(std::max(detection.max_ejection_time, detection.base_ejection_time));
  detection.max_ejection_time_jitter = written.max_ejection_time_jitter.value_or(detection.max_ejection_time_jitter);
  detection.max_ejection_percent = number(written.max_ejection_percent, detection.max_ejection_percent);
  detection.enforcing_consecutive_5xx = number(written.enforcing_consecutive_5xx, detection.enforcing_consecutive_5xx);
  detection.always_eject_one_host = written.always_eject_one_host.value_or(detection.always_eject_one_host);
  check_positive(written.interval, "interval", context.problems);
  check_positive(written.base_ejection_time, "base_ejection_time", context.problems);
  check_positive(written.max_ejection_time, "max_ejection_time", context.problems);
  if (written.max_ejection_time && detection.max_ejection_time < detection.base_ejection_time) {
    context.problems.push_back(with_note(error("SP125", "max_ejection_time below base_ejection_time",
                                               written.max_ejection_time.where, "ends before it begins"),
                                         "Envoy refuses it"));
  }
  if (!written.enforcing_success_rate.present) {
    context.problems.push_back(with_help(
        with_note(
            warning("SP203", "Envoy would detect by success rate too", field.key, "only consecutive 5xx is played"),
            "the success rate detector is on unless said otherwise; it acts once 5 hosts have 100 requests each "
            "within an interval"),
        "write enforcing_success_rate: 0 if it is off in the mesh"));
  }
  return detection;
}

// The service that a message is about, unless another one of its kind was there already.
std::optional<std::uint32_t> take_service(Context& context, const Field<std::string>& name, const char* kind,
                                          std::vector<std::optional<Span>>& taken) {
  const auto service = context.services.resolve(name, context.problems);
  if (!service) {
    return std::nullopt;
  }
  if (taken[*service]) {
    context.problems.push_back(with_note(error("SP101", "a second " + std::string(kind) + " " + quoted(*name),
                                               name.where, "this service has one already"),
                                         "the first one is in " + place(*taken[*service])));
    return std::nullopt;
  }
  taken[*service] = name.where;
  return service;
}

void read_cluster(Context& context, const written::Cluster& written, envoy::Cluster& cluster) {
  if (written.lb_policy && written::Cluster::lb_policies[*written.lb_policy] == "RANDOM") {
    cluster.lb_policy = envoy::policies::random::Config{};
  }
  const written::CommonLbConfig& common = *written.common_lb_config;
  if (common.healthy_panic_threshold) {
    cluster.common_lb_config.healthy_panic_threshold =
        config::Percent{common.healthy_panic_threshold->value.value_or(0)};
  }
  if (common.update_merge_window) {
    cluster.common_lb_config.update_merge_window = *common.update_merge_window;
  }
  if (written.outlier_detection) {
    cluster.outlier_detection = read_outlier_detection(context, written.outlier_detection);
  }
}

}  // namespace

void read_clusters(Context& context) {
  std::vector<std::optional<Span>> clusters(context.services.count());
  for (const auto& field : context.file.clusters.value) {
    const auto service = take_service(context, field->name, "cluster", clusters);
    envoy::Cluster unused;
    read_cluster(context, *field, service ? context.scenario.services[*service].cluster : unused);
  }
  std::vector<std::optional<Span>> assignments(context.services.count());
  for (const auto& field : context.file.load_assignments.value) {
    const auto service = take_service(context, field->cluster_name, "load assignment", assignments);
    if (service && field->policy && field->policy->overprovisioning_factor) {
      context.scenario.services[*service].load_assignment.overprovisioning_factor =
          static_cast<std::uint32_t>(*field->policy->overprovisioning_factor);
    }
  }
}

}  // namespace spillway::scenario::meaning
