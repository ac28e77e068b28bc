// The findings of one proxy about the hosts of one cluster: ejections, results of active checks, weights from load
// reports, and when its balancers get them.
//
//   ClusterWatch watch(service, std::make_shared<const ClusterWatch::Hosts>(service), profile, identity);
//   for (health::Detection run : watch.report(host, result, status)) { ... decide(host, run, now, ...) later ... }
//   if (watch.decide(host, run, now) == Effect::applied) { balancers take flags(); }
//
// Flags change at once, but reach the balancers through the cluster's update merge window. On `applied` the caller
// gives flags() to the balancers; on `waits` it calls deliver() when the window is over. A change of one host is an
// update of all priorities (Envoy's reloadHealthyHosts), so one window serves all priorities.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/envoy/forward.hpp"
#include "models/envoy/host_health.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/host_reports.hpp"
#include "models/health/active_check.hpp"
#include "models/health/outlier_detection.hpp"
#include "models/health/update_merge_window.hpp"
#include "sim/engine/prefetch.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class ClusterWatch {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // True if there is anything to watch in the cluster.
  [[nodiscard]] static bool needed(const envoy::Cluster& cluster) noexcept;
  // Returns the policy if it weighs hosts by their load reports; else null.
  using ClientSideWeights = envoy::policies::client_side_weighted_round_robin::Config;
  [[nodiscard]] static const ClientSideWeights* reads_load_reports(const envoy::Cluster& cluster) noexcept;

  // The initial state shared by the watches of all proxies.
  struct Hosts {
    explicit Hosts(const scenario::Service& service);
    std::uint32_t priorities = 1;
    std::vector<config::Priority> priority;  // by HostIndex
    std::vector<std::uint32_t> weights;      // by HostIndex
    std::vector<std::uint8_t> disabled;      // by HostIndex: no active checks of it
  };
  // `identity`: of the streams; their purposes are set here. `sparse`: memory grows with the hosts that the proxy has
  // sent requests to. The service must outlive this.
  ClusterWatch(const scenario::Service& service, std::shared_ptr<const Hosts> hosts, config::EnvoyProfile profile,
               engine::StreamIdentity identity, bool sparse = false);

  // Returns the stream that ejections draw from, before the first draw.
  [[nodiscard]] static engine::RandomStream ejection_stream_of(engine::StreamIdentity identity) {
    identity.purpose = engine::Purpose::ejection;
    return engine::RandomStream(identity);
  }

  // The effect of a change of a host's flags.
  enum class Effect : std::uint8_t {
    none,     // no change, or a pending delivery will include it
    applied,  // the balancers get flags() now
    waits,    // call deliver() one window later
  };

  // Reports the result of a request. The caller must decide() the detections that it returns.
  [[nodiscard]] health::FiredDetections report(config::HostIndex host, health::OutlierResult result,
                                               std::optional<std::uint32_t> status = std::nullopt);
  // Does what report() does for a response that counts as a success.
  void note_success(config::HostIndex host) {
    if (detector_ && is_member(host)) {
      detector_->note_successes(host, 1);
    }
  }
  // Lets the caller count successes, by host: in each `stride`th number from `first` on. They are added here and reset
  // to 0 before any judgement that may depend on them. Precondition: no host leaves afterwards.
  void take_successes_from(std::uint32_t* first, std::size_t stride) noexcept {
    successes_ = first;
    stride_of_successes_ = stride;
  }
  // Reports that a request got a connection to the host, new or pooled: a success of local origin.
  void connected(config::HostIndex host);

  // Prefetches what a report on the host needs; the overload without a host prefetches what that needs.
  void prefetch() const noexcept { engine::prefetch_first<192>(*this); }
  void prefetch(config::HostIndex host) const noexcept {
    if (left_ > 0) {
      __builtin_prefetch(absent_.data() + host.value);
    }
    if (detector_) {
      detector_->prefetch(host);
    }
  }

  // Decides a detection. `event`: its result; nullopt if the host is already ejected or has left.
  Effect decide(config::HostIndex host, health::Detection run, Nanoseconds now,
                std::optional<health::OutlierEvent>& event);

  struct Swept {
    health::OutlierEvent event;
    Effect effect = Effect::none;
  };
  [[nodiscard]] std::vector<Swept> sweep(Nanoseconds now);

  // Active checks, by position in the cluster's health_checks.
  [[nodiscard]] std::size_t checks_of(config::HostIndex host) const noexcept {
    return checks_.empty() ? 0 : checks_[host.value].size();
  }
  struct Checked {
    Effect effect = Effect::none;
    bool unejected = false;
    bool was_failed = false;                   // by active checks, before this one
    std::uint32_t failures = 0;                // consecutive, of this check, up to unhealthy_threshold
    std::optional<envoy::Health> health = {};  // set if changed by the checks only
    Nanoseconds next_delay{0};                 // from the result to the next check
  };
  Checked finish_check(config::HostIndex host, std::size_t check, const health::CheckResult& result, bool traffic,
                       Nanoseconds now);
  // Records a passing check if only the next check follows, after health::fixed_delay_of_pass. Returns false, having
  // done nothing, if more follows: then call finish_check().
  [[nodiscard]] bool pass_check_again(config::HostIndex host) noexcept;
  // Handles a response with x-envoy-immediate-health-check-fail.
  Effect fail_immediately(config::HostIndex host, Nanoseconds now);
  [[nodiscard]] Nanoseconds first_delay(config::HostIndex host, std::size_t check) {
    return checks_[host.value].first_delay(check, check_draws_);
  }

  // Removes a host from the cluster. Checks scheduled before are void: they name another generation. A host that passes
  // its checks stays, flagged pending_dynamic_removal, until it fails them, unless it is `reported_failed` or the
  // cluster sets ignore_health_on_host_removal. If it stayed, it is the same host when it comes back; otherwise it
  // comes back unknown.
  void leave(config::HostIndex host, bool reported_failed);
  // Adds a host. Returns true if its checks have to be started.
  [[nodiscard]] bool join(config::HostIndex host);
  // Moves a host to another priority; it remains the same host.
  void move(config::HostIndex host, config::Priority priority) {
    if (moved_.empty()) {
      moved_ = hosts_->priority;
    }
    moved_[host.value] = priority;
  }
  [[nodiscard]] std::uint32_t generation(config::HostIndex host) const noexcept {
    return generation_.empty() ? 0 : generation_[host.value];
  }
  [[nodiscard]] bool is_member(config::HostIndex host) const noexcept { return left_ == 0 || absent_[host.value] == 0; }

  // Load reports, for clusters that read them. take_report() records the report of a response; update_weights() turns
  // reports into weights every weight_update_period. It returns true if any weight has changed; the balancers then get
  // weights().
  void take_report(config::HostIndex host, const envoy::policies::client_side_weighted_round_robin::LoadReport& report,
                   Nanoseconds now);
  [[nodiscard]] bool update_weights(Nanoseconds now);
  [[nodiscard]] bool reads_load_reports() const noexcept { return !reports_.empty(); }
  // Returns the weights given to the balancers, by HostIndex; empty if they are those reported by EDS.
  [[nodiscard]] std::span<const std::uint32_t> weights() const noexcept {
    return own_weights_ ? weights_ : std::span<const std::uint32_t>{};
  }

  // Returns the outlier detector; null for clusters without outlier detection.
  [[nodiscard]] const health::OutlierDetector* detector() const noexcept { return detector_ ? &*detector_ : nullptr; }

  // Ends a window. Returns true if flags() are to be given to the balancers.
  [[nodiscard]] bool deliver(Nanoseconds now);
  // Gives the balancers everything, as if nothing had changed for a long time.
  void settle();
  // Drops pending deliveries: a push included them.
  void overtaken(Nanoseconds now);

  // Returns the flags given to the balancers, by HostIndex; empty if there were never any.
  [[nodiscard]] std::span<const envoy::HostFlags> flags() const noexcept { return applied_; }
  [[nodiscard]] bool has_flags() const noexcept;
  // Returns the flags of a host as the proxy knows them now.
  [[nodiscard]] envoy::HostFlags current_flags(config::HostIndex host) const noexcept;
  [[nodiscard]] std::span<const Nanoseconds> last_hc_pass() const noexcept { return last_hc_pass_; }
  [[nodiscard]] config::Priority priority_of(config::HostIndex host) const noexcept {
    return (moved_.empty() ? hosts_->priority : moved_)[host.value];
  }
  [[nodiscard]] Nanoseconds window() const noexcept { return window_.window(); }

  [[nodiscard]] const engine::RandomStream& ejection_stream() const noexcept { return ejection_draws_; }

 private:
  Effect changed(Nanoseconds now);
  void apply();
  [[nodiscard]] health::HostChecks checks_at_start(config::HostIndex host) const;
  void remove(config::HostIndex host);
  [[nodiscard]] bool leaves(config::HostIndex host) const noexcept {
    return !leaving_.empty() && leaving_[host.value] != 0;
  }
  void set_leaving(config::HostIndex host, bool leaves);
  void take_successes(config::HostIndex host) {
    if (std::uint32_t& answers = successes_[host.value * stride_of_successes_]; answers > 0) {
      detector_->note_successes(host, answers);
      answers = 0;
    }
  }

  // Fields that every response needs come first. Vectors of values that rarely differ between hosts stay empty until
  // they do.
  std::uint32_t left_ = 0;                                                               // hosts that are not members
  std::vector<std::uint8_t> absent_;                                                     // by HostIndex, or empty
  std::vector<envoy::policies::client_side_weighted_round_robin::HostReports> reports_;  // by HostIndex, or empty
  std::optional<health::OutlierDetector> detector_;
  std::uint32_t* successes_ = nullptr;  // null if counted only here
  std::size_t stride_of_successes_ = 1;
  const envoy::Cluster* cluster_;
  bool any_check_unejects_;
  std::vector<health::HostChecks> checks_;  // by HostIndex; empty without checks
  health::UpdateMergeWindow window_;
  std::shared_ptr<const Hosts> hosts_;
  std::vector<config::Priority> moved_;    // by HostIndex; empty if as in hosts_
  std::vector<envoy::HostFlags> applied_;  // by HostIndex; empty if none
  std::vector<Nanoseconds> last_hc_pass_;  // by HostIndex; empty without checks
  std::vector<std::uint32_t> weights_;     // as reports_
  bool own_weights_ = false;               // they have changed once
  std::vector<std::uint32_t> generation_;  // by HostIndex; empty if all are 0
  std::vector<std::uint8_t> leaving_;      // by HostIndex: pending_dynamic_removal; empty if none
  engine::RandomStream ejection_draws_;
  engine::RandomStream check_draws_;
};

}  // namespace spillway::run
