#include "sim/compare/compare.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <utility>

#include "models/config/listed_health.hpp"
#include "sim/compare/asked_through.hpp"
#include "sim/compare/case.hpp"
#include "sim/compare/fit.hpp"
#include "sim/compare/source.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/server.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::compare {
namespace {

constexpr std::size_t most_changed_one_by_one = 3;

void add_hosts(Observation& sum, Observation more) {
  sum.reset = sum.reset || more.reset;
  sum.restarted = sum.restarted || more.restarted;
  sum.held = sum.held || more.held;
  sum.last_attempts_alone = sum.last_attempts_alone || more.last_attempts_alone;
  sum.earlier_attempts += more.earlier_attempts;
  for (ObservedHost& host : more.hosts) {
    sum.hosts.push_back(std::move(host));
  }
  sum.sort_hosts();
}

// Returns the health reported at one time, for every host of the configuration. A host that the proxy does not have at
// that time is in no list, like a draining one.
EdsReport eds_state_at(const std::vector<PredictedHost>& hosts, const Observation& observation, bool after) {
  EdsReport reported;
  for (const PredictedHost& host : hosts) {
    const ObservedHost* const seen = observation.find(host.address);
    const std::optional<observed::Host>* const held = seen == nullptr ? nullptr : after ? &seen->after : &seen->before;
    reported.status[host.address] =
        held != nullptr && held->has_value() ? observed::status_of((*held)->flags) : config::HealthStatus::draining;
  }
  return reported;
}

// True if both statuses yield the same lists: unhealthy hosts may differ only in their reason.
bool same_lists(config::HealthStatus one, config::HealthStatus other) {
  return config::listed_health(one) == config::listed_health(other);
}

void add_states_of(Case& one, const EdsReport& reported) {
  for (Prediction& prediction : predict_ways(one, reported)) {
    one.states.push_back(std::move(prediction));
  }
}

// Adds the possible states between the two times: the health before and after, and states in between. With few changed
// hosts these are all orders of changes; otherwise each host's change on its own.
void add_states(Case& one) {
  for (const auto& [address, status] : one.before.status) {
    if (!same_lists(status, one.after.status.at(address))) {
      one.changed.push_back(address);
    }
  }
  one.before.newcomers = one.after.newcomers = !one.changed.empty();
  add_states_of(one, one.before);
  if (one.changed.empty()) {
    return;
  }
  add_states_of(one, one.after);
  const std::size_t count = one.changed.size();
  std::vector<std::set<std::size_t>> between;
  if (count <= most_changed_one_by_one) {
    for (std::size_t bits = 1; bits + 1 < (std::size_t{1} << count); ++bits) {
      std::set<std::size_t> members;
      for (std::size_t host = 0; host < count; ++host) {
        if ((bits >> host & 1U) != 0) {
          members.insert(host);
        }
      }
      between.push_back(members);
    }
  }
  for (const std::set<std::size_t>& members : between) {
    EdsReport reported = one.before;
    for (const std::size_t host : members) {
      reported.status[one.changed[host]] = one.after.status.at(one.changed[host]);
    }
    add_states_of(one, reported);
  }
}

class Comparer {
 public:
  explicit Comparer(const Input& input) : input_(input) {}

  Comparison compare() {
    read_all();
    const Source source(input_.observed, clusters_of_);
    const std::set<std::string> busy = source.busy();
    for (const std::string& name : input_.names) {
      add(name, source);
    }
    for (const std::string& name : busy) {
      if (!known_.contains(name)) {
        comparison_.unknown.push_back(name);
      }
    }
    judge();
    add_unassigned();
    return std::move(comparison_);
  }

 private:
  struct Trial {
    std::size_t position;  // index in comparison_.clusters
    std::unique_ptr<Case> of;
    Ground ground;
    Mixture base;
    std::optional<MostPicked> most = {};  // its test is the last one
  };

  void read_all() {
    for (const std::string& name : input_.names) {
      known_.insert(name);
      known_.insert(observed::statistics_name(name));
      ClusterReading reading = input_.read(name);
      if (reading.scenario) {
        for (const std::string& child : children_of(*reading.scenario)) {
          asked_.add(name, child);
        }
        for (const scenario::Host& host : reading.scenario->services.front().hosts) {
          clusters_of_[reading.scenario->endpoints[host.endpoint.value].id].push_back(name);
        }
      }
      readings_.emplace(name, std::move(reading));
    }
  }

