#include "cli/replicas.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "cli/terminal.hpp"
#include "models/config/seconds.hpp"
#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/text/percent.hpp"
#include "sim/plan/loads.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/pod_group.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::cli {
namespace {

namespace pasted = scenario::pasted;
constexpr double limit = 0.8;  // of a pod's capacity, as in a plan without objectives

// The endpoints of a service by zone. The first one is of the workload with most pods there.
using PodsByZone = std::map<std::string, std::vector<config::EndpointIndex>>;

std::map<std::string, PodsByZone> pods_of(const scenario::Scenario& scenario) {
  std::map<std::string, PodsByZone> pods;
  for (const scenario::Service& service : scenario.services) {
    for (const scenario::Host& host : service.hosts) {
      if (!service.as_view && !host.forwards_to) {
        const auto node = scenario.endpoints[host.endpoint.value].node;
        pods[service.name][scenario.zones[scenario.nodes[node.value].zone.value].name].push_back(host.endpoint);
      }
    }
  }
  std::map<std::uint32_t, std::uint32_t> workload_size;  // by endpoint
  for (std::size_t group = 0; scenario.pods && group < scenario.pods->size(); ++group) {
    for (const config::EndpointIndex endpoint : (*scenario.pods)[group].endpoints) {
      workload_size[endpoint.value] = (*scenario.pods)[group].pods;
    }
  }
  for (auto& [service, by_zone] : pods) {
    for (auto& [zone, endpoints] : by_zone) {
      const auto largest = std::max_element(endpoints.begin(), endpoints.end(), [&](auto one, auto other) {
        return workload_size[one.value] < workload_size[other.value];
      });
      std::iter_swap(endpoints.begin(), largest);
    }
  }
  return pods;
}

// Returns the service of each endpoint: the first one in the order of the documents.
std::map<std::string, std::string> services_of_pods(const scenario::Scenario& scenario) {
  std::map<std::string, std::string> owners;
  for (const scenario::Service& service : scenario.services) {
    for (const scenario::Host& host : service.hosts) {
      if (!service.as_view && !host.forwards_to) {
        owners.emplace(scenario.endpoints[host.endpoint.value].id, service.name);
      }
    }
  }
  return owners;
}

// The situations, one after the other: all pods with all zones, then with each zone lost; then the same with fewer
// pods.
constexpr int step = 100;  // milliseconds from one situation to the next

std::string timeline_of(const scenario::Scenario& scenario, const std::map<std::string, PodsByZone>& pods,
                        const std::vector<std::string>& zones) {
  std::string text = "timeline:\n";
  const std::size_t situations = zones.size() + 1;
  for (const auto& [service, by_zone] : pods) {
    for (const auto& [zone, endpoints] : by_zone) {
      if (endpoints.size() > 1) {
        text += fmt::format("  - {{ at: {}ms, service: {}, endpoints: [{}], remove: 1 }}\n", step * situations,
                            pasted::quoted_text(service),
                            pasted::quoted_text(scenario.endpoints[endpoints.front().value].id));
      }
    }
  }
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    for (const std::size_t lost : {zone + 1, situations + zone + 1}) {
      for (const auto& [service, by_zone] : pods) {
        for (const auto& [at, healthy] : {std::pair{lost, 0}, std::pair{lost + 1, 100}}) {
          if (by_zone.contains(zones[zone])) {
            text += fmt::format("  - {{ at: {}ms, service: {}, zone: {}, healthy: {}% }}\n", step * at,
                                pasted::quoted_text(service), pasted::quoted_text(zones[zone]), healthy);
          }
        }
      }
    }
  }
  return text;
}

// Returns the zone that is lost in a situation; empty if none is.
std::string lost_in(std::size_t situation, const std::vector<std::string>& zones) {
  const std::size_t place = situation % (zones.size() + 1);
  return place == 0 ? "" : zones[place - 1];
}

