#include "sim/sweep/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/envoy/policies/random/policy.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::sweep {
namespace {

using ClientAndService = std::pair<config::ClientEntryIndex, config::ServiceIndex>;

run::LatencyQuantiles largest(const run::LatencyQuantiles& one, const run::LatencyQuantiles& other) {
  return {one.answers + other.answers,  std::max(one.p50, other.p50), std::max(one.p90, other.p90),
          std::max(one.p95, other.p95), std::max(one.p99, other.p99), std::max(one.p999, other.p999),
          std::max(one.max, other.max)};
}

// Adds up counts, shares and loads of a run.
class Summary {
 public:
  Summary(const scenario::Scenario& scenario, const run::Results& results, std::chrono::nanoseconds measured_from)
      : scenario_(scenario), results_(results), duration_(scenario.duration - measured_from) {
    for (const run::Epoch& epoch : results.epochs) {
      expected_[{epoch.client, epoch.service}] += epoch.expected_requests;
      expected_of_row_[{epoch.client, epoch.service, epoch.index}] = epoch.expected_requests;
    }
  }

  Figures take() {
    figures_.fingerprint = results_.result_fingerprint;
    figures_.seed = results_.seed;
    add_outcomes();
    add_shares();
    add_loads();
    if (results_.mode == scenario::Mode::exact && all_answer() && figures_.busiest.value_or(0.0) <= 1.0) {
      add_exact_failures();
    }
    add_crossings();
    for (const run::EventGroup& group : results_.logged_events.groups) {
      logged_events_[static_cast<std::uint32_t>(group.first.kind)] += group.times;
    }
    for (const auto& [kind, times] : logged_events_) {
      figures_.logged_events.push_back({kind, times});
    }
    return std::move(figures_);
  }

 private:
  static std::optional<double> failed_of(const run::Outcomes& counts) {
    return counts.sent == 0 ? std::nullopt
                            : std::optional(static_cast<double>(counts.failed()) / static_cast<double>(counts.sent));
  }

  Outcome& outcome_of(const ClientAndService& whose) {
    const auto [place, is_new] = clients_.try_emplace(whose, figures_.clients.size());
    if (is_new) {
      figures_.clients.push_back(
          {scenario_.clients[whose.first.value].name, scenario_.services[whose.second.value].name, {}, {}, {}});
    }
    return figures_.clients[place->second];
  }

  void add_outcomes() {
    for (const run::Outcomes& row : results_.outcomes) {
      Outcome& outcome = outcome_of({row.client, row.service});
      for (auto* counts : {&outcome.counts, &figures_.total.counts}) {
        *counts = counts->value_or(run::Outcomes{});
        run::add(**counts, row);
      }
    }
    for (const run::WholeLatency& row : results_.whole_latency) {
      if (row.ok.answers == 0) {
        continue;
      }
      outcome_of({row.client, row.service}).latency = row.ok;
      figures_.total.latency = largest(figures_.total.latency.value_or(run::LatencyQuantiles{}), row.ok);
    }
    for (Outcome& outcome : figures_.clients) {
      outcome.failed = outcome.counts ? failed_of(*outcome.counts) : std::nullopt;
    }
    figures_.total.failed = figures_.total.counts ? failed_of(*figures_.total.counts) : std::nullopt;
  }

  // True if every request that finds a host is answered. Otherwise shares do not show failures.
  [[nodiscard]] bool all_answer() const {
    return std::none_of(scenario_.changes.begin(), scenario_.changes.end(), [&](const scenario::Change& change) {
      const auto* const existence = std::get_if<scenario::Existence>(&change.effect);
      const auto* const link = std::get_if<scenario::LinkChange>(&change.effect);
      return (existence != nullptr && !existence->exists && !is_reported_at_once(change)) ||
             (link != nullptr && !link->on.value_or(true)) ||
             std::holds_alternative<scenario::NodeOutage>(change.effect) ||
             std::holds_alternative<scenario::Fails>(change.effect);
    });
  }

  // True if the host is gone from the start, or leaves the endpoint set of all proxies at the same time.
  [[nodiscard]] bool is_reported_at_once(const scenario::Change& gone) const {
    const auto& existence = std::get<scenario::Existence>(gone.effect);
    return gone.at <= std::chrono::nanoseconds{0} ||
           std::any_of(scenario_.changes.begin(), scenario_.changes.end(), [&](const scenario::Change& change) {
             const auto* const reported = std::get_if<scenario::EdsMembership>(&change.effect);
             return reported != nullptr && change.at == gone.at && reported->service == existence.service &&
                    !reported->member && reported->audience.empty() && reported->hosts == existence.hosts;
           });
  }

