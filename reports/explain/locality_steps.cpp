#include <algorithm>
#include <fmt/format.h>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/share_trace.hpp"
#include "reports/explain/pick_steps.hpp"
#include "reports/explain/priority_steps.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::explain {

namespace {

using envoy::Availability;
using envoy::ClusterState;
using envoy::PickPlan;
using envoy::ShareStep;

// Returns the chosen priorities and availabilities, each once, in order.
std::vector<envoy::PriorityChoice> chosen(const std::vector<TracedStep>& steps) {
  std::vector<envoy::PriorityChoice> choices;
  for (const TracedStep& traced : steps) {
    const bool known = std::find(choices.begin(), choices.end(), traced.step->choice) != choices.end();
    if (traced.step->kind == ShareStep::Kind::priority && !known) {
      choices.push_back(traced.step->choice);
    }
  }
  return choices;
}

void add_weighted_localities(Step& step, const ClusterState& state, const PriorityNames& names,
                             envoy::PriorityChoice choice) {
  const PickPlan& plan = state.plan(choice.priority, choice.availability);
  const envoy::HostSet& set = state.hosts.host_sets[choice.priority.value];
  const std::string name =
      names.priority(choice.priority) + (choice.availability == Availability::degraded ? " degraded" : "");
  if (plan.schedule.empty()) {
    step.facts.push_back(words(name, "no locality with hosts has a weight: all hosts of the priority alike"));
    return;
  }
  const envoy::HostList& list = choice.availability == Availability::degraded ? set.degraded : set.healthy;
  double sum = 0.0;
  std::string all;
  for (const double weight : plan.schedule.weights) {
    sum += weight;
    all += (all.empty() ? "" : " + ") + number_text(weight);
  }
  for (std::uint32_t locality = 0; locality < set.localities.size(); ++locality) {
    const std::string subject = name + " " + locality_text(set.localities[locality]);
    const auto entry = std::find(plan.schedule.localities.begin(), plan.schedule.localities.end(), locality);
    if (entry == plan.schedule.localities.end()) {
      step.facts.push_back(words(subject, set.locality_weights[locality] == 0
                                              ? "no weight: not picked while another locality weighs anything"
                                              : "none of its hosts may be picked"));
      continue;
    }
    const double weight = plan.schedule.weights[static_cast<std::size_t>(entry - plan.schedule.localities.begin())];
    const std::size_t countable = set.all.of_locality(locality).size() - set.excluded.of_locality(locality).size();
    step.facts.push_back(formula(subject,
                                 fmt::format("{} * min(1, {} / 100 * {} / {})", set.locality_weights[locality],
                                             set.overprovisioning_factor, list.of_locality(locality).size(), countable),
                                 weight));
    step.facts.push_back(formula(subject, fmt::format("{} / ({})", number_text(weight), all), weight / sum));
  }
}

std::string_view reason_text(envoy::NoZoneRouting reason) {
  switch (reason) {
    case envoy::NoZoneRouting::applies:
      break;
    case envoy::NoZoneRouting::upstream_localities_lt_2:
      return "the hosts of priority 0 are in less than two localities";
    case envoy::NoZoneRouting::local_localities_lt_2:
      return "the local cluster is in less than two localities";
    case envoy::NoZoneRouting::local_cluster_not_ok:
      return "the own zone has no hosts of its own (lb_local_cluster_not_ok)";
    case envoy::NoZoneRouting::zone_number_differs:
      return "both clusters are not in as many zones (lb_zone_number_differs)";
    case envoy::NoZoneRouting::cluster_too_small:
      return "the cluster is too small (lb_zone_cluster_too_small)";
  }
  return "";
}

std::uint64_t local_basis(const ClusterState& state, std::size_t locality) {
  const auto& zones = state.local_zones.localities;
  if (config::before(state.profile, 28)) {
    return envoy::zone_basis(zones[locality], state.zone_settings);
  }
  const config::Locality& name = state.upstream_zones.localities[locality].locality;
  const auto found =
      std::find_if(zones.begin(), zones.end(), [&](const envoy::ZoneCounts& zone) { return zone.locality == name; });
  return found == zones.end() ? 0 : envoy::zone_basis(*found, state.zone_settings);
}

std::uint64_t total_of(const envoy::ZoneSide& side, const envoy::ZoneSettings& settings) {
  std::uint64_t total = 0;
  for (const envoy::ZoneCounts& zone : side.localities) {
    total += envoy::zone_basis(zone, settings);
  }
  return total;
}

void add_percentages(Step& step, const ClusterState& state) {
  const envoy::ZoneRouting& routing = state.zone_routing;
  const std::uint64_t local_total = total_of(state.local_zones, state.zone_settings);
  const std::uint64_t upstream_total = total_of(state.upstream_zones, state.zone_settings);
  for (std::size_t locality = 0; locality < routing.upstream_percentage.size(); ++locality) {
    const envoy::ZoneCounts& zone = state.upstream_zones.localities[locality];
    const std::string name = locality_text(zone.locality);
    if (zone.healthy == 0 && !config::before(state.profile, 28)) {
      step.facts.push_back(words(name, "no healthy hosts: 0 of both"));
      continue;
    }
    const auto part = [&](const char* of, std::uint64_t basis, std::uint64_t total, std::uint64_t value) {
      step.facts.push_back(total == 0 ? words(name, fmt::format("{} 0, there is nothing", of))
                                      : formula(name + " " + of, fmt::format("trunc(10000 * {} / {})", basis, total),
                                                static_cast<double>(value)));
    };
    part("callers", local_basis(state, locality), local_total, routing.local_percentage[locality]);
    part("hosts", envoy::zone_basis(zone, state.zone_settings), upstream_total, routing.upstream_percentage[locality]);
  }
}

void add_residual(Step& step, const ClusterState& state) {
  const envoy::ZoneRouting& routing = state.zone_routing;
  const bool own = state.upstream_zones.has_local_locality;
  if (own && routing.local_percentage.front() > 0) {
    step.facts.push_back(formula(
        "stays",
        fmt::format("trunc({} * 10000 / {})", routing.upstream_percentage.front(), routing.local_percentage.front()),
        static_cast<double>(routing.local_percent_to_route), "of 10000 picks"));
  } else {
    step.facts.push_back(words("stays", "nothing"));
  }
  std::uint64_t before = 0;
  for (std::size_t locality = 0; locality < routing.residual_capacity.size(); ++locality) {
    const std::string name = locality_text(state.upstream_zones.localities[locality].locality);
    const std::uint64_t capacity = routing.residual_capacity[locality];
    if (own && locality == 0) {
      step.facts.push_back(words(name + " takes up to", "0, it is the own zone"));
    } else {
      step.facts.push_back(formula(name + " takes up to",
                                   fmt::format("{} + max(0, {} - {})", before, routing.upstream_percentage[locality],
                                               routing.local_percentage[locality]),
                                   static_cast<double>(capacity), "of the rest"));
    }
    before = capacity;
  }
  if (before == 0) {
    step.facts.push_back(words("", "no capacity is left: the rest goes to any locality alike, an empty one too"));
  }
}

}  // namespace

