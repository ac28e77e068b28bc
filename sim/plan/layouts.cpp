#include "sim/plan/layouts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "sim/plan/alike.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// True if `larger` has no fewer endpoints in any group.
bool covers(const Layout& larger, const Layout& smaller) {
  return std::equal(larger.begin(), larger.end(), smaller.begin(), std::greater_equal<>());
}

// Returns the number of requests simulated for these loads.
double requests_of(const Loads& loads) {
  return std::accumulate(loads.services.begin(), loads.services.end(), 0.0,
                         [](double sum, const ServiceLoad& of) { return sum + static_cast<double>(of.requests); });
}

// Returns the rate [requests/s] that the service's remaining endpoints can answer.
double able_of(const scenario::Scenario& still, const Failure& failure, config::ServiceIndex service) {
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  double able = 0.0;
  for (const scenario::Host& host : still.services[service.value].hosts) {
    if (!is_lost(failure, host.endpoint)) {
      const auto& server = server_queues[host.endpoint.value];
      able += server ? server->cores / server->seconds : unbounded;
    }
  }
  return able;
}

// Returns the rate [requests/s] that clients send for each service.
std::map<std::uint32_t, double> rates_by_service(const scenario::Scenario& still) {
  std::map<std::uint32_t, double> asked;
  for (const auto& [flow, rate] : rates_of_flows(still)) {
    asked[flow.second] += rate;
  }
  return asked;
}

// In a mesh, each zone has its own per-client cluster with every endpoint.
double work_of_endpoints(const scenario::Scenario& still) {
  const bool views = std::any_of(still.services.begin(), still.services.end(),
                                 [](const scenario::Service& service) { return service.as_view.has_value(); });
  return static_cast<double>(still.endpoints.size() * (views ? still.zones.size() : 1));
}

// Returns the number of hosts in all changes. Every variant reads them again.
std::size_t changed_hosts(const scenario::Scenario& scenario) {
  std::size_t hosts = 0;
  for (const scenario::Change& change : scenario.changes) {
    std::visit(
        [&](const auto& effect) {
          if constexpr (requires { effect.hosts; }) {
            hosts += effect.hosts.size();
          }
        },
        change.effect);
  }
  return hosts;
}

// Returns the rest of a look's work, in the same units: loads of many clients, many links, and many changes of many
// hosts.
double work_of_the_rest(const scenario::Scenario& whole, const scenario::Scenario& still) {
  constexpr std::size_t many_clients = 16;
  constexpr double cells_as_an_endpoint = 250.0;
  constexpr std::size_t many_links = 100;
  constexpr double links_as_an_endpoint = 2.0;
  double work = 0.0;
  if (still.clients.size() > many_clients) {
    work += static_cast<double>(still.clients.size() * still.endpoints.size()) / cells_as_an_endpoint;
  }
  if (still.links.size() > many_links) {
    work += static_cast<double>(still.links.size()) / links_as_an_endpoint;
  }
  constexpr std::size_t many_changed_hosts = 100'000;
  constexpr double changed_hosts_as_an_endpoint = 250.0;
  if (const std::size_t hosts = changed_hosts(whole); hosts > many_changed_hosts) {
    work += static_cast<double>(hosts) / changed_hosts_as_an_endpoint;
  }
  return work;
}

}  // namespace

std::vector<scenario::EndpointGroup> groups_in_question(const scenario::ScenarioTemplate& base,
                                                        const std::vector<Bound>& bounds) {
  const scenario::Scenario& scenario = *base.reading().scenario;
  std::set<std::uint32_t> services;
  for (const Bound& bound : bounds) {
    services.insert(bound.service.value);
    for (const config::ServiceIndex member : scenario::members_of(scenario, bound.service)) {
      services.insert(member.value);
    }
  }
  std::vector<scenario::EndpointGroup> all = base.groups();
  std::vector<scenario::EndpointGroup> groups;
  std::copy_if(all.begin(), all.end(), std::back_inserter(groups),
               [&](const scenario::EndpointGroup& group) { return services.contains(group.service.value); });
  return groups.empty() ? all : groups;
}

