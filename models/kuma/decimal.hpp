// Decimal numbers as Kuma reads them out of quotes: `5.`, `.5`, `+5`, `007` and `1e1` are numbers; blanks, `0x10`,
// `1_0`, `5%`, `NaN` and `Inf` are not.
//
//   parse_decimal("33.3")->value;        // 33.3, the nearest double
//   parse_decimal("1e-400")->sign;       // 1: comparisons are exact where the double is not
//
// Source: docs/behaviour/kuma.md 9; the library shopspring/decimal that Kuma uses.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

struct Decimal {
  int sign = 0;                // -1, 0, 1
  double value = 0.0;          // the nearest double; 0 or infinite if out of range
  bool above_hundred = false;  // exact
};

// Parses a decimal; nullopt if the text is not a number. Linear in the length of the text.
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text);
[[nodiscard]] std::optional<Decimal> parse_decimal(const IntOrString& number);

}  // namespace spillway::kuma
