// A trace of requests through balancers to hosts, step by step as exact_shares() follows them. For explanations.
//
//   ShareTrace trace;
//   const ExactShares shares = exact_shares(*state, requests, &trace);
//   for (const ShareStep& step : trace.steps()) { ... }   // parents before children; `depth` tells them apart
//
// Steps of kind list, table and named_host contain hosts, whose shares sum to those of the result, host by host. Steps
// point into the state and the criteria that they were made from, which must outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/host_sources.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

struct ClusterState;  // cluster_state.hpp

struct ShareStep {
  enum class Kind : std::uint8_t {
    level,       // an aggregate cluster sends to `choice`, a position in its levels
    balancer,    // requests come to this balancer, of a cluster, a subset or a fallback policy
    criteria,    // a subset balancer gets `criteria`, or none (null)
    priority,    // `choice` by the draws % 100 in `residues`
    list,        // a pick from `source`
    table,       // the hash table of choice.priority: for one `hash`, or for all
    named_host,  // a host that the request, or a single-host subset, names
  };
  Kind kind = Kind::balancer;
  std::uint32_t depth = 0;
  const ClusterState* state = nullptr;  // of the balancer
  double probability = 0.0;             // of a request to reach this step
  double added = 0.0;                   // and of these to find a host
  PriorityChoice choice = {};           // `all`: hosts in panic
  policies::ResidueRange residues = {};
  SourceIndex source = {};
  std::optional<std::uint64_t> hash = std::nullopt;
  const config::Struct* criteria = nullptr;
  std::vector<std::pair<config::HostIndex, double>> hosts = {};
};

class ShareTrace {
 public:
  // Begins a step inside the steps that have begun and not ended. Returns its position.
  std::size_t begin(ShareStep step) {
    step.depth = depth_++;
    open_.push_back(steps_.size());
    steps_.push_back(std::move(step));
    return steps_.size() - 1;
  }
  void end(std::size_t position, double added) {
    steps_[position].added = added;
    --depth_;
    open_.pop_back();
  }
  // Ends a step whose added probability is the sum over the steps inside it.
  void end_with_parts(std::size_t position) {
    double added = 0.0;
    for (std::size_t step = position + 1; step < steps_.size(); ++step) {
      added += steps_[step].depth == steps_[position].depth + 1 ? steps_[step].added : 0.0;
    }
    end(position, added);
  }

  // Adds a host to the innermost open step.
  void add_host(config::HostIndex host, double share) { steps_[open_.back()].hosts.emplace_back(host, share); }

  [[nodiscard]] const std::vector<ShareStep>& steps() const noexcept { return steps_; }

 private:
  std::vector<ShareStep> steps_;
  std::vector<std::size_t> open_;
  std::uint32_t depth_ = 0;
};

}  // namespace spillway::envoy
