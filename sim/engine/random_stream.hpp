// A separate stream of random numbers for everything in a run that draws.
//
//   std::uint64_t draw = RandomStream({seed, Purpose::arrivals, client_entry, replication})();
//
// Streams of different identities are independent, so adding a client changes no other draws. Generator: xoshiro256**
// (Blackman and Vigna), seeded by xxHash64 of the identity. 32 bytes of state and a count of draws.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace spillway::engine {

enum class Purpose : std::uint64_t {
  arrivals = 1,
  balancing = 2,
  failures = 3,
  ejection = 4,
  checks = 5,
  requests = 6,
  retries = 7,
  service = 8,
  thinking = 9,
  connections = 10,
  links = 11,
  delays = 12
};

struct StreamIdentity {
  std::uint64_t seed = 1;
  Purpose purpose = Purpose::arrivals;
  std::uint64_t entity = 0;
  std::uint64_t replication = 0;
};

class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit RandomStream(const StreamIdentity& identity);

  // Draws a uniform 64-bit number.
  std::uint64_t operator()() noexcept {
    ++draws_;
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return std::numeric_limits<std::uint64_t>::max(); }

  [[nodiscard]] std::uint64_t draws() const noexcept { return draws_; }
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return state_[0] ^ std::rotl(state_[3], 17); }

 private:
  std::uint64_t state_[4];
  std::uint64_t draws_ = 0;
};

// Draws a uniform number in (0, 1], 53 bits.
template <class Draw>
[[nodiscard, gnu::always_inline]] inline double unit_interval(Draw& draw) {
  return static_cast<double>((draw() >> 11) + 1) * 0x1p-53;
}

}  // namespace spillway::engine
