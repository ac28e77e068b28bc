#include "reports/explain/asked_shares.hpp"

#include <algorithm>
#include <utility>

#include "models/envoy/exact_shares.hpp"
#include "models/envoy/share_trace.hpp"
#include "models/numeric/hash.hpp"
#include "reports/explain/explain.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::reports::explain {

std::optional<std::size_t> kind_for(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                    config::ServiceIndex service) {
  const auto& kinds = scenario.clients[client.value].workload.requests;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const config::ServiceIndex cluster : scenario.routes[kinds[kind].route].clusters) {
      if (scenario::asked_for(scenario, cluster) == service) {
        return kind;
      }
    }
  }
  return std::nullopt;
}

scenario::Scenario with_headers(const scenario::Scenario& scenario, const Question& question) {
  const std::size_t kind = kind_for(scenario, question.client, question.service).value_or(0);
  scenario::Scenario changed = scenario;
  scenario::Workload& workload = changed.clients[question.client.value].workload;
  workload.requests = {workload.requests[kind]};
  auto& headers = workload.requests.front().request.headers;
  for (const auto& [name, value] : question.headers) {
    std::erase_if(headers, [&, wanted = name](const auto& header) {
      return envoy::routes::same_header_name(header.first, wanted);
    });
  }
  headers.insert(headers.end(), question.headers.begin(), question.headers.end());
  return changed;
}

envoy::ExactShares flow_shares(const run::Snapshot& snapshot, const Question& question, run::FlowIndex flow,
                               std::vector<run::TracedPart>* traced) {
  if (!question.key) {
    return snapshot.exact_shares(flow, traced);
  }
  const std::vector<envoy::WeightedHash> hash = {{numeric::xxhash64(*question.key), 1.0}};
  const std::vector<const run::Demand*> demands = snapshot.traffic().demands_of(flow);
  envoy::RequestClass requests{.hashes = hash};
  if (!demands.empty()) {
    requests.criteria = demands.front()->criteria;
    requests.override_hosts = demands.front()->override_hosts;
  }
  envoy::ShareTrace* const trace = traced == nullptr ? nullptr : &traced->emplace_back().trace;
  envoy::ExactShares shares = envoy::exact_shares(snapshot.state(flow), requests, trace);
  if (const double part = snapshot.traffic().dropped(flow); part > 0.0) {
    shares.keep(1.0 - part);
  }
  return shares;
}

void add_endpoints(const run::Snapshot& snapshot, const Question& question, run::FlowIndex flow,
                   const envoy::ExactShares& exact, AskedShares& into) {
  const scenario::Scenario& scenario = snapshot.scenario();
  const run::Snapshot::Shares shares = question.key ? snapshot.shares(flow, exact) : snapshot.shares(flow);
  into.basis = shares.basis.empty() ? into.basis : shares.basis;
  if (!shares.why_joint.empty() && !question.at_rest) {
    into.why_joint = shares.why_joint;
  }
  std::uint32_t joint_before = 0;
  for (const EndpointShare& row : into.endpoints) {
    joint_before = std::max(joint_before, row.joint);
  }
  // A cluster with route weight 0 gets exactly nothing, even if its hosts have no exact shares.
  const bool gets_nothing = snapshot.part_of_group(flow) == 0.0;
  const run::Targets targets(scenario, snapshot.flows().at(flow).service);
  for (const run::Snapshot::Row& row : shares.rows) {
    EndpointShare share{run::share_place(scenario, targets.at(row.target)), row.share};
    share.availability = row.availability;
    share.joint = row.joint == 0 || question.at_rest || gets_nothing ? 0 : joint_before + row.joint;
    share.joint_rows = row.joint_rows;
    into.endpoints.push_back(std::move(share));
  }
}

std::optional<double> exact_share(const std::vector<const EndpointShare*>& rows) {
  run::ExactSum sum;
  for (const EndpointShare* const row : rows) {
    sum.add(row->share, {{}, {}, 0, row->joint}, row->joint_rows);
  }
  return sum.value();
}

AskedShares asked_shares(const run::Snapshot& snapshot, const Question& question) {
  AskedShares result;
  for (const run::FlowIndex flow : snapshot.flow_group(question.client, question.service)) {
    const envoy::ExactShares exact =
        question.key ? flow_shares(snapshot, question, flow, nullptr) : envoy::ExactShares{};
    add_endpoints(snapshot, question, flow, exact, result);
  }
  return result;
}

}  // namespace spillway::reports::explain
