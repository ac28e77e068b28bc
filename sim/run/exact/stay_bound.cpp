#include "sim/run/exact/stay_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/config/seconds.hpp"

namespace spillway::run {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Calls visit(exponent, surplus) for exponents of the work. `surplus` is how much the logarithm of the exponential
// moment of the net input falls per second. Any exponent gives a bound, so a coarse grid is enough.
template <class Visit>
void for_each_exponent(const Queue& queue, Visit visit) noexcept {
  constexpr double first = 1e-7;
  constexpr double last = 60.0;
  constexpr double step = 1.125;
  const Work& work = queue.open;
  for (double scaled = first; scaled < last; scaled *= step) {
    const double exponent = scaled / work.longest;
    const double curvature = work.square / (work.longest * work.longest) * (std::expm1(scaled) - scaled);
    visit(exponent, (queue.servers.cores - work.busy) * exponent - curvature);
  }
}

// Returns an upper bound on the work that is present at once [s of one core].
double most_work(const Queue& queue) noexcept {
  if (queue.open.longest <= 0.0) {
    return 0.0;
  }
  double most = unbounded;
  for_each_exponent(queue, [&](double exponent, double surplus) {
    most = std::min(most, (queue.surprise + std::max(0.0, -surplus) * queue.horizon) / exponent);
  });
  return most;
}

double longest_shared_stay(const Queue& queue, double ahead) noexcept {
  double longest = unbounded;
  for_each_exponent(queue, [&](double exponent, double surplus) {
    if (surplus > 0.0) {
      longest = std::min(longest, (queue.surprise + ahead * exponent) / surplus);
    }
  });
  return longest;
}

}  // namespace

ServiceBound service_bound(std::chrono::nanoseconds time, const scenario::ServiceVariation* variation,
                           double surprise) {
  const double mean = config::seconds(time);
  if (variation == nullptr || variation->distribution == scenario::ServiceDistribution::constant) {
    return {mean, mean * mean, mean};
  }
  if (variation->distribution == scenario::ServiceDistribution::empirical) {
    ServiceBound bound;
    double weights = 0.0;
    for (const auto& measured : variation->measured) {
      const double seconds = config::seconds(measured.time);
      weights += measured.weight;
      bound.mean += measured.weight * seconds;
      bound.square += measured.weight * seconds * seconds;
      bound.longest = std::max(bound.longest, seconds);
    }
    return {bound.mean / weights, bound.square / weights, bound.longest};
  }
  const bool exponential = variation->distribution == scenario::ServiceDistribution::exponential;
  const double coefficient = exponential ? 1.0 : variation->coefficient_of_variation;
  const double relative = coefficient * coefficient;
  ServiceBound bound{mean, mean * mean * (1.0 + relative), mean * surprise};
  if (variation->distribution == scenario::ServiceDistribution::lognormal) {
    const double variance = std::log1p(relative);
    bound.longest = mean * std::exp(std::sqrt(2.0 * surprise * variance) - variance / 2.0);
  } else if (variation->distribution == scenario::ServiceDistribution::gamma) {
    // Source: Boucheron, Lugosi, Massart 2013, section 2.4.
    bound.longest = mean * (1.0 + coefficient * std::sqrt(2.0 * surprise) + relative * surprise);
  } else if (variation->distribution == scenario::ServiceDistribution::hyperexponential) {
    const double rare = 0.5 * (1.0 - std::sqrt(std::max(0.0, relative - 1.0) / (relative + 1.0)));
    bound.longest = mean / (2.0 * rare) * surprise;
  }
  return bound;
}

void Work::add(double requests_a_second, const ServiceBound& service) noexcept {
  if (requests_a_second > 0.0 && service.longest > 0.0) {
    rate += requests_a_second;
    busy += requests_a_second * service.mean;
    square += requests_a_second * service.square;
    longest = std::max(longest, service.longest);
  }
}

void Work::raise_to(const Work& other) noexcept {
  rate = std::max(rate, other.rate);
  busy = std::max(busy, other.busy);
  square = std::max(square, other.square);
  longest = std::max(longest, other.longest);
}

double longest_stay(const Queue& queue) noexcept {
  const double longest = std::max(queue.open.longest, queue.longest_of_population);
  const double cores = queue.servers.cores;
  const double of_population = queue.population * queue.longest_of_population;
  if (longest <= 0.0) {
    return 0.0;
  }
  if (queue.servers.discipline == scenario::Discipline::processor_sharing && queue.open.longest > 0.0) {
    return longest_shared_stay(queue, 2.0 * cores * longest + of_population);
  }
  return (most_work(queue) + of_population + (2.0 * cores - 1.0) * longest) / cores;
}

bool may_exceed(const Queue& queue, double stay, std::uint32_t line) noexcept {
  const double most = line - queue.population;
  if (queue.open.rate <= 0.0) {
    return most < 0.0;
  }
  // The number of requests that arrive while the longest-waiting one waits.
  const double expected = queue.open.rate * stay;
  return !(most > expected) || most * (std::log(most / expected) - 1.0) + expected < queue.surprise;
}

}  // namespace spillway::run
