// What is kept of requests between their tries: of those that may be tried again, and of those that may have to wait
// for a connection. Most requests need none of it.
//
//   std::uint32_t slot = open.add({...});      // never 0, which stands for no request
//   open.at(slot).retries->decide(...);
//   open.remove(slot);
//
// Slots are used again, so that no memory is asked for once as many are there as are ever open at a time.
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

namespace spillway::run {

struct Demand;  // traffic.hpp

// What few routes ask for: which hosts a request's tries may go to.
struct ChoiceOfHosts {
  std::optional<health::RetryHostPredicates> predicates = {};  // where there are any
  std::optional<envoy::PreviousPriorities> previous_priorities = {};
  envoy::policies::override_host::OverrideHosts override_hosts = {};  // not used up yet
};

struct OpenRequest {
  const Demand* demand = nullptr;
  std::uint32_t proxy = 0;
  std::uint32_t worker = 0;        // of it
  std::uint32_t epoch = 0;         // of the proxy's flow, in which it was sent
  std::uint32_t tries = 0;         // begun
  std::uint32_t epoch_of_try = 0;  // in which the last one was counted
  std::chrono::nanoseconds sent_at{0};
  std::optional<health::RetryState> retries = {};
  std::unique_ptr<ChoiceOfHosts> choice = {};  // null: any host will do

  // While it waits for a connection to this host.
  std::optional<envoy::Pick> waits_for = {};
  std::uint32_t target = 0;  // where it is to go then
  std::uint32_t ticket = 0;  // of this wait, unique in the run
};

class OpenRequests {
 public:
  static constexpr std::uint32_t none = 0;

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
  // Those that wait for a connection. Linear in all slots.
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
