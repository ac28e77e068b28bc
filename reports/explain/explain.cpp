#include "reports/explain/explain.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>

#include "models/envoy/exact_shares.hpp"
#include "reports/explain/asked_shares.hpp"
#include "reports/explain/bounds.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/explain/sections.hpp"
#include "reports/explain/unreached.hpp"
#include "reports/explain/why.hpp"
#include "reports/explain/wording.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {

namespace {

using run::FlowIndex;

// True if a cluster, or one of its members, picks by the hash of the request.
bool hashes(const scenario::Scenario& scenario, config::ServiceIndex service) {
  const auto members = scenario::members_of(scenario, service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    return envoy::policies::consistent_hashing(scenario.services[member.value].cluster.lb_policy) != nullptr;
  });
}

// True if requests reach the service by routes without any hash policy: Envoy then draws a random hash. A cluster whose
// policy has its own hash policies needs none on the route.
bool draws_hashes(const scenario::Scenario& scenario, config::ClientEntryIndex client, config::ServiceIndex service) {
  const std::vector<RouteOfKinds> routes = routes_to(scenario, client, service);
  if (routes.empty()) {
    return scenario.routes_hash_nothing;
  }
  return std::all_of(routes.begin(), routes.end(), [&](const RouteOfKinds& of) {
    const scenario::Route& route = scenario.routes[of.route];
    const bool by_cluster =
        std::any_of(route.clusters.begin(), route.clusters.end(), [&](config::ServiceIndex cluster) {
          const auto members = scenario::members_of(scenario, cluster);
          return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
            const auto* const hashing =
                envoy::policies::consistent_hashing(scenario.services[member.value].cluster.lb_policy);
            return hashing != nullptr && !hashing->hash_policy.empty();
          });
        });
    return route.route.action.hash_policy.empty() && !by_cluster;
  });
}

class Explainer {
 public:
  Explainer(const scenario::Scenario& scenario, const Sources& sources, const Question& question)
      : sources_(sources), question_(question) {
    if (!question.headers.empty()) {
      with_headers_ = with_headers(scenario, question);
    }
    scenario_ = with_headers_ ? &*with_headers_ : &scenario;
    snapshot_.emplace(*scenario_, question.at);
  }

