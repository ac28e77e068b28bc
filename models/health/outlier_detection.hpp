// One proxy's outlier detector over the hosts of one cluster: who is ejected, and for how long.
//
// Rules: Envoy's outlier_detection_impl.cc; docs/behaviour/envoy-host-pick.md 17. Played so far: consecutive 5xx.
//
//   OutlierDetector detector(config, hosts);
//   if (detector.report(host, 503)) {                     // the limit was reached by this answer
//     if (detector.eject(host, now, draws)) { ... }       // and the host is out now
//   }
//   for (HostIndex host : detector.sweep(now)) { ... }    // every config.interval: these are back
//
// Decisions only: when the balancer sees them is the update merge window's business (update_merge_window.hpp).
// Memory: O(hosts). report is O(1), sweep O(ejected + hosts that have a back-off).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/config/strong.hpp"

namespace spillway::health {

using Nanoseconds = std::chrono::nanoseconds;

class OutlierDetector {
 public:
  OutlierDetector(const config::OutlierDetection& config, std::uint32_t hosts) : config_(config), hosts_(hosts) {}

  // Counts an answer by its HTTP status; an answer that never came counts as what Envoy puts in its place (503 for a
  // connect failure or a reset). True if this very answer completed a run of consecutive_5xx. A host that keeps failing
  // does not complete another one before a success or an un-ejection.
  [[nodiscard]] bool report(config::HostIndex host, std::uint32_t status) noexcept {
    Host& of = hosts_[host.value];
    if (status < 500 || status > 599) {
      of.consecutive_5xx = 0;
      return false;
    }
    return ++of.consecutive_5xx == config_.consecutive_5xx;
  }

  // Ejects the host unless it is out already, the ejection cap forbids it, or enforcing_consecutive_5xx says no by
  // chance. Draws: one for the chance if it is neither 0 nor 100 %, and if the host goes, always one for the jitter.
  template <class Draw>
  [[nodiscard]] bool eject(config::HostIndex host, Nanoseconds now, Draw& draw) {
    Host& of = hosts_[host.value];
    if (of.ejected) {
      return false;
    }
    const bool fits = 100.0 * (ejected_hosts_ + 1) / static_cast<double>(hosts_.size()) <=
                      static_cast<double>(config_.max_ejection_percent);
    const bool allowed = (fits || (config_.always_eject_one_host && ejected_hosts_ == 0)) && enforced(draw);
    of.consecutive_5xx = 0;
    if (!allowed) {
      return false;
    }
    of.ejected = true;
    of.last_ejection = now;
    ++ejected_hosts_;
    const auto jitter_milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(config_.max_ejection_time_jitter).count();
    of.jitter = std::chrono::milliseconds{
        static_cast<std::int64_t>(draw() % (static_cast<std::uint64_t>(jitter_milliseconds) + 1))};
    if (of.backoff * config_.base_ejection_time < config_.max_ejection_time + config_.base_ejection_time) {
      ++of.backoff;
    }
    return true;
  }

  // What Envoy does every `interval`: hosts that have sat out their time come back, in the order of the list; a host
  // that has been back for a whole interval has its back-off lowered by one. Returns who came back.
  [[nodiscard]] std::vector<config::HostIndex> sweep(Nanoseconds now) {
    std::vector<config::HostIndex> back;
    for (std::uint32_t index = 0; index < hosts_.size(); ++index) {
      Host& host = hosts_[index];
      if (host.ejected) {
        const Nanoseconds sentence =
            std::min<Nanoseconds>(config_.base_ejection_time * host.backoff, config_.max_ejection_time) + host.jitter;
        if (sentence <= now - host.last_ejection) {
          host.ejected = false;
          host.consecutive_5xx = 0;
          host.last_unejection = now;
          host.was_unejected = true;
          --ejected_hosts_;
          back.push_back(config::HostIndex{index});
        }
      } else if (host.was_unejected && now - host.last_unejection >= config_.interval && host.backoff > 0) {
        --host.backoff;
      }
    }
    return back;
  }

  [[nodiscard]] bool ejected(config::HostIndex host) const noexcept { return hosts_[host.value].ejected; }
  [[nodiscard]] std::uint32_t ejected_hosts() const noexcept { return ejected_hosts_; }

 private:
  struct Host {
    std::uint32_t consecutive_5xx = 0;
    std::int32_t backoff = 0;
    Nanoseconds jitter{0};
    Nanoseconds last_ejection{0};
    Nanoseconds last_unejection{0};
    bool ejected = false;
    bool was_unejected = false;
  };

  template <class Draw>
  [[nodiscard]] bool enforced(Draw& draw) const {
    const std::uint32_t percent = std::min(config_.enforcing_consecutive_5xx, 100U);
    if (percent == 0 || percent == 100) {
      return percent == 100;
    }
    return draw() % 100 < percent;
  }

  config::OutlierDetection config_;
  std::vector<Host> hosts_;
  std::uint32_t ejected_hosts_ = 0;
};

}  // namespace spillway::health
