#include "reports/plan/plan_json.hpp"

#include <utility>

#include "models/config/seconds.hpp"
#include "models/documents/json_writer.hpp"
#include "models/istio/proxy.hpp"
#include "reports/plan/plan_headline.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

using Ordered = documents::JsonText;

const char* key_of(plan::Cause cause) {
  switch (cause) {
    case plan::Cause::no_host:
      return "no_host";
    case plan::Cause::panic:
      return "panic";
    case plan::Cause::lost:
      return "lost_endpoint";
    case plan::Cause::link:
      return "link_out";
    case plan::Cause::failing:
      return "failing_endpoint";
    case plan::Cause::timeout:
      return "timeout";
    case plan::Cause::overflow:
      return "overflow";
    case plan::Cause::queue_full:
      return "queue_full";
    case plan::Cause::drop_overload:
      return "drop_overload";
    case plan::Cause::unfinished:
      return "unfinished";
  }
  return "";
}

std::string_view verdict_of(const plan::Row& row) {
  return row.has_no_traffic() ? "no traffic" : name_of(row.judgement());
}

Ordered margin_object(const scenario::Scenario& scenario, const plan::Margin& margin, const std::string& endpoint) {
  return {{"metric", name_of(margin.bound.metric)},
          {"service", scenario.services[margin.bound.service.value].name},
          {"endpoint", endpoint},
          {"value", margin.value},
          {"ci95", margin.half_width},
          {"limit", margin.bound.limit},
          {"growth", margin.growth()},
          {"holds", margin.holds()}};
}

Ordered margin_object(const scenario::Scenario& scenario, const plan::Margin& margin) {
  return margin_object(scenario, margin, margin.endpoint ? scenario.endpoints[margin.endpoint->value].id : "");
}

// Returns the headroom. `failure` is the one that limits it.
Ordered headroom_object(const plan::Plan& plan, const plan::Headroom& headroom, const std::string& failure,
                        Ordered binds) {
  return {{"growth", headroom.growth},
          {"rate", headroom.growth * plan.rows.front().rate},
          {"fails_rate", headroom.fails ? Ordered(*headroom.fails * plan.rows.front().rate) : Ordered(nullptr)},
          {"failure", failure},
          {"binds", std::move(binds)}};
}

Ordered headroom_object(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Headroom& headroom,
                        const std::string& failure) {
  return headroom_object(plan, headroom, headroom.margin ? failure : "",
                         headroom.margin ? margin_object(scenario, *headroom.margin) : Ordered(nullptr));
}

Ordered estimate_object(const scenario::Scenario& scenario, const plan::Estimate& estimate) {
  const bool latency = !plan::follows_from_shares(estimate.bound.metric);
  const auto known = [](bool is_known, double value) { return is_known ? Ordered(value) : Ordered(nullptr); };
  const auto needed = estimate.requests_needed();
  return {{"metric", name_of(estimate.bound.metric)},
          {"service", scenario.services[estimate.bound.service.value].name},
          {"client", estimate.client ? Ordered(scenario.clients[estimate.client->value].name) : Ordered(nullptr)},
          {"mean",
           latency ? known(estimate.quantile.has_value(), estimate.quantile.value_or(0.0)) : Ordered(estimate.missed)},
          {"ci95", known(!latency, (estimate.high - estimate.low) / 2.0)},
          {"missed", estimate.missed},
          {"missed_low", estimate.low},
          {"missed_high", estimate.high},
          {"missed_allowed", estimate.allowed()},
          {"failed", estimate.failed},
          {"requests", estimate.requests},
          {"requests_needed", needed},
          {"limit", estimate.bound.limit},
          {"verdict", name_of(estimate.judgement())}};
}

Ordered measured_object(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.measured) {
    return nullptr;
  }
  const plan::MeasuredHeadroom& measured = *plan.measured;
  const double rate = plan.rows.front().rate;
  return {{"replications", measured.replications},
          {"proof_replications", measured.proofs},
          {"long_replications", measured.longest ? measured.longest->replications : 0},
          {"long_replication_s", measured.longest ? Ordered(measured.longest->seconds) : Ordered(nullptr)},
          {"holds_rate", rate * measured.holds},
          {"fails_rate", measured.fails ? Ordered(rate * *measured.fails) : Ordered(nullptr)},
          {"failure", measured.estimate ? plan.rows[measured.row].failure.name : ""},
          {"ends", measured.estimate ? estimate_object(scenario, *measured.estimate) : Ordered(nullptr)}};
}