double endpoints_needed(const Variants& variants, const Variant& variant, const std::vector<Bound>& bounds) {
  const scenario::Scenario still = variants.still(variant, variant.failures.front());
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  double needed = 0.0;
  for (const auto& [service, rate] : rates_by_service(still)) {
    double ablest = 0.0;
    for (const scenario::Host& host : still.services[service].hosts) {
      const auto& server = server_queues[host.endpoint.value];
      ablest = std::max(ablest, server ? server->cores / server->seconds : unbounded);
    }
    double least = 0.0;
    for (const Bound& bound : bounds) {
      if (bound.metric == Metric::utilisation && bound.service.value == service && ablest > 0.0) {
        least = std::max(least, rate / (bound.limit * ablest));
      }
    }
    needed += least;
  }
  return needed;
}

namespace {

// Returns the zones of which the failure loses every endpoint; nullopt if it loses others too, or clients.
std::optional<std::set<std::uint32_t>> whole_zones(const scenario::Scenario& still, const Alike& alike,
                                                   const Failure& failure) {
  std::set<std::uint32_t> zones;
  const auto zone_of = [&](std::uint32_t endpoint) {
    return still.nodes[still.endpoints[endpoint].node.value].zone.value;
  };
  for (const config::EndpointIndex endpoint : failure.endpoints) {
    zones.insert(zone_of(endpoint.value));
  }
  const bool all = std::all_of(alike.endpoints().begin(), alike.endpoints().end(), [&](config::EndpointIndex endpoint) {
    return !zones.contains(zone_of(endpoint.value)) || is_lost(failure, endpoint);
  });
  return all && failure.silent.empty() && !failure.degraded && !failure.is_gray() ? std::optional(zones) : std::nullopt;
}

// Returns the least limit of a metric on the service; nullopt if it has none.
std::optional<double> limit_of(const std::vector<Bound>& bounds, Metric metric, config::ServiceIndex service) {
  std::optional<double> least;
  for (const Bound& bound : bounds) {
    if (bound.metric == metric && bound.service == service) {
      least = std::min(least.value_or(bound.limit), bound.limit);
    }
  }
  return least;
}

}  // namespace

namespace {

// Returns the variant with so many endpoints that failures of single ones take no whole group.
std::optional<Variant> with_groups_left(const Variants& variants, const Variant& variant,
                                        const std::vector<scenario::EndpointGroup>& groups) {
  std::size_t most = 0;
  if (variant.scenario.failures) {
    for (const scenario::PlannedFailure& failure : *variant.scenario.failures) {
      const bool counts = failure.kind == scenario::PlannedFailure::Kind::any_endpoints;
      most = std::max<std::size_t>(most, counts ? failure.count : 0);
      for (const scenario::LostPart& part : failure.parts) {
        most = std::max(most, part.endpoints.size());
      }
    }
  }
  Counts counts;
  for (const scenario::EndpointGroup& group : groups) {
    counts[group.place] = group.count + static_cast<std::uint32_t>(most);
  }
  return most > 0 ? variants.with(counts) : std::optional(variant);
}

}  // namespace

