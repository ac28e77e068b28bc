#include "sim/diff/look.hpp"

#include <algorithm>
#include <utility>

#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/zone_proxies.hpp"

namespace spillway::diff {
namespace {

run::Results simulate(const scenario::Scenario& still, scenario::Mode mode) {
  run::Options options;
  options.mode = mode;
  return run::run(still, options);
}

std::vector<bool> lost_endpoints(const scenario::Scenario& still) {
  const scenario::ActualState actual = scenario::actual_at(still, run::Nanoseconds{0});
  std::vector<bool> lost;
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    lost.push_back(!actual.answers({index}));
  }
  return lost;
}

}  // namespace

Look::Look(scenario::Scenario still)
    : still_(std::make_unique<const scenario::Scenario>(std::move(still))),
      exact_(simulate(*still_, scenario::Mode::exact)) {
  loads_ = plan::loads_of(*still_, exact_);
  if (!run::all_exact_over_connections(exact_)) {
    loads_ = plan::loads_of(*still_, counted());
    loads_.exact = false;
  }
  for (std::uint32_t index = 0; index < still_->endpoints.size(); ++index) {
    endpoints_.emplace(still_->endpoints[index].id, index);
  }
  lost_ = lost_endpoints(*still_);
  forwards_ = scenario::forwarding(*still_);
  const run::Flows flows(*still_);
  for (const run::FlowIndex flow : flows.all()) {
    const config::ClientEntryIndex client = flows.at(flow).client;
    if (!still_->clients[client.value].zone_proxy && flows.leader(flow) == flow) {
      const config::ServiceIndex service = scenario::asked_for(*still_, flows.at(flow).service);
      by_name_.try_emplace({still_->clients[client.value].name, still_->services[service.value].name}, asking_.size());
      asking_.push_back({client, service});
    }
  }
}

Look::~Look() = default;

bool Look::has_connections() const {
  return !run::all_exact(exact_) && loads_.exact;
}

const run::Results& Look::counted() const {
  if (!counted_) {
    counted_ = simulate(*still_, scenario::Mode::requests);
  }
  return *counted_;
}

const std::vector<run::Results>& Look::repeated() const {
  if (repeated_.empty()) {
    repeated_.push_back(counted());
    for (std::uint32_t repetition = 1; repetition < repetitions; ++repetition) {
      run::Options options;
      options.mode = scenario::Mode::requests;
      options.seed = run::seed_of_replication(still_->seed, repetition);
      repeated_.push_back(run::run(*still_, options));
    }
  }
  return repeated_;
}

const std::vector<plan::Loads>& Look::repeated_loads() const {
  if (repeated_loads_.empty()) {
    for (const run::Results& results : repeated()) {
      repeated_loads_.push_back(plan::loads_of(*still_, results));
    }
  }
  return repeated_loads_;
}

double Look::overdispersion() const {
  if (!overdispersion_) {
    overdispersion_ = 1.0;
    const std::vector<plan::Loads>& loads = repeated_loads();
    const double seconds = static_cast<double>(still_->duration.count()) * 1e-9;
    for (std::size_t endpoint = 0; endpoint < still_->endpoints.size(); ++endpoint) {
      double sum = 0.0;
      double squares = 0.0;
      for (const plan::Loads& of : loads) {
        const double requests = of.rates[endpoint] * seconds;
        sum += requests;
        squares += requests * requests;
      }
      const double mean = sum / repetitions;
      const double variance = (squares - sum * mean) / (repetitions - 1);
      overdispersion_ = mean > 0.0 ? std::max(*overdispersion_, variance / mean) : *overdispersion_;
    }
  }
  return *overdispersion_;
}

const run::Snapshot& Look::snapshot() const {
  if (!snapshot_) {
    snapshot_ = std::make_unique<run::Snapshot>(*still_, run::Nanoseconds{0});
  }
  return *snapshot_;
}

std::string Look::zone_of(const std::string& endpoint) const {
  const auto found = endpoints_.find(endpoint);
  return found == endpoints_.end()
             ? ""
             : still_->zones[still_->nodes[still_->endpoints[found->second].node.value].zone.value].name;
}

bool Look::is_lost(const std::string& endpoint) const {
  const auto found = endpoints_.find(endpoint);
  return found != endpoints_.end() && lost_[found->second];
}

bool Look::forwards(const std::string& endpoint) const {
  const auto found = endpoints_.find(endpoint);
  return found != endpoints_.end() && forwards_[found->second];
}

bool Look::has_closed_form(const Asking& asking) const {
  bool all = true;
  for (const run::ShareBlock& block : exact_.shares.of(asking.client)) {
    if (block.service == asking.service) {
      block.for_each([&](const run::ShareCell& row) { all = all && run::is_exact_over_connections(row); });
    }
  }
  return all;
}

double Look::independent_part(const Asking& asking) const {
  const std::uint64_t sessions =
      std::uint64_t{snapshot().traffic().sessions(asking.client)} * still_->clients[asking.client.value].count;
  std::uint64_t sent = 0;
  for (const run::Outcomes& outcomes : counted().outcomes) {
    sent += outcomes.client == asking.client && outcomes.service == asking.service ? outcomes.sent : 0;
  }
  return sessions == 0 || sent == 0 ? 1.0 : std::min(1.0, static_cast<double>(sessions) / static_cast<double>(sent));
}

const Look::Asking* Look::find(const std::string& client, const std::string& service) const {
  const auto found = by_name_.find({client, service});
  return found == by_name_.end() ? nullptr : &asking_[found->second];
}

}  // namespace spillway::diff
