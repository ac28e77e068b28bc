#include "sim/run/eds/cluster_watch.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/client_side_weighted_round_robin.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::run {

bool ClusterWatch::needed(const envoy::Cluster& cluster) noexcept {
  return cluster.outlier_detection.has_value() || !cluster.health_checks.empty() ||
         reads_load_reports(cluster) != nullptr;
}

const ClusterWatch::ClientSideWeights* ClusterWatch::reads_load_reports(const envoy::Cluster& cluster) noexcept {
  return std::get_if<ClientSideWeights>(&cluster.lb_policy);
}

ClusterWatch::Hosts::Hosts(const scenario::Service& service) {
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    priorities = std::max(priorities, group.priority.value + 1);
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      priority.push_back(group.priority);
      disabled.push_back(endpoint.disable_active_health_check ? 1 : 0);
      weights.push_back(endpoint.load_balancing_weight);
    }
  }
}

ClusterWatch::ClusterWatch(const scenario::Service& service, std::shared_ptr<const Hosts> all,
                           config::EnvoyProfile profile, engine::StreamIdentity identity, bool sparse)
    : cluster_(&service.cluster),
      any_check_unejects_(config::before(profile, 31)),
      window_(service.cluster.common_lb_config.update_merge_window),
      hosts_(std::move(all)),
      ejection_draws_(ejection_stream_of(identity)),
      check_draws_({identity.seed, engine::Purpose::checks, identity.entity}) {
  const std::size_t hosts = hosts_->priority.size();
  if (cluster_->outlier_detection) {
    detector_.emplace(*cluster_->outlier_detection, static_cast<std::uint32_t>(hosts), profile, sparse);
  }
  if (reads_load_reports(*cluster_) != nullptr) {
    reports_.resize(hosts);
    weights_ = hosts_->weights;
  }
  if (!cluster_->health_checks.empty()) {
    last_hc_pass_.resize(hosts, health::never);
    checks_.reserve(hosts);
    for (std::uint32_t host = 0; host < hosts; ++host) {
      checks_.push_back(checks_at_start(config::HostIndex{host}));
    }
  }
  for (const config::HostIndex host : service.absent_at_start) {
    remove(host);
  }
}

health::HostChecks ClusterWatch::checks_at_start(config::HostIndex host) const {
  if (hosts_->disabled[host.value] != 0) {
    return {{}, {}};
  }
  return {cluster_->health_checks, health::new_host_flags(cluster_->common_lb_config.ignore_new_hosts_until_first_hc)};
}

health::FiredDetections ClusterWatch::report(config::HostIndex host, health::OutlierResult result,
                                             std::optional<std::uint32_t> status) {
  if (!detector_ || !is_member(host)) {
    return {};
  }
  if (successes_ != nullptr) {
    take_successes(host);
  }
  return detector_->report(host, result, status);
}

void ClusterWatch::connected(config::HostIndex host) {
  // A success can eject no host, and counts only if origins are split.
  if (!detector_ || !detector_->config().split_external_local_origin_errors) {
    return;
  }
  (void)report(host, health::OutlierResult::local_origin_connect_success);
}

ClusterWatch::Effect ClusterWatch::decide(config::HostIndex host, health::Detection run, Nanoseconds now,
                                          std::optional<health::OutlierEvent>& event) {
  event = detector_->decide(host, run, now, ejection_draws_);
  return event && event->action == health::OutlierEvent::Action::eject ? changed(now) : Effect::none;
}

std::vector<ClusterWatch::Swept> ClusterWatch::sweep(Nanoseconds now) {
  std::vector<Swept> swept;
  if (!detector_) {
    return swept;
  }
  for (std::uint32_t host = 0; successes_ != nullptr && host < hosts_->priority.size(); ++host) {
    take_successes(config::HostIndex{host});
  }
  // Applies each host's change separately, as Envoy does: if the first one is applied at once, the others of the same
  // sweep wait.
  detector_->sweep(now, ejection_draws_, [&](const health::OutlierEvent& event) {
    const bool moves =
        event.action == health::OutlierEvent::Action::eject || event.action == health::OutlierEvent::Action::uneject;
    swept.push_back({event, moves ? changed(now) : Effect::none});
  });
  return swept;
}

ClusterWatch::Checked ClusterWatch::finish_check(config::HostIndex host, std::size_t check,
                                                 const health::CheckResult& result, bool traffic, Nanoseconds now) {
  health::HostChecks& checks = checks_[host.value];
  Checked checked{.was_failed = checks.flags().has(envoy::HostFlag::failed_active_hc)};
  const envoy::Health before = envoy::coarse_health(checks.flags());
  const health::CheckStep step = checks.finish(check, result, now);
  const envoy::Health after = envoy::coarse_health(checks.flags());
  last_hc_pass_[host.value] = checks.last_hc_pass();
  checked.failures = checks.failures(check);
  checked.health = after == before ? std::nullopt : std::optional(after);
  checked.next_delay = checks.next_delay(check, step, traffic, check_draws_);
  // From 1.26 to 1.30 a failing check ends an ejection too, as long as the host does not count as failed.
  checked.unejected = (step.healthy || any_check_unejects_) && detector_ &&
                      !checks.flags().has(envoy::HostFlag::failed_active_hc) &&
                      detector_->active_check_passed(host, now);
  if (step.transition == health::Transition::changed || checked.unejected) {
    checked.effect = changed(now);
  }
  return checked;
}

