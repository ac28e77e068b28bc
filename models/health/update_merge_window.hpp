// The update merge window: Envoy applies health changes to the balancer in steps
// (common_lb_config.update_merge_window).
//
// Rule: a change is applied at once if more than the window has passed since the last application. Otherwise it waits
// for a timer of one whole window, started by the first waiting change. All changes that arrive meanwhile are applied
// together. With 1 s, ejections at 0, 300 and 600 ms take effect at 0, 1300 and 1300 ms.
// Source: Envoy's cluster_manager_impl.cc; docs/behaviour/envoy-host-pick.md 2.
//
//   UpdateMergeWindow window(1s);
//   switch (window.change(now)) { ... }
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace spillway::health {

class UpdateMergeWindow {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // A window of 0 applies every change at once.
  explicit UpdateMergeWindow(Nanoseconds window) noexcept : window_(window) {}

  enum class Action : std::uint8_t {
    apply,      // apply the change now
    start,      // call deliver() at now + window
    keep_still  // a pending delivery will include this change
  };

  // Reports a change of a host's health or weight.
  [[nodiscard]] Action change(Nanoseconds now) noexcept {
    if (waiting_until_) {
      return Action::keep_still;
    }
    if (window_ == Nanoseconds{0} || !last_applied_ || now - *last_applied_ > window_) {
      last_applied_ = now;
      return Action::apply;
    }
    waiting_until_ = now + window_;
    return Action::start;
  }

  // Handles a timer. Returns true if there are changes to apply and this is the timer that they wait for.
  [[nodiscard]] bool deliver(Nanoseconds now) noexcept {
    if (!waiting_until_ || now < *waiting_until_) {
      return false;
    }
    waiting_until_.reset();
    last_applied_ = now;
    return true;
  }

  // Reports an update that does not wait (an EDS push); it applied all pending changes.
  void overtaken(Nanoseconds now) noexcept {
    waiting_until_.reset();
    last_applied_ = now;
  }

  [[nodiscard]] Nanoseconds window() const noexcept { return window_; }

 private:
  Nanoseconds window_;
  std::optional<Nanoseconds> last_applied_;
  std::optional<Nanoseconds> waiting_until_;
};

}  // namespace spillway::health
