#include "reports/explain/simulated.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/documents/diagnostic.hpp"
#include "reports/explain/explanation.hpp"
#include "reports/explain/simulated_steps.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {
namespace {

using run::EventKind;
using run::EventRecord;

// The current conditions, by their subject: the event that started each.
class Known {
 public:
  void take(const EventRecord& record) {
    const Host host{record.service, record.endpoint.value_or(config::EndpointIndex{})};
    const Level level{record.service, record.priority};
    switch (record.kind) {
      case EventKind::ejected:
        ejected_[host] = record;
        prevented_.erase(host);
        break;
      case EventKind::returned:
        ejected_.erase(host);
        break;
      case EventKind::marked_unhealthy:
        unhealthy_[host] = record;
        break;
      case EventKind::marked_healthy:
        unhealthy_.erase(host);
        break;
      case EventKind::ejection_prevented:
        prevented_[host] = record;
        break;
      case EventKind::panic_began:
        panic_[level] = record;
        break;
      case EventKind::panic_ended:
        panic_.erase(level);
        break;
      case EventKind::update_held:
        held_[record.service] = record;
        break;
      case EventKind::slow_start_began:
        slow_start_[record.service] = record;
        break;
      case EventKind::breaker_opened:
      case EventKind::retry_budget_empty:
        open_[{record.service, record.resource}] = record;
        break;
      case EventKind::breaker_closed:
      case EventKind::retry_budget_refilled:
        open_.erase({record.service, record.resource});
        break;
      default:
        break;
    }
  }

  [[nodiscard]] std::vector<EventRecord> records(run::Nanoseconds at) const {
    std::vector<EventRecord> records;
    const auto add = [&](const auto& of) {
      for (const auto& [key, record] : of) {
        if (!record.until || record.kind == EventKind::ejected || *record.until > at) {
          records.push_back(record);
        }
      }
    };
    add(ejected_);
    add(unhealthy_);
    add(prevented_);
    add(panic_);
    add(open_);
    add(held_);
    add(slow_start_);
    return records;
  }

  // Returns by service the hosts that get requests only in panic.
  [[nodiscard]] std::map<config::ServiceIndex, std::set<config::EndpointIndex>> out() const {
    std::map<config::ServiceIndex, std::set<config::EndpointIndex>> out;
    for (const auto* const of : {&ejected_, &unhealthy_}) {
      for (const auto& [host, record] : *of) {
        out[host.first].insert(host.second);
      }
    }
    return out;
  }

 private:
  using Host = std::pair<config::ServiceIndex, config::EndpointIndex>;
  using Level = std::pair<config::ServiceIndex, config::Priority>;
  std::map<Host, EventRecord> ejected_;
  std::map<Host, EventRecord> unhealthy_;
  std::map<Host, EventRecord> prevented_;
  std::map<Level, EventRecord> panic_;
  std::map<config::ServiceIndex, EventRecord> held_;
  std::map<config::ServiceIndex, EventRecord> slow_start_;
  std::map<std::pair<config::ServiceIndex, health::Resource>, EventRecord> open_;
};

void report_out(scenario::Scenario& scenario, const Known& known, const SimulatedQuestion& question) {
  const config::ZoneIndex zone = scenario.nodes[scenario.clients[question.client.value].node.value].zone;
  std::vector<scenario::Change> changes;
  for (const auto& [service, endpoints] : known.out()) {
    scenario::EdsHealth reported{.service = service, .hosts = {}, .audience = {zone}};
    const auto& hosts = scenario.services[service.value].hosts;
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
      if (endpoints.contains(hosts[host].endpoint)) {
        reported.hosts.emplace_back(config::HostIndex{host}, config::HealthStatus::unhealthy);
      }
    }
    changes.push_back({.at = question.at, .effect = std::move(reported), .where = {}});
  }
  scenario::add_changes(scenario, changes);
}

// Stores the outcomes of the requests in the row that contains the time.
void take_row(const run::Results& results, const SimulatedQuestion& question, SimulatedProxy& simulated) {
  const auto epoch = std::find_if(results.epochs.begin(), results.epochs.end(), [&](const run::Epoch& row) {
    return row.client == question.client && row.service == question.service && row.start <= question.at &&
           question.at < row.end;
  });
  if (epoch == results.epochs.end()) {
    return;
  }
  const auto is_of_row = [&](const auto& row) {
    return row.client == epoch->client && row.service == epoch->service && row.epoch == epoch->index;
  };
  const auto outcomes = std::find_if(results.outcomes.begin(), results.outcomes.end(), is_of_row);
  if (outcomes == results.outcomes.end() || outcomes->sent == 0) {
    return;
  }
  simulated.outcomes = *outcomes;
  simulated.from = epoch->start;
  simulated.to = epoch->end;
  std::map<std::string, std::uint64_t> by_cluster;
  for (const run::Share& share : results.shares) {
    if (is_of_row(share)) {
      by_cluster[share.cluster] += share.requests.value_or(0);
    }
  }
  simulated.split.assign(by_cluster.begin(), by_cluster.end());
}

}  // namespace

bool finds_out(const scenario::Scenario& scenario, const SimulatedQuestion& question) {
  for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[question.client.value])) {
    if (scenario::asked_for(scenario, service) != question.service) {
      continue;
    }
    for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
      const envoy::Cluster& cluster = scenario.services[member.value].cluster;
      if (!cluster.health_checks.empty() || cluster.outlier_detection) {
        return true;
      }
    }
  }
  return false;
}

SimulatedProxy simulate_proxy(const scenario::Scenario& scenario, const SimulatedQuestion& question) {
  Known known;
  run::Options options{.mode = scenario::Mode::requests, .seed = question.seed};
  // Cuts out a hundredth of the run around the time.
  constexpr int parts = 200;
  for (const run::Nanoseconds cut :
       {question.at - scenario.duration / parts, question.at + scenario.duration / parts}) {
    if (cut > run::Nanoseconds{0} && cut < scenario.duration) {
      options.cuts.push_back(cut);
    }
  }
  options.logged_events = run::EventLog::Options{.most = 0,
                                                 .keeps =
                                                     [&](const EventRecord& record) {
                                                       return !record.change && record.client == question.client &&
                                                              record.instance == question.instance &&
                                                              record.at <= question.at;
                                                     },
                                                 .sink = [&](const EventRecord& record) { known.take(record); }};
  options.look = run::ProxyLook{question.client, question.instance, question.at};
  run::Results results = run::run(scenario, options);
  SimulatedProxy simulated{
      .scenario = scenario, .known = known.records(question.at), .moment = *std::move(results.moment)};
  take_row(results, question, simulated);
  report_out(simulated.scenario, known, question);
  return simulated;
}

void add_simulated(const scenario::Scenario& scenario, const Diagnostics& warnings, const Sources& sources,
                   const SimulatedProxy& simulated, const SimulatedQuestion& question, Explanation& explanation) {
  if (explanation.sections.empty()) {
    return;
  }
  std::vector<Step>& first = explanation.sections.front().steps;
  first.insert(first.begin(), found_out_step(scenario, simulated));
  // The detected state is known now.
  std::erase_if(explanation.notes,
                [](const std::string& note) { return note.starts_with("active checks and ejections"); });
  std::vector<Step>& last = explanation.sections.back().steps;
  for (Step& step : simulated_steps(scenario, simulated, question, warnings, sources)) {
    if (!step.facts.empty()) {
      last.push_back(std::move(step));
    }
  }
}

}  // namespace spillway::reports::explain