  // Adds the failures of mode exact: requests that found no host. Exact for any shares.
  void add_exact_failures() {
    std::map<ClientAndService, run::ExactSum> found;
    std::map<ClientAndService, double> answered;
    for (const run::ShareBlock& block : results_.shares.blocks()) {
      run::ExactSum sum;
      block.for_each(
          [&](const run::ShareCell& cell) { sum.add({block.client, block.service, block.epoch, cell.joint}, cell); });
      answered[{block.client, block.service}] +=
          sum.at_rest() * block.part * expected_of_row_[{block.client, block.service, block.epoch}];
    }
    double all = 0.0;
    double all_answered = 0.0;
    for (const auto& [whose, expected] : expected_) {
      if (expected > 0.0) {
        outcome_of(whose).failed = std::max(0.0, rounded(1.0 - answered[whose] / expected));
        all += expected;
        all_answered += answered[whose];
      }
    }
    if (all > 0.0) {
      figures_.total.failed = std::max(0.0, rounded(1.0 - all_answered / all));
    }
  }

  // Treats rounding errors of summed shares as zero.
  static double rounded(double share) { return share < 1e-12 ? 0.0 : share; }

  void add_shares() {
    struct Sum {
      double exact = 0.0;
      bool is_exact = true;
      std::uint64_t requests = 0;
    };
    std::map<std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::string, std::uint32_t, std::string>, Sum>
        sums;
    std::map<ClientAndService, std::uint64_t> sent;
    for (const run::Outcomes& row : results_.outcomes) {
      sent[{row.client, row.service}] += row.sent;
    }
    for (const run::ShareBlock& block : results_.shares.blocks()) {
      const double expected = expected_of_row_[{block.client, block.service, block.epoch}];
      block.for_each([&](const run::ShareCell& cell) {
        const run::SharePlace& place = block.place(cell);
        Sum& sum = sums[{block.client, block.service, place.cluster, place.priority.value, place.zone}];
        sum.exact += cell.at_rest * expected;
        sum.is_exact = sum.is_exact && cell.exact.has_value();
        sum.requests += cell.requests.value_or(0);
      });
    }
    const bool counted = results_.mode != scenario::Mode::exact;
    for (const auto& [group, sum] : sums) {
      const auto& [client, service, cluster, priority, zone] = group;
      const double expected = expected_[{client, service}];
      const std::uint64_t requests = sent[{client, service}];
      GroupShare share{scenario_.clients[client.value].name,
                       scenario_.services[service.value].name,
                       cluster,
                       priority,
                       zone,
                       {},
                       {},
                       {}};
      if (sum.is_exact && expected > 0.0) {
        share.exact = sum.exact / expected;
      }
      if (counted) {
        share.requests = sum.requests;
        share.simulated = requests == 0
                              ? std::nullopt
                              : std::optional(static_cast<double>(sum.requests) / static_cast<double>(requests));
      }
      figures_.shares.push_back(std::move(share));
    }
  }

  // Successive rows of one endpoint until they last a second. The utilisation of shorter times is meaningless.
  class Stretch {
   public:
    // Returns the highest utilisation so far.
    double add(const run::EndpointLoad& row, double shortest) {
      if (row.start != end_ || seconds_ >= shortest) {
        busy_ = seconds_ = 0.0;
      }
      const double seconds = std::chrono::duration<double>(row.end - row.start).count();
      busy_ += *row.utilisation * seconds;
      seconds_ += seconds;
      end_ = row.end;
      highest_ = std::max(highest_, busy_ / std::max(seconds_, shortest));
      return highest_;
    }

   private:
    double busy_ = 0.0;
    double seconds_ = 0.0;
    std::chrono::nanoseconds end_{-1};
    double highest_ = 0.0;
  };

  struct EndpointSum {
    double busy = 0.0;     // seconds times utilisation
    double seconds = 0.0;  // [s] with known utilisation
    Stretch stretch = {};
    std::uint32_t queue_max = 0;
    std::uint64_t requests = 0;
  };

