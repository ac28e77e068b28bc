#include "sim/compare/compare.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <utility>

#include "sim/compare/case.hpp"
#include "sim/observed/read_clusters.hpp"

namespace spillway::compare {
namespace {

constexpr std::size_t most_changed_one_by_one = 3;

// Clusters of one moment by name: a proxy may have thousands.
class ByName {
 public:
  ByName() = default;
  explicit ByName(const observed::Clusters* clusters) {
    for (std::size_t i = 0; clusters != nullptr && i < clusters->clusters.size(); ++i) {
      found_.try_emplace(clusters->clusters[i].name, &clusters->clusters[i]);
    }
  }

  // Under its own name or as statistics spell it; null: there is none.
  [[nodiscard]] const observed::Cluster* find(const std::string& name) const {
    auto place = found_.find(name);
    place = place != found_.end() ? place : found_.find(observed::statistics_name(name));
    return place != found_.end() ? place->second : nullptr;
  }

 private:
  std::map<std::string, const observed::Cluster*, std::less<>> found_;
};

// Where counts of hosts come from.
class Source {
 public:
  Source(const Observed& observed, const std::map<std::string, std::vector<std::string>>& clusters_of) {
    const bool of_stats = observed.stats_after != nullptr && !observed.stats_after->per_endpoint.clusters.empty();
    if (observed.clusters_after != nullptr) {
      before_ = observed.clusters_before;
      after_ = observed.clusters_after;
    } else if (of_stats) {
      before_ = observed.stats_before == nullptr ? nullptr : &observed.stats_before->per_endpoint;
      after_ = &observed.stats_after->per_endpoint;
      counts_alone_ = true;
    } else if (observed.range != nullptr) {
      found_ = observe(*observed.range);
    } else if (observed.log != nullptr) {
      found_ = observe(*observed.log, clusters_of);
    }
    earlier_ = ByName(before_);
    later_ = ByName(after_);
    if (observed.log != nullptr && (after_ != nullptr || observed.range != nullptr)) {
      logged_ = observe(*observed.log, clusters_of);
    }
  }

  [[nodiscard]] Observation of(const std::string& name) const {
    if (after_ != nullptr) {
      const observed::Cluster* const then = earlier_.find(name);
      const observed::Cluster* const now = later_.find(name);
      Observation observation = observe(then, now, name);
      observation.held = !counts_alone_ && (then != nullptr || now != nullptr);
      if (counts_alone_) {
        for (ObservedHost& host : observation.hosts) {
          host.before.reset();
          host.after.reset();
        }
      }
      return observation;
    }
    for (const std::string& spelling : {name, observed::statistics_name(name)}) {
      const auto found = found_.find(spelling);
      if (found != found_.end()) {
        return found->second;
      }
    }
    return Observation{name};
  }

  // Names with requests.
  [[nodiscard]] std::set<std::string> busy() const {
    std::set<std::string> names;
    if (after_ != nullptr) {
      for (const observed::Cluster& cluster : after_->clusters) {
        if (of(cluster.name).requests() > 0) {
          names.insert(cluster.name);
        }
      }
    }
    for (const auto& [name, observation] : found_) {
      names.insert(name);
    }
    return names;
  }

  [[nodiscard]] const Observation* logged(const std::string& name) const {
    const auto found = logged_.find(name);
    return found == logged_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool has_log_beside() const noexcept { return !logged_.empty(); }

 private:
  const observed::Clusters* before_ = nullptr;
  const observed::Clusters* after_ = nullptr;
  ByName earlier_;
  ByName later_;
  bool counts_alone_ = false;
  std::map<std::string, Observation> found_;
  std::map<std::string, Observation> logged_;
};

void add_hosts(Observation& sum, Observation more) {
  sum.reset = sum.reset || more.reset;
  sum.held = sum.held || more.held;
  for (ObservedHost& host : more.hosts) {
    sum.hosts.push_back(std::move(host));
  }
  sum.sort_hosts();
}

// Health as told at one moment, for every host of the configuration. A host that the proxy does not have at that moment
// is one that no list counts: as a draining one.
Told told_at(const std::vector<PredictedHost>& hosts, const Observation& observation, bool after) {
  Told told;
  for (const PredictedHost& host : hosts) {
    const ObservedHost* const seen = observation.find(host.address);
    const std::optional<observed::Host>* const held = seen == nullptr ? nullptr : after ? &seen->after : &seen->before;
    told.status[host.address] =
        held != nullptr && held->has_value() ? observed::status_of((*held)->flags) : config::HealthStatus::draining;
  }
  return told;
}

// Unhealthy hosts that differ in their reason alone make the same lists.
bool same_lists(config::HealthStatus one, config::HealthStatus other) {
  const auto plain = [](config::HealthStatus status) {
    return status == config::HealthStatus::unknown   ? config::HealthStatus::healthy
           : status == config::HealthStatus::timeout ? config::HealthStatus::unhealthy
                                                     : status;
  };
  return plain(one) == plain(other);
}

// What may have held between the two moments: the health before and after, and between these, where few hosts changed,
// every order of changes; else each host's change alone.
void add_states(Case& one) {
  for (const auto& [address, status] : one.before.status) {
    if (!same_lists(status, one.after.status.at(address))) {
      one.changed.push_back(address);
    }
  }
  one.before.newcomers = one.after.newcomers = !one.changed.empty();
  one.states.push_back(predict(one.scenario, one.before));
  if (one.changed.empty()) {
    return;
  }
  one.states.push_back(predict(one.scenario, one.after));
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
    Told told = one.before;
    for (const std::size_t host : members) {
      told.status[one.changed[host]] = one.after.status.at(one.changed[host]);
    }
    one.states.push_back(predict(one.scenario, told));
  }
}

std::string health_text(const std::optional<observed::Host>& host, bool held);

std::string changed_text(const Case& one) {
  std::string text;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, one.changed.size()); ++i) {
    const ObservedHost* const host = one.observation.find(one.changed[i]);
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", one.changed[i],
                        health_text(host == nullptr ? std::nullopt : host->before, true),
                        health_text(host == nullptr ? std::nullopt : host->after, true));
  }
  return one.changed.size() > most ? fmt::format("{} and {} more", text, one.changed.size() - most) : text;
}

}  // namespace