// Returns the loads by service and situation.
std::map<std::string, std::vector<ReplicaLoad>> loads_of(const scenario::Scenario& scenario,
                                                         const std::vector<std::string>& zones) {
  const std::size_t situations = 2 * (zones.size() + 1);
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  using Key = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;
  std::map<Key, std::map<std::string, double>> shares;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    block.for_each([&](const run::ShareCell& cell) {
      shares[{block.client, block.service, block.epoch}][block.row(cell).endpoint] += cell.exact.value_or(cell.at_rest);
    });
  }
  std::map<std::string, std::string> zone_of;
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    zone_of[endpoint.id] = scenario.zones[scenario.nodes[endpoint.node.value].zone.value].name;
  }
  const std::map<std::string, std::string> owners = services_of_pods(scenario);
  struct Sum {
    std::map<std::string, double> by_pod = {};
    double sent = 0.0;
    double answered = 0.0;
  };
  std::map<std::string, std::vector<Sum>> sums;
  for (const run::Epoch& epoch : results.epochs) {
    const double seconds = config::seconds(epoch.end - epoch.start);
    const std::string& asked = scenario.services[scenario::asked_for(scenario, epoch.service).value].name;
    for (std::size_t situation = 0; situation < situations; ++situation) {
      const auto moment = std::chrono::milliseconds(step * static_cast<int>(situation));
      if (scenario.clients[epoch.client.value].zone_proxy || moment < epoch.start || moment >= epoch.end ||
          seconds <= 0.0) {
        continue;
      }
      const double rate = epoch.expected_requests / seconds;
      auto& of_asked = sums.try_emplace(asked, situations).first->second;
      of_asked[situation].sent += rate;
      for (const auto& [endpoint, share] : shares[{epoch.client, epoch.service, epoch.index}]) {
        const auto owner = owners.find(endpoint);
        if (owner == owners.end() || zone_of[endpoint] == lost_in(situation, zones)) {
          continue;  // a zone proxy with nothing behind it, or a lost pod
        }
        of_asked[situation].answered += rate * share;
        sums.try_emplace(owner->second, situations).first->second[situation].by_pod[endpoint] += rate * share;
      }
    }
  }
  constexpr double rounding = 1e-9;
  std::map<std::string, std::vector<ReplicaLoad>> loads;
  for (const auto& [service, by_situation] : sums) {
    for (const Sum& sum : by_situation) {
      ReplicaLoad& load = loads[service].emplace_back();
      for (const auto& [pod, rate] : sum.by_pod) {
        load.busiest = std::max(load.busiest, rate);
      }
      load.failing = sum.sent > 0.0 && sum.answered < sum.sent * (1.0 - rounding) ? 1.0 - sum.answered / sum.sent : 0.0;
    }
  }
  return loads;
}

// Returns the worst loads over the zones, of which the first situation is `first`.
ReplicaLoss worst_of(const std::vector<ReplicaLoad>& loads, std::size_t first, const std::vector<std::string>& zones) {
  ReplicaLoss loss;
  const auto worst = [&](double ReplicaLoad::* figure, std::string& name) {
    const auto begin = loads.begin() + static_cast<std::ptrdiff_t>(first);
    const auto [least, most] = std::minmax_element(
        begin, begin + std::ssize(zones),
        [&](const ReplicaLoad& one, const ReplicaLoad& other) { return one.*figure < other.*figure; });
    constexpr double alike = 1.0 - 1e-9;
    const auto highest = std::find_if(begin, begin + std::ssize(zones),
                                      [&](const ReplicaLoad& one) { return one.*figure >= (*most).*figure * alike; });
    name = (*least).*figure >= (*most).*figure * alike ? "" : zones[static_cast<std::size_t>(highest - begin)];
    loss.worst.*figure = (*most).*figure;
  };
  worst(&ReplicaLoad::busiest, loss.busiest_zone);
  worst(&ReplicaLoad::failing, loss.failing_zone);
  return loss;
}

// Returns the requests per second that each pod of the service can serve; 0 if unknown.
double capacity_of(const scenario::Scenario& scenario, const PodsByZone& pods) {
  const auto queues = plan::server_queues_of(scenario);
  double least = 0.0;
  for (const auto& [zone, endpoints] : pods) {
    for (const config::EndpointIndex endpoint : endpoints) {
      const auto& queue = queues[endpoint.value];
      if (!queue || queue->seconds <= 0.0) {
        return 0.0;
      }
      const double capacity = queue->cores / queue->seconds;
      least = least > 0.0 ? std::min(least, capacity) : capacity;
    }
  }
  return least;
}

std::string load_text(const ReplicaRow& row, double load) {
  constexpr double hundred = 100.0;
  if (row.capacity > 0.0) {
    return fmt::format("{:.0f} %", hundred * load / row.capacity);
  }
  return row.now.busiest > 0.0 ? fmt::format("x {:.3g}", load / row.now.busiest) : "-";
}

std::string while_lost_text(const std::string& zone) {
  return "while " + (zone.empty() ? "any zone" : zone) + " is lost";
}

bool is_too_much(const ReplicaRow& row, double load) {
  return row.capacity > 0.0 && load > limit * row.capacity * (1.0 + 1e-9);
}

std::string verdict_of(const ReplicaRow& row) {
  const auto fails = [](double part, const std::string& when) {
    return "no: " + reports::exact_percent(part) + " of its requests fail" + (when.empty() ? "" : " " + when);
  };
  if (row.now.failing > 0.0) {
    return fails(row.now.failing, "already");
  }
  if (!row.has_spare) {
    return "no: a single pod in a zone";
  }
  if (row.fewer.failing > 0.0) {
    return fails(row.fewer.failing, "");
  }
  const ReplicaLoss& lost = row.fewer_and_lost;
  if (lost.worst.failing > 0.0) {
    return fails(lost.worst.failing, while_lost_text(lost.failing_zone));
  }
  if (row.capacity <= 0.0) {
    return "capacity not known";
  }
  if (is_too_much(row, row.fewer.busiest)) {
    return "no: " + load_text(row, row.fewer.busiest);
  }
  return is_too_much(row, lost.worst.busiest)
             ? "no: " + load_text(row, lost.worst.busiest) + " " + while_lost_text(lost.busiest_zone)
             : "yes";
}

}  // namespace

