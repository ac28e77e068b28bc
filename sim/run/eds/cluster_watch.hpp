// What one proxy finds out by itself about the hosts of one cluster: ejections for what they answer, the results of
// active checks, the weights that follow from load reports, and when its balancers get to know.
//
//   ClusterWatch watch(service, std::make_shared<const ClusterWatch::Hosts>(service), profile, identity);
//   for (health::Detection run : watch.report(host, result, status)) { ... decide(host, run, now, ...) later ... }
//   if (watch.decide(host, run, now) == Effect::applied) { balancers take flags(); }
//
// Flags change at once, but reach the balancers through the cluster's update merge window: whoever is told
// `applied` gives flags() to the balancers, whoever is told `waits` calls deliver() when the window is over. A change
// of one host is an update of all priorities (Envoy's reloadHealthyHosts), so that one window serves them all.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/envoy/host_health.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/host_reports.hpp"
#include "models/health/active_check.hpp"
#include "models/health/outlier_detection.hpp"
#include "models/health/update_merge_window.hpp"
#include "sim/engine/prefetch.hpp"
#include "sim/engine/random_stream.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::scenario {
struct Service;  // service.hpp
}  // namespace spillway::scenario

namespace spillway::run {

class ClusterWatch {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Whether there is anything to watch in a cluster.
  [[nodiscard]] static bool needed(const envoy::Cluster& cluster) noexcept;
  // The policy, if it weighs hosts by what they report; else null.
  using ClientSideWeights = envoy::policies::client_side_weighted_round_robin::Config;
  [[nodiscard]] static const ClientSideWeights* reads_load_reports(const envoy::Cluster& cluster) noexcept;

  // What the watches of all proxies begin with.
  struct Hosts {
    explicit Hosts(const scenario::Service& service);
    std::uint32_t priorities = 1;
    std::vector<config::Priority> priority;  // by HostIndex
    std::vector<std::uint32_t> weights;      // likewise
    std::vector<std::uint8_t> disabled;      // likewise: no active checks of it
  };
  // `identity`: of the streams, whose purposes this sets itself. `sparse`: memory grows with the hosts that the proxy
  // has sent requests to. The service must outlive this.
  ClusterWatch(const scenario::Service& service, std::shared_ptr<const Hosts> hosts, config::EnvoyProfile profile,
               engine::StreamIdentity identity, bool sparse = false);

  // What ejections draw from, before the first one.
  [[nodiscard]] static engine::RandomStream ejection_stream_of(engine::StreamIdentity identity) {
    identity.purpose = engine::Purpose::ejection;
    return engine::RandomStream(identity);
  }

  // What a change of a host's flags comes to.
  enum class Effect : std::uint8_t {
    none,     // nothing has changed, or a delivery that will take it along is on its way
    applied,  // the balancers get flags() now
    waits,    // deliver() has to be called a window later
  };

  // Requests. The runs that this completed are to be decided.
  [[nodiscard]] health::FiredDetections report(config::HostIndex host, health::OutlierResult result,
                                               std::optional<std::uint32_t> status = std::nullopt);
  // report() of an answer that counts as a success.
  void note_success(config::HostIndex host) {
    if (detector_ && is_member(host)) {
      detector_->note_successes(host, 1);
    }
  }
  // Somebody else counts such answers for it, by host: each `stride`th number from `first` on. They are taken over, and
  // are 0 then, as soon as anything is judged that they can have to do with. Hosts must not leave any more.
  void take_successes_from(std::uint32_t* first, std::size_t stride) noexcept {
    successes_ = first;
    stride_of_successes_ = stride;
  }
  // A request is given a connection to the host, a new one or one from the pool: a success of local origin.
  void connected(config::HostIndex host);

  // What the processor will need to report of the host is on its way; and before, what that needs.
  void prefetch() const noexcept { engine::prefetch_first<192>(*this); }
  void prefetch(config::HostIndex host) const noexcept {
    if (left_ > 0) {
      __builtin_prefetch(absent_.data() + host.value);
    }
    if (detector_) {
      detector_->prefetch(host);
    }
  }

