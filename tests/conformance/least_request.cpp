#include "models/envoy/policies/least_request/least_request.hpp"

#include <vector>

#include "models/envoy/host_set.hpp"
#include "models/envoy/host_sources.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

using envoy::policies::PickInput;
using envoy::policies::PickStateInput;
namespace least = envoy::policies::least_request;

// One priority of healthy hosts under the seed profile's least request, which takes the case's draws.
json picks(const std::vector<std::uint32_t>& weights, const std::vector<std::uint32_t>& active, const json& draws,
           std::size_t count) {
  config::ClusterLoadAssignment assignment;
  assignment.endpoints.emplace_back();
  for (const std::uint32_t weight : weights) {
    assignment.endpoints.back().lb_endpoints.emplace_back().load_balancing_weight = weight;
  }
  const auto hosts = envoy::make_priority_set(assignment, {.profile = config::EnvoyProfile::seed});
  const envoy::HostSources sources(hosts, nullptr, config::EnvoyProfile::seed);
  const std::vector<bool> changed{true};
  const auto seed = [] { return std::uint64_t{0}; };
  ListedDraws listed(draws);
  least::PickState state({}, PickStateInput{sources, changed, active, hosts.hosts, {}}, seed);
  const auto source = sources.flat({}, envoy::HostSources::List::healthy);
  json result = json::array();
  for (std::size_t pick = 0; pick < count; ++pick) {
    result.push_back(
        state.pick({}, PickInput{.sources = sources, .source = source, .active_requests = active}, listed).value);
  }
  return result;
}

}  // namespace

void replay_least_request_weight(const json& input, Check& check) {
  check.equal_whole(least::scheduled_weight(input.at("weight").get<double>(), input.at("active").get<std::uint32_t>(),
                                            input.at("bias").get<double>()));
}

void replay_legacy_least_request(const json& input, Check& check) {
  check.equal_whole(picks(input.at("weights").get<std::vector<std::uint32_t>>(), {}, input.at("draws"),
                          input.at("n").get<std::size_t>()));
}

void replay_legacy_least_request_p2c(const json& input, Check& check) {
  const auto active = input.at("active").get<std::vector<std::uint32_t>>();
  check.equal_whole(picks(std::vector<std::uint32_t>(active.size(), 1), active, input.at("draws"), 1).at(0));
}

}  // namespace spillway::conformance
