// Draws how much longer or shorter than its latency a link takes for one request.
//
//   LinkJitter jitter(scenario);
//   RoundTrip deviation = jitter.draw(client.node, endpoint.node, stream);
//
// Uniform over every nanosecond from -jitter to +jitter of the link (as netem's `delay TIME JITTER` draws it without a
// distribution). Each direction is independent of all other draws, so requests overtake each other. Two draws per link
// with jitter, none otherwise. O(1) per draw.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "models/numeric/remainder.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::engine {
class RandomStream;  // random_stream.hpp
}  // namespace spillway::engine

namespace spillway::run {

struct RoundTrip {
  std::chrono::nanoseconds there{0};
  std::chrono::nanoseconds back{0};

  [[nodiscard]] std::chrono::nanoseconds whole() const noexcept { return there + back; }
  RoundTrip& operator+=(const RoundTrip& more) noexcept {
    there += more.there;
    back += more.back;
    return *this;
  }
};

class LinkJitter {
 public:
  // Lifetime: the scenario must outlive this object.
  explicit LinkJitter(const scenario::Scenario& scenario);

  [[nodiscard]] bool any() const noexcept { return !by_zones_.empty(); }
  [[nodiscard]] RoundTrip draw(config::NodeIndex from, config::NodeIndex to, engine::RandomStream& stream) const;

  // The jitter of one link. Makes two draws, none without jitter.
  struct OfLink {
    std::chrono::nanoseconds jitter{0};
    numeric::Remainder steps = {};

    [[nodiscard]] RoundTrip draw(engine::RandomStream& stream) const noexcept {
      if (jitter == std::chrono::nanoseconds{0}) {
        return {};
      }
      RoundTrip result;
      result.there = std::chrono::nanoseconds{static_cast<std::int64_t>(steps(stream()))} - jitter;
      result.back = std::chrono::nanoseconds{static_cast<std::int64_t>(steps(stream()))} - jitter;
      return result;
    }
  };
  [[nodiscard]] OfLink of(config::NodeIndex from, config::NodeIndex to) const noexcept;

 private:
  const scenario::Scenario* scenario_;
  std::vector<OfLink> by_zones_;  // by pair of zones; empty if no link has jitter
};

}  // namespace spillway::run
