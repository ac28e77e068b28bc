#include "reports/import/client_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "reports/import/import.hpp"
#include "reports/import/rate_fit.hpp"
#include "sim/observed/stats.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::importing {
namespace {

// A cluster that requests go to, with its fraction of them.
struct EntryPart {
  const scenario::Service* service = nullptr;
  double part = 0.0;
};

// Returns the entries by the cluster's name.
std::map<std::string, EntryPart> parts_of(const scenario::Scenario& world) {
  const scenario::RequestKind* const kind = described_in(world);
  if (kind == nullptr) {
    const scenario::Service& service = world.services[world.clients.front().workload.service.value];
    return {{service.name, {&service, 1.0}}};
  }
  const scenario::Route& route = world.routes[kind->route];
  const auto& clusters = route.route.action.clusters;
  double all = 0.0;
  for (const envoy::routes::WeightedCluster& cluster : clusters) {
    all += cluster.weight;
  }
  std::map<std::string, EntryPart> parts;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].weight > 0) {
      const scenario::Service& service = world.services[route.clusters[i].value];
      EntryPart& entry = parts[service.name];
      entry = {&service, entry.part + clusters[i].weight / all};
    }
  }
  return parts;
}

// Returns clusters below an aggregate cluster that have a count, each once.
std::vector<std::string> counted_below(const scenario::Service& aggregate,
                                       const std::function<bool(const std::string&)>& is_counted) {
  std::vector<std::string> below;
  for (const std::string& name : aggregate.cluster.aggregate_clusters) {
    if (is_counted(name) && std::find(below.begin(), below.end(), name) == below.end()) {
      below.push_back(name);
    }
  }
  return below;
}

// Access to the counts of clusters, by name.
struct Counts {
  std::function<bool(const std::string&)> has;
  std::function<bool(const std::string&)> is_after_drops;  // without requests dropped by drop_overloads
};

struct CountedCluster {
  std::string name;
  std::vector<std::string> counters = {};  // the cluster itself, or the clusters below an aggregate
};

// The clients of one proxy whose requests reach counted clusters.
struct CountedWays {
  std::vector<CountedCluster> clusters = {};
  std::vector<std::size_t> asked = {};             // positions of clients
  std::vector<std::vector<RoutePart>> parts = {};  // by client
  std::set<std::string> shared = {};               // aggregates whose counts include other requests
};

class EdsAnnouncement {
 public:
  EdsAnnouncement(const Input& input, const std::vector<CountedClient>& clients) : input_(&input), clients_(&clients) {
    found_.of.resize(clients.size());
  }

  RatesOfClients all() {
    for (std::size_t proxy = 0; proxy < input_->proxies.size(); ++proxy) {
      report_rates(proxy);
      report_phases(proxy);
    }
    return std::move(found_);
  }

 private:
  // True if requests for other clusters also reach clusters below this aggregate cluster.
  [[nodiscard]] bool is_shared(std::size_t proxy, const scenario::Service& aggregate) const {
    const std::vector<std::string>& below = aggregate.cluster.aggregate_clusters;
    const auto is_below = [&](const std::string& name) {
      return std::find(below.begin(), below.end(), name) != below.end();
    };
    return std::any_of(clients_->begin(), clients_->end(), [&](const CountedClient& asked) {
      const std::map<std::string, EntryPart> parts = parts_of(*asked.world);
      return asked.proxy == proxy && std::any_of(parts.begin(), parts.end(), [&](const auto& entry) {
               const std::vector<std::string>& others = entry.second.service->cluster.aggregate_clusters;
               return entry.first != aggregate.name &&
                      (is_below(entry.first) || std::any_of(others.begin(), others.end(), is_below));
             });
    });
  }

  // Returns the clusters that count an entry's requests: the entry itself, or those below an aggregate. Empty if
  // unknown.
  [[nodiscard]] std::vector<std::string> counters_of(std::size_t proxy, const scenario::Service& entry,
                                                     const Counts& counts, CountedWays& ways) const {
    if (counts.has(entry.name)) {
      return {entry.name};
    }
    std::vector<std::string> below = counted_below(entry, counts.has);
    if (!below.empty() && is_shared(proxy, entry)) {
      ways.shared.insert(entry.name);
      below.clear();
    }
    return below;
  }

