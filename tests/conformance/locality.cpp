#include <cmath>
#include <numeric>

#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/locality_weights.hpp"
#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

std::vector<double> shares_percent(const std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> shares;
  for (const double weight : weights) {
    shares.push_back(sum > 0.0 ? 100.0 * weight / sum : 0.0);
  }
  return shares;
}

std::vector<int> rounded(const std::vector<double>& values) {
  std::vector<int> result;
  for (const double value : values) {
    result.push_back(static_cast<int>(std::floor(value + 0.5)));
  }
  return result;
}

std::vector<envoy::LocalityCounts> locality_counts(const json& input) {
  const std::string eligible = input.value("eligible", std::string("healthy"));
  std::vector<envoy::LocalityCounts> result;
  for (const json& locality : input.at("localities")) {
    const envoy::HostCounts hosts = host_counts(locality);
    result.push_back({locality.value("weight", std::uint32_t{0}), hosts.all, hosts.excluded,
                      eligible == "degraded" ? hosts.degraded : hosts.healthy});
  }
  return result;
}

std::vector<double> effective_weights(const json& input) {
  const auto factor = input.value("overprovisioning_factor", std::uint32_t{140});
  std::vector<double> weights;
  for (const auto& locality : locality_counts(input)) {
    weights.push_back(envoy::effective_weight(locality, factor));
  }
  return weights;
}

void replay_effective_weights(const json& input, Check& check) {
  const std::vector<double> weights = effective_weights(input);
  check.equal("effective_weights", weights);
  check.equal_rounded("share_percent", shares_percent(weights), 6);
  check.documentation("printed");
  check.documentation("rules_that_reproduce_printed");
  check.equal_if_expected("printed_equals_rounded_true_share", [&] {
    return json(check.expected().at("printed") == json(rounded(shares_percent(weights))));
  });
}

void replay_pick_sequence(const json& input, Check& check) {
  constexpr std::uint64_t most_printed = 60;
  check.equal("effective_weights", effective_weights(input));
  const auto counts = locality_counts(input);
  const auto schedule = envoy::locality_schedule(counts, input.value("overprovisioning_factor", std::uint32_t{140}));
  check.equal_if_expected("pick", [&] {
    return schedule.empty() ? json("none (flat selection inside the priority)") : json("a locality");
  });
  if (schedule.empty()) {
    return;
  }
  envoy::EdfScheduler turns = envoy::start_schedule(schedule, input.value("seed", std::uint64_t{0}), profile_of(input));
  json picks = json::array();
  std::vector<std::uint64_t> picked(counts.size(), 0);
  for (std::uint64_t pick = 0; pick < input.at("num_picks").get<std::uint64_t>(); ++pick) {
    const std::uint32_t locality = schedule.localities[turns.pick(schedule.weights)];
    ++picked[locality];
    if (pick < most_printed) {
      picks.push_back(locality);
    }
  }
  check.equal("picks", picks);
  check.equal("counts", picked);
}

void replay_first_pick_over_seeds(const json& input, Check& check) {
  const auto weights = input.at("effective_weights").get<std::vector<double>>();
  const auto seeds = input.at("seeds").get<std::vector<std::uint64_t>>();  // first and last
  envoy::LocalitySchedule schedule{std::vector<std::uint32_t>(weights.size()), weights};
  json picks = json::array();
  std::vector<std::uint64_t> picked(weights.size(), 0);
  for (std::uint64_t seed = seeds.front(); seed <= seeds.back(); ++seed) {
    const std::uint32_t first = envoy::start_schedule(schedule, seed, profile_of(input)).pick(weights);
    ++picked[first];
    picks.push_back(first);
  }
  check.equal("first_picks", picks);
  check.equal("counts", picked);
}

void replay_hash_lb_normalized_weights(const json& input, Check& check) {
  const char* const used = input.value("in_panic", false) ? "all" : "healthy";
  std::vector<envoy::LocalityHostWeights> localities;
  std::vector<std::uint32_t> flat;
  for (const json& locality : input.at("localities")) {
    const auto weights = locality.at("host_weights").at(used).get<std::vector<std::uint32_t>>();
    localities.push_back({locality.value("weight", std::uint32_t{0}), weights});
    flat.insert(flat.end(), weights.begin(), weights.end());
  }
  const std::vector<double> normalized =
      input.value("locality_weighted", false) ? envoy::normalized_weights(localities) : envoy::normalized_weights(flat);
  check.equal("normalized", normalized);
  check.equal("sum", std::accumulate(normalized.begin(), normalized.end(), 0.0));
}

// Shares of plain weights, and how a document rounds them.
void replay_shares(const json& input, Check& check) {
  const std::vector<double> shares = shares_percent(input.at("weights").get<std::vector<double>>());
  check.equal_rounded("share_percent", shares, 6);
  check.documentation("rule");
  check.documentation("printed");
  if (check.expects("rule") && check.expected().at("rule") == "round") {
    check.equal("printed", rounded(shares));
  }
}

}  // namespace

void replay_locality(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "effective_weights") {
    replay_effective_weights(input, check);
  } else if (op == "pick_sequence") {
    replay_pick_sequence(input, check);
  } else if (op == "first_pick_over_seeds") {
    replay_first_pick_over_seeds(input, check);
  } else if (op == "hash_lb_normalized_weights") {
    replay_hash_lb_normalized_weights(input, check);
  } else if (op == "shares") {
    replay_shares(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