  // `event`: what came of it; none: the host is out already, or has left.
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
    std::uint32_t failures = 0;                // in a row of this check, up to unhealthy_threshold
    std::optional<envoy::Health> health = {};  // by the checks alone, where that is new
    Nanoseconds next_delay{0};                 // from the result to the next check
  };
  Checked finish_check(config::HostIndex host, std::size_t check, const health::CheckResult& result, bool traffic,
                       Nanoseconds now);
  // A check passes, and nothing follows but the next one after health::fixed_delay_of_pass. False: more does, so that
  // finish_check() is to be called; nothing was done.
  [[nodiscard]] bool pass_check_again(config::HostIndex host) noexcept;
  // An answer to a request said x-envoy-immediate-health-check-fail.
  Effect fail_immediately(config::HostIndex host, Nanoseconds now);
  [[nodiscard]] Nanoseconds first_delay(config::HostIndex host, std::size_t check) {
    return checks_[host.value].first_delay(check, check_draws_);
  }

  // A host leaves the cluster, or comes, unknown. Scheduled checks of before are void: they name another generation.
  // A host that passes its checks stays, flagged pending_dynamic_removal, until it fails them, unless it is
  // `reported_failed` or the cluster says ignore_health_on_host_removal; coming back it is the same host as before.
  void leave(config::HostIndex host, bool reported_failed);
  // Whether the host's checks have to be started.
  [[nodiscard]] bool join(config::HostIndex host);
  // A host stands at another priority: it is the same host as before.
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

  // Load reports, of a cluster that reads them: one comes with an answer, and every weight_update_period they become
  // weights. True if any weight has changed; then the balancers get weights().
  void take_report(config::HostIndex host, const envoy::policies::client_side_weighted_round_robin::LoadReport& report,
                   Nanoseconds now);
  [[nodiscard]] bool update_weights(Nanoseconds now);
  [[nodiscard]] bool reads_load_reports() const noexcept { return !reports_.empty(); }
  // Those that the balancers have been given, by HostIndex; empty: those that the proxy was told.
  [[nodiscard]] std::span<const std::uint32_t> weights() const noexcept {
    return own_weights_ ? weights_ : std::span<const std::uint32_t>{};
  }

  // The one of clusters with outlier detection; else null.
  [[nodiscard]] const health::OutlierDetector* detector() const noexcept { return detector_ ? &*detector_ : nullptr; }

  // A window is over: true if flags() are to be given to the balancers.
  [[nodiscard]] bool deliver(Nanoseconds now);
  // The balancers get everything, as if nothing had changed for long.
  void settle();
  // A push took all that waits along.
  void overtaken(Nanoseconds now);

  // What the balancers have been given, by HostIndex; empty: there have never been any.
  [[nodiscard]] std::span<const envoy::HostFlags> flags() const noexcept { return applied_; }
  [[nodiscard]] bool has_flags() const noexcept;
  // What the proxy knows of a host now.
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

  // What every answer needs stands first. Of what hardly ever differs from host to host nothing is kept before it does.
  std::uint32_t left_ = 0;                                                               // hosts that are no members
  std::vector<std::uint8_t> absent_;                                                     // by HostIndex, or empty
  std::vector<envoy::policies::client_side_weighted_round_robin::HostReports> reports_;  // by HostIndex, or empty
  std::optional<health::OutlierDetector> detector_;
  std::uint32_t* successes_ = nullptr;  // null: nobody else counts them
  std::size_t stride_of_successes_ = 1;
  const envoy::Cluster* cluster_;
  bool any_check_unejects_;
  std::vector<health::HostChecks> checks_;  // by HostIndex; empty without checks
  health::UpdateMergeWindow window_;
  std::shared_ptr<const Hosts> hosts_;
  std::vector<config::Priority> moved_;    // by HostIndex: its priority; empty: as in hosts_
  std::vector<envoy::HostFlags> applied_;  // by HostIndex; empty: none
  std::vector<Nanoseconds> last_hc_pass_;  // by HostIndex; empty without checks
  std::vector<std::uint32_t> weights_;     // as reports_
  bool own_weights_ = false;               // they have changed once
  std::vector<std::uint32_t> generation_;  // by HostIndex, or empty: 0
  std::vector<std::uint8_t> leaving_;      // by HostIndex: pending_dynamic_removal; empty: none
  engine::RandomStream ejection_draws_;
  engine::RandomStream check_draws_;
};

}  // namespace spillway::run