bool ClusterWatch::pass_check_again(config::HostIndex host) noexcept {
  return !(detector_ && detector_->ejected(host)) && checks_[host.value].pass_again();
}

ClusterWatch::Effect ClusterWatch::fail_immediately(config::HostIndex host, Nanoseconds now) {
  if (checks_of(host) == 0 || checks_[host.value].fail_immediately(now).transition != health::Transition::changed) {
    return Effect::none;
  }
  return changed(now);
}

void ClusterWatch::leave(config::HostIndex host, bool reported_failed) {
  if (checks_of(host) > 0 && !reported_failed && !cluster_->ignore_health_on_host_removal &&
      !checks_[host.value].flags().has(envoy::HostFlag::failed_active_hc)) {
    set_leaving(host, true);
  } else {
    remove(host);
  }
}

void ClusterWatch::set_leaving(config::HostIndex host, bool leaves) {
  if (!leaving_.empty() || leaves) {
    leaving_.resize(hosts_->priority.size(), 0);
    leaving_[host.value] = leaves ? 1 : 0;
  }
}

void ClusterWatch::remove(config::HostIndex host) {
  generation_.resize(hosts_->priority.size(), 0);
  absent_.resize(hosts_->priority.size(), 0);
  ++generation_[host.value];
  left_ += absent_[host.value] == 0 ? 1 : 0;
  absent_[host.value] = 1;
  set_leaving(host, false);
  if (detector_) {
    detector_->leave(host);
  }
  if (!checks_.empty()) {
    checks_[host.value] = health::HostChecks({}, {});
    last_hc_pass_[host.value] = health::never;
  }
  if (!applied_.empty()) {
    applied_[host.value] = {};
  }
  if (!reports_.empty()) {
    reports_[host.value] = {};
  }
}

bool ClusterWatch::join(config::HostIndex host) {
  if (is_member(host)) {
    set_leaving(host, false);
    return false;
  }
  ++generation_[host.value];
  --left_;
  absent_[host.value] = 0;
  if (detector_) {
    detector_->join(host);
  }
  if (!checks_.empty()) {
    checks_[host.value] = checks_at_start(host);
  }
  return checks_of(host) > 0;
}

void ClusterWatch::take_report(config::HostIndex host,
                               const envoy::policies::client_side_weighted_round_robin::LoadReport& report,
                               Nanoseconds now) {
  reports_[host.value].receive(*reads_load_reports(*cluster_), report, now);
}

// Updates weights from load reports. Hosts without a report get the median weight of their priority.
bool ClusterWatch::update_weights(Nanoseconds now) {
  namespace client_side = envoy::policies::client_side_weighted_round_robin;
  const std::vector<std::uint32_t> before = weights_;
  for (std::uint32_t priority = 0; priority < hosts_->priorities; ++priority) {
    std::vector<std::uint32_t> hosts;
    std::vector<client_side::HostReports> reports;
    for (std::uint32_t host = 0; host < hosts_->priority.size(); ++host) {
      if (priority_of({host}).value == priority && is_member({host})) {
        hosts.push_back(host);
        reports.push_back(reports_[host]);
      }
    }
    const std::vector<std::uint32_t> weights = client_side::weights_of(*reads_load_reports(*cluster_), reports, now);
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      reports_[hosts[position]] = reports[position];
      weights_[hosts[position]] = weights[position];
    }
  }
  const bool changed = weights_ != before;
  own_weights_ = own_weights_ || changed;
  return changed;
}

bool ClusterWatch::deliver(Nanoseconds now) {
  if (!window_.deliver(now)) {
    return false;
  }
  apply();
  return true;
}

void ClusterWatch::settle() {
  window_ = health::UpdateMergeWindow(window_.window());
  apply();
}

void ClusterWatch::overtaken(Nanoseconds now) {
  window_.overtaken(now);
  apply();
}

bool ClusterWatch::has_flags() const noexcept {
  return std::any_of(applied_.begin(), applied_.end(),
                     [](envoy::HostFlags flags) { return flags != envoy::HostFlags{}; });
}

envoy::HostFlags ClusterWatch::current_flags(config::HostIndex host) const noexcept {
  envoy::HostFlags flags = checks_of(host) > 0 ? checks_[host.value].flags() : envoy::HostFlags{};
  if (detector_ && detector_->ejected(host)) {
    flags.set(envoy::HostFlag::failed_outlier_check);
  }
  if (leaves(host)) {
    flags.set(envoy::HostFlag::pending_dynamic_removal);
  }
  return flags;
}

ClusterWatch::Effect ClusterWatch::changed(Nanoseconds now) {
  switch (window_.change(now)) {
    case health::UpdateMergeWindow::Action::apply:
      apply();
      return Effect::applied;
    case health::UpdateMergeWindow::Action::start:
      return Effect::waits;
    case health::UpdateMergeWindow::Action::keep_still:
      break;
  }
  return Effect::none;
}

void ClusterWatch::apply() {
  for (std::uint32_t number = 0; number < hosts_->priority.size(); ++number) {
    const config::HostIndex host{number};
    if (!is_member(host)) {
      continue;
    }
    const envoy::HostFlags flags = current_flags(host);
    if (applied_.empty() && flags != envoy::HostFlags{}) {
      applied_.resize(hosts_->priority.size());
    }
    if (!applied_.empty()) {
      applied_[number] = flags;
    }
    if (leaves(host) && flags.has(envoy::HostFlag::failed_active_hc)) {
      remove(host);
    }
  }
}

}  // namespace spillway::run