std::string locality_text(const config::Locality& locality) {
  std::string text = locality.region;
  for (const std::string* part : {&locality.zone, &locality.sub_zone}) {
    text += (text.empty() || part->empty() ? "" : "/") + *part;
  }
  return text.empty() ? "(no locality)" : printable(text);
}

std::optional<Step> locality_step(const ClusterState& state, const PriorityNames& names,
                                  const std::vector<TracedStep>& steps) {
  if (!state.locality_weighted) {
    return std::nullopt;
  }
  Step step{.name = "localities", .sources = {source::envoy("8, 9"), "Envoy locality_wrr.cc"}};
  if (!state.hash_tables.empty()) {
    step.facts.push_back(
        words("", "weights shape the table itself: host weight * locality weight / sums, whatever their health"));
    step.sources = {source::envoy("5"), "Envoy thread_aware_lb_impl.cc"};
    return step;
  }
  for (const envoy::PriorityChoice choice : chosen(steps)) {
    if (state.priorities.panic[choice.priority.value]) {
      step.facts.push_back(words(names.priority(choice.priority), "in panic weights do not count"));
    } else {
      add_weighted_localities(step, state, names, choice);
    }
  }
  return step.facts.empty() ? std::nullopt : std::optional(std::move(step));
}

std::optional<Step> zone_step(const ClusterState& state, const std::vector<TracedStep>& steps) {
  const std::vector<envoy::PriorityChoice> choices = chosen(steps);
  const bool first_priority = std::any_of(
      choices.begin(), choices.end(), [](const envoy::PriorityChoice& choice) { return choice.priority.value == 0; });
  if (state.locality_weighted || !first_priority) {
    return std::nullopt;
  }
  Step step{.name = "zones", .sources = {source::envoy("10"), source::load_balancer}};
  if (state.local_zones.localities.empty()) {
    step.facts.push_back(words("", "no local cluster: zone-aware routing is off, and zones are ignored"));
    return step;
  }
  const envoy::ZoneRouting& routing = state.zone_routing;
  if (routing.state == envoy::ZoneState::none) {
    std::string note = fmt::format("zone-aware routing is off: {}", reason_text(routing.reason));
    if (routing.reason == envoy::NoZoneRouting::cluster_too_small) {
      note += fmt::format(", {} healthy hosts of at least {}", state.counts.front().hosts.healthy,
                          state.zone_settings.min_cluster_size);
    }
    step.facts.push_back(words("", std::move(note)));
    return step;
  }
  add_percentages(step, state);
  if (routing.state == envoy::ZoneState::direct) {
    const bool more = routing.upstream_percentage.front() >= routing.local_percentage.front();
    step.facts.push_back(words(
        "", more ? "the own zone has its part of the hosts: everything stays" : "force_local_zone: everything stays"));
  } else {
    add_residual(step, state);
  }
  if (state.zone_settings.routing_enabled < 100) {
    step.facts.push_back(words(
        "", fmt::format("for {} % of picks; the others do not look at zones", state.zone_settings.routing_enabled)));
  }
  if (state.local_cluster_in_panic) {
    step.facts.push_back(words("", state.zone_settings.fail_traffic_on_panic
                                       ? "but the local cluster is in panic, and fail_traffic_on_panic finds no host"
                                       : "but the local cluster is in panic: zones are ignored"));
  }
  return step;
}

}  // namespace spillway::reports::explain
