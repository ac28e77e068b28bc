// The likelihood-ratio test of counts against shares (G-test): how likely is a sample that strays at least this far?
//
//   g_test(std::vector<std::uint64_t>{698, 302}, std::vector<double>{0.7, 0.3})   // 0.89: nothing unusual
//
// A count on a share of zero gives 0. Cells that expect fewer than five are pooled, smallest first, since the
// chi-square distribution is no good for them. Deterministic policies spread more evenly than chance, which gives
// values near 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace spillway::support {

// P(a chi-square variable of so many degrees of freedom exceeds `value`): the regularised upper incomplete gamma
// function, by its series where that converges fast and by Lentz's continued fraction elsewhere.
inline double chi_square_survival(double value, std::size_t degrees_of_freedom) {
  const double a = static_cast<double>(degrees_of_freedom) / 2.0;
  const double x = value / 2.0;
  if (x <= 0.0) {
    return 1.0;
  }
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  constexpr int most_terms = 10000;
  constexpr double precision = 1e-15;
  if (x < a + 1.0) {
    double term = 1.0 / a;
    double sum = term;
    for (int n = 1; n < most_terms && term > sum * precision; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return 1.0 - front * sum;
  }
  constexpr double tiny = 1e-300;
  double b = x + 1.0 - a;
  double c = 1.0 / tiny;
  double d = 1.0 / b;
  double fraction = d;
  for (int n = 1; n < most_terms; ++n) {
    const double numerator = -n * (n - a);
    b += 2.0;
    d = numerator * d + b;
    d = 1.0 / (std::abs(d) < tiny ? tiny : d);
    c = b + numerator / c;
    c = std::abs(c) < tiny ? tiny : c;
    const double factor = c * d;
    fraction *= factor;
    if (std::abs(factor - 1.0) < precision) {
      break;
    }
  }
  return front * fraction;
}

// The p-value of `observed` against `shares`, which sum to one.
inline double g_test(std::span<const std::uint64_t> observed, std::span<const double> shares) {
  const auto total = static_cast<double>(std::accumulate(observed.begin(), observed.end(), std::uint64_t{0}));
  std::vector<std::pair<double, double>> cells;  // expected, observed
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    if (shares[cell] > 0.0) {
      cells.emplace_back(shares[cell] * total, static_cast<double>(observed[cell]));
    } else if (observed[cell] > 0) {
      return 0.0;
    }
  }
  std::sort(cells.begin(), cells.end());
  constexpr double least_expected = 5.0;
  for (std::size_t cell = 0; cell + 1 < cells.size(); ++cell) {
    if (cells[cell].first < least_expected) {
      cells[cell + 1].first += std::exchange(cells[cell].first, 0.0);
      cells[cell + 1].second += std::exchange(cells[cell].second, 0.0);
    }
  }
  std::erase_if(cells, [](const auto& cell) { return cell.first <= 0.0; });
  if (cells.size() < 2) {
    return 1.0;
  }
  double g = 0.0;
  for (const auto& [expected, count] : cells) {
    if (count > 0.0) {
      g += 2.0 * count * std::log(count / expected);
    }
  }
  return chi_square_survival(g, cells.size() - 1);
}

}  // namespace spillway::support
