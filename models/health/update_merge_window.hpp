// When a change of health reaches the balancer: Envoy applies such updates in steps
// (common_lb_config.update_merge_window).
//
// Rule (Envoy's cluster_manager_impl.cc; docs/behaviour/envoy-host-pick.md 2): a change is applied at once if more than
// the window has passed since the last application. Otherwise it waits for a timer of one whole window, started by the
// first change that has to wait, and everything that came meanwhile is applied together. With 1 s, ejections at 0, 300
// and 600 ms act at 0, 1300 and 1300 ms.
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
    keep_still  // a delivery that will take this change along is on its way
  };

  // A host's health or weight changed.
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

  // A timer fired: true if there is something to apply, and this is the timer that it waits for.
  [[nodiscard]] bool deliver(Nanoseconds now) noexcept {
    if (!waiting_until_ || now < *waiting_until_) {
      return false;
    }
    waiting_until_.reset();
    last_applied_ = now;
    return true;
  }

  // An update that does not wait (an EDS push) took everything pending along.
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