bool ReplicaRow::may() const {
  return verdict_of(*this) == "yes";
}

std::vector<ReplicaRow> replica_rows(const pasted::Composed& composed) {
  const scenario::Reading before = scenario::read_scenario_file(composed.path);
  if (!before.scenario) {
    return {};
  }
  const auto pods = pods_of(*before.scenario);
  std::vector<std::string> zones;
  bool several = false;
  for (const scenario::Zone& zone : before.scenario->zones) {
    zones.push_back(zone.name);
  }
  for (const auto& [service, by_zone] : pods) {
    several =
        several || std::any_of(by_zone.begin(), by_zone.end(), [](const auto& zone) { return zone.second.size() > 1; });
  }
  if (!several) {
    return {};
  }
  const scenario::Reading changed =
      scenario::read_scenario_file(pasted::lay_out_with(composed, timeline_of(*before.scenario, pods, zones)));
  if (!changed.scenario) {
    return {};
  }
  std::vector<ReplicaRow> rows;
  for (const auto& [service, loads] : loads_of(*changed.scenario, zones)) {
    const auto by_zone = pods.find(service);
    if (by_zone == pods.end()) {
      continue;
    }
    const std::size_t fewer = zones.size() + 1;
    ReplicaRow row{.service = service,
                   .now = loads[0],
                   .lost = worst_of(loads, 1, zones),
                   .fewer = loads[fewer],
                   .fewer_and_lost = worst_of(loads, fewer + 1, zones),
                   .capacity = capacity_of(*before.scenario, by_zone->second)};
    for (const auto& [zone, endpoints] : by_zone->second) {
      row.pods += (row.pods.empty() ? "" : " + ") + std::to_string(endpoints.size());
      row.has_spare = row.has_spare && endpoints.size() > 1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string replicas_text(const std::vector<ReplicaRow>& rows, const Arguments& arguments) {
  if (rows.empty()) {
    return "";
  }
  reports::Sheet sheet{.subject = "replicas",
                       .fields = {{"service"},
                                  {"pods"},
                                  {"busiest pod now", true},
                                  {"with a zone lost", true},
                                  {"one pod less in each zone", true},
                                  {"and a zone lost", true},
                                  {"may lose a pod in each zone"}}};
  std::vector<std::string> may;
  for (const ReplicaRow& row : rows) {
    sheet.rows.push_back({row.service, row.pods, load_text(row, row.now.busiest),
                          load_text(row, row.lost.worst.busiest),
                          row.has_spare ? load_text(row, row.fewer.busiest) : "-",
                          row.has_spare ? load_text(row, row.fewer_and_lost.worst.busiest) : "-", verdict_of(row)});
    if (row.may()) {
      may.push_back(row.service);
    }
  }
  const bool known = std::any_of(rows.begin(), rows.end(), [](const ReplicaRow& row) { return row.capacity > 0.0; });
  const std::string headline =
      !known        ? "Which services may lose a pod in each zone? Say what a pod can serve: --capacity SERVICE=RATE"
      : may.empty() ? "No service may lose a pod in each zone and then a zone (limit 80 %)."
                    : "May lose a pod in each zone, and then a zone: " + reports::joined(may, ", ") + " (limit 80 %).";
  return "\n" + reports::format({.page =
                                     [&](reports::Page& page) {
                                       page.headline(headline);
                                       page.sheet(sheet);
                                     },
                                 .records = [&] { return sheet; }},
                                arguments.format, look_of_output(arguments));
}

std::string replicas_json(const std::vector<ReplicaRow>& rows) {
  documents::JsonText list = documents::JsonText::array();
  for (const ReplicaRow& row : rows) {
    documents::JsonText one{{"service", row.service},
                            {"pods", row.pods},
                            {"busiest_rps", row.now.busiest},
                            {"lost_rps", row.lost.worst.busiest},
                            {"fewer_rps", row.fewer.busiest},
                            {"fewer_and_lost_rps", row.fewer_and_lost.worst.busiest},
                            {"failing", row.now.failing},
                            {"failing_lost", row.lost.worst.failing},
                            {"failing_fewer", row.fewer.failing},
                            {"failing_fewer_and_lost", row.fewer_and_lost.worst.failing},
                            {"verdict", verdict_of(row)}};
    if (row.capacity > 0.0) {
      one.add("capacity_rps", row.capacity);
      one.add("may_lose_a_pod_in_each_zone", row.may());
    }
    list.push_back(one);
  }
  return std::move(list).text();
}

}  // namespace spillway::cli
