#include "sim/scenario/binding/serving.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "models/documents/problem.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/messages/serving.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::scenario::binding {
namespace {

constexpr double longest = 1e18;

Nanoseconds nanoseconds_of(double time) {
  return Nanoseconds{std::llround(std::min(time, longest))};
}

TimeDistribution read_measured(const messages::ServiceTime& written, Diagnostics& problems) {
  ServiceVariation variation{.distribution = ServiceDistribution::empirical};
  double sum = 0.0;
  double weights = 0.0;
  if (written.weights && written.weights->size() != written.empirical->size()) {
    problems.error("SP026", written.weights.where, "weights of other times",
                   "must be as many as the times in `empirical`: {}", {written.empirical->size()});
    return {};
  }
  for (std::size_t i = 0; i < written.empirical->size(); ++i) {
    const double weight = written.weights ? (*written.weights)[i].value_or(1.0) : 1.0;
    const Nanoseconds time = (*written.empirical)[i].value_or(Nanoseconds{0});
    variation.measured.push_back({time, weight});
    sum += weight * static_cast<double>(time.count());
    weights += weight;
  }
  return {nanoseconds_of(sum / weights), std::make_shared<const ServiceVariation>(std::move(variation))};
}

}  // namespace

TimeDistribution read_distribution(const messages::ServiceTime& written, Diagnostics& problems) {
  if (written.empirical) {
    return read_measured(written, problems);
  }
  TimeDistribution result{.mean = written.mean.value_or(Nanoseconds{0})};
  ServiceVariation variation;
  variation.distribution = static_cast<ServiceDistribution>(written.distribution.value_or(0));
  variation.coefficient_of_variation = written.coefficient_of_variation.value_or(1.0);
  const bool scaled = variation.distribution == ServiceDistribution::lognormal ||
                      variation.distribution == ServiceDistribution::gamma ||
                      variation.distribution == ServiceDistribution::hyperexponential;
  if (scaled && !written.coefficient_of_variation.present) {
    problems.error("SP027", written.distribution.where, "a distribution of unknown width",
                   "needs `coefficient_of_variation`");
  }
  if (!scaled && written.coefficient_of_variation.present) {
    problems.error("SP027", written.coefficient_of_variation.key, "a width of its own",
                   "belongs to lognormal, gamma and hyperexponential");
  }
  if (variation.distribution == ServiceDistribution::hyperexponential && written.coefficient_of_variation &&
      variation.coefficient_of_variation < 1.0) {
    problems.error("SP023", written.coefficient_of_variation.where, "`coefficient_of_variation` is out of bounds",
                   "must be at least 1 for hyperexponential");
  }
  if (variation.distribution != ServiceDistribution::constant) {
    result.variation = std::make_shared<const ServiceVariation>(variation);
  }
  return result;
}

std::optional<Servers> read_servers(const messages::Servers& servers, bool capacity, Diagnostics& problems) {
  if (!servers.cores.present && !capacity) {
    for (const auto& [present, where] : {std::pair(servers.queue.present, servers.queue.key),
                                         std::pair(servers.discipline.present, servers.discipline.key)}) {
      if (present) {
        problems.error("SP027", where, "a queue for nothing", "needs `cores` or `capacity`");
      }
    }
    return std::nullopt;
  }
  Servers result{.cores = static_cast<std::uint32_t>(servers.cores.value_or(1))};
  if (servers.queue) {
    result.queue = static_cast<std::uint32_t>(*servers.queue);
  }
  result.discipline = static_cast<Discipline>(servers.discipline.value_or(0));
  return result;
}

void read_serving(const messages::EndpointGroup& group, Endpoint& endpoint, Diagnostics& problems) {
  endpoint.servers = read_servers(group.servers, group.capacity.present, problems);
  endpoint.request_bytes = group.request_bytes.value_or(0);
  endpoint.response_bytes = group.response_bytes.value_or(0);
  if (group.price) {
    endpoint.price = *group.price;
  }
  if (group.service_time) {
    TimeDistribution distribution = read_distribution(*group.service_time, problems);
    endpoint.service_time = distribution.mean;
    endpoint.variation = std::move(distribution.variation);
  }
  if (group.capacity && *group.capacity <= 0.0) {
    problems.error("SP023", group.capacity.where, "`capacity` is out of bounds", "must be above 0");
  } else if (group.capacity) {
    endpoint.capacity = *group.capacity;
    endpoint.service_time = nanoseconds_of(1e9 * static_cast<double>(endpoint.servers->cores) / *group.capacity);
  }
}

Endpoint at_speed(const Endpoint& endpoint, double speed) {
  Endpoint result = endpoint;
  if (speed == 1.0) {
    return result;
  }
  const auto faster = [speed](Nanoseconds time) { return nanoseconds_of(static_cast<double>(time.count()) / speed); };
  result.service_time = faster(result.service_time);
  if (endpoint.capacity) {
    result.capacity = *endpoint.capacity * speed;
  }
  if (endpoint.variation != nullptr && endpoint.variation->distribution == ServiceDistribution::empirical) {
    ServiceVariation variation = *endpoint.variation;
    for (ServiceVariation::Measured& measured : variation.measured) {
      measured.time = faster(measured.time);
    }
    result.variation = std::make_shared<const ServiceVariation>(std::move(variation));
  }
  return result;
}

}  // namespace spillway::scenario::binding