std::vector<std::uint64_t> counts_of(const std::vector<PredictedHost>& hosts, const Observation& observation,
                                     std::uint64_t* unknown) {
  std::map<std::string, std::size_t> positions;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    positions.emplace(hosts[host].address, host);
  }
  std::vector<std::uint64_t> counts(hosts.size(), 0);
  for (const ObservedHost& host : observation.hosts) {
    const auto found = positions.find(host.address);
    if (found != positions.end()) {
      counts[found->second] += host.requests;
    } else if (unknown != nullptr) {
      *unknown += host.requests;
    }
  }
  return counts;
}

namespace {

std::string health_text(const std::optional<observed::Host>& host, bool held) {
  if (!held) {
    return "";
  }
  if (!host) {
    return "absent";
  }
  return observed::flags_text(host->flags);
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
    return std::move(comparison_);
  }

 private:
  struct Trial {
    std::size_t position;  // in comparison_.clusters
    std::unique_ptr<Case> of;
    Ground ground;
    Mixture base;
  };

  void read_all() {
    for (const std::string& name : input_.names) {
      known_.insert(name);
      known_.insert(observed::statistics_name(name));
      ClusterReading reading = input_.read(name);
      if (reading.scenario) {
        for (const std::string& child : children_of(*reading.scenario)) {
          ++parents_[child];
          parent_names_[child] = name;
        }
        for (const scenario::Host& host : reading.scenario->services.front().hosts) {
          clusters_of_[reading.scenario->endpoints[host.endpoint.value].id].push_back(name);
        }
      }
      readings_.emplace(name, std::move(reading));
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
    if (parents_.contains(name)) {
      result.why = fmt::format("requests reach it through the aggregate cluster {}, which decides its priorities",
                               parent_names_.at(name));
      if (requests > 0) {
        comparison_.clusters.push_back(std::move(result));
      }
      return;
    }
    auto one = std::make_unique<Case>(Case{std::move(*reading.scenario), std::move(observation)});
    gather(*one, source);
    result.differences = differences_of(*one);
    if (requests == 0) {
      comparison_.idle.push_back(name);
      if (result.differences.empty()) {
        return;
      }
      result.verdict = Verdict::fits;
    }
    comparison_.clusters.push_back(std::move(result));
    try_case(std::move(one));
  }

  void gather(Case& one, const Source& source) const {
    const Observed& seen = input_.observed;
    const std::string& name = one.observation.cluster;
    one.retries = growth(seen.stats_before, seen.stats_after, name, "upstream_rq_retry");
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
    if (const Observation* const logged = source.logged(name)) {
      one.logged = logged->requests();
      for (const ObservedHost& host : logged->hosts) {
        one.logged_hosts[host.address] = host.requests;
      }
    } else if (source.has_log_beside()) {
      one.logged = 0;
    }
    one.configured = predict(one.scenario, {}).hosts;
    if (!one.observation.held) {
      one.states.push_back(predict(one.scenario, one.before));
      return;
    }
    one.after = told_at(one.configured, one.observation, true);
    one.before =
        input_.observed.clusters_before == nullptr ? one.after : told_at(one.configured, one.observation, false);
    add_states(one);
  }

  void try_case(std::unique_ptr<Case> one) {
    ClusterComparison& result = comparison_.clusters.back();
    std::uint64_t unknown = 0;
    Ground ground(counts_of(one->hosts(), one->observation, &unknown), one->states);
    Mixture base = ground.mix(one->states);
    fill_rows(result, *one, ground, base);
    if (result.requests == 0) {
      return;
    }
    result.tests = ground.tests(base);
    if (unknown > 0) {
      result.tests.front().chance = 0.0;
    }
    result.dispersion = ground.dispersion(base);
    if (one->observation.reset) {
      result.notes.emplace_back("counters were reset in between: requests are those since then");
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
    comparison_.tests += result.tests.size();
    trials_.push_back({comparison_.clusters.size() - 1, std::move(one), std::move(ground), std::move(base)});
  }

  static void fill_rows(ClusterComparison& result, const Case& one, const Ground& ground, const Mixture& base) {
    std::map<std::uint32_t, std::size_t> sizes;
    for (const std::uint32_t cell : ground.cells()) {
      ++sizes[cell];
    }
    std::set<std::string> known;
    const auto& hosts = one.hosts();
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      const PredictedHost& predicted = hosts[host];
      known.insert(predicted.address);
      HostRow row{predicted.cluster, predicted.address, predicted.locality, predicted.priority};
      row.at_rest = base.shares[host];
      if (sizes.at(ground.cells()[host]) == 1) {
        row.predicted = base.shares[host];
      }
      add_counts(row, one.observation.find(predicted.address), one.observation.held);
      row.requests = ground.counts()[host];
      result.hosts.push_back(std::move(row));
    }
    for (const ObservedHost& host : one.observation.hosts) {
      if (!known.contains(host.address) && (host.requests > 0 || host.after)) {
        HostRow row{one.observation.cluster, host.address};
        row.locality = host.after ? host.after->locality : config::Locality{};
        add_counts(row, &host, one.observation.held);
        row.requests = host.requests;
        result.hosts.push_back(std::move(row));
      }
    }
    add_groups(result, ground, base, hosts);
  }

  static void add_counts(HostRow& row, const ObservedHost* host, bool held) {
    row.health_before = health_text(host == nullptr ? std::nullopt : host->before, held);
    row.health_after = health_text(host == nullptr ? std::nullopt : host->after, held);
    row.connect_failures = host == nullptr ? 0 : host->connect_failures;
  }

  static void add_groups(ClusterComparison& result, const Ground& ground, const Mixture& base,
                         const std::vector<PredictedHost>& hosts) {
    for (const Level level : {Level::zone, Level::priority}) {
      std::map<std::string, GroupRow> rows;
      std::map<std::uint32_t, std::set<std::string>> groups_of_cell;
      for (std::size_t host = 0; host < hosts.size(); ++host) {
        const std::string name =
            level == Level::zone ? zone_name(hosts[host].locality) : "P" + std::to_string(hosts[host].priority.value);
        GroupRow& row = rows.try_emplace(name, GroupRow{level, name, 0.0, 0}).first->second;
        row.predicted = *row.predicted + base.shares[host];
        row.requests += ground.counts()[host];
        groups_of_cell[ground.cells()[host]].insert(name);
      }
      for (const auto& [cell, names] : groups_of_cell) {
        for (const std::string& name : names) {
          if (names.size() > 1) {
            rows.at(name).predicted.reset();
          }
        }
      }
      for (auto& [name, row] : rows) {
        if (rows.size() > 1) {
          result.groups.push_back(std::move(row));
        }
      }
    }
  }

  void judge() {
    const double threshold = false_alarm / static_cast<double>(std::max<std::size_t>(1, comparison_.tests));
    for (const Trial& trial : trials_) {
      ClusterComparison& result = comparison_.clusters[trial.position];
      const bool fits = std::all_of(result.tests.begin(), result.tests.end(),
                                    [&](const FitTest& test) { return test.chance >= threshold; });
      result.reasons = fits ? traces_beside_counts(*trial.of, trial.ground, trial.base, threshold)
                            : reasons_of(*trial.of, trial.ground, trial.base, threshold);
      result.verdict = !fits || !result.reasons.empty()   ? Verdict::deviates
                       : trial.ground.too_few(trial.base) ? Verdict::too_few
                                                          : Verdict::fits;
    }
  }

  const Input& input_;
  Comparison comparison_;
  std::map<std::string, ClusterReading> readings_;
  std::map<std::string, std::vector<std::string>> clusters_of_;  // by address
  std::map<std::string, std::size_t> parents_;                   // aggregates that lead to it
  std::map<std::string, std::string> parent_names_;
  std::set<std::string> known_;
  std::vector<Trial> trials_;
};

}  // namespace

Comparison compare(const Input& input) {
  return Comparer(input).compare();
}

}  // namespace spillway::compare