Ordered recovery_object(const plan::Recovery& recovery) {
  constexpr const char* verdicts[] = {"recovers", "does not recover", "unknown"};
  Ordered object = {{"verdict", verdicts[static_cast<std::size_t>(recovery.verdict)]}};
  switch (recovery.verdict) {
    case plan::Recovery::Verdict::recovers:
      object.add("seconds", recovery.seconds);
      break;
    case plan::Recovery::Verdict::does_not_recover:
      object.add("watched_s", recovery.watched);
      object.add("failing", recovery.failing);
      object.add("attempts", recovery.attempts);
      object.add("held_down_by", recovery.held_down_by);
      object.add("fix", recovery.fix.empty() ? Ordered(nullptr) : Ordered(recovery.fix));
      break;
    case plan::Recovery::Verdict::unknown:
      object.add("reason", recovery.reason);
      break;
  }
  return object;
}

Ordered services_array(const scenario::Scenario& scenario, const plan::Row& row) {
  Ordered services = Ordered::array();
  for (const plan::ServiceRow& of : row.services) {
    services.push_back({{"service", scenario.services[of.service.value].name},
                        {"busiest", of.busiest ? scenario.endpoints[of.busiest->value].id : ""},
                        {"utilisation", Ordered(of.utilisation)},
                        {"rate", of.rate},
                        {"failed", of.failed},
                        {"cross_zone", of.cross_zone}});
  }
  return services;
}

Ordered row_object(const scenario::Scenario& scenario, const plan::Row& row) {
  Ordered zones = Ordered::array();
  for (std::size_t zone = 0; zone < row.zones.size(); ++zone) {
    zones.push_back(
        {{"zone", scenario.zones[zone].name}, {"utilisation", row.zones[zone]}, {"share", row.zone_shares[zone]}});
  }
  Ordered margins = Ordered::array();
  for (const plan::Margin& margin : row.margins) {
    margins.push_back(margin_object(scenario, margin));
  }
  Ordered lost = Ordered::array();
  for (const config::EndpointIndex endpoint : row.failure.endpoints) {
    lost.push_back(scenario.endpoints[endpoint.value].id);
  }
  Ordered silent = Ordered::array();
  for (const config::NodeIndex node : row.failure.silent) {
    silent.push_back(scenario.nodes[node.value].name);
  }
  Ordered failing = Ordered::array();
  for (const plan::FailedRequests& of : row.failing) {
    Ordered causes = Ordered::array();
    for (const plan::CausePart& part : of.causes) {
      causes.push_back({{"cause", key_of(part.cause)}, {"share", part.share}});
    }
    failing.push_back({{"client", scenario.clients[of.client.value].name},
                       {"service", scenario.services[of.service.value].name},
                       {"share", of.share},
                       {"cause", key_of(of.first_cause())},
                       {"causes", std::move(causes)}});
  }
  Ordered estimates = Ordered::array();
  for (const plan::Estimate& estimate : row.estimates) {
    estimates.push_back(estimate_object(scenario, estimate));
  }
  Ordered object = {{"failure", row.failure.name},
                    {"ways", row.failure.ways},
                    {"endpoints", std::move(lost)},
                    {"degraded", row.failure.degraded},
                    {"slow", row.failure.slowness},
                    {"fails", row.failure.fails},
                    {"nodes_without_clients", std::move(silent)},
                    {"rate", row.rate},
                    {"not_sent", row.not_sent},
                    {"zones", std::move(zones)},
                    {"busiest", row.busiest ? scenario.endpoints[row.busiest->value].id : ""},
                    {"utilisation", Ordered(row.utilisation)},
                    {"lost_in_long_run", row.lost_in_long_run},
                    {"cross_zone", row.cross_zone},
                    {"bytes_per_second", Ordered(row.bytes)},
                    {"cost_per_month", Ordered(row.cost)},
                    {"no_host", row.no_host},
                    {"failed", row.failed},
                    {"failing_clients", std::move(failing)},
                    {"panic", row.panics},
                    {"exact", row.exact && !row.equal_picks},
                    {"margins", std::move(margins)},
                    {"estimates", std::move(estimates)},
                    {"growth", row.tightest ? Ordered(row.tightest->growth()) : Ordered(nullptr)},
                    {"verdict", verdict_of(row)},
                    {"holds", row.has_no_traffic() ? Ordered(nullptr) : Ordered(row.holds())}};
  if (row.equal_picks) {
    object.add("basis", "shares of equal picks, confirmed by counting");
  }
  object.add("services", services_array(scenario, row));
  if (row.recovery) {
    object.add("recovery", recovery_object(*row.recovery));
  }
  return object;
}

