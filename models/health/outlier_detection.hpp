// One proxy's outlier detector over the hosts of one cluster: who is ejected, and for how long.
//
//   OutlierDetector detector(config, hosts);
//   for (const Detection run : detector.report(host, 503)) {          // runs that this answer completed
//     const auto event = detector.decide(host, run, now, draws);      // what came of it: ejected, if all agree
//   }
//   for (const OutlierEvent& event : detector.sweep(now, draws)) {    // every config.interval
//     event.action == OutlierEvent::Action::uneject ...
//   }
//
// Decisions only: when the balancer sees them is the update merge window's business (update_merge_window.hpp). Hosts
// are walked in the order of the list; Envoy's order is that of a hash map, which shows only where the cap cuts off.
//
// The seed profile: the cap counts before the ejection, and a host stays out base_ejection_time times the number of its
// ejections, for which there is no maximum and which never goes down.
//
// Memory: 18 bytes a host, 12 more where origins are split, 8 more in intervals in which success rates are judged, and
// what is kept of each host that was ever ejected. report and decide are O(1) and, in hosts ever ejected, O(log n);
// sweep is linear.
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
    detected_not_enforced,  // enforcing_... said no, by chance or always
    overflow,               // the cap said no
  };
  config::HostIndex host;
  std::optional<Detection> detection;  // none for uneject
  Action action = Action::eject;

  friend bool operator==(const OutlierEvent&, const OutlierEvent&) = default;
};

// How many of `hosts` may be out at once, by the profile's rule (docs/behaviour/envoy-host-pick.md 16).
[[nodiscard]] std::uint32_t most_ejected(const config::OutlierDetection& config, config::EnvoyProfile profile,
                                         std::uint32_t hosts) noexcept;

// The random part of an ejection's time, in whole milliseconds up to `max_ejection_time_jitter`.
[[nodiscard]] constexpr std::chrono::milliseconds ejection_jitter(Nanoseconds max_ejection_time_jitter,
                                                                  std::uint64_t draw) noexcept {
  const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(max_ejection_time_jitter).count();
  return std::chrono::milliseconds{static_cast<std::int64_t>(draw % (static_cast<std::uint64_t>(most) + 1))};
}

class OutlierDetector {
 public:
  // `sparse`: memory grows with the hosts of which something is counted, not with hosts.
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

  // Counts what became of a request or a connection. Returns the runs that this very report completed; each is to be
  // decided. A host that keeps failing completes no further run before a success, a decision, or an un-ejection.
  [[nodiscard]] FiredDetections report(config::HostIndex host, OutlierResult result,
                                       std::optional<std::uint32_t> status = std::nullopt);
  // An answer by its HTTP status. One that never came counts as what Envoy puts in its place (503 for a connect failure
  // or a reset).
  [[nodiscard]] FiredDetections report(config::HostIndex host, std::uint32_t status) {
    return external_[host].report_status(config_, status);
  }

  // report(host, status) of a status that is no failure, so many times and once at least.
  void note_successes(config::HostIndex host, std::uint32_t answers) { external_[host].note_successes(answers); }

  // What the processor will need to report of the host is on its way.
  void prefetch(config::HostIndex host) const noexcept {
    external_.prefetch(host);
    if (splits_origins()) {
      local_.prefetch(host);
    }
  }

  // Decides a completed run; nothing if the host is out already or has left. Draws: one for enforcing_... if that is
  // neither 0 nor 100, and if the host goes, always one for the jitter.
  template <class Draw>
  std::optional<OutlierEvent> decide(config::HostIndex host, Detection run, Nanoseconds now, Draw& draw) {
    if (!is_member(host) || ejected(host)) {
      return std::nullopt;
    }
    const OutlierEvent event = eject(host, run, now, draw);
    reset_counter(host, run);
    return event;
  }

  // What Envoy does every `interval`, in its order: hosts that have sat out their time come back; the success rates of
  // the interval that ends are judged; the back-off of hosts that have been back for an interval goes down by one.
  //
  // As in Envoy a host that falls to its success rate and its failure percentage in one sweep is ejected twice: two
  // draws, two steps of back-off, and a place under the cap that is never given back.
  //
  // `happened` is called with each event as soon as its host is ejected or back, while the hosts after it are not yet.
  template <class Draw, class Happened>
  void sweep(Nanoseconds now, Draw& draw, const Happened& happened);
  template <class Draw>
  std::vector<OutlierEvent> sweep(Nanoseconds now, Draw& draw) {
    std::vector<OutlierEvent> events;
    sweep(now, draw, [&](const OutlierEvent& event) { events.push_back(event); });
    return events;
  }

  // The host passed an active check and does not count as failed there: true if that ends its ejection.
  [[nodiscard]] bool active_check_passed(config::HostIndex host, Nanoseconds now);

  // A host leaves the cluster, with all that is known of it; or comes, unknown. Indices may be new.
  void leave(config::HostIndex host);
  void join(config::HostIndex host);

  [[nodiscard]] bool ejected(config::HostIndex host) const noexcept {
    return !ejected_.empty() && ejected_[host.value] != 0;
  }
  // Until when at least; of one that is ejected.
  [[nodiscard]] Nanoseconds ejected_until(config::HostIndex host) const noexcept {
    const Ejections& of = ejections_.at(host.value);
    return of.last_ejection + sentence(of);
  }
  [[nodiscard]] std::uint32_t members() const noexcept { return members_; }
  [[nodiscard]] const config::OutlierDetection& config() const noexcept { return config_; }
  // The enforcing_... of this detection, percent.
  [[nodiscard]] std::uint32_t enforcing(Detection detection) const noexcept;
  // Envoy's gauge ejections_active, which the cap looks at.
  [[nodiscard]] std::uint32_t ejected_hosts() const noexcept { return ejected_hosts_; }
  // How often the cap said no.
  [[nodiscard]] std::uint64_t overflows() const noexcept { return overflows_; }

  // Of the last finished interval, in percent; -1 where there were too few hosts or requests to judge.
  [[nodiscard]] double success_rate(config::HostIndex host, Origin origin) const noexcept {
    const std::vector<double>& rates = shown_rates_[static_cast<std::size_t>(origin)];
    return rates.empty() ? -1.0 : rates[host.value];
  }
  [[nodiscard]] double success_rate_average(Origin origin) const noexcept { return judged(origin).mean; }
  [[nodiscard]] double success_rate_ejection_threshold(Origin origin) const noexcept {
    return judged(origin).threshold;
  }

 private:
  // Of a host that was ever ejected.
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

  // What every report needs stands first.
  HostCounters<OutlierCounters> external_;
  config::OutlierDetection config_;
  config::EnvoyProfile profile_;
  HostCounters<LocalOriginCounters> local_;  // of no host where origins are not split
  std::vector<std::uint8_t> absent_;         // by HostIndex: it has left; empty: none has
  std::vector<std::uint8_t> ejected_;        // by HostIndex; empty: none ever was
  std::map<std::uint32_t, Ejections> ejections_;
  std::array<std::vector<double>, 2> shown_rates_;  // by Origin, then HostIndex; empty: none was judged
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