  Explanation explain() {
    const scenario::ClientEntry& client = scenario_->clients[question_.client.value];
    result_.scenario = scenario_->name;
    result_.profile = scenario_->profile;
    result_.client = client.name;
    result_.client_zone = scenario_->zones[scenario_->nodes[client.node.value].zone.value].name;
    result_.service = scenario_->services[question_.service.value].name;
    result_.at = question_.at;
    result_.request = request_text();
    const std::vector<FlowIndex> group = snapshot_->flow_group(question_.client, question_.service);
    for (const FlowIndex flow : group) {
      const config::ServiceIndex view = snapshot_->flows().at(flow).service;
      const std::string title = group.size() > 1 ? printable(scenario_->services[view.value].name) : "";
      add_flow(flow, snapshot_->part_of_group(flow), title);
      add_dropped(flow);
    }
    if (auto step = route_step(*scenario_, sources_, question_.client, question_.service);
        step && !result_.sections.empty()) {
      std::vector<Step>& first = result_.sections.front().steps;
      first.insert(first.begin(), *std::move(step));
    }
    result_.endpoints = std::move(shares_.endpoints);
    result_.basis = shares_.basis;
    result_.at_rest = question_.at_rest;
    result_.why_joint = shares_.why_joint;
    result_.bounds = bounds(*snapshot_, question_, group);
    add_notes(group);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string request_text() const {
    std::string text = question_.key ? "key " + *question_.key : "";
    for (const auto& [name, value] : question_.headers) {
      text += (text.empty() ? "" : ", ") + name + "=" + value;
    }
    return text;
  }

  void add_flow(FlowIndex flow, double part, const std::string& title) {
    traces_.emplace_back();
    const envoy::ExactShares exact = flow_shares(*snapshot_, question_, flow, &traces_.back());
    add_endpoints(*snapshot_, question_, flow, exact, shares_);
    add_sections({*snapshot_, sources_, flow, traces_.back(), part, 0, title}, result_.sections);
    add_proxies(flow, exact, part, 1);
  }

  void add_dropped(FlowIndex flow) {
    const double part = snapshot_->traffic().dropped(flow);
    if (part > 0.0) {
      const scenario::Service& service = scenario_->services[snapshot_->flows().at(flow).service.value];
      result_.dropped += part * snapshot_->part_of_group(flow);
      result_.notes.push_back(fmt::format(
          "drop_overloads `{}` answers {} of the requests for {} with 503 before anything is picked; the steps are "
          "about the others",
          printable(service.load_assignment.drop_overload.category), exact_percent(part), printable(service.name)));
    }
  }

  // Adds the sections of the zone proxies that the requests pass.
  void add_proxies(FlowIndex flow, const envoy::ExactShares& exact, double part, std::uint32_t depth) {
    const auto members = scenario::members_of(*scenario_, snapshot_->flows().at(flow).service);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> by_host;
    for (const envoy::HostShare& share : exact.hosts) {
      by_host[{share.child, share.host.value}] += share.share * part;
    }
    for (const auto& [key, share] : by_host) {
      const scenario::Host& host = scenario_->services[members[key.first].value].hosts[key.second];
      if (!host.forwards_to) {
        continue;
      }
      const FlowIndex further = snapshot_->flows().of_zone_proxy(host.endpoint, *host.forwards_to);
      if (!explained_.insert(further).second) {
        continue;
      }
      traces_.emplace_back();
      const envoy::ExactShares own = snapshot_->exact_shares(further, &traces_.back());
      const std::string title = fmt::format("behind {}", printable(scenario_->endpoints[host.endpoint.value].id));
      add_sections({*snapshot_, sources_, further, traces_.back(), share, depth, title}, result_.sections);
      add_proxies(further, own, share, depth + 1);
    }
  }

  void add_notes(const std::vector<FlowIndex>& group) {
    bool judged = false;
    for (const FlowIndex flow : group) {
      for (const config::ServiceIndex member : scenario::members_of(*scenario_, snapshot_->flows().at(flow).service)) {
        const envoy::Cluster& cluster = scenario_->services[member.value].cluster;
        judged = judged || !cluster.health_checks.empty() || cluster.outlier_detection;
      }
    }
    const bool hashed = std::any_of(group.begin(), group.end(), [&](FlowIndex flow) {
      return hashes(*scenario_, snapshot_->flows().at(flow).service);
    });
    if (hashed && draws_hashes(*scenario_, question_.client, question_.service)) {
      result_.notes.emplace_back(
          "the route has no hash_policy: Envoy draws a random hash for each request, so that none sticks to a host");
    }
    if (weights_count(group)) {
      result_.notes.emplace_back(
          "weights of endpoints count for Envoy; clients of gRPC without a proxy ignore them under round_robin (gRFC "
          "A27)");
    }
    if (judged) {
      result_.notes.emplace_back(
          "active checks and ejections depend on requests and are unknown here: health is what EDS reports");
    }
    if (!result_.why_joint.empty()) {
      result_.notes.push_back(
          (result_.why_joint == run::connection_basis ? "on average: " : "no exact share where `?` stands: ") +
          result_.why_joint);
    }
    if (!result_.basis.empty()) {
      result_.notes.push_back("assumed: " + result_.basis);
    }
    for (const Unreached& zone : unreached_zones(*scenario_, question_.client, views_of(group))) {
      result_.notes.push_back(unreached_text(zone));
    }
  }

  // True if a round-robin cluster has endpoints of different weights within a locality's list.
  [[nodiscard]] bool weights_count(const std::vector<FlowIndex>& group) const {
    for (const config::ServiceIndex view : views_of(group)) {
      for (const config::ServiceIndex member : scenario::members_of(*scenario_, view)) {
        const scenario::Service& service = scenario_->services[member.value];
        const bool from_file = !service.as_view && service.cluster.lb_policy ==
                                                       envoy::policies::Config(envoy::policies::round_robin::Config{});
        const config::LbEndpoint* first = nullptr;
        for (const config::LocalityLbEndpoints& locality : service.load_assignment.endpoints) {
          for (const config::LbEndpoint& endpoint : locality.lb_endpoints) {
            first = first == nullptr ? &endpoint : first;
            if (from_file && endpoint.load_balancing_weight != first->load_balancing_weight) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  [[nodiscard]] std::vector<config::ServiceIndex> views_of(const std::vector<FlowIndex>& group) const {
    std::vector<config::ServiceIndex> views;
    for (const FlowIndex flow : group) {
      views.push_back(snapshot_->flows().at(flow).service);
    }
    return views;
  }

  const Sources& sources_;
  const Question& question_;
  std::optional<scenario::Scenario> with_headers_;
  const scenario::Scenario* scenario_ = nullptr;
  std::optional<run::Snapshot> snapshot_;
  std::deque<std::vector<run::TracedPart>> traces_;
  std::set<FlowIndex> explained_;
  AskedShares shares_;
  Explanation result_;
};

}  // namespace

std::vector<config::ServiceIndex> asked_services(const scenario::Scenario& scenario, config::ClientEntryIndex client) {
  std::vector<config::ServiceIndex> services;
  for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[client.value])) {
    const config::ServiceIndex asked = scenario::asked_for(scenario, service);
    if (std::find(services.begin(), services.end(), asked) == services.end()) {
      services.push_back(asked);
    }
  }
  return services;
}

std::optional<Refusal> refusal(const scenario::Scenario& scenario, const Question& question) {
  if (question.key || !question.headers.empty()) {
    bool any = false;
    for (const config::ServiceIndex service :
         scenario::services_of(scenario, scenario.clients[question.client.value])) {
      any = any || (scenario::asked_for(scenario, service) == question.service && hashes(scenario, service));
    }
    const std::string name = printable(scenario.services[question.service.value].name);
    if (!any) {
      return Refusal{Refusal::About::request, "no policy on the way to `" + name + "` picks by a hash", {}};
    }
    if (question.key && draws_hashes(scenario, question.client, question.service)) {
      return Refusal{Refusal::About::request,
                     "the route to `" + name +
                         "` has no hash_policy, so that Envoy draws a random hash for each request, and no key decides",
                     {}};
    }
    if (!question.headers.empty() && !kind_for(scenario, question.client, question.service)) {
      return Refusal{Refusal::About::request,
                     "the client sends no requests with headers to `" + name + "`, so that no hash policy reads them",
                     {}};
    }
  }
  return question.why ? why_refusal(scenario, question) : std::nullopt;
}

Explanation explain(const scenario::Scenario& scenario, const Sources& sources, const Question& question) {
  Explanation explanation = Explainer(scenario, sources, question).explain();
  if (question.why) {
    explanation.why = why(scenario, sources, question, explanation);
  }
  return explanation;
}

}  // namespace spillway::reports::explain
