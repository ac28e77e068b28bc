#include "sim/plan/failures.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/kuma/endpoint.hpp"
#include "sim/plan/alike.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

using scenario::PlannedFailure;
using Endpoints = std::vector<config::EndpointIndex>;

constexpr std::uint64_t most_ways = 10'000;

class Lister {
 public:
  explicit Lister(const scenario::Scenario& scenario)
      : scenario_(&scenario), alike_(scenario), clients_of_node_(clients_of_nodes(scenario)) {}

  Failures list() {
    failures_.all.push_back({"nothing"});
    const std::vector<PlannedFailure> usual = usual_failures();
    const bool given = scenario_->failures.has_value();
    for (const PlannedFailure& failure : given ? *scenario_->failures : usual) {
      const std::size_t before = failures_.all.size();
      add(failure);
      if (given && failures_.all.size() == before && failures_.problems.empty()) {
        failures_.problems.error("SP701", failure.where, "a failure without endpoints", "it matches no endpoint");
      }
    }
    distinguish_names();
    return std::move(failures_);
  }

 private:
  // Distinguishes failures of the same name by what EDS reports of them. Failures that still have the same name are
  // numbered.
  void distinguish_names() {
    std::map<std::string, std::size_t> uses;
    for (const Failure& failure : failures_.all) {
      ++uses[failure.name];
    }
    std::set<std::string> taken;
    for (Failure& failure : failures_.all) {
      if (uses[failure.name] > 1) {
        failure.name += failure.reported == scenario::LossReported::removed   ? ", removed"
                        : failure.reported == scenario::LossReported::nothing ? ", proxies not told"
                                                                              : "";
      }
      const std::string name = failure.name;
      for (int number = 2; !taken.insert(failure.name).second; ++number) {
        failure.name = fmt::format("{} ({})", name, number);
      }
    }
  }

  [[nodiscard]] static std::vector<PlannedFailure> usual_failures() {
    std::vector<PlannedFailure> usual;
    for (const auto kind : {PlannedFailure::Kind::each_zone, PlannedFailure::Kind::each_node}) {
      for (const bool clients_lost : {false, true}) {
        PlannedFailure failure;
        failure.kind = kind;
        failure.clients_lost = clients_lost;
        usual.push_back(failure);
      }
    }
    return usual;
  }

  // Returns the endpoints that the failure may apply to, ascending.
  [[nodiscard]] Endpoints candidates(const PlannedFailure& failure) const {
    Endpoints chosen;
    for (const config::EndpointIndex endpoint : alike_.endpoints()) {
      const config::ZoneIndex zone = zone_of(endpoint);
      if ((!failure.service || alike_.serves(endpoint, *failure.service)) && (!failure.zone || zone == *failure.zone)) {
        chosen.push_back(endpoint);
      }
    }
    return chosen;
  }

  [[nodiscard]] config::NodeIndex node_of(config::EndpointIndex endpoint) const {
    return scenario_->endpoints[endpoint.value].node;
  }
  [[nodiscard]] config::ZoneIndex zone_of(config::EndpointIndex endpoint) const {
    return scenario_->nodes[node_of(endpoint).value].zone;
  }
  [[nodiscard]] const std::string& name_of(config::NodeIndex node) const { return scenario_->nodes[node.value].name; }
  [[nodiscard]] bool has_clients(config::NodeIndex node) const { return !clients_of_node_[node.value].empty(); }

  // By NodeIndex: the number of clients per client entry on the node, as "0: 2, 3: 1".
  [[nodiscard]] static std::vector<std::string> clients_of_nodes(const scenario::Scenario& scenario) {
    std::vector<std::string> texts(scenario.nodes.size());
    for (std::size_t client = 0; client < scenario.clients.size(); ++client) {
      const scenario::ClientEntry& entry = scenario.clients[client];
      const auto nodes = entry.nodes.empty() ? std::vector{entry.node} : entry.nodes;
      for (std::size_t index = 0; index < nodes.size() && !entry.zone_proxy; ++index) {
        const std::size_t count = entry.count / nodes.size() + (index < entry.count % nodes.size() ? 1 : 0);
        std::string& text = texts[nodes[index].value];
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", client, count);
      }
    }
    return texts;
  }

