// One proxy's outlier detector for the hosts of one cluster: decides which hosts are ejected, and for how long.
//
//   OutlierDetector detector(config, hosts);
//   for (const Detection run : detector.report(host, 503)) {          // runs that this answer completed
//     const auto event = detector.decide(host, run, now, draws);      // what came of it: ejected, if all agree
//   }
//   for (const OutlierEvent& event : detector.sweep(now, draws)) {    // every config.interval
//     event.action == OutlierEvent::Action::uneject ...
//   }
//
// The detector only decides; the update merge window determines when the balancer sees it (update_merge_window.hpp).
// Hosts are visited in list order. Envoy visits them in hash-map order; results differ only if the cap is reached.
//
// Seed profile: the cap counts hosts before the ejection. A host stays out for base_ejection_time times the number of
// its ejections, without a maximum and without decay.
//
// Memory: 18 bytes per host, 12 more if origins are split, 8 more in intervals with success-rate judgement, plus a
// record of each host that was ever ejected. report and decide are O(1), plus O(log n) in the hosts ever ejected; sweep
// is linear.
// Source: docs/behaviour/envoy-host-pick.md 17, versions-host-pick.md 2; Envoy's outlier_detection_impl.cc.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/health/host_counters.hpp"
#include "models/health/outlier_monitor.hpp"

namespace spillway::health {

using Nanoseconds = std::chrono::nanoseconds;

struct OutlierEvent {
  enum class Action : std::uint8_t {
    eject,
    uneject,
    detected_not_enforced,  // not ejected because of enforcing_..., by chance or always
    overflow,               // not ejected because of the cap
  };
  config::HostIndex host;
  std::optional<Detection> detection;  // nullopt for uneject
  Action action = Action::eject;

  friend bool operator==(const OutlierEvent&, const OutlierEvent&) = default;
};

// Returns how many of `hosts` may be ejected at once, by the profile's rule (docs/behaviour/envoy-host-pick.md 16).
[[nodiscard]] std::uint32_t most_ejected(const config::OutlierDetection& config, config::EnvoyProfile profile,
                                         std::uint32_t hosts) noexcept;

// True if some detection is enforced, among so many hosts: success rates and failure percentages are only judged from
// their minimum of hosts on.
[[nodiscard]] bool is_any_enforced(const config::OutlierDetection& config, std::uint32_t hosts) noexcept;

// Returns the random part of an ejection's duration, in whole milliseconds up to `max_ejection_time_jitter`.
[[nodiscard]] constexpr std::chrono::milliseconds ejection_jitter(Nanoseconds max_ejection_time_jitter,
                                                                  std::uint64_t draw) noexcept {
  const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(max_ejection_time_jitter).count();
  return std::chrono::milliseconds{static_cast<std::int64_t>(draw % (static_cast<std::uint64_t>(most) + 1))};
}

class OutlierDetector {
 public:
  // With `sparse`, memory grows with the hosts that have counts instead of with `hosts`.
  OutlierDetector(const config::OutlierDetection& config, std::uint32_t hosts,
                  config::EnvoyProfile profile = config::EnvoyProfile::current, bool sparse = false)
      : external_(hosts, sparse ? HostCounters<OutlierCounters>::Memory::of_counted_hosts
                                : HostCounters<OutlierCounters>::Memory::of_all_hosts),
        config_(config),
        profile_(profile),
        local_(config.split_external_local_origin_errors ? hosts : 0,
               sparse ? HostCounters<LocalOriginCounters>::Memory::of_counted_hosts
                      : HostCounters<LocalOriginCounters>::Memory::of_all_hosts),
        members_(hosts) {}

  // Counts the result of a request or a connection. Returns the failure runs that this report completed; the caller
  // must decide each. A host that keeps failing completes no further run before a success, a decision or an unejection.
  [[nodiscard]] FiredDetections report(config::HostIndex host, OutlierResult result,
                                       std::optional<std::uint32_t> status = std::nullopt);
  // Counts a response by its HTTP status. A missing response counts as the status that Envoy substitutes (503 for a
  // connect failure or a reset).
  [[nodiscard]] FiredDetections report(config::HostIndex host, std::uint32_t status) {
    return external_[host].report_status(config_, status);
  }