  void add_loads() {
    const double duration = std::chrono::duration<double>(duration_).count();
    std::map<std::pair<config::ServiceIndex, config::EndpointIndex>, EndpointSum> endpoints;
    for (const run::EndpointLoad& row : results_.endpoints) {
      EndpointSum& sum = endpoints[{row.service, row.endpoint}];
      const double seconds = std::chrono::duration<double>(row.end - row.start).count();
      sum.requests += row.requests;
      if (row.utilisation) {
        sum.busy += *row.utilisation * seconds;
        sum.seconds += seconds;
        sum.queue_max = std::max(sum.queue_max, row.queue_max.value_or(0));
        figures_.busiest = std::max(figures_.busiest.value_or(0.0), sum.stretch.add(row, std::min(1.0, duration)));
      }
    }
    std::map<std::pair<config::ServiceIndex, std::string>, std::size_t> places;
    std::map<std::size_t, std::uint32_t> known;
    for (const auto& [place, sum] : endpoints) {
      const auto& [service, endpoint] = place;
      const std::string& zone =
          scenario_.zones[scenario_.nodes[scenario_.endpoints[endpoint.value].node.value].zone.value].name;
      const auto [row, is_new] = places.try_emplace({service, zone}, figures_.loads.size());
      if (is_new) {
        figures_.loads.push_back({scenario_.services[service.value].name, zone, 0, {}, {}, {}, 0});
      }
      ZoneLoad& load = figures_.loads[row->second];
      ++load.endpoints;
      load.requests += sum.requests;
      if (sum.seconds > 0.0) {
        // Results omit rows in which the endpoint got nothing.
        const double utilisation = sum.busy / duration;
        ++known[row->second];
        load.mean = load.mean.value_or(0.0) + utilisation;
        load.busiest = std::max(load.busiest.value_or(0.0), utilisation);
        load.queue_max = std::max(load.queue_max.value_or(0), sum.queue_max);
      }
    }
    for (const auto& [row, endpoints_known] : known) {
      *figures_.loads[row].mean /= endpoints_known;
    }
  }

  // Sets attempts that leave their zone, as a fraction of the requests. Retries and paths over zone proxies may make it
  // exceed one.
  void add_crossings() {
    double requests = figures_.total.counts ? static_cast<double>(figures_.total.counts->sent) : 0.0;
    if (results_.mode == scenario::Mode::exact) {
      for (const auto& [whose, expected] : expected_) {
        requests += expected;
      }
    }
    double crossing = 0.0;
    for (const run::CrossZone& row : results_.cross_zone) {
      crossing += row.from == row.to ? 0.0 : row.requests;
    }
    // NaN in mode exact if there is no closed form.
    if (requests > 0.0 && !std::isnan(crossing)) {
      figures_.cross_zone = crossing / requests;
    }
  }

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  std::chrono::nanoseconds duration_;  // measured time
  Figures figures_;
  std::map<ClientAndService, std::size_t> clients_;
  std::map<ClientAndService, double> expected_;
  std::map<std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>, double> expected_of_row_;
  std::map<std::uint32_t, std::uint64_t> logged_events_;
};

// Returns the times at which rates, endpoints or links change, since these do not end rows themselves. Ramps add every
// twentieth of their length.
std::vector<std::chrono::nanoseconds> moments_of_loads(const scenario::Scenario& scenario) {
  constexpr int parts_of_ramp = 20;
  std::set<std::chrono::nanoseconds> moments;
  std::map<config::ClientEntryIndex, std::pair<std::chrono::nanoseconds, bool>> since;  // begin, true if it is a ramp
  const auto end_phase = [&](config::ClientEntryIndex client, std::chrono::nanoseconds at) {
    const auto [begin, ramp] = since[client];
    for (int part = 1; ramp && part < parts_of_ramp; ++part) {
      moments.insert(begin + (at - begin) * part / parts_of_ramp);
    }
    moments.insert(at);
  };
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    since[{client}] = {std::chrono::nanoseconds{0}, scenario.clients[client].workload.slope != 0.0};
  }
  for (const scenario::Change& change : scenario.changes) {
    if (const auto* const rate = std::get_if<scenario::RateChange>(&change.effect)) {
      end_phase(rate->client, change.at);
      since[rate->client] = {change.at, rate->slope != 0.0};
    } else {
      moments.insert(change.at);
    }
  }
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    end_phase({client}, scenario.duration);
  }
  moments.erase(moments.begin(), moments.upper_bound(std::chrono::nanoseconds{0}));
  moments.erase(moments.lower_bound(scenario.duration), moments.end());
  return {moments.begin(), moments.end()};
}

}  // namespace

run::Options options_of_figures() {
  run::Options options;
  options.endpoint_loads = true;
  options.logged_events.emplace();
  options.logged_events->most = 0;
  return options;
}

run::Options options_of_figures(const scenario::Scenario& scenario) {
  run::Options options = options_of_figures();
  options.cuts = moments_of_loads(scenario);
  return options;
}

Figures figures_of(const scenario::Scenario& scenario, const run::Results& results,
                   std::chrono::nanoseconds measured_from) {
  return Summary(scenario, results, measured_from).take();
}

}  // namespace spillway::sweep
