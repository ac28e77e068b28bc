// The service times of one endpoint, drawn from a stream of its own.
//
//   ServiceDraws draws(stream, ServiceTime(10ms, {.distribution = ServiceDistribution::exponential}));
//   Nanoseconds demand = draws();
//
// The same times as if each was drawn when it is asked for. Those of the exponential law are worked out several at a
// time: logarithms side by side cost a third, and a request touches two cache lines.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/engine/random_stream.hpp"
#include "sim/engine/service_time.hpp"

namespace spillway::engine {

class alignas(64) ServiceDraws {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  ServiceDraws(const RandomStream& stream, const ServiceTime& distribution)
      : ServiceDraws(stream, std::make_shared<const ServiceTime>(distribution)) {}
  // Endpoints that are alike share the law; never null.
  ServiceDraws(const RandomStream& stream, std::shared_ptr<const ServiceTime> distribution)
      : drawn_(stream), ahead_(stream), distribution_(std::move(distribution)) {}

  [[nodiscard, gnu::always_inline]] Nanoseconds operator()() { return next_ < batch ? times_[next_++] : make(); }

  // Has drawn for what was asked for, and no more.
  [[nodiscard]] RandomStream stream() const noexcept { return after(next_ == none_made ? 0 : next_); }

  // What the processor will need is on its way.
  [[gnu::always_inline]] void prefetch() const noexcept {
    __builtin_prefetch(this, 1);
    __builtin_prefetch(&times_[batch / 2]);
  }
  // Once that is there: what making the next ones needs as well, if they are to be made.
  [[gnu::always_inline]] void prefetch_making() const noexcept {
    if (next_ >= batch) {
      __builtin_prefetch(&drawn_, 1);
      __builtin_prefetch(&distribution_, 1);
    }
  }

 private:
  static constexpr std::uint64_t batch = 15;  // two cache lines, with their count; the next one has what making needs
  static constexpr std::uint64_t none_made = batch + 1;

  [[nodiscard]] Nanoseconds make();  // once none of those made is left
  [[nodiscard]] RandomStream after(std::uint64_t draws) const noexcept;

  std::uint64_t next_ = none_made;
  std::array<Nanoseconds, batch> times_{};
  RandomStream drawn_;  // when the times were made
  RandomStream ahead_;  // and afterwards; of the exponential law alone
  std::shared_ptr<const ServiceTime> distribution_;
};

}  // namespace spillway::engine