  // If only one cluster is compared, unassigned addresses belong to the others.
  void add_unassigned() {
    if (input_.observed.log == nullptr || !input_.every_cluster) {
      return;
    }
    comparison_.unassigned = unassigned_of(*input_.observed.log, clusters_of_);
    const UnassignedRequests& left = comparison_.unassigned;
    if (left.of_no_cluster > 0) {
      comparison_.notes.push_back(
          fmt::format("{} of {} requests in the access log went to addresses that no cluster of the configuration has, "
                      "{} the first; the log names no cluster, so they are not compared",
                      left.of_no_cluster, left.in_log, left.address));
    }
    if (left.of_several > 0) {
      comparison_.notes.push_back(
          fmt::format("{} of {} requests in the access log went to addresses of several clusters; the log names no "
                      "cluster, so they are not compared",
                      left.of_several, left.in_log));
    }
  }

  Observation observation_of(const std::string& name, const Source& source) const {
    Observation observation = source.of(name);
    const auto reading = readings_.find(name);
    if (reading != readings_.end() && reading->second.scenario) {
      for (const std::string& child : children_of(*reading->second.scenario)) {
        add_hosts(observation, source.of(child));
      }
    }
    return observation;
  }

  void add(const std::string& name, const Source& source) {
    Observation observation = observation_of(name, source);
    const std::uint64_t requests = observation.requests();
    ClusterReading& reading = readings_.at(name);
    if (requests == 0 && observation.reset) {
      comparison_.notes.push_back(
          fmt::format("{}: counters are lower than before and no request came since: the files are in the wrong order, "
                      "or the proxy was restarted",
                      name));
    }
    if (requests == 0 && (!observation.held || !reading.scenario)) {
      comparison_.idle.push_back(name);
      return;
    }
    ClusterComparison result{.name = name, .requests = requests};
    if (!reading.scenario) {
      result.why = reading.why;
      comparison_.clusters.push_back(std::move(result));
      return;
    }
    if (const std::string aggregate = asked_.aggregate_above(name); !aggregate.empty()) {
      result.why =
          fmt::format("requests reach it through the aggregate cluster {}, which decides its priorities", aggregate);
      if (requests > 0) {
        comparison_.clusters.push_back(std::move(result));
      }
      return;
    }
    if (const std::vector<std::string> children = children_of(*reading.scenario); !children.empty() && requests > 0) {
      if (asked_.completed(name) == 0) {
        comparison_.idle.push_back(name);
        return;
      }
      result.why = asked_.why_mixed(name, children);
      if (!result.why.empty()) {
        comparison_.clusters.push_back(std::move(result));
        return;
      }
    }
    auto one = std::make_unique<Case>(
        Case{std::move(*reading.scenario), std::move(observation), std::move(reading.other_ways)});
    one->assumed = std::move(reading.assumed);
    result.notes = std::move(reading.notes);
    gather(*one, source);
    result.differences = differences_of(*one);
    if (requests == 0) {
      comparison_.idle.push_back(name);
      if (result.differences.empty()) {
        return;
      }
      result.verdict = study::Verdict::met;
    }
    if (const std::string address = reported_twice(*one); !address.empty() && requests > 0) {
      result.why = fmt::format("{} is listed several times with another health, and /clusters counts each", address);
      result.differences.clear();
      comparison_.clusters.push_back(std::move(result));
      return;
    }
    comparison_.clusters.push_back(std::move(result));
    try_case(std::move(one));
  }

  void gather(Case& one, const Source& source) const {
    const Observed& seen = input_.observed;
    const std::string& name = one.observation.cluster;
    one.retries = growth(seen.stats_before, seen.stats_after, name, "upstream_rq_retry");
    if (one.observation.earlier_attempts > 0) {
      one.retries = one.observation.earlier_attempts;  // of these requests only; /stats may cover another time
    }
    one.ejections = growth(seen.stats_before, seen.stats_after, name, "outlier_detection_ejections_enforced_total");
    one.membership_changes = growth(seen.stats_before, seen.stats_after, name, "membership_change");
    one.check_failures = growth(seen.stats_before, seen.stats_after, name, "health_check_failure");
    one.concurrency = seen.server != nullptr ? seen.server->concurrency : 0;
    if (one.concurrency == 0 && seen.stats_after != nullptr) {
      const auto found = seen.stats_after->server.find("concurrency");
      one.concurrency = found == seen.stats_after->server.end()
                            ? 0
                            : static_cast<std::uint32_t>(std::min<std::uint64_t>(found->second, 1U << 16U));
    }
    one.one_moment = seen.clusters_before == nullptr;
    if (const Observation* const logged = source.logged(name)) {
      one.logged = logged->requests();
      // The log itself has the number of attempts of its requests.
      one.retries = std::max(one.retries.value_or(0), logged->earlier_attempts);
      for (const ObservedHost& host : logged->hosts) {
        one.logged_hosts[host.address] = host.requests;
      }
    } else if (source.has_log_beside()) {
      one.logged = 0;
    }
    if (one.scenario.local_cluster) {
      Observation local = source.of(one.scenario.services[one.scenario.local_cluster->value].name);
      one.local_cluster = local.held ? std::optional(std::move(local)) : std::nullopt;
    }
    one.configured = predict(one.scenario, {}).hosts;
    if (!one.observation.held) {
      add_states_of(one, one.before);
      return;
    }
    one.after = eds_state_at(one.configured, one.observation, true);
    one.before =
        input_.observed.clusters_before == nullptr ? one.after : eds_state_at(one.configured, one.observation, false);
    add_states(one);
  }

