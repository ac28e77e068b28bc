// An upper bound of a host's picks under least request, for any requests in flight. A pick draws several hosts and
// takes one of them, so a host gets at most the picks that draw it. In a list of n hosts, this is 1 - (1 - 1/n)^draws
// of the list's picks. A host with share s at rest gets at most 1 - (1 - s)^draws of all picks, for any number of
// lists, since the bound is concave in s.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <variant>

#include "models/envoy/policies/registry.hpp"
#include "models/numeric/power.hpp"
#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::compare {
namespace {

// Returns the largest number of draws per pick of the members' policies; nullopt if a member may pick without draws.
std::optional<std::uint32_t> draws_of(const scenario::Scenario& world) {
  namespace least_request = envoy::policies::least_request;
  if (world.profile.envoy == config::EnvoyProfile::seed) {
    return std::nullopt;
  }
  std::uint32_t draws = 1;
  const config::ServiceIndex asked = scenario::services_of(world, world.clients.front()).front();
  for (const config::ServiceIndex member : scenario::members_of(world, asked)) {
    const envoy::Cluster& cluster = world.services[member.value].cluster;
    const auto* const policy = std::get_if<least_request::Config>(&cluster.lb_policy);
    if (policy == nullptr || cluster.original_dst ||
        policy->selection_method != least_request::SelectionMethod::n_choices ||
        policy->slow_start_config.slow_start_window > std::chrono::nanoseconds{0}) {
      return std::nullopt;
    }
    draws = std::max(draws, policy->choice_count);
  }
  return draws;
}

// True if all weights are equal. Different weights make a schedule, without draws.
bool has_one_weight(const Case& one) {
  std::set<std::uint32_t> weights;
  for (const PredictedHost& host : one.configured) {
    weights.insert(host.weight);
  }
  for (const ObservedHost& host : one.observation.hosts) {
    for (const auto& held : {host.before, host.after}) {
      if (held) {
        weights.insert(held->weight);
      }
    }
  }
  return weights.size() == 1;
}

// Returns a bound of the chance of at least `own` of `all` picks, each with at most this probability: exp(-all *
// divergence) (Chernoff).
double chance_beyond(std::uint64_t own, std::uint64_t all, double bound) {
  const auto part = [&](std::uint64_t count, double share) {
    const auto of = static_cast<double>(count);
    return count == 0 ? 0.0 : of * std::log(of / (static_cast<double>(all) * share));
  };
  return std::exp(-(part(own, bound) + part(all - own, 1.0 - bound)));
}

}  // namespace

std::optional<MostPicked> most_picked(const Case& one, const Ground& ground) {
  const auto draws = draws_of(one.scenario);
  if (!draws || !has_one_weight(one)) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> picks = ground.counts();
  std::uint64_t all = 0;
  for (std::size_t host = 0; host < picks.size(); ++host) {
    const ObservedHost* const seen = one.observation.find(one.hosts()[host].address);
    picks[host] += seen == nullptr ? 0 : seen->connect_failures;
    all += picks[host];
  }
  MostPicked most{.hosts = picks.size()};
  for (std::size_t host = 0; host < picks.size(); ++host) {
    double share = 0.0;  // share at rest, in the state where it is largest
    for (const Prediction& state : one.states) {
      share = std::max(share, state.hosts[host].share);
    }
    const double bound = 1.0 - numeric::power(1.0 - std::min(share, 1.0), static_cast<double>(*draws));
    // Retries may pick a host that was not tried before; all are counted for this one.
    const std::uint64_t own = picks[host] - std::min(picks[host], one.retries.value_or(0));
    const std::uint64_t first = all - std::min(all, one.retries.value_or(0));
    if (share <= 0.0 || bound >= 1.0 || static_cast<double>(own) <= bound * static_cast<double>(first)) {
      continue;
    }
    const double chance = std::min(1.0, static_cast<double>(picks.size()) * chance_beyond(own, first, bound));
    if (chance < most.chance) {
      most.chance = chance;
      most.text = fmt::format(
          "{} got {:.1f} % of the picks; with {} draws for each it gets at most {:.1f} %, whatever "
          "is in flight",
          one.hosts()[host].address, 100.0 * static_cast<double>(picks[host]) / static_cast<double>(all), *draws,
          100.0 * bound);
    }
  }
  return most;
}

}  // namespace spillway::compare
