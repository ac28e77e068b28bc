// The parts of forwarded_parts.hpp for many lists of targets that are behind the same zone proxies.
//
//   ForwardedParts forwarded({scenario, flows, traffic, upstreams});
//   const auto parts = forwarded.of(targets);
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/requests/forwarded_parts.hpp"

namespace spillway::run {

class ForwardedParts {
 public:
  // Lifetime: what `balancing` refers to must outlive this object.
  explicit ForwardedParts(const Balancing& balancing) : balancing_(balancing) {}

  // Returns by target its part of its host's requests, as in exact shares. Empty if no host is a zone proxy. What a
  // zone proxy does is computed once for all that reach it, until EDS reports something.
  [[nodiscard]] std::vector<double> of(const Targets& targets);

 private:
  [[nodiscard]] const std::vector<double>& behind(config::EndpointIndex proxy, config::ServiceIndex service);

  Balancing balancing_;
  std::uint64_t pushes_ = 0;  // of Upstreams when these parts were computed
  std::map<std::pair<config::EndpointIndex, config::ServiceIndex>, std::vector<double>> behind_;
};

}  // namespace spillway::run