Ordered group_object(const scenario::Scenario& scenario, const scenario::EndpointGroup& group) {
  Ordered object{{"service", scenario.services[group.service.value].name},
                 {"zone", scenario.zones[group.zone.value].name},
                 {"count", group.count}};
  if (!group.workload.empty()) {
    object.add("workload", group.workload);
  }
  return object;
}

// Returns the price of a month of 730 hours; null if the price is unknown.
Ordered month_of(const std::optional<double>& per_hour) {
  return per_hour ? Ordered(*per_hour * plan::seconds_of_month / 3600.0) : Ordered(nullptr);
}

Ordered fewest_object(const scenario::Scenario& scenario, const plan::Plan& plan,
                      const std::optional<plan::Fewest>& fewest) {
  if (!fewest) {
    return nullptr;
  }
  Ordered groups = Ordered::array();
  for (const plan::Part& part : fewest->parts) {
    Ordered group = group_object(scenario, part.group);
    group.add("fewest", part.count);
    groups.push_back(group);
  }
  return {{"endpoints", fewest->endpoints},
          {"now", fewest->now},
          {"price_per_hour", Ordered(fewest->price)},
          {"price_per_month", month_of(fewest->price)},
          {"proved", fewest->proved},
          {"at_least", fewest->at_least},
          {"search_bounded", plan.fewest_bounded},
          {"raised_by_measurement", fewest->raised},
          {"fails_at_s", fewest->fails_at ? Ordered(config::seconds(*fewest->fails_at)) : Ordered(nullptr)},
          {"groups", std::move(groups)},
          {"headroom",
           headroom_object(plan, fewest->headroom, fewest->failure,
                           fewest->headroom.margin ? margin_object(scenario, *fewest->headroom.margin, fewest->endpoint)
                                                   : Ordered(nullptr))}};
}

Ordered seconds_array(const std::vector<std::chrono::nanoseconds>& moments) {
  Ordered array = Ordered::array();
  for (const std::chrono::nanoseconds at : moments) {
    array.push_back(config::seconds(at));
  }
  return array;
}

Ordered next_step_object(const scenario::Scenario& scenario, const plan::Plan& plan) {
  if (!plan.next_step) {
    constexpr const char* reasons[] = {"unknown", "not limited", "no group", "not by endpoints"};
    return {{"gain", nullptr}, {"reason", reasons[static_cast<std::size_t>(plan.no_step)]}};
  }
  const plan::NextStep& step = *plan.next_step;
  Ordered groups = Ordered::array();
  for (const plan::Part& part : step.parts) {
    Ordered group = group_object(scenario, part.group);
    group.add("more", part.count);
    groups.push_back(group);
  }
  const double rate = plan.rows.front().rate;
  return {{"groups", std::move(groups)},
          {"price_per_hour", Ordered(step.price)},
          {"price_per_month", month_of(step.price)},
          {"rate", Ordered(step.growth * rate)},
          {"gain", Ordered(step.gain * rate)},
          {"measured", step.measured}};
}

Ordered growths_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered growths = Ordered::array();
  for (const plan::GrowthRow& row : plan.growths) {
    growths.push_back({{"growth", row.growth},
                       {"rate", row.rate},
                       {"verdict", name_of(row.judgement)},
                       {"failure", row.failure},
                       {"busiest", row.busiest},
                       {"utilisation", Ordered(row.utilisation)},
                       {"failed", row.failed},
                       {"purchase", fewest_object(scenario, plan, row.purchase)}});
  }
  return growths;
}

Ordered id_or_null(const scenario::Scenario& scenario, const std::optional<config::EndpointIndex>& endpoint) {
  return endpoint ? Ordered(scenario.endpoints[endpoint->value].id) : Ordered(nullptr);
}

Ordered onsets_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered onsets = Ordered::array();
  for (const plan::Onset& onset : plan.onsets) {
    onsets.push_back({{"zone", scenario.zones[onset.zone.value].name},
                      {"service", scenario.services[onset.service.value].name},
                      {"endpoints", onset.endpoints},
                      {"cross_zone", onset.cross_zone},
                      {"leaves_zone_at", onset.leaves_zone_at},
                      {"panic_at", onset.panic_at},
                      {"leaves_zone_by", id_or_null(scenario, onset.leaves_zone_by)},
                      {"panic_by", id_or_null(scenario, onset.panic_by)}});
  }
  return onsets;
}

Ordered objectives_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered objectives = Ordered::array();
  for (const plan::Bound& bound : plan.bounds) {
    Ordered objective = {{"service", scenario.services[bound.service.value].name},
                         {"metric", name_of(bound.metric)},
                         {"limit", bound.limit},
                         {"assumed", bound.assumed}};
    if (bound.below) {
      objective.add("below", true);
    }
    objectives.push_back(objective);
  }
  return objectives;
}

