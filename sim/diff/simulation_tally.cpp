#include "sim/diff/simulation_tally.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <variant>

#include "models/config/seconds.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::diff {
namespace {

constexpr std::size_t most_clients = 64;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Names = std::vector<std::pair<std::string, std::string>>;

Names requests_of(const scenario::Scenario& scenario, bool by_client) {
  Names names;
  std::set<std::pair<std::string, std::string>> known;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
      const std::string& asked = scenario.services[scenario::asked_for(scenario, service).value].name;
      std::pair<std::string, std::string> name{by_client ? client.name : "", asked};
      if (known.insert(name).second) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

template <class Name>
std::vector<Name> in_both(const std::vector<Name>& before, const std::vector<Name>& after) {
  const std::set<Name> old(before.begin(), before.end());
  std::vector<Name> both;
  std::copy_if(after.begin(), after.end(), std::back_inserter(both),
               [&](const Name& name) { return old.contains(name); });
  return both;
}

std::vector<std::string> zone_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const scenario::Zone& zone : scenario.zones) {
    names.push_back(zone.name);
  }
  return names;
}

// Maps a client's requests to a service to their subject, by index of this scenario.
class SubjectFinder {
 public:
  SubjectFinder(const scenario::Scenario& scenario, const Subjects& subjects)
      : scenario_(scenario), subjects_(subjects) {
    for (std::size_t subject = 0; subject < subjects.requests().size(); ++subject) {
      by_name_.emplace(subjects.requests()[subject], subject);
    }
  }

  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  std::size_t operator()(config::ClientEntryIndex client, config::ServiceIndex service) {
    const std::uint64_t key = (std::uint64_t{client.value} << 32U) | service.value;
    const auto [place, is_new] = known_.try_emplace(key, nobody);
    if (is_new) {
      const auto found = by_name_.find(
          {subjects_.by_client() ? scenario_.clients[client.value].name : "", scenario_.services[service.value].name});
      place->second = found == by_name_.end() ? nobody : found->second;
    }
    return place->second;
  }

 private:
  const scenario::Scenario& scenario_;
  const Subjects& subjects_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_name_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
};

struct RequestTally {
  run::Outcomes outcomes = {};
  std::uint64_t ended = 0;
  std::uint64_t attempts = 0;
  bool of_users = false;
  std::vector<std::int64_t> latencies = {};  // of successful responses [ns]
};

// Returns the smallest latency [s] that at least `fraction` of all do not exceed.
double quantile(std::vector<std::int64_t>& latencies, double fraction) {
  if (latencies.empty()) {
    return none;
  }
  const auto wanted = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(latencies.size())));
  const auto place = latencies.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(wanted, 1) - 1);
  std::nth_element(latencies.begin(), place, latencies.end());
  return static_cast<double>(*place) * 1e-9;
}

void put(RequestTally& from, double seconds, double* to) {
  const run::Outcomes& of = from.outcomes;
  const auto sent = static_cast<double>(of.sent);
  const auto part = [&](std::uint64_t count) { return of.sent == 0 ? none : static_cast<double>(count) / sent; };
  const auto set = [&](Figure figure, double value) { to[static_cast<std::size_t>(figure)] = value; };
  set(Figure::failed, part(of.failed()));
  for (const scenario::Outcome failure : scenario::failures) {
    set(figure_of(failure), part(of[failure]));
  }
  set(Figure::p50, quantile(from.latencies, 0.5));
  set(Figure::p90, quantile(from.latencies, 0.9));
  set(Figure::p99, quantile(from.latencies, 0.99));
  set(Figure::throughput, from.of_users ? static_cast<double>(of.ok()) / seconds : none);
  set(Figure::attempts, from.ended == 0 ? none : static_cast<double>(from.attempts) / static_cast<double>(from.ended));
}

// Returns the utilisation of each zone's busiest endpoint over the measured time.
std::map<std::string, double> busiest(const scenario::Scenario& scenario, const run::Results& results,
                                      std::chrono::nanoseconds measured_from) {
  std::map<std::uint32_t, double> busy;  // by endpoint: core-seconds over cores
  for (const run::EndpointLoad& load : results.endpoints) {
    if (load.utilisation) {
      busy[load.endpoint.value] += *load.utilisation * config::seconds(load.end - load.start);
    }
  }
  const double duration = config::seconds(scenario.duration - measured_from);
  std::map<std::string, double> zones;
  // Endpoints without requests have utilisation 0 if their number of cores is known.
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    const scenario::Node& node = scenario.nodes[endpoint.node.value];
    if (endpoint.servers || node.servers) {
      zones.try_emplace(scenario.zones[node.zone.value].name, 0.0);
    }
  }
  for (const auto& [endpoint, seconds] : busy) {
    const std::string& zone = scenario.zones[scenario.nodes[scenario.endpoints[endpoint].node.value].zone.value].name;
    zones[zone] = std::max(zones[zone], seconds / duration);
  }
  return zones;
}

}  // namespace

