// Random draws for tests: a fixed generator, and a script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace spillway::support {

// SplitMix64: every seed is a good one, 2^64 draws before it repeats.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() noexcept {
    ++used_;
    std::uint64_t word = state_ += 0x9E3779B97F4A7C15ULL;
    word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27U)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31U);
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::uint64_t state_;
  std::size_t used_ = 0;
};

// The numbers given, then zeros.
class Script {
 public:
  explicit Script(std::vector<std::uint64_t> draws) : draws_(std::move(draws)) {}

  std::uint64_t operator()() noexcept {
    const std::uint64_t draw = used_ < draws_.size() ? draws_[used_] : 0;
    ++used_;
    return draw;
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::vector<std::uint64_t> draws_;
  std::size_t used_ = 0;
};

}  // namespace spillway::support
