#include "reports/shares/without_host.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>

#include "models/numeric/compensated_sum.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

// Shares are sums of doubles, so that their rest is rounded: 1 - 0.9 is 0.1.
constexpr double digits = 1e12;

// Returns the sum of all rows; nullopt if it is not exact.
std::optional<double> sum_of(const run::ExactRows& rows) {
  run::ExactSum sum;
  for (std::size_t row = 0; row < rows.positions.size(); ++row) {
    sum.add(rows.shares[row], {{}, {}, 0, rows.joint[row]}, rows.joint_rows[row]);
  }
  return sum.value();
}

}  // namespace

WithoutHost::WithoutHost(const run::Results& results) {
  struct Reached {
    numeric::CompensatedSum exact;
    bool known = true;
    bool counted = false;
    std::uint64_t requests = 0;
    std::uint64_t sent = 0;
  };
  std::map<std::shared_ptr<const run::ExactRows>, std::optional<double>> sums;  // only looked up
  std::map<Key, Reached> all;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    Reached& reached = all[{block.client, block.service, block.epoch}];
    const auto [sum, is_new] = sums.try_emplace(block.exact);
    if (is_new) {
      sum->second = sum_of(*block.exact);
    }
    reached.known = reached.known && sum->second;
    reached.exact.add(block.part * sum->second.value_or(0.0));
    reached.sent = block.sent;
    if (block.counted) {
      reached.counted = true;
      const auto& requests = block.counted->requests;
      reached.requests += std::accumulate(requests.begin(), requests.end(), std::uint64_t{0});
    }
  }
  for (const auto& [key, reached] : all) {
    Part part;
    const double rest = std::round((1.0 - reached.exact.value()) * digits) / digits;
    if (reached.known) {
      part.exact = std::max(rest, 0.0);
    }
    if (reached.counted && reached.sent >= reached.requests) {
      part.requests = reached.sent - reached.requests;
      part.simulated = reached.sent > 0
                           ? std::optional(static_cast<double>(*part.requests) / static_cast<double>(reached.sent))
                           : std::nullopt;
    }
    if (part.exact.value_or(0.0) > 0.0 || part.requests.value_or(0) > 0) {
      parts_.emplace(key, part);
    }
  }
}

std::optional<WithoutHost::Part> WithoutHost::of(const run::Epoch& epoch) const {
  const auto found = parts_.find({epoch.client, epoch.service, epoch.index});
  return found == parts_.end() || epoch.expected_requests <= 0.0 ? std::nullopt : std::optional(found->second);
}

std::string missing_cluster_words(const scenario::Service& service) {
  const std::string reason = printable(service.missing->reason);
  return service.missing->no_route ? reason
                                   : fmt::format("there is no cluster {}, since {}", printable(service.name), reason);
}

std::string missing_cluster_words(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  for (const scenario::RequestKind& kind : scenario.clients[epoch.client.value].workload.requests) {
    for (const config::ServiceIndex cluster : scenario.routes[kind.route].clusters) {
      const scenario::Service& service = scenario.services[cluster.value];
      if (service.missing != nullptr && scenario::asked_for(scenario, cluster) == epoch.service) {
        return missing_cluster_words(service);
      }
    }
  }
  return "";
}

double fault_part(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  double all = 0.0;
  double faults = 0.0;
  for (const scenario::RequestKind& kind : scenario.clients[epoch.client.value].workload.requests) {
    const scenario::Route& route = scenario.routes[kind.route];
    double weights = 0.0;
    for (const auto& cluster : route.route.action.clusters) {
      weights += cluster.weight;
    }
    for (std::size_t place = 0; place < route.clusters.size(); ++place) {
      const scenario::Service& service = scenario.services[route.clusters[place].value];
      if (scenario::asked_for(scenario, route.clusters[place]) == epoch.service) {
        const double part = kind.weight * route.route.action.clusters[place].weight / weights;
        all += part;
        faults += service.missing != nullptr && service.missing->outcome == scenario::Outcome::fault ? part : 0.0;
      }
    }
  }
  return all > 0.0 ? faults / all : 0.0;
}

}  // namespace spillway::reports