  void add(const PlannedFailure& failure) {
    switch (failure.kind) {
      case PlannedFailure::Kind::each_zone:
        return add_zones(failure);
      case PlannedFailure::Kind::each_node:
        return add_nodes(failure, 1, !scenario_->failures);
      case PlannedFailure::Kind::any_endpoints:
        return add_any_endpoints(failure);
      case PlannedFailure::Kind::any_nodes:
        return add_nodes(failure, failure.count, false);
      case PlannedFailure::Kind::together:
        return add_together(failure);
      case PlannedFailure::Kind::degraded:
        return add_degraded(failure);
    }
  }

  void push(const PlannedFailure& of, std::string name, Endpoints endpoints, std::vector<config::NodeIndex> silent,
            std::uint64_t ways = 1) {
    if (!of.name.empty()) {
      name = of.kind == PlannedFailure::Kind::together ? of.name : of.name + ": " + name;
    }
    std::sort(endpoints.begin(), endpoints.end());
    endpoints.erase(std::unique(endpoints.begin(), endpoints.end()), endpoints.end());
    if (of.slowness != 1.0) {
      name += fmt::format(" {:g} times slower", of.slowness);
    }
    if (of.fails > 0.0) {
      name += fmt::format("{} failing {:g} %", of.slowness != 1.0 ? " and" : "", 100.0 * of.fails);
    }
    failures_.all.push_back({.name = std::move(name),
                             .endpoints = std::move(endpoints),
                             .slowness = of.slowness,
                             .fails = of.fails,
                             .reported = of.reported,
                             .silent = std::move(silent),
                             .ways = ways});
  }

  // Returns "cart endpoints" if the failure names one service, "endpoints" otherwise.
  [[nodiscard]] std::string endpoints_text(const PlannedFailure& failure) const {
    return failure.service ? scenario_->services[failure.service->value].name + " endpoints" : "endpoints";
  }

  void add_zones(const PlannedFailure& failure) {
    const Endpoints all = candidates(failure);
    for (std::uint32_t zone = 0; zone < scenario_->zones.size(); ++zone) {
      Endpoints lost;
      std::copy_if(all.begin(), all.end(), std::back_inserter(lost),
                   [&](config::EndpointIndex endpoint) { return zone_of(endpoint).value == zone; });
      std::vector<config::NodeIndex> silent;
      for (std::uint32_t node = 0; failure.clients_lost && node < scenario_->nodes.size(); ++node) {
        if (scenario_->nodes[node].zone.value == zone && has_clients({node})) {
          silent.push_back({node});
        }
      }
      const std::string& name = scenario_->zones[zone].name;
      if (!lost.empty() && (!failure.clients_lost || !silent.empty())) {
        push(failure, silent.empty() ? name + " " + endpoints_text(failure) : name + " with its clients", lost, silent);
      }
    }
  }

  // With `unless_whole_zone`, skips nodes that are the only ones of their zone: they were lost with the zone.
  void add_nodes(const PlannedFailure& failure, std::uint32_t count, bool unless_whole_zone) {
    std::map<std::uint32_t, Endpoints> by_node;
    std::map<std::uint32_t, std::set<std::uint32_t>> nodes_of_zone;
    for (const config::EndpointIndex endpoint : candidates(failure)) {
      by_node[node_of(endpoint).value].push_back(endpoint);
      nodes_of_zone[zone_of(endpoint).value].insert(node_of(endpoint).value);
    }
    std::vector<std::vector<std::uint32_t>> classes;
    std::map<std::string, std::size_t> known;
    for (const auto& [node, endpoints] : by_node) {
      const bool whole = nodes_of_zone[scenario_->nodes[node].zone.value].size() == 1;
      const bool silenced = failure.clients_lost && has_clients({node});
      if ((unless_whole_zone && whole) || (count == 1 && failure.clients_lost && !silenced)) {
        continue;
      }
      std::string key = fmt::format("{} {} {}", scenario_->nodes[node].zone.value, scenario_->nodes[node].sub_zone,
                                    silenced ? clients_of_node_[node] : "");
      for (const config::EndpointIndex endpoint : endpoints) {
        key += fmt::format(" {}", alike_.class_of(endpoint));
      }
      const auto [position, fresh] = known.try_emplace(key, classes.size());
      if (fresh) {
        classes.emplace_back();
      }
      classes[position->second].push_back(node);
    }
    each_choice(failure, classes, count, [&](const std::vector<std::uint32_t>& nodes, std::uint64_t ways) {
      Endpoints lost;
      std::vector<config::NodeIndex> silent;
      std::string name;
      for (const std::uint32_t node : nodes) {
        const Endpoints& endpoints = by_node[node];
        lost.insert(lost.end(), endpoints.begin(), endpoints.end());
        name += (name.empty() ? "node " : ", ") + name_of({node});
        if (failure.clients_lost && has_clients({node})) {
          silent.push_back({node});
        }
      }
      push(failure, name + (silent.empty() ? " " + endpoints_text(failure) : " with its clients"), lost, silent, ways);
    });
  }