Ordered services_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered services = Ordered::array();
  for (const plan::ServiceHeadroom& of : plan.services) {
    services.push_back({{"service", scenario.services[of.service.value].name},
                        {"rate_now", of.rate},
                        {"growth", of.growth},
                        {"rate", of.rate * of.growth},
                        {"failure", plan.rows[of.row].failure.name}});
  }
  return services;
}

Ordered additions_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered additions = Ordered::array();
  for (const plan::Addition& addition : plan.additions) {
    Ordered group = group_object(scenario, addition.group);
    group.add("price_per_hour", Ordered(addition.group.price));
    const std::optional<double> gain = gain_of(plan, addition);
    group.add("rate", Ordered(gain ? std::optional(*gain + plan.headroom.growth * plan.rows.front().rate) : gain));
    group.add("gain", Ordered(gain));
    additions.push_back(group);
  }
  return additions;
}

Ordered what_ifs_array(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered what_ifs = Ordered::array();
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    what_ifs.push_back(
        {{"setting", what_if.setting},
         {"value", what_if.value},
         {"now", what_if.now},
         {"headroom", what_if.known ? headroom_object(scenario, plan, what_if.headroom, what_if.worst.failure.name)
                                    : Ordered(nullptr)},
         {"cross_zone", what_if.worst.cross_zone},
         {"verdict", plan.measured && !what_if.now && what_if.worst.holds() ? "unknown" : verdict_of(what_if.worst)},
         {"holds",
          plan.measured && !what_if.now && what_if.worst.holds() ? Ordered(nullptr) : Ordered(what_if.worst.holds())}});
  }
  return what_ifs;
}

}  // namespace

std::string plan_json(const scenario::Scenario& scenario, const plan::Plan& plan) {
  Ordered root = {{"schema_version", 1},
                  {"scenario", scenario.name},
                  {"profile", profile_json(scenario.profile)},
                  {"at_s", static_cast<double>(plan.at.count()) * 1e-9},
                  {"busiest_s", seconds_array(plan.busiest.all)},
                  {"left_out_s", seconds_array(plan.busiest.in_trouble)},
                  {"rate", plan.rows.front().rate},
                  {"growth", plan.growth},
                  {"mean_rate", plan.mean_rate},
                  {"verdict", name_of(plan.judgement())},
                  {"holds", plan.holds()}};
  const PlanHeadline headline = plan_headline(scenario, plan);
  root.add("headline", {{"verdict", headline.verdict}, {"reason", headline.reason}, {"sentences", headline.sentences}});
  root.add("objectives", objectives_array(scenario, plan));
  Ordered rows = Ordered::array();
  for (const plan::Row& row : plan.rows) {
    rows.push_back(row_object(scenario, row));
  }
  root.add("failures", rows);
  if (plan.partial) {
    root.add("partial", true);
    return json_lines(root.text());
  }
  const std::string& ending = plan.rows[plan.headroom.row].failure.name;
  root.add("headroom", plan.measured_ends_first ? headroom_object(plan, plan.headroom, ending, nullptr)
                                                : headroom_object(scenario, plan, plan.headroom, ending));
  root.add("measured", measured_object(scenario, plan));
  root.add("services", services_array(scenario, plan));
  root.add("fewest", fewest_object(scenario, plan, plan.fewest));
  root.add("cheapest", fewest_object(scenario, plan, plan.cheapest));
  root.add("purchase", fewest_object(scenario, plan, plan.purchase));
  if (plan.admitting) {
    root.add("max_requests", {{"service", scenario.services[plan.admitting->service.value].name},
                              {"failure", plan.rows[plan.admitting->row].failure.name},
                              {"admits", plan.admitting->max_requests},
                              {"in_flight", plan.admitting->in_flight}});
  }
  if (plan.too_dear) {
    root.add("too_dear", fewest_object(scenario, plan, plan.too_dear));
  }
  root.add("price_per_hour", Ordered(plan.price_now));
  root.add("price_per_month", month_of(plan.price_now));
  root.add("next_step", next_step_object(scenario, plan));
  if (!plan.growths.empty()) {
    root.add("growths", growths_array(scenario, plan));
  }
  if (plan.fewest_needs_at_least) {
    root.add("fewest_needs_at_least", *plan.fewest_needs_at_least);
  }
  root.add("next_endpoint", additions_array(scenario, plan));
  root.add("spill", onsets_array(scenario, plan));
  root.add("what_if", what_ifs_array(scenario, plan));
  return json_lines(root.text());
}

}  // namespace spillway::reports