Subjects::Subjects(const scenario::Scenario& before, const scenario::Scenario& after)
    : requests_(in_both(requests_of(before, true), requests_of(after, true))),
      zones_(in_both(zone_names(before), zone_names(after))) {
  if (requests_.size() > most_clients) {
    by_client_ = false;
    requests_ = in_both(requests_of(before, false), requests_of(after, false));
  }
}

SimulatedFigure Subjects::at(std::size_t slot) const {
  SimulatedFigure figure;
  if (slot < requests_.size() * figures) {
    figure.client = requests_[slot / figures].first;
    figure.service = requests_[slot / figures].second;
    figure.figure = static_cast<Figure>(slot % figures);
  } else {
    figure.figure = Figure::utilisation;
    figure.zone = zones_[slot - requests_.size() * figures];
  }
  return figure;
}

Tally tally(const scenario::Scenario& scenario, const Subjects& subjects, std::uint64_t seed,
            std::chrono::nanoseconds measured_from) {
  SubjectFinder subject_of(scenario, subjects);
  std::vector<RequestTally> tallies(subjects.requests().size());
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.seed = seed;
  options.endpoint_loads = true;
  options.measured_from = measured_from;
  options.trace = [&](const run::TracedRequest& request) {
    const std::size_t subject = subject_of(request.client, request.service);
    if (subject == SubjectFinder::nobody || request.sent_at < measured_from) {
      return;
    }
    RequestTally& of = tallies[subject];
    ++of.ended;
    of.attempts += request.attempts;
    if (request.outcome == scenario::Outcome::ok) {
      of.latencies.push_back((request.ended_at - request.sent_at).count());
    }
  };
  const run::Results results = run::run(scenario, options);
  for (const run::Outcomes& outcomes : results.outcomes) {
    const std::size_t subject = subject_of(outcomes.client, outcomes.service);
    if (subject != SubjectFinder::nobody) {
      tallies[subject].of_users =
          scenario.clients[outcomes.client.value].workload.arrivals == scenario::Arrivals::closed;
      run::add(tallies[subject].outcomes, outcomes);
    }
  }
  Tally result;
  result.numbers.assign(subjects.slots(), none);
  for (std::size_t subject = 0; subject < tallies.size(); ++subject) {
    put(tallies[subject], config::seconds(scenario.duration - measured_from),
        &result.numbers[subject * Subjects::figures]);
    result.sent.push_back(tallies[subject].outcomes.sent);
  }
  const std::map<std::string, double> utilisation = busiest(scenario, results, measured_from);
  for (std::size_t zone = 0; zone < subjects.zones().size(); ++zone) {
    const auto found = utilisation.find(subjects.zones()[zone]);
    if (found != utilisation.end()) {
      result.numbers[tallies.size() * Subjects::figures + zone] = found->second;
    }
  }
  return result;
}

double expected_requests(const scenario::Scenario& scenario) {
  struct Phase {
    double rate = 0.0;
    double slope = 0.0;
    double since = 0.0;
  };
  const auto sent_until = [](const Phase& phase, double until) {
    const double length = until - phase.since;
    return std::max(0.0, phase.rate + phase.slope * length / 2.0) * length;
  };
  const double end = config::seconds(scenario.duration);
  std::vector<Phase> phases;
  for (const scenario::ClientEntry& client : scenario.clients) {
    phases.push_back({client.workload.rate, client.workload.slope, 0.0});
  }
  double sum = 0.0;
  const auto add = [&](std::size_t client, double requests) { sum += requests * scenario.clients[client].count; };
  for (const scenario::Change& change : scenario.changes) {
    if (const auto* rate = std::get_if<scenario::RateChange>(&change.effect)) {
      Phase& phase = phases[rate->client.value];
      add(rate->client.value, sent_until(phase, config::seconds(change.at)));
      phase = {rate->rate, rate->slope, config::seconds(change.at)};
    }
  }
  for (std::size_t client = 0; client < phases.size(); ++client) {
    const scenario::Workload& workload = scenario.clients[client].workload;
    constexpr double shortest_round = 1e-3;  // [s] assumed response time of a user without think time
    if (workload.trace) {
      sum += static_cast<double>(workload.trace->size());
    } else if (workload.arrivals == scenario::Arrivals::closed) {
      add(client, workload.users * end / (config::seconds(workload.think_time) + shortest_round));
    } else {
      add(client, sent_until(phases[client], end));
    }
  }
  return sum;
}

}  // namespace spillway::diff
