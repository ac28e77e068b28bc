// The load reports of one host that a balancer has received.
#pragma once

#include <cstdint>
#include <optional>

#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/load_report.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

// The reports of one host.
class HostReports {
 public:
  HostReports() = default;
  HostReports(std::uint32_t weight, Time non_empty_since, Time last_update)
      : weight_(weight), non_empty_since_(non_empty_since), last_update_(last_update) {}

  void receive(const Config& config, const LoadReport& report, Time now);

  // Returns the weight if the first report came at `max_non_empty_since` or before and the last one at
  // `min_last_update` or after; else nullopt. If the last report is too old, the blackout period starts again.
  [[nodiscard]] std::optional<std::uint32_t> weight_if_valid(Time max_non_empty_since, Time min_last_update);

  // Returns the time of the first report; nullopt if there is no valid one or the last one is too old.
  [[nodiscard]] std::optional<Time> non_empty_since() const noexcept { return non_empty_since_; }

 private:
  std::uint32_t weight_ = 0;
  std::optional<Time> non_empty_since_;
  Time last_update_{0};
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
