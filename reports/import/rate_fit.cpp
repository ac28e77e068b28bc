#include "reports/import/rate_fit.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace spillway::reports::importing {
namespace {

// Threshold of zero for rates relative to the even split.
constexpr double no_rate = 1e-9;

double square_of(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

// A least-squares problem. Unknowns are rates relative to the even split, rows are clusters relative to their counts.
class RateFit {
 public:
  RateFit(const std::vector<double>& counted, const std::vector<std::vector<RoutePart>>& routes)
      : counted_(&counted), routes_(&routes), even_(routes.size(), 0.0), is_free_(routes.size(), 0) {
    constexpr double least_of_largest = 0.01;
    const double largest = counted.empty() ? 0.0 : *std::max_element(counted.begin(), counted.end());
    for (const double count : counted) {
      scale_.push_back(largest > 0.0 ? std::max(count, largest * least_of_largest) : 1.0);
      goal_.push_back(count / scale_.back());
    }
    std::vector<double> ways(counted.size(), 0.0);
    for (const std::vector<RoutePart>& route : routes) {
      for (const RoutePart& part : route) {
        ways[part.cluster] += 1.0;
      }
    }
    for (std::size_t route = 0; route < routes.size(); ++route) {
      for (const RoutePart& part : routes[route]) {
        const double even = counted[part.cluster] / (ways[part.cluster] * part.part);
        even_[route] = even > 0.0 && (even_[route] == 0.0 || even < even_[route]) ? even : even_[route];
      }
      is_free_[route] = even_[route] > 0.0 ? 1 : 0;  // others send nothing: their clusters counted nothing
    }
  }

  FittedRates fitted() {
    const std::vector<double> relative = nearest();
    const std::vector<char> is_guess = undetermined(relative);
    FittedRates found{.rates = {}, .is_guess = is_guess, .sent = std::vector<double>(counted_->size(), 0.0)};
    for (std::size_t route = 0; route < routes_->size(); ++route) {
      found.rates.push_back(relative[route] > no_rate ? even_[route] * relative[route] : 0.0);
      for (const RoutePart& part : (*routes_)[route]) {
        found.sent[part.cluster] += found.rates.back() * part.part;
      }
    }
    return found;
  }

 private:
  [[nodiscard]] double weight(std::size_t route, const RoutePart& part) const {
    return part.part * even_[route] / scale_[part.cluster];
  }

  // Returns `goal` minus the requests sent at `rates`.
  [[nodiscard]] std::vector<double> missing(std::vector<double> goal, const std::vector<double>& rates) const {
    for (std::size_t route = 0; route < routes_->size(); ++route) {
      for (const RoutePart& part : (*routes_)[route]) {
        goal[part.cluster] -= rates[route] == 0.0 ? 0.0 : weight(route, part) * rates[route];
      }
    }
    return goal;
  }

  // Returns half of the decrease of the sum of squares per unit of each rate.
  [[nodiscard]] std::vector<double> slopes(const std::vector<double>& missed, const std::vector<char>& of) const {
    std::vector<double> slopes(routes_->size(), 0.0);
    for (std::size_t route = 0; route < routes_->size(); ++route) {
      for (const RoutePart& part : (*routes_)[route]) {
        slopes[route] += of[route] != 0 ? weight(route, part) * missed[part.cluster] : 0.0;
      }
    }
    return slopes;
  }

  // Returns the rates nearest to `start` among those that fit `goal` best; only the rates in `of` change. Conjugate
  // gradients (CGLS) never leave `start` in a direction that affects no cluster.
  [[nodiscard]] std::vector<double> best_near(std::vector<double> start, const std::vector<double>& goal,
                                              const std::vector<char>& of) const {
    constexpr double is_flat = 1e-26;  // (slope / first slope)^2; a slope ratio of 1e-13
    std::vector<double> missed = missing(goal, start);
    std::vector<double> slope = slopes(missed, of);
    std::vector<double> direction = slope;
    double steep = square_of(slope);
    const double first = std::max(steep, square_of(slopes(goal, of)));
    const std::size_t most = 2 * (goal.size() + start.size()) + 100;
    for (std::size_t step = 0; step < most && steep > is_flat * first; ++step) {
      const std::vector<double> seen = missing(std::vector<double>(goal.size(), 0.0), direction);
      const double length = steep / square_of(seen);
      for (std::size_t route = 0; route < start.size(); ++route) {
        start[route] += length * direction[route];
      }
      for (std::size_t cluster = 0; cluster < missed.size(); ++cluster) {
        missed[cluster] += length * seen[cluster];
      }
      slope = slopes(missed, of);
      const double before = std::exchange(steep, square_of(slope));
      for (std::size_t route = 0; route < start.size(); ++route) {
        direction[route] = slope[route] + direction[route] * steep / before;
      }
    }
    return start;
  }

  // Lawson and Hanson's active-set method: rates that would go below 0 are fixed at 0 until an increase helps.
  std::vector<double> nearest() {
    std::vector<double> rates(is_free_.begin(), is_free_.end());
    const std::size_t most = 3 * rates.size() + 10;
    for (std::size_t step = 0; step < most; ++step) {
      const std::vector<double> best = best_near({is_free_.begin(), is_free_.end()}, goal_, is_free_);
      double way = 1.0;
      for (std::size_t route = 0; route < rates.size(); ++route) {
        way = best[route] < -no_rate ? std::min(way, rates[route] / (rates[route] - best[route])) : way;
      }
      for (std::size_t route = 0; route < rates.size(); ++route) {
        const bool falls = best[route] < -no_rate;
        rates[route] = std::max(0.0, way == 1.0 ? best[route] : rates[route] + way * (best[route] - rates[route]));
        if (falls && rates[route] <= no_rate) {
          rates[route] = 0.0;
          is_free_[route] = 0;
        }
      }
      if (way == 1.0 && !freed(rates)) {
        break;
      }
    }
    return rates;
  }

  // Returns by route how much the fit gains from increasing rates that are fixed at 0.
  [[nodiscard]] std::vector<double> gains(const std::vector<double>& rates) const {
    std::vector<double> gain = slopes(missing(goal_, rates), std::vector<char>(rates.size(), 1));
    for (std::size_t route = 0; route < rates.size(); ++route) {
      gain[route] = is_free_[route] != 0 || even_[route] == 0.0 ? -1.0 : gain[route];
    }
    return gain;
  }

  bool freed(const std::vector<double>& rates) {
    const std::vector<double> gain = gains(rates);
    const auto most = std::max_element(gain.begin(), gain.end());
    if (most == gain.end() || *most <= no_rate) {
      return false;
    }
    is_free_[static_cast<std::size_t>(most - gain.begin())] = 1;
    return true;
  }

  // Returns routes whose rates can change without changing any cluster's requests. Takes random numbers and removes the
  // part that any cluster sees; the remainder shows these routes.
  [[nodiscard]] std::vector<char> undetermined(const std::vector<double>& rates) const {
    constexpr double seen_whole = 1e-6;
    std::vector<char> can_move = is_free_;
    const std::vector<double> gain = gains(rates);
    std::mt19937_64 random(1);
    std::vector<double> left(rates.size(), 0.0);
    for (std::size_t route = 0; route < rates.size(); ++route) {
      can_move[route] = is_free_[route] != 0 || gain[route] >= -no_rate ? 1 : 0;
      left[route] = can_move[route] != 0 ? 0.5 + 0x1p-64 * static_cast<double>(random()) : 0.0;
    }
    left = best_near(std::move(left), std::vector<double>(counted_->size(), 0.0), can_move);
    std::vector<char> is_guess(rates.size(), 0);
    for (std::size_t route = 0; route < rates.size(); ++route) {
      is_guess[route] = left[route] > seen_whole || left[route] < -seen_whole ? 1 : 0;
    }
    return is_guess;
  }

  const std::vector<double>* counted_;
  const std::vector<std::vector<RoutePart>>* routes_;
  std::vector<double> scale_;  // by cluster
  std::vector<double> goal_;   // by cluster
  std::vector<double> even_;   // by route
  std::vector<char> is_free_;  // by route, 1: above 0
};

}  // namespace

FittedRates fit_rates(const std::vector<double>& counted, const std::vector<std::vector<RoutePart>>& routes) {
  return RateFit(counted, routes).fitted();
}

}  // namespace spillway::reports::importing
