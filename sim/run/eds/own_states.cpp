#include "sim/run/eds/own_states.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <xxhash.h>

namespace spillway::run {

OwnStates::State OwnStates::state_with(FlowIndex flow, std::size_t member, const State& before,
                                       const Upstreams::Own& own) {
  if (pushes_ != upstreams_->pushes()) {
    pushes_ = upstreams_->pushes();
    known_.clear();
  }
  const std::uint32_t of_class = upstreams_->class_index(flow);
  const std::uint64_t hash =
      XXH64(own.flags.data(), own.flags.size_bytes(), XXH64(own.weights.data(), own.weights.size_bytes(), of_class));
  const auto [first, last] = known_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Known& known = it->second;
    if (known.of_class != of_class || known.member != member || known.before.lock() != before ||
        !std::equal(known.flags.begin(), known.flags.end(), own.flags.begin(), own.flags.end()) ||
        !std::equal(known.weights.begin(), known.weights.end(), own.weights.begin(), own.weights.end())) {
      continue;
    }
    if (State state = known.state.lock()) {
      return state;
    }
  }
  State state = upstreams_->state_with(flow, member, before, own);
  forget_lost();
  known_.emplace(hash, Known{of_class,
                             member,
                             before,
                             {own.flags.begin(), own.flags.end()},
                             {own.weights.begin(), own.weights.end()},
                             state});
  return state;
}

void OwnStates::forget_lost() {
  if (known_.size() < worth_looking_) {
    return;
  }
  std::erase_if(known_,
                [](const auto& entry) { return entry.second.state.expired() || entry.second.before.expired(); });
  worth_looking_ = std::max<std::size_t>(worth_looking_, 2 * known_.size());
}

}  // namespace spillway::run
