#include "models/envoy/policies/least_request/least_request.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/least_request/policy.hpp"
#include "models/envoy/policies/slow_start_hosts.hpp"
#include "models/envoy/policies/weight_shares.hpp"
#include "models/envoy/refusal.hpp"
#include "models/numeric/power.hpp"

namespace spillway::envoy::policies::least_request {

namespace {

std::uint32_t in_flight(const ActiveRequests& active_requests, config::HostIndex host) {
  return active_requests.empty() ? 0 : active_requests[host.value];
}

std::vector<double> scheduled_weights(const HostSources& sources, SourceIndex source,
                                      const ActiveRequests& active_requests, double bias) {
  const auto hosts = sources.hosts(source);
  const auto weights = sources.weights(source);
  std::vector<double> result;
  result.reserve(hosts.size());
  for (std::size_t position = 0; position < hosts.size(); ++position) {
    result.push_back(scheduled_weight(weights[position], in_flight(active_requests, hosts[position]), bias));
  }
  return result;
}

// Returns the probability of a pick by the picked host's number of requests in flight, ascending.
std::map<std::uint32_t, double> chance_by_count(const Config& config, const std::map<std::uint32_t, double>& hosts,
                                                double all) {
  std::map<std::uint32_t, double> result;
  const auto every_choice_in = [&](double part) {
    return numeric::power(part / all, static_cast<double>(config.choice_count));
  };
  double at_least = all;
  for (const auto& [count, number] : hosts) {
    const bool fewest = result.empty();
    result[count] = config.selection_method == SelectionMethod::full_scan
                        ? (fewest ? 1.0 : 0.0)
                        : every_choice_in(at_least) - every_choice_in(at_least - number);
    at_least -= number;
  }
  return result;
}

}  // namespace

double scheduled_weight(double weight, std::uint32_t active_requests, double bias) noexcept {
  if (bias == 0.0) {
    return weight;
  }
  const double load = static_cast<double>(active_requests) + 1.0;
  const bool plain = bias == 1.0 || !(bias >= 0.0);
  return plain ? weight / load : weight / numeric::power(load, bias);
}

void PickState::update(const Config& config, const PickStateInput& input) {
  const config::SlowStartConfig& slow_start_config = config.slow_start_config;
  const bool slow_start = refresh_slow_start(slow_start_, slow_start_config, input);
  if (input.sources.profile() == config::EnvoyProfile::seed) {
    update_runs(input.sources);
    if (slow_start_config.slow_start_window.count() <= 0) {
      return;  // runs replace schedules
    }
  }
  schedules_.rebuild(
      input.sources, input.changed,
      [&](SourceIndex source) {
        const auto hosts = input.sources.hosts(source);
        std::vector<double> weights =
            scheduled_weights(input.sources, source, input.active_requests, config.active_request_bias);
        for (std::size_t position = 0; slow_start && position < hosts.size(); ++position) {
          weights[position] =
              slow_start_.weight(slow_start_config, hosts[position], weights[position], input.times.now);
        }
        return weights;
      },
      equal_weights(slow_start_config, slow_start));
}

void PickState::update_runs(const HostSources& sources) {
  std::vector<Run> runs(sources.size());
  std::vector<std::uint32_t> begins;
  for (std::uint32_t priority = 0; priority < sources.priorities(); ++priority) {
    begins.push_back(sources.begin_of(priority).value);
    if (priority >= begins_.size()) {
      continue;
    }
    const std::size_t old_end = priority + 1 < begins_.size() ? begins_[priority + 1] : runs_.size();
    for (std::uint32_t source = begins.back(); source < sources.end_of(priority).value; ++source) {
      const std::size_t old = begins_[priority] + (source - begins.back());
      const auto hosts = sources.hosts({source});
      if (old < old_end && std::find(hosts.begin(), hosts.end(), runs_[old].host) != hosts.end()) {
        runs[source] = runs_[old];
      }
    }
  }
  runs_ = std::move(runs);
  begins_ = std::move(begins);
}

Memory memory(const Config& config, const ShareInput& input, bool loaded) {
  if (input.sources.weighted(input.source)) {
    if (input.sources.profile() == config::EnvoyProfile::seed) {
      return Memory::runs;
    }
    return loaded && config.active_request_bias != 0.0 ? Memory::in_flight : Memory::cursor;
  }
  const bool compares = config.selection_method == SelectionMethod::full_scan || config.choice_count >= 2;
  // A list that has had slow start keeps its schedule.
  const bool scheduled = config.slow_start_config.slow_start_window.count() > 0;
  if (loaded && compares) {
    return scheduled ? Memory::scheduled : Memory::in_flight;
  }
  return scheduled ? Memory::cursor : Memory::none;
}

void add_shares(const Config& config, const ShareInput& input, double probability, std::span<double> shares) {
  const auto hosts = input.sources.hosts(input.source);
  if (input.sources.weighted(input.source) || !input.slow_start_factors.empty()) {
    if (input.sources.profile() == config::EnvoyProfile::seed) {
      add_weight_shares(input, probability, shares);  // runs of `weight` picks
      return;
    }
    const std::vector<double> weights = in_slow_start(
        scheduled_weights(input.sources, input.source, input.active_requests, config.active_request_bias), input);
    double sum = 0.0;
    for (const double weight : weights) {
      sum += weight;
    }
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      shares[position] += probability * weights[position] / sum;
    }
    return;
  }
  std::map<std::uint32_t, double> hosts_by_count;
  if (input.active_requests.empty()) {
    const auto all = static_cast<double>(hosts.size());
    hosts_by_count[0] = all;
    const double share = probability * chance_by_count(config, hosts_by_count, all).at(0) / all;
    for (double& of_host : shares.first(hosts.size())) {
      of_host += share;
    }
    return;
  }
  for (const config::HostIndex host : hosts) {
    hosts_by_count[in_flight(input.active_requests, host)] += 1.0;
  }
  const auto chances = chance_by_count(config, hosts_by_count, static_cast<double>(hosts.size()));
  for (std::size_t position = 0; position < hosts.size(); ++position) {
    const std::uint32_t count = in_flight(input.active_requests, hosts[position]);
    shares[position] += probability * chances.at(count) / hosts_by_count.at(count);
  }
}

Refusal refusal(const Config& config, Form form) {
  return form == Form::legacy && config.choice_count < min_choice_count
             ? Refusal(at_least("choice_count", min_choice_count))
             : std::nullopt;
}

}  // namespace spillway::envoy::policies::least_request
