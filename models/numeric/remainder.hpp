// Computes remainders of many 64-bit numbers by one divisor, without dividing.
//
//   Remainder by(7);
//   by(draw);  // draw % 7
//
// Exact for every number and every divisor from 1 to 2^63: the quotient by the reciprocal, rounded down, is right or
// one too small. Two multiplications. Source: Granlund and Montgomery 1994.
#pragma once

#include <cstdint>

namespace spillway::numeric {

class Remainder {
 public:
  Remainder() = default;  // divides by 1
  explicit Remainder(std::uint64_t divisor) noexcept : divisor_(divisor), reciprocal_(UINT64_MAX / divisor) {}

  [[nodiscard]] std::uint64_t operator()(std::uint64_t number) const noexcept {
    __extension__ using Wide = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(number) * reciprocal_) >> 64);
    const std::uint64_t rest = number - quotient * divisor_;
    return rest >= divisor_ ? rest - divisor_ : rest;
  }

 private:
  std::uint64_t divisor_ = 1;
  std::uint64_t reciprocal_ = UINT64_MAX;
};

}  // namespace spillway::numeric
