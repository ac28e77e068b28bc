// What zone proxies make of the requests that they get: which part goes on to each endpoint behind them.
//
//   const auto parts = forwarded_parts({scenario, flows, traffic, upstreams}, targets);
//   ExactMean mean(targets, parts);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/run/told/upstreams.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

// Who asks whom for what, and what the proxies have been told.
struct Balancing {
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  const Upstreams& upstreams;
};

// By target: its part of what its host gets, as exact shares have it. Empty where no host is a zone proxy.
[[nodiscard]] std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets);

// By class of clients (Upstreams::class_index) and target: whether a connection to it may have opened by now. Those to
// endpoints that are unhealthy or removed by now stay.
class OpenedConnections {
 public:
  explicit OpenedConnections(std::size_t classes) : opened_(classes) {}

  // Requests were forwarded in these parts.
  void note(std::uint32_t class_of_clients, const std::vector<double>& parts) {
    std::vector<std::uint8_t>& opened = opened_[class_of_clients];
    opened.resize(parts.size(), 0);
    for (std::size_t target = 0; target < parts.size(); ++target) {
      if (parts[target] > 0.0) {
        opened[target] = 1;
      }
    }
  }
  // Empty if nothing was forwarded.
  [[nodiscard]] const std::vector<std::uint8_t>& of(std::uint32_t class_of_clients) const noexcept {
    return opened_[class_of_clients];
  }

 private:
  std::vector<std::vector<std::uint8_t>> opened_;
};

}  // namespace spillway::run
