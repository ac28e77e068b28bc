// edf.*, priority.*, percent.*, locality_wrr.*, zone.percentages; lb.script is in its own file.
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/locality_weights.hpp"
#include "models/envoy/percent_to_integer.hpp"
#include "models/envoy/zone_routing.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/lb_script.hpp"

namespace spillway::conformance {

namespace {

// Numbers, or "w_i=(100.5-0.01)/128*i+0.01, i=0..127".
std::vector<double> read_weights(const json& weights) {
  if (weights.is_array()) {
    return weights.get<std::vector<double>>();
  }
  static const std::regex form(R"(w_i=\(([0-9.]+)-([0-9.]+)\)/(\d+)\*i\+([0-9.]+), i=0\.\.(\d+))");
  const auto text = weights.get<std::string>();
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    throw std::invalid_argument("cannot read weights " + text);
  }
  std::vector<double> result;
  for (int i = 0; i <= std::stoi(parts[5]); ++i) {
    result.push_back((std::stod(parts[1]) - std::stod(parts[2])) / std::stod(parts[3]) * i + std::stod(parts[4]));
  }
  return result;
}

void replay_edf_sequence(const json& input, Check& check) {
  const auto weights = read_weights(input.at("weights"));
  auto schedule = envoy::EdfScheduler::seeded(weights, input.at("initial_picks").get<std::uint64_t>());
  json picks = json::array();
  for (int pick = 0; pick < input.at("n").get<int>(); ++pick) {
    picks.push_back(schedule.pick(weights));
  }
  check.equal_whole(picks);
}

// "0..9".
void replay_edf_first_picks(const json& input, Check& check) {
  const auto weights = read_weights(input.at("weights"));
  const auto range = input.at("initial_picks").get<std::string>();
  const std::uint64_t last = std::stoull(range.substr(range.find("..") + 2));
  json picks = json::array();
  std::vector<std::uint64_t> counts(weights.size(), 0);
  for (std::uint64_t start = std::stoull(range); start <= last; ++start) {
    const std::uint32_t first = envoy::EdfScheduler::seeded(weights, start).pick(weights);
    picks.push_back(first);
    ++counts[first];
  }
  check.equal("first_picks", picks);
  check.equal("counts", counts);
}

// As many ordinary picks lead to the same order. Deadlines decide nothing else.
void replay_edf_equivalence(const json& input, Check& check) {
  const auto weights = read_weights(input.at("weights"));
  const auto picks = input.at("picks").get<std::uint64_t>();
  auto started = envoy::EdfScheduler::seeded(weights, picks);
  auto picked = envoy::EdfScheduler::plain(weights, picks);
  bool same = true;
  for (std::size_t turn = 0; turn < 8 * weights.size(); ++turn) {
    same = same && started.pick(weights) == picked.pick(weights);
  }
  check.equal_whole(same ? "same order, deadlines equal within 1e-5" : "another order");
}

void replay_percent(const json& input, Check& check) {
  check.equal_whole(envoy::percent_to_integer({input.get<double>()}));
}

void replay_priority_choose(const json& input, Check& check) {
  const envoy::HealthyAndDegradedLoad load{input.at("healthy_load").get<std::vector<std::uint32_t>>(),
                                           input.at("degraded_load").get<std::vector<std::uint32_t>>()};
  const auto choice = envoy::choose_priority(input.at("hash").get<std::uint64_t>(), load);
  check.equal_whole({choice.priority.value, text(choice.availability)});
}

envoy::HostCounts read_counts(const json& object, const char* all) {
  envoy::HostCounts counts;
  counts.all = object.at(all).get<std::uint64_t>();
  counts.healthy = object.value("healthy", std::uint64_t{0});
  counts.degraded = object.value("degraded", std::uint64_t{0});
  counts.excluded = object.value("excluded", std::uint64_t{0});
  return counts;
}

void replay_priority_load_of_hosts(const json& input, Check& check) {
  std::vector<envoy::PriorityCounts> counts;
  for (const json& priority : input.at("priorities")) {
    envoy::PriorityCounts entry;
    entry.hosts = read_counts(priority, "hosts");
    entry.overprovisioning_factor = priority.value("opf", std::uint64_t{140});
    if (priority.contains("weights")) {
      entry.weights = read_counts(priority.at("weights"), "total");
    }
    counts.push_back(entry);
  }
  const auto state = envoy::initial_priority_state(counts, input.at("healthy_panic_threshold").get<std::uint64_t>(),
                                                   config::EnvoyProfile::current);
  check.equal("healthy_load", state.load.healthy);
  check.equal("degraded_load", state.load.degraded);
  check.equal("panic", state.panic);
}

// The schedule of a case and a few picks of it; null for each if there is no schedule.
json locality_picks(const json& input) {
  const std::string eligible = input.value("pick", std::string("healthy"));
  std::vector<envoy::LocalityCounts> localities;
  for (const json& locality : input.at("localities")) {
    localities.push_back({locality.at("weight").get<std::uint32_t>(), locality.at("total").get<std::uint64_t>(),
                          locality.value("excluded", std::uint64_t{0}), locality.value(eligible, std::uint64_t{0})});
  }
  const auto schedule = envoy::locality_schedule(localities, input.at("overprovisioning_factor").get<std::uint32_t>());
  auto turns = envoy::start_schedule(schedule, input.at("seed").get<std::uint64_t>(), config::EnvoyProfile::current);
  json picks = json::array();
  for (int pick = 0; pick < input.at("n").get<int>(); ++pick) {
    picks.push_back(schedule.empty() ? json(nullptr) : json(schedule.localities[turns.pick(schedule.weights)]));
  }
  return picks;
}

void replay_locality_sequence(const json& input, Check& check) {
  check.equal_whole(locality_picks(input));
}

void replay_locality_counts(const json& input, Check& check) {
  std::vector<std::uint64_t> counts(input.at("localities").size(), 0);
  for (const json& pick : locality_picks(input)) {
    if (!pick.is_null()) {
      ++counts[pick.get<std::size_t>()];
    }
  }
  check.equal_whole(counts);
}

// What documents print was rounded by hand; the exact share decides.
void replay_locality_share(const json& input, Check& check) {
  const auto weight = [&](const char* name) {
    const json& locality = input.at(name);
    return envoy::effective_weight(
        {locality.at("weight").get<std::uint32_t>(), 100, 0, locality.at("healthy_percent").get<std::uint64_t>()},
        input.at("overprovisioning_factor").get<std::uint32_t>());
  };
  const double x = weight("X");
  check.equal_rounded("exact_percent_x", 100.0 * x / (x + weight("Y")), 9);
  check.documentation("printed_percent");
}

envoy::ZoneSide read_zones(const json& counts) {
  envoy::ZoneSide side;
  side.has_local_locality = true;
  for (std::size_t zone = 0; zone < counts.size(); ++zone) {
    const auto hosts = counts[zone].get<std::uint64_t>();
    side.localities.push_back({{"", std::string(1, static_cast<char>('a' + zone)), ""}, hosts, hosts, hosts});
  }
  return side;
}

void replay_zone_percentages(const json& input, Check& check) {
  const auto routing = envoy::zone_routing(read_zones(input.at("upstream")), read_zones(input.at("local")), {},
                                           config::EnvoyProfile::current);
  check.equal("local_percent", routing.local_percentage);
  check.equal("upstream_percent", routing.upstream_percentage);
  check.equal("local_percent_to_route", routing.local_percent_to_route);
  check.equal("residual_capacity", routing.residual_capacity);
  check.documentation("draws");
  check.equal_if_expected("outcome", [&] {
    // The first draw of a pick is the priority's.
    const auto draws = check.expected().at("draws").get<std::vector<std::uint64_t>>();
    std::size_t used = 1;
    auto draw = [&] { return draws.at(used++); };
    const auto choice = envoy::choose_zone(routing, draw);
    const bool full = choice.route == envoy::ZoneRoute::no_capacity_left;
    return json((full ? "no_capacity_left: locality index = draw % " + std::to_string(routing.residual_capacity.size())
                      : std::string("locality index")) +
                " = " + std::to_string(choice.locality));
  });
}

}  // namespace

const Replays& schedule_replays() {
  static const Replays replays = {{"edf.sequence", replay_edf_sequence},
                                  {"edf.first_picks", replay_edf_first_picks},
                                  {"edf.equivalence", replay_edf_equivalence},
                                  {"percent.to_integer", replay_percent},
                                  {"priority.choose", replay_priority_choose},
                                  {"priority.load", replay_priority_load_of_hosts},
                                  {"locality_wrr.sequence", replay_locality_sequence},
                                  {"locality_wrr.counts", replay_locality_counts},
                                  {"locality_wrr.share", replay_locality_share},
                                  {"zone.percentages", replay_zone_percentages},
                                  {"lb.script", replay_lb_script}};
  return replays;
}

}  // namespace spillway::conformance