  [[nodiscard]] CountedWays counted_ways(std::size_t proxy, const Counts& counts) const {
    CountedWays ways;
    std::map<std::string, std::vector<std::string>> known;  // counters by cluster
    std::map<std::string, std::size_t> places;
    for (std::size_t number = 0; number < clients_->size(); ++number) {
      if ((*clients_)[number].proxy != proxy) {
        continue;
      }
      std::vector<RoutePart> parts;
      for (const auto& [name, entry] : parts_of(*(*clients_)[number].world)) {
        const auto [found, is_first] = known.try_emplace(name);
        std::vector<std::string>& counters = found->second;
        if (is_first) {
          counters = counters_of(proxy, *entry.service, counts, ways);
        }
        const bool lacks_drops = std::any_of(counters.begin(), counters.end(), counts.is_after_drops);
        const double part =
            entry.part * (lacks_drops ? 1.0 - entry.service->load_assignment.drop_overload.ratio() : 1.0);
        if (counters.empty() || part <= 0.0) {
          continue;
        }
        const auto [place, is_new] = places.try_emplace(name, ways.clusters.size());
        if (is_new) {
          ways.clusters.push_back({name, counters});
        }
        parts.push_back({place->second, part});
      }
      if (!parts.empty()) {
        ways.asked.push_back(number);
        ways.parts.push_back(std::move(parts));
      }
    }
    return ways;
  }

  void find_shared(const CountedWays& ways) {
    for (const std::string& aggregate : ways.shared) {
      found_.findings.push_back(fmt::format(
          "cluster {}: the clusters below it count its requests together with those of others; its rate is not known "
          "without its `upstream_rq_completed` of two --stats",
          aggregate));
    }
  }

  void find_misfits(std::size_t proxy, const CountedWays& ways, const std::vector<double>& counted,
                    const std::vector<double>& sent) {
    constexpr double most_of_count = 0.01;
    constexpr double rounding = 1e-6;  // of rates as written
    for (std::size_t cluster = 0; cluster < counted.size(); ++cluster) {
      if (std::abs(sent[cluster] - counted[cluster]) > counted[cluster] * most_of_count + rounding) {
        const scenario::Scenario& world = *input_->proxies[proxy].clusters.front();
        found_.findings.push_back(fmt::format(
            "cluster {}{}: {:.6g} rps were counted, the scenario sends it {:.6g} rps; no rates of the routes fit the "
            "counts of all clusters",
            ways.clusters[cluster].name, input_->proxies.size() > 1 ? " of " + world.clients.front().name : "",
            counted[cluster], sent[cluster]));
      }
    }
  }

  void find_resets(const CountedWays& ways, const std::vector<double>& counted) {
    for (std::size_t cluster = 0; cluster < counted.size(); ++cluster) {
      if (!is_at_least(ways.clusters[cluster])) {
        continue;
      }
      std::string finding = fmt::format(
          "cluster {}: counters were reset in between, and the requests before that are not known; {:.6g} rps is the "
          "least that clients sent",
          ways.clusters[cluster].name, counted[cluster]);
      if (std::find(found_.findings.begin(), found_.findings.end(), finding) == found_.findings.end()) {
        found_.findings.push_back(std::move(finding));
      }
    }
  }

  [[nodiscard]] bool is_at_least(const CountedCluster& cluster) const {
    return std::any_of(cluster.counters.begin(), cluster.counters.end(),
                       [&](const std::string& counter) { return input_->at_least.contains(counter); });
  }

