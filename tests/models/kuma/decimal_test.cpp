#include "models/kuma/decimal.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

using spillway::kuma::parse_decimal;

double value_of(const char* text) {
  const auto decimal = parse_decimal(std::string_view(text));
  REQUIRE(decimal);
  return decimal->value;
}

bool above_hundred(const char* text) {
  const auto decimal = parse_decimal(std::string_view(text));
  REQUIRE(decimal);
  return decimal->above_hundred;
}

TEST_CASE("decimals are read with points, signs and exponents where Kuma's library takes them") {
  CHECK(value_of("5.") == 5.0);
  CHECK(value_of(".5") == 0.5);
  CHECK(value_of("+5") == 5.0);
  CHECK(value_of("-5") == -5.0);
  CHECK(value_of("007") == 7.0);
  CHECK(value_of("1e1") == 10.0);
  CHECK(value_of("1E+1") == 10.0);
  CHECK(value_of("12.5e-1") == 1.25);
  for (const char* const text : {"", "+", ".", "e1", "1e", "1e+-1", "1e++1", "++1", "--1", " 1", "1 ", "0x10", "1_0",
                                 "5%", "NaN", "Inf", "1.2.3"}) {
    INFO(text);
    CHECK_FALSE(parse_decimal(std::string_view(text)));
  }
}

TEST_CASE("a sign behind the point stands before it, as Kuma's library takes the point away first") {
  CHECK(value_of(".+8") == 0.08);
  CHECK(value_of(".-8") == -0.08);
}

TEST_CASE("exponents of decimals are those of 32 bits") {
  CHECK(value_of("0e2147483647") == 0.0);
  CHECK(value_of("1e-2147483648") == 0.0);
  CHECK(parse_decimal(std::string_view("1e-2147483648"))->sign == 1);
  CHECK(std::isinf(value_of("1e2147483647")));
  CHECK_FALSE(parse_decimal(std::string_view("1e2147483648")));
  CHECK_FALSE(parse_decimal(std::string_view("1e-2147483649")));
  CHECK_FALSE(parse_decimal(std::string_view("1.5e-2147483648")));
}

TEST_CASE("whether a decimal is above 100 is told exactly") {
  CHECK_FALSE(above_hundred("100"));
  CHECK_FALSE(above_hundred("100.000"));
  CHECK_FALSE(above_hundred("1e2"));
  CHECK_FALSE(above_hundred("99.9"));
  CHECK_FALSE(above_hundred("-200"));
  CHECK_FALSE(above_hundred("0"));
  CHECK(above_hundred("101"));
  CHECK(above_hundred("110"));
  CHECK(above_hundred("200"));
  CHECK(above_hundred("1000"));
  CHECK(above_hundred("1e3"));
  // 100 is the nearest double to it.
  CHECK(above_hundred("100.00000000000000000001"));
}

}  // namespace
