#include "sim/plan/cut_off.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/scenario/variation.hpp"

namespace spillway::plan {
namespace {

bool is_total(const FailedRequests& failing) {
  constexpr double all = 1.0 - 1e-12;
  return failing.share >= all;
}

bool any_total(const std::vector<FailedRequests>& failing) {
  return std::any_of(failing.begin(), failing.end(), is_total);
}

// True if the requests of which none succeeds are more than the bound allows.
bool exceeds(const Bound& bound, const scenario::Scenario& still, const Loads& loads) {
  if (bound.metric != Metric::error_share && follows_from_shares(bound.metric)) {
    return false;
  }
  const auto rates = rates_of_flows(still);
  double failed = 0.0;
  for (const FailedRequests& failing : loads.failing) {
    const auto rate = rates.find({failing.client.value, failing.service.value});
    failed += failing.service == bound.service && is_total(failing) && rate != rates.end() ? rate->second : 0.0;
  }
  const double allowed = may_be_late(bound.metric).value_or(bound.limit) * (1.0 + 1e-9);
  return failed > allowed * loads.services[bound.service.value].rate;
}

}  // namespace

std::set<std::pair<config::ClientEntryIndex, config::ServiceIndex>> unanswered(
    const scenario::Scenario& still, const std::vector<FailedRequests>& failing) {
  std::set<std::pair<config::ClientEntryIndex, config::ServiceIndex>> flows;
  if (!any_total(failing)) {
    return flows;
  }
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  const auto answers = [&](config::ServiceIndex member) {
    const auto& hosts = still.services[member.value].hosts;
    return std::any_of(hosts.begin(), hosts.end(),
                       [&](const scenario::Host& host) { return host.forwards_to || state.answers(host.endpoint); });
  };
  std::map<std::uint32_t, bool> answered;  // by service
  for (const FailedRequests& of : failing) {
    const auto [known, is_new] = answered.try_emplace(of.service.value, false);
    if (is_new) {
      const std::vector<config::ServiceIndex> members = scenario::members_of(still, of.service);
      known->second = std::any_of(members.begin(), members.end(), answers);
    }
    if (is_total(of) && !known->second) {
      flows.emplace(of.client, of.service);
    }
  }
  return flows;
}

bool any_cut_off(const Variants& variants, const std::vector<Row>& rows,
                 const std::vector<scenario::EndpointGroup>& groups, const std::vector<Bound>& bounds) {
  Counts roomy;
  std::uint32_t largest = 1;
  for (const scenario::EndpointGroup& group : groups) {
    largest = std::max(largest, group.count);
  }
  for (const scenario::EndpointGroup& group : groups) {
    roomy[group.place] = 2 * largest;
  }
  std::optional<Variant> variant;
  for (const Row& row : rows) {
    if (!row.exact || !any_total(row.failing)) {
      continue;
    }
    variant = variant ? std::move(variant) : variants.with(roomy);
    if (!variant) {
      return false;
    }
    const auto same = std::find_if(variant->failures.begin(), variant->failures.end(),
                                   [&](const Failure& failure) { return failure.name == row.failure.name; });
    if (same == variant->failures.end()) {
      continue;
    }
    const scenario::Scenario still = variants.still(*variant, *same);
    const auto loads = variants.loads_by_shares(*variant, *same, still);
    if (loads &&
        std::any_of(bounds.begin(), bounds.end(), [&](const Bound& bound) { return exceeds(bound, still, *loads); })) {
      return true;
    }
  }
  return false;
}

}  // namespace spillway::plan