  void add_any_endpoints(const PlannedFailure& failure) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_class;
    for (const config::EndpointIndex endpoint : candidates(failure)) {
      by_class[alike_.class_of(endpoint)].push_back(endpoint.value);
    }
    std::vector<std::vector<std::uint32_t>> classes;
    for (auto& [number, members] : by_class) {
      classes.push_back(std::move(members));
    }
    each_choice(failure, classes, failure.count, [&](const std::vector<std::uint32_t>& chosen, std::uint64_t ways) {
      Endpoints lost;
      std::string name;
      for (const std::uint32_t endpoint : chosen) {
        lost.push_back({endpoint});
        name += (name.empty() ? "" : ", ") + scenario_->endpoints[endpoint].id;
      }
      push(failure, name, lost, {}, ways);
    });
  }

  // Visits every choice of `count` endpoints from classes of alike members. A choice takes the first members of each
  // class.
  void each_choice(const PlannedFailure& failure, const std::vector<std::vector<std::uint32_t>>& classes,
                   std::uint32_t count,
                   const std::function<void(const std::vector<std::uint32_t>&, std::uint64_t)>& visit) {
    std::uint64_t choices = 0;
    std::vector<std::uint32_t> chosen;
    const std::function<void(std::size_t, std::uint32_t, std::uint64_t)> choose =
        [&](std::size_t of, std::uint32_t left, std::uint64_t ways) {
          if (left == 0) {
            if (++choices <= most_ways) {
              visit(chosen, ways);
            }
            return;
          }
          if (of == classes.size() || choices > most_ways) {
            return;
          }
          const auto most = std::min<std::size_t>(left, classes[of].size());
          std::uint64_t of_this = 1;
          for (std::size_t taken = 1; taken <= most; ++taken) {
            chosen.push_back(classes[of][taken - 1]);
            of_this = of_this * (classes[of].size() - taken + 1) / taken;
          }
          // Choices come in the order of the file because the first class gives as many as possible first.
          for (std::size_t taken = most;; --taken) {
            choose(of + 1, left - static_cast<std::uint32_t>(taken), ways * of_this);
            if (taken == 0) {
              break;
            }
            chosen.pop_back();
            of_this = of_this * taken / (classes[of].size() - taken + 1);
          }
        };
    choose(0, count, 1);
    if (choices > most_ways) {
      failures_.problems
          .error("SP702", failure.where, "too many ways to fail", "more than {} different ones", {most_ways})
          .help("name a `service` or a `zone`, or count fewer");
    }
  }

  void add_together(const PlannedFailure& failure) {
    const Endpoints all = candidates(failure);
    Endpoints lost;
    std::vector<config::NodeIndex> silent;
    std::string name;
    for (const scenario::LostPart& part : failure.parts) {
      std::string part_name;
      for (const config::EndpointIndex endpoint : all) {
        const bool named = std::find(part.endpoints.begin(), part.endpoints.end(), endpoint) != part.endpoints.end();
        if (named || (part.zone && zone_of(endpoint) == *part.zone) || (part.node && node_of(endpoint) == *part.node)) {
          lost.push_back(endpoint);
        }
        if (named) {
          part_name += (part_name.empty() ? "" : ", ") + scenario_->endpoints[endpoint.value].id;
        }
      }
      part_name = part.zone   ? scenario_->zones[part.zone->value].name
                  : part.node ? "node " + name_of(*part.node)
                              : part_name;
      name += (name.empty() ? "" : " and ") + part_name;
      for (std::uint32_t node = 0; failure.clients_lost && node < scenario_->nodes.size(); ++node) {
        const bool meant =
            (part.zone && scenario_->nodes[node].zone == *part.zone) || (part.node && part.node->value == node);
        if (meant && has_clients({node})) {
          silent.push_back({node});
        }
      }
    }
    if (!lost.empty()) {
      push(failure, name + (silent.empty() ? "" : " with their clients"), lost, silent);
    }
  }

  void add_degraded(const PlannedFailure& failure) {
    const Endpoints all = candidates(failure);
    std::set<std::size_t> seen;
    bool is_last = all.empty();
    for (std::uint32_t step = 0; !is_last; ++step) {
      // The last step is shorter if the sweep is not a multiple of the step.
      is_last = failure.from + step * failure.step >= failure.to - 1e-9;
      const double fraction = is_last ? failure.to : failure.from + step * failure.step;
      // Rounded half up, like every amount of endpoints.
      const auto count = static_cast<std::size_t>(fraction * static_cast<double>(all.size()) + 0.5 + 1e-9);
      if (!seen.insert(count).second) {
        continue;
      }
      const std::string where = failure.zone ? scenario_->zones[failure.zone->value].name + " " : "";
      push(failure, fmt::format("{}{} {} of {} degraded", where, endpoints_text(failure), count, all.size()),
           Endpoints(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)), {});
      failures_.all.back().degraded = true;
    }
  }

  const scenario::Scenario* scenario_;
  Alike alike_;
  std::vector<std::string> clients_of_node_;
  Failures failures_;
};

