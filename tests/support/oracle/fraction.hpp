// Fractions of whole numbers, exact: what the oracle counts in.
//
//   Fraction(1, 3) + Fraction(1, 6) == Fraction(1, 2)
//
// Numerators and denominators are reduced after every operation; those of small worlds stay far below 2^63.
#pragma once

#include <cstdint>
#include <numeric>

namespace spillway::oracle {

class Fraction {
 public:
  Fraction() = default;
  Fraction(std::int64_t numerator, std::int64_t denominator = 1) {
    const std::int64_t common = std::gcd(numerator, denominator);
    numerator_ = numerator / common;
    denominator_ = denominator / common;
  }

  [[nodiscard]] double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  [[nodiscard]] bool is_zero() const { return numerator_ == 0; }

  friend Fraction operator+(const Fraction& left, const Fraction& right) {
    return {left.numerator_ * right.denominator_ + right.numerator_ * left.denominator_,
            left.denominator_ * right.denominator_};
  }
  friend Fraction operator-(const Fraction& left, const Fraction& right) {
    return left + Fraction(-right.numerator_, right.denominator_);
  }
  friend Fraction operator*(const Fraction& left, const Fraction& right) {
    const Fraction crossed(left.numerator_, right.denominator_);
    const Fraction other(right.numerator_, left.denominator_);
    return {crossed.numerator_ * other.numerator_, crossed.denominator_ * other.denominator_};
  }
  friend Fraction operator/(const Fraction& left, const Fraction& right) {
    return left * Fraction(right.denominator_, right.numerator_);
  }
  friend bool operator==(const Fraction&, const Fraction&) = default;

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

}  // namespace spillway::oracle