  void report_rates(std::size_t proxy) {
    const CountedWays ways =
        counted_ways(proxy, {[&](const std::string& cluster) { return input_->rates.contains(cluster); },
                             [&](const std::string& cluster) { return input_->after_drops.contains(cluster); }});
    std::vector<double> counted(ways.clusters.size(), 0.0);
    for (std::size_t cluster = 0; cluster < counted.size(); ++cluster) {
      for (const std::string& counter : ways.clusters[cluster].counters) {
        counted[cluster] += input_->rates.at(counter);
      }
    }
    const FittedRates fitted = fit_rates(counted, ways.parts);
    for (std::size_t way = 0; way < ways.asked.size(); ++way) {
      ClientRate& reported = found_.of[ways.asked[way]];
      reported = {.rate = fitted.rates[way], .is_guess = fitted.is_guess[way] != 0};
      reported.is_at_least = std::any_of(ways.parts[way].begin(), ways.parts[way].end(), [&](const RoutePart& part) {
        return is_at_least(ways.clusters[part.cluster]);
      });
    }
    if (input_->phases.of.empty()) {  // phases have few requests each, too few for findings
      find_shared(ways);
      find_resets(ways, counted);
      find_misfits(proxy, ways, counted, fitted.sent);
    }
  }

  // Returns the cluster's phases; null if the times of its requests are unknown.
  [[nodiscard]] const std::vector<observed::RatePhase>* phases_counted(const std::string& cluster) const {
    const auto& all = input_->phases.of;
    auto found = all.find(cluster);
    found = found != all.end() ? found : all.find(observed::statistics_name(cluster));
    return found != all.end() && !found->second.empty() ? &found->second : nullptr;
  }

  [[nodiscard]] bool phases_are_after_drops(const std::string& cluster) const {
    const std::set<std::string>& all = input_->phases.after_drops;
    return all.contains(cluster) || all.contains(observed::statistics_name(cluster));
  }

  // Adds phases. Phases of clusters end at different times; between two consecutive ends each cluster has one rate.
  void report_phases(std::size_t proxy) {
    using std::chrono::nanoseconds;
    const CountedWays ways =
        counted_ways(proxy, {[&](const std::string& cluster) { return phases_counted(cluster) != nullptr; },
                             [&](const std::string& cluster) { return phases_are_after_drops(cluster); }});
    std::set<nanoseconds> ends;
    std::vector<std::pair<std::size_t, std::map<nanoseconds, double>>>
        rates;  // of a counter: by the ends of its phases
    for (std::size_t cluster = 0; cluster < ways.clusters.size(); ++cluster) {
      for (const std::string& counter : ways.clusters[cluster].counters) {
        std::map<nanoseconds, double>& of = rates.emplace_back(cluster, std::map<nanoseconds, double>{}).second;
        nanoseconds end{0};
        for (const observed::RatePhase& phase : *phases_counted(counter)) {
          end += phase.length;
          of[end] = phase.rate;
          ends.insert(end);
        }
      }
    }
    std::vector<double> counted_in_all(ways.clusters.size(), 0.0);
    std::vector<double> sent_in_all(ways.clusters.size(), 0.0);
    nanoseconds begin{0};
    for (const nanoseconds end : ends) {
      std::vector<double> counted(ways.clusters.size(), 0.0);
      for (const auto& [cluster, of] : rates) {
        const auto phase = of.lower_bound(end);
        counted[cluster] += phase != of.end() ? phase->second : 0.0;
      }
      const FittedRates fitted = fit_rates(counted, ways.parts);
      for (std::size_t way = 0; way < ways.asked.size(); ++way) {
        ClientRate& reported = found_.of[ways.asked[way]];
        reported.phases.push_back({fitted.rates[way], end - begin});
        reported.is_guess = reported.is_guess || fitted.is_guess[way] != 0;
      }
      const double part = std::chrono::duration<double>(end - begin) / std::chrono::duration<double>(*ends.rbegin());
      for (std::size_t cluster = 0; cluster < counted.size(); ++cluster) {
        counted_in_all[cluster] += counted[cluster] * part;
        sent_in_all[cluster] += fitted.sent[cluster] * part;
      }
      begin = end;
    }
    find_shared(ways);
    find_misfits(proxy, ways, counted_in_all, sent_in_all);
  }

  const Input* input_;
  const std::vector<CountedClient>* clients_;
  RatesOfClients found_;
};

}  // namespace

RatesOfClients rates_of(const Input& input, const std::vector<CountedClient>& clients) {
  return EdsAnnouncement(input, clients).all();
}

const scenario::RequestKind* described_in(const scenario::Scenario& world) {
  const auto& requests = world.clients.front().workload.requests;
  return requests.empty() ? nullptr : &requests.front();
}

}  // namespace spillway::reports::importing