  void try_case(std::unique_ptr<Case> one) {
    ClusterComparison& result = comparison_.clusters.back();
    Ground ground(counts_of(one->hosts(), one->observation, &one->unknown), one->states);
    Mixture base = ground.mix(one->states);
    fill_rows(result, *one, ground, base);
    if (result.requests == 0) {
      return;
    }
    result.tests = ground.tests(base);
    if (one->unknown > 0) {
      result.tests.front().chance = 0.0;
      result.notes.push_back(fmt::format("hosts that the configuration does not have got {} of {} requests",
                                         one->unknown, result.requests));
    }
    result.dispersion = ground.dispersion(base);
    if (one->observation.reset) {
      result.notes.emplace_back(one->observation.restarted
                                    ? "the proxy was restarted in between: requests are those since then"
                                    : "counters were reset in between: requests are those since then");
    }
    if (const std::string beyond = logged_beyond_counts(*one); !beyond.empty()) {
      result.notes.push_back(
          fmt::format("the access log has more requests than hosts counted ({}): it is of another "
                      "time or proxy, so whether another client sent requests is unknown",
                      beyond));
    }
    if (!one->changed.empty()) {
      result.notes.push_back(fmt::format("health changed in between: {}", changed_text(*one)));
    }
    if (!one->states.front().why_joint.empty()) {
      result.notes.push_back("exact together only: " + one->states.front().why_joint);
    }
    if (!one->states.front().basis.empty()) {
      result.notes.push_back("assumed: " + one->states.front().basis);
    }
    if (!one->assumed.empty()) {
      result.notes.push_back("assumed: " + one->assumed);
    }
    auto most = most_picked(*one, ground);
    if (most) {
      result.tests.push_back({Level::host, most->hosts, most->chance});
    }
    comparison_.tests += result.tests.size();
    trials_.push_back(
        {comparison_.clusters.size() - 1, std::move(one), std::move(ground), std::move(base), std::move(most)});
  }

  void judge() {
    const double threshold = false_alarm / static_cast<double>(std::max<std::size_t>(1, comparison_.tests));
    for (const Trial& trial : trials_) {
      ClusterComparison& result = comparison_.clusters[trial.position];
      // Reasons are tested with sums over hosts, which a host beyond its bound does not change.
      const bool beyond = trial.most && trial.most->chance < threshold;
      const bool sums_fit = std::all_of(result.tests.begin(), result.tests.end() - (trial.most ? 1 : 0),
                                        [&](const FitTest& test) { return test.chance >= threshold; });
      const Tested tested{*trial.of, trial.ground, trial.base, threshold};
      result.reasons = sums_fit ? traces_beside_counts(tested) : reasons_of(tested);
      if (beyond) {
        result.notes.push_back(trial.most->text);
      }
      result.verdict = beyond || !sums_fit || !result.reasons.empty() ? study::Verdict::missed
                       : trial.ground.in_one_cell()                   ? study::Verdict::unknown
                       : trial.ground.too_few(trial.base)             ? study::Verdict::undecided
                                                                      : study::Verdict::met;
      if (result.verdict == study::Verdict::missed) {
        result.why = nothing_to_say(*trial.of, result, asked_);
        result.verdict = result.why.empty() ? study::Verdict::missed : study::Verdict::unknown;
      } else if (result.verdict == study::Verdict::unknown) {
        result.why = "only all of its hosts together have an exact share: " + trial.of->states.front().why_joint;
      }
    }
  }

  const Input& input_;
  Comparison comparison_;
  std::map<std::string, ClusterReading> readings_;
  std::map<std::string, std::vector<std::string>> clusters_of_;  // by address
  AskedThrough asked_{input_};
  std::set<std::string> known_;
  std::vector<Trial> trials_;
};

}  // namespace

std::vector<Prediction> predict_ways(const Case& one, const EdsReport& reported) {
  std::vector<Prediction> predictions = {predict(one.scenario, reported)};
  for (const scenario::Scenario& way : one.other_ways) {
    predictions.push_back(predict(way, reported));
  }
  return predictions;
}

std::string_view name_of(ReasonKind kind) noexcept {
  constexpr std::array names = std::to_array<std::string_view>(
      {"part_of_the_time", "connect_failures", "told_otherwise", "weights_changed", "requests_in_flight", "sticky_keys",
       "several_workers", "retries", "another_client", "counters_reset", "weights_ignored"});
  return names[static_cast<std::size_t>(kind)];
}

Comparison compare(const Input& input) {
  return Comparer(input).compare();
}

}  // namespace spillway::compare
