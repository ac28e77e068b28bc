#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"

#include <algorithm>
#include <limits>

#include "models/envoy/policies/client_side_weighted_round_robin/policy.hpp"
#include "models/envoy/policies/weight_shares.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

namespace {

double metric(const LoadReport& report, std::string_view name) {
  constexpr std::string_view named = "named_metrics.";
  if (name.starts_with(named)) {
    const auto found = report.named_metrics.find(std::string(name.substr(named.size())));
    return found == report.named_metrics.end() ? 0.0 : found->second;
  }
  if (name == "application_utilization") {
    return report.application_utilization;
  }
  return name == "cpu_utilization" ? report.cpu_utilization : 0.0;
}

}  // namespace

double utilization(const LoadReport& report, std::span<const std::string> metric_names) {
  if (report.application_utilization > 0.0) {
    return report.application_utilization;
  }
  double largest = 0.0;
  for (const std::string& name : metric_names) {
    largest = std::max(largest, metric(report, name));
  }
  return largest > 0.0 ? largest : report.cpu_utilization;
}

WeightOrError weight_from_report(double rps_fractional, double eps, double utilization,
                                 double error_utilization_penalty) {
  if (!(rps_fractional > 0.0)) {
    return std::string_view("QPS must be positive");
  }
  utilization += error_utilization_penalty * eps / rps_fractional;
  if (!(utilization > 0.0)) {
    return std::string_view("Utilization must be positive");
  }
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(rps_fractional / utilization, most));
}

void HostReports::receive(const Config& config, const LoadReport& report, Time now) {
  const auto result = weight_from_report(report.rps_fractional, report.eps,
                                         utilization(report, config.metric_names_for_computing_utilization),
                                         config.error_utilization_penalty);
  if (const auto* const weight = std::get_if<std::uint32_t>(&result)) {
    weight_ = *weight;
    non_empty_since_ = non_empty_since_.value_or(now);
    last_update_ = now;
  }
}

std::optional<std::uint32_t> HostReports::weight_if_valid(Time max_non_empty_since, Time min_last_update) {
  if (!non_empty_since_ || *non_empty_since_ > max_non_empty_since) {
    return std::nullopt;
  }
  if (last_update_ < min_last_update) {
    non_empty_since_.reset();
    return std::nullopt;
  }
  return weight_;
}

std::vector<std::uint32_t> fill_with_median(std::span<const std::optional<std::uint32_t>> weights) {
  std::vector<std::uint32_t> valid;
  for (const auto& weight : weights) {
    if (weight) {
      valid.push_back(*weight);
    }
  }
  std::sort(valid.begin(), valid.end());
  std::uint64_t median = 1;
  if (!valid.empty()) {
    const std::size_t upper = valid.size() / 2;
    median = valid.size() % 2 == 1 ? valid[upper] : (std::uint64_t{valid[upper - 1]} + valid[upper]) / 2;
  }
  std::vector<std::uint32_t> result;
  for (const auto& weight : weights) {
    result.push_back(std::max(1U, weight.value_or(static_cast<std::uint32_t>(median))));
  }
  return result;
}

std::vector<std::uint32_t> weights_of(const Config& config, std::span<HostReports> hosts, Time now) {
  std::vector<std::optional<std::uint32_t>> weights;
  for (HostReports& host : hosts) {
    weights.push_back(host.weight_if_valid(now - config.blackout_period, now - config.weight_expiration_period));
  }
  return fill_with_median(weights);
}

void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares) {
  add_weight_shares(input, probability, shares);
}

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
