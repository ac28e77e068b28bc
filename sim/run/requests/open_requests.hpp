// The state kept of requests between their tries: requests that may be retried, and requests that may have to wait for
// a connection. Most requests need none.
//
//   std::uint32_t slot = open.add({...});      // never 0, which stands for no request
//   open.at(slot).retries->decide(...);
//   open.remove(slot);
//
// Slots are reused: no memory is allocated once their number has reached the most requests ever open at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/envoy/policies/override_host/override_host.hpp"
#include "models/envoy/retry_priority.hpp"
#include "models/health/retry_host_predicates.hpp"
#include "models/health/retry_state.hpp"
#include "sim/run/requests/request_try.hpp"

namespace spillway::run {

struct Demand;  // traffic.hpp

// Restrictions on the hosts of a request's tries. Few routes have them.
struct ChoiceOfHosts {
  std::optional<health::RetryHostPredicates> predicates = {};  // nullopt if there are none
  std::optional<envoy::PreviousPriorities> previous_priorities = {};
  envoy::policies::override_host::OverrideHosts override_hosts = {};  // not used up yet
};

struct OpenRequest {
  const Demand* demand = nullptr;
  std::uint32_t proxy = 0;
  std::uint32_t worker = 0;        // of `proxy`
  std::uint32_t epoch = 0;         // of the proxy's flow, when it was sent
  std::uint32_t tries = 0;         // begun
  std::uint32_t epoch_of_try = 0;  // in which the last try was counted
  std::chrono::nanoseconds sent_at{0};
  std::chrono::nanoseconds delay{0};  // as in Try
  std::optional<health::RetryState> retries = {};
  std::unique_ptr<ChoiceOfHosts> choice = {};  // null if any host may be picked

  std::optional<envoy::Pick> waits_for = {};  // set while it waits for a connection to this host
  std::uint32_t target = 0;                   // the target to go to afterwards
  std::uint32_t ticket = 0;                   // of this wait, unique in the run
};

class OpenRequests {
 public:
  static constexpr std::uint32_t none = not_open;

  [[nodiscard]] std::uint32_t add(OpenRequest request) {
    if (free_.empty()) {
      requests_.push_back(std::move(request));
      return static_cast<std::uint32_t>(requests_.size());
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    requests_[slot - 1] = std::move(request);
    return slot;
  }
  [[nodiscard]] OpenRequest& at(std::uint32_t slot) noexcept { return requests_[slot - 1]; }
  [[nodiscard]] const OpenRequest& at(std::uint32_t slot) const noexcept { return requests_[slot - 1]; }
  // Returns the requests that wait for a connection. O(slots).
  [[nodiscard]] std::vector<std::uint32_t> waiting() const {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t index = 0; index < requests_.size(); ++index) {
      if (requests_[index].waits_for) {
        slots.push_back(index + 1);
      }
    }
    return slots;
  }
  void remove(std::uint32_t slot) {
    requests_[slot - 1].waits_for.reset();
    requests_[slot - 1].choice.reset();
    free_.push_back(slot);
  }

 private:
  std::vector<OpenRequest> requests_;
  std::vector<std::uint32_t> free_;
};

}  // namespace spillway::run