std::vector<Need> needs_of(const Variants& variants, const Variant& present,
                           const std::vector<scenario::EndpointGroup>& groups, const std::vector<Bound>& bounds) {
  const std::optional<Variant> larger = with_groups_left(variants, present, groups);
  if (!larger) {
    return {};
  }
  const Variant& variant = *larger;
  const scenario::Scenario still = variants.still(variant, variant.failures.front());
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  const Alike alike(still);
  std::vector<std::set<std::uint32_t>> lost;  // zones
  for (const Failure& failure : variant.failures) {
    if (auto zones = whole_zones(still, alike, failure)) {
      lost.push_back(*std::move(zones));
    }
  }
  std::vector<Need> needs;
  for (const auto& [service, rate] : rates_by_service(still)) {
    const config::ServiceIndex index{service};
    const auto limit = limit_of(bounds, Metric::utilisation, index);
    const auto errors = limit_of(bounds, Metric::error_share, index);
    if (!limit || !errors || scenario::members_of(still, index).size() != 1) {
      continue;
    }
    std::vector<std::pair<std::size_t, double>> able;
    std::size_t of_groups = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (groups[group].service != index) {
        continue;
      }
      double ablest = 0.0;
      for (const scenario::Host& host : still.services[service].hosts) {
        const auto& server = server_queues[host.endpoint.value];
        if (still.nodes[still.endpoints[host.endpoint.value].node.value].zone == groups[group].zone) {
          ablest = std::max(ablest, server ? *limit * server->cores / server->seconds : unbounded);
        }
      }
      able.emplace_back(group, ablest);
      const auto count = variant.counts.find(groups[group].place);
      of_groups += count == variant.counts.end() ? groups[group].count : count->second;
    }
    // Other endpoints than those of groups may serve the load too.
    if (of_groups != still.services[service].hosts.size()) {
      continue;
    }
    for (const auto& zones : lost) {
      Need need{.service = index, .rate = rate * (1.0 - *errors)};
      std::copy_if(able.begin(), able.end(), std::back_inserter(need.able),
                   [&](const auto& of) { return !zones.contains(groups[of.first].zone.value); });
      need.loses = need.able.size() < able.size();
      needs.push_back(std::move(need));
    }
  }
  return needs;
}

Counts Layouts::counts_of(const Layout& layout) const {
  Counts counts;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    counts[groups_[group].place] = layout[group];
  }
  return counts;
}

Layouts::Known Layouts::look(const Layout& layout) {
  const auto known = known_.find(layout);
  if (known != known_.end()) {
    return known->second;
  }
  if (bounded()) {
    cut_short_ = true;
    return {};
  }
  return known_.emplace(layout, look_anew(layout, false, false)).first->second;
}

bool Layouts::confirmed(const Layout& layout) {
  if (!look(layout).exact) {
    known_[layout] = look_anew(layout, true, false);
  }
  return enough(layout);
}

double Layouts::lacking(const Layout& layout) const {
  const auto variant = variants_->with(counts_of(layout));
  double most = 0.0;
  for (const Failure& failure : variant ? variant->failures : std::vector<Failure>{}) {
    const scenario::Scenario still = variants_->still(*variant, failure);
    const std::map<std::uint32_t, double> asked = rates_by_service(still);
    for (const Bound& bound : *bounds_) {
      if (bound.metric == Metric::utilisation) {
        const double able = bound.limit * able_of(still, failure, bound.service);
        const auto rate = asked.find(bound.service.value);
        most = std::max(most, able > 0.0 && rate != asked.end() ? rate->second / able : 0.0);
      }
    }
  }
  return most;
}

bool Layouts::ruled_out(const Layout& layout) {
  if (is_below_ruled_out(layout)) {
    return true;
  }
  if (is_above_enough(layout)) {
    return false;
  }
  const std::size_t before = ruled_out_.size();
  if (look_anew(layout, false, true).growth >= enough_growth) {
    not_ruled_out_.push_back(layout);
  }
  return ruled_out_.size() > before;
}

void Layouts::raise_low(Layout& low, const Layout& high) const {
  for (bool raised = true; std::exchange(raised, false);) {
    for (const Layout& of : ruled_out_) {
      std::size_t beyond = 0;  // number of groups in which `high` exceeds the excluded layout
      std::size_t group = 0;
      for (std::size_t index = 0; index < high.size(); ++index) {
        if (of[index] < high[index]) {
          ++beyond;
          group = index;
        }
      }
      if (beyond == 1 && low[group] <= of[group]) {
        low[group] = of[group] + 1;
        raised = true;
      }
    }
  }
}

bool Layouts::is_below_ruled_out(const Layout& layout) const {
  return std::any_of(ruled_out_.begin(), ruled_out_.end(), [&](const Layout& of) { return covers(of, layout); });
}

bool Layouts::is_above_enough(const Layout& layout) const {
  return std::any_of(not_ruled_out_.begin(), not_ruled_out_.end(),
                     [&](const Layout& of) { return covers(layout, of); });
}