  // Counts `answers` successful responses. Precondition: answers >= 1.
  void note_successes(config::HostIndex host, std::uint32_t answers) { external_[host].note_successes(answers); }

  // Prefetches the host's counters.
  void prefetch(config::HostIndex host) const noexcept {
    external_.prefetch(host);
    if (splits_origins()) {
      local_.prefetch(host);
    }
  }

  // Decides a completed run; nullopt if the host is already ejected or has left. Draws one for enforcing_... if that is
  // neither 0 nor 100. An ejection always draws one more for the jitter.
  template <class Draw>
  std::optional<OutlierEvent> decide(config::HostIndex host, Detection run, Nanoseconds now, Draw& draw) {
    if (!is_member(host) || ejected(host)) {
      return std::nullopt;
    }
    const OutlierEvent event = eject(host, run, now, draw);
    reset_counter(host, run);
    return event;
  }

  // Performs Envoy's periodic work, due every `interval`, in Envoy's order:
  // 1. un-ejects hosts whose time is over
  // 2. judges the success rates of the interval that ends
  // 3. reduces by one the back-off of hosts that have been back for an interval
  //
  // As in Envoy, a host that fails both success rate and failure percentage in one sweep is ejected twice. That costs
  // two draws, two steps of back-off and a place under the cap that is never given back.
  //
  // Calls `happened` with each event as soon as its host is ejected or back, before later hosts are handled.
  template <class Draw, class Happened>
  void sweep(Nanoseconds now, Draw& draw, const Happened& happened);
  template <class Draw>
  std::vector<OutlierEvent> sweep(Nanoseconds now, Draw& draw) {
    std::vector<OutlierEvent> events;
    sweep(now, draw, [&](const OutlierEvent& event) { events.push_back(event); });
    return events;
  }

  // Handles a passed active check of a host that does not count as failed there. Returns true if it ends the ejection.
  [[nodiscard]] bool active_check_passed(config::HostIndex host, Nanoseconds now);

  // leave() removes a host and everything known about it; join() adds a host without history. Indices may be new.
  void leave(config::HostIndex host);
  void join(config::HostIndex host);

  [[nodiscard]] bool ejected(config::HostIndex host) const noexcept {
    return !ejected_.empty() && ejected_[host.value] != 0;
  }
  // Returns the earliest end of the ejection. Precondition: the host is ejected.
  [[nodiscard]] Nanoseconds ejected_until(config::HostIndex host) const noexcept {
    const Ejections& of = ejections_.at(host.value);
    return of.last_ejection + sentence(of);
  }
  [[nodiscard]] std::uint32_t members() const noexcept { return members_; }
  [[nodiscard]] const config::OutlierDetection& config() const noexcept { return config_; }
  // Returns the enforcing_... percentage of this detection.
  [[nodiscard]] std::uint32_t enforcing(Detection detection) const noexcept;
  // Returns Envoy's gauge ejections_active, which the cap limits.
  [[nodiscard]] std::uint32_t ejected_hosts() const noexcept { return ejected_hosts_; }
  // Returns how many ejections the cap has prevented.
  [[nodiscard]] std::uint64_t overflows() const noexcept { return overflows_; }

  // Returns the success rate in the last finished interval [%]; -1 if there were too few hosts or requests to judge.
  [[nodiscard]] double success_rate(config::HostIndex host, Origin origin) const noexcept {
    const std::vector<double>& rates = shown_rates_[static_cast<std::size_t>(origin)];
    return rates.empty() ? -1.0 : rates[host.value];
  }
  [[nodiscard]] double success_rate_average(Origin origin) const noexcept { return judged(origin).mean; }
  [[nodiscard]] double success_rate_ejection_threshold(Origin origin) const noexcept {
    return judged(origin).threshold;
  }

