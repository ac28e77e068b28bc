// envoy.type.v3.FractionalPercent: `numerator` of one of three denominators.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

inline constexpr std::array<std::uint32_t, 3> denominators = {100, 10'000, 1'000'000};

struct FractionalPercent {
  static constexpr std::size_t million = 2;
  std::uint32_t numerator = 0;
  std::size_t denominator = 0;  // position in `denominators`
};

template <>
struct Grammar<FractionalPercent> {
  static constexpr const char* definition = "envoy.type.v3.FractionalPercent";
  static void describe(Fields& fields, FractionalPercent& percent) {
    fields.message();
    optional(fields, "numerator", percent.numerator, grammar::Whole{0, largest_uint32}, "numerator; default: 0");
    optional(fields, "denominator", percent.denominator, grammar::Choice{{"HUNDRED", "TEN_THOUSAND", "MILLION"}},
             "denominator; default: HUNDRED");
  }
};

}  // namespace spillway::messages
