#include "sim/plan/service_variation.hpp"

#include "models/config/seconds.hpp"
#include "sim/scenario/endpoint.hpp"

namespace spillway::plan {

double one_and_squared_variation(const scenario::Endpoint& endpoint) {
  using scenario::ServiceDistribution;
  if (!endpoint.variation || endpoint.variation->distribution == ServiceDistribution::constant) {
    return 1.0;
  }
  const scenario::ServiceVariation& variation = *endpoint.variation;
  if (variation.distribution != ServiceDistribution::empirical) {
    const double of =
        variation.distribution == ServiceDistribution::exponential ? 1.0 : variation.coefficient_of_variation;
    return 1.0 + of * of;
  }
  double weights = 0.0;
  double squares = 0.0;
  for (const scenario::ServiceVariation::Measured& measured : variation.measured) {
    const double seconds = config::seconds(measured.time);
    weights += measured.weight;
    squares += measured.weight * seconds * seconds;
  }
  const double mean = config::seconds(endpoint.service_time);
  return mean > 0.0 && weights > 0.0 ? squares / weights / (mean * mean) : 1.0;
}

}  // namespace spillway::plan