 private:
  // The ejection record of a host that was ever ejected.
  struct Ejections {
    std::int64_t eject_time_backoff = 0;
    Nanoseconds jitter{0};
    Nanoseconds last_ejection{0};
    std::optional<Nanoseconds> last_unejection = {};
  };
  struct Found {
    config::HostIndex host;
    Detection detection = Detection::success_rate;
  };

  [[nodiscard]] const SuccessRateOutliers& judged(Origin origin) const noexcept {
    return judged_[static_cast<std::size_t>(origin)];
  }
  [[nodiscard]] bool fits_under_cap() const noexcept;
  [[nodiscard]] Nanoseconds sentence(const Ejections& of) const noexcept;
  template <class Happened>
  void release(Nanoseconds now, const Happened& happened);
  void uneject(config::HostIndex host, Ejections& of, Nanoseconds now);
  void reset_counter(config::HostIndex host, Detection detection);
  void set_ejected(config::HostIndex host, bool ejected);
  [[nodiscard]] bool is_member(config::HostIndex host) const noexcept {
    return host.value < external_.size() && (absent_.empty() || absent_[host.value] == 0);
  }
  [[nodiscard]] bool splits_origins() const noexcept { return config_.split_external_local_origin_errors; }
  [[nodiscard]] std::vector<Found> judge(Origin origin);
  void lower_backoffs(Nanoseconds now) noexcept;
  void note_ejection(config::HostIndex host, Nanoseconds now, std::uint64_t jitter_draw);

  template <class Draw>
  OutlierEvent eject(config::HostIndex host, Detection detection, Nanoseconds now, Draw& draw);
  template <class Draw>
  [[nodiscard]] static bool happens(std::uint32_t percent, Draw& draw) {
    return percent >= 100 || (percent > 0 && draw() % 100 < percent);
  }

  // Members that every report reads come first.
  HostCounters<OutlierCounters> external_;
  config::OutlierDetection config_;
  config::EnvoyProfile profile_;
  HostCounters<LocalOriginCounters> local_;  // without hosts if origins are not split
  std::vector<std::uint8_t> absent_;         // by HostIndex, nonzero once it has left; empty if none has
  std::vector<std::uint8_t> ejected_;        // by HostIndex; empty if none ever was
  std::map<std::uint32_t, Ejections> ejections_;
  std::array<std::vector<double>, 2> shown_rates_;  // by Origin, then HostIndex; empty if none was judged
  std::uint32_t members_;
  std::uint32_t ejected_hosts_ = 0;
  std::uint64_t overflows_ = 0;
  std::array<SuccessRateOutliers, 2> judged_;  // by Origin
};

// ---------------------------------------------------------------------------------------------------------------------

template <class Draw, class Happened>
void OutlierDetector::sweep(Nanoseconds now, Draw& draw, const Happened& happened) {
  release(now, happened);
  for (const Origin origin : {Origin::external, Origin::local}) {
    for (const Found& found : judge(origin)) {
      happened(eject(found.host, found.detection, now, draw));
    }
  }
  external_.begin_interval();
  local_.begin_interval();
  lower_backoffs(now);
}

template <class Happened>
void OutlierDetector::release(Nanoseconds now, const Happened& happened) {
  for (auto& [host, of] : ejections_) {
    if (ejected({host}) && sentence(of) <= now - of.last_ejection) {
      uneject({host}, of, now);
      happened(OutlierEvent{config::HostIndex{host}, std::nullopt, OutlierEvent::Action::uneject});
    }
  }
}

template <class Draw>
OutlierEvent OutlierDetector::eject(config::HostIndex host, Detection detection, Nanoseconds now, Draw& draw) {
  if (!fits_under_cap()) {
    ++overflows_;
    return {host, detection, OutlierEvent::Action::overflow};
  }
  if (!happens(enforcing(detection), draw)) {
    return {host, detection, OutlierEvent::Action::detected_not_enforced};
  }
  note_ejection(host, now, draw());
  return {host, detection, OutlierEvent::Action::eject};
}

}  // namespace spillway::health