// Returns the service's own hosts that are among these endpoints. Precondition: `endpoints` are ascending.
std::vector<config::HostIndex> hosts_of(const scenario::Service& service, const Endpoints& endpoints) {
  std::vector<config::HostIndex> hosts;
  for (std::uint32_t host = 0; host < service.hosts.size() && !service.as_view; ++host) {
    if (!service.hosts[host].forwards_to &&
        std::binary_search(endpoints.begin(), endpoints.end(), service.hosts[host].endpoint)) {
      hosts.push_back({host});
    }
  }
  return hosts;
}

scenario::EdsHealth health_report(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts,
                                  bool degraded) {
  scenario::EdsHealth reported{service, {}};
  for (const config::HostIndex host : hosts) {
    reported.hosts.emplace_back(host, degraded ? config::HealthStatus::degraded : config::HealthStatus::unhealthy);
  }
  return reported;
}

}  // namespace

bool is_lost(const Failure& failure, config::EndpointIndex endpoint) {
  return !failure.degraded && !failure.is_gray() &&
         std::binary_search(failure.endpoints.begin(), failure.endpoints.end(), endpoint);
}

Failures failures_of(const scenario::Scenario& scenario) {
  return Lister(scenario).list();
}

std::vector<scenario::Change> changes_of(const scenario::Scenario& scenario, const Failure& failure,
                                         std::chrono::nanoseconds at) {
  std::vector<scenario::Change> changes;
  for (std::uint32_t index = 0; index < scenario.services.size() && !failure.endpoints.empty(); ++index) {
    const config::ServiceIndex service{index};
    const std::vector<config::HostIndex> hosts = hosts_of(scenario.services[index], failure.endpoints);
    if (hosts.empty()) {
      continue;
    }
    if (failure.is_gray()) {
      if (failure.slowness != 1.0) {
        changes.push_back({at, scenario::Slow{service, hosts, failure.slowness}, {}});
      }
      if (failure.fails > 0.0) {
        changes.push_back({at, scenario::Fails{.service = service, .hosts = hosts, .fraction = failure.fails}, {}});
      }
      continue;
    }
    if (!failure.degraded) {
      changes.push_back({at, scenario::Existence{service, hosts, false}, {}});
    }
    if (failure.degraded || failure.reported == scenario::LossReported::unhealthy) {
      changes.push_back({at, health_report(service, hosts, failure.degraded), {}});
    } else if (failure.reported == scenario::LossReported::removed) {
      changes.push_back({at, scenario::EdsMembership{service, hosts, false}, {}});
    }
  }
  const scenario::ActualState before = scenario::actual_at(scenario, at);
  std::vector<bool> silent(scenario.nodes.size(), false);
  for (const config::NodeIndex node : failure.silent) {
    silent[node.value] = true;
  }
  const auto sends = [&](config::NodeIndex node) { return before.is_on(node); };
  const auto still_sends = [&](config::NodeIndex node) { return sends(node) && !silent[node.value]; };
  for (std::uint32_t client = 0; client < scenario.clients.size() && !failure.silent.empty(); ++client) {
    const std::uint32_t sending = clients_on(scenario.clients[client], sends);
    const std::uint32_t left = clients_on(scenario.clients[client], still_sends);
    if (left < sending && !scenario.clients[client].zone_proxy) {
      // A rate is per client of the entry: the remaining clients' requests, averaged over all that sent before.
      const double rate =
          std::max(0.0, before.of(config::ClientEntryIndex{client}).at(at)) * (static_cast<double>(left) / sending);
      changes.push_back({at, scenario::RateChange{{client}, rate, 0.0}, {}});
    }
  }
  return changes;
}

}  // namespace spillway::plan