Layouts::Known Layouts::look_anew(const Layout& layout, bool firmly, bool likely_alone) {
  if (*progress_) {
    (*progress_)(std::min(1.0, work_ / limit_));
  }
  const auto variant = variants_->with(counts_of(layout));
  if (!variant) {
    return {};
  }
  const Variants::Decides decides = firmly ? Variants::Decides{} : [this](const Loads& so_far) {
    return judge(margins_of(so_far, *bounds_)) != study::Verdict::undecided;
  };
  // The failure that ended the last look is likely to end this one.
  std::vector<std::size_t> order = ends_;
  for (std::size_t failure = 0; failure < variant->failures.size() && !(likely_alone && !ends_.empty()); ++failure) {
    if (std::find(ends_.begin(), ends_.end(), failure) == ends_.end()) {
      order.push_back(failure);
    }
  }
  Known known{unbounded};
  for (const std::size_t failure : order) {
    if (failure < variant->failures.size() && ends(*variant, failure, layout, decides, known)) {
      std::erase(ends_, failure);
      ends_.insert(ends_.begin(), failure);
      return known;
    }
  }
  if (!likely_alone) {
    not_ruled_out_.push_back(layout);
  }
  return known;
}

bool Layouts::ends(const Variant& variant, std::size_t failure, const Layout& layout, const Variants::Decides& decides,
                   Known& known) {
  const scenario::Scenario still = variants_->still(variant, variant.failures[failure]);
  const Loads loads = variants_->loads(variant, variant.failures[failure], still, {}, decides);
  const Row row = row_of(still, loads, variant.failures[failure], *bounds_);
  work_ += work_of_failure + work_of_endpoints(still) + work_of_the_rest(variant.scenario, still) +
           work_of_request * requests_of(loads);
  known.exact = known.exact && row.exact;
  known.cost = failure == 0 ? row.cost.value_or(0.0) : known.cost;
  known.growth = std::min(known.growth, row.tightest ? row.tightest->growth() : unbounded);
  if (row.has_no_traffic() || row.holds()) {
    return false;
  }
  known.growth = std::min(known.growth, enough_growth - 1.0);
  known.by_load = std::all_of(row.margins.begin(), row.margins.end(),
                              [](const Margin& margin) { return margin.holds() || margin.growth() > 0.0; });
  known.failed = row.failed;
  known.met = row.tightest ? row.tightest->growth() : 0.0;
  known.group = row.tightest ? group_of(still, *row.tightest) : std::nullopt;
  rule_out(layout, still, row, row.exact && !loads.connections_held);
  return true;
}

// True if the group is its service's only one in its zone, so that its endpoints get the zone's requests.
bool Layouts::is_whole_zone(const scenario::Scenario& still, std::size_t group, std::uint32_t count) const {
  const auto& hosts = still.services[groups_[group].service.value].hosts;
  return std::count_if(hosts.begin(), hosts.end(), [&](const scenario::Host& host) {
           return still.nodes[still.endpoints[host.endpoint.value].node.value].zone == groups_[group].zone;
         }) == count;
}

void Layouts::rule_out(const Layout& layout, const scenario::Scenario& still, const Row& row, bool in_proportion) {
  for (const Margin& margin : row.margins) {
    if (margin.bound.metric != Metric::utilisation || margin.judgement() == study::Verdict::met) {
      continue;
    }
    Layout most = layout;
    const auto group = group_of(still, margin);
    if (in_proportion && margin.growth() > 0.0 && group && is_whole_zone(still, *group, layout[*group])) {
      // A larger group gets at least the same part of the requests. At best, the load per endpoint falls by this
      // factor.
      const double needed = std::ceil(layout[*group] / margin.growth_to_limit() - 1e-6);
      most[*group] = static_cast<std::uint32_t>(std::clamp(needed - 1.0, 1.0 * layout[*group], 4e9));
    }
    ruled_out_.push_back(std::move(most));
    return;
  }
}

std::optional<std::size_t> Layouts::group_of(const scenario::Scenario& still, const Margin& margin) const {
  for (std::size_t group = 0; group < groups_.size() && margin.endpoint; ++group) {
    const config::NodeIndex node = still.endpoints[margin.endpoint->value].node;
    if (groups_[group].service == margin.bound.service && groups_[group].zone == still.nodes[node.value].zone) {
      return group;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::plan
