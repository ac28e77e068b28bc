#include "cli/replicas.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "cli/terminal.hpp"
#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

namespace pasted = scenario::pasted;
constexpr double limit = 0.8;  // of a pod's capacity, as in a plan without objectives

// The pods of a service by zone.
using PodsByZone = std::map<std::string, std::size_t>;

std::map<std::string, PodsByZone> pods_of(const scenario::Scenario& scenario) {
  std::map<std::string, PodsByZone> pods;
  for (const scenario::Service& service : scenario.services) {
    for (const scenario::Host& host : service.hosts) {
      if (!service.as_view && !host.forwards_to) {
        const auto node = scenario.endpoints[host.endpoint.value].node;
        ++pods[service.name][scenario.zones[scenario.nodes[node.value].zone.value].name];
      }
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

constexpr int step = 100;  // milliseconds from one situation to the next

// Writes a timeline: in the first step, each zone with several pods loses one; then the pods of one zone after the
// other are not ready as well.
std::string timeline_of_fewer(const std::map<std::string, PodsByZone>& pods, const std::vector<std::string>& zones) {
  std::string text = "timeline:\n";
  for (const auto& [service, by_zone] : pods) {
    for (const auto& [zone, count] : by_zone) {
      if (count > 1) {
        text += fmt::format("  - {{ at: {}ms, service: {}, zone: {}, remove: 1 }}\n", step,
                            pasted::quoted_text(service), pasted::quoted_text(zone));
      }
    }
  }
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    for (const auto& [service, by_zone] : pods) {
      for (const auto& [at, healthy] : {std::pair{zone + 2, 0}, std::pair{zone + 3, 100}}) {
        if (by_zone.contains(zones[zone])) {
          text += fmt::format("  - {{ at: {}ms, service: {}, zone: {}, healthy: {}% }}\n", step * at,
                              pasted::quoted_text(service), pasted::quoted_text(zones[zone]), healthy);
        }
      }
    }
  }
  return text;
}

// Returns the requests per second of the busiest pod, by service and situation.
std::map<std::string, std::vector<double>> busiest_pods(const scenario::Scenario& scenario, std::size_t situations) {
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  using Key = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;
  std::map<Key, std::map<std::string, double>> shares;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    block.for_each([&](const run::ShareCell& cell) {
      shares[{block.client, block.service, block.epoch}][block.row(cell).endpoint] += cell.exact.value_or(cell.at_rest);
    });
  }
  const std::map<std::string, std::string> owners = services_of_pods(scenario);
  std::map<std::string, std::vector<std::map<std::string, double>>> loads;
  for (const run::Epoch& epoch : results.epochs) {
    const double seconds = std::chrono::duration<double>(epoch.end - epoch.start).count();
    const auto found = shares.find({epoch.client, epoch.service, epoch.index});
    for (std::size_t situation = 0; situation < situations && found != shares.end(); ++situation) {
      const auto moment = std::chrono::milliseconds(step * static_cast<int>(situation));
      if (moment < epoch.start || moment >= epoch.end || seconds <= 0.0) {
        continue;
      }
      for (const auto& [endpoint, share] : found->second) {
        const auto owner = owners.find(endpoint);
        auto& of_service = loads[owner == owners.end() ? endpoint : owner->second];
        of_service.resize(situations);
        of_service[situation][endpoint] += share * epoch.expected_requests / seconds;
      }
    }
  }
  std::map<std::string, std::vector<double>> busiest;
  for (const auto& [service, by_situation] : loads) {
    for (const auto& by_pod : by_situation) {
      double most = 0.0;
      for (const auto& [pod, load] : by_pod) {
        most = std::max(most, load);
      }
      busiest[service].push_back(most);
    }
  }
  return busiest;
}

std::string load_text(const ReplicaRow& row, double load) {
  constexpr double hundred = 100.0;
  if (row.capacity > 0.0) {
    return fmt::format("{:.0f} %", hundred * load / row.capacity);
  }
  return row.now > 0.0 ? fmt::format("x {:.3g}", load / row.now) : "-";
}

std::string verdict_of(const ReplicaRow& row) {
  if (!row.has_spare) {
    return "no: a single pod in a zone";
  }
  if (row.capacity <= 0.0) {
    return "capacity not known";
  }
  return row.may_while_lost() ? "yes" : row.may() ? "yes, but not while " + row.lost_zone + " is lost" : "no";
}

}  // namespace

bool ReplicaRow::may() const {
  return has_spare && capacity > 0.0 && fewer <= limit * capacity * (1.0 + 1e-9);
}

bool ReplicaRow::may_while_lost() const {
  return may() && fewer_and_lost <= limit * capacity * (1.0 + 1e-9);
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
    several = several || std::any_of(by_zone.begin(), by_zone.end(), [](const auto& zone) { return zone.second > 1; });
  }
  if (!several) {
    return {};
  }
  const scenario::Reading changed =
      scenario::read_scenario_file(pasted::lay_out_with(composed, timeline_of_fewer(pods, zones)));
  if (!changed.scenario) {
    return {};
  }
  const auto busiest = busiest_pods(*changed.scenario, zones.size() + 2);
  std::vector<ReplicaRow> rows;
  for (const auto& [service, loads] : busiest) {
    ReplicaRow row{.service = service, .now = loads[0], .fewer = loads[1]};
    const auto by_zone = pods.find(service);
    for (const auto& [zone, count] : by_zone == pods.end() ? PodsByZone{} : by_zone->second) {
      row.pods += (row.pods.empty() ? "" : " + ") + std::to_string(count);
      row.has_spare = row.has_spare && count > 1;
    }
    for (std::size_t zone = 0; zone < zones.size(); ++zone) {
      if (loads[zone + 2] > row.fewer_and_lost) {
        row.fewer_and_lost = loads[zone + 2];
        row.lost_zone = zones[zone];
      }
    }
    if (row.pods.empty()) {
      continue;
    }
    const auto known = composed.capacities.find(service);
    row.capacity = known == composed.capacities.end() ? 0.0 : known->second;
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
                                  {"one pod less in each zone", true},
                                  {"and a zone lost", true},
                                  {"may lose a pod in each zone"}}};
  std::vector<std::string> may;
  for (const ReplicaRow& row : rows) {
    sheet.rows.push_back({row.service, row.pods, load_text(row, row.now), load_text(row, row.fewer),
                          load_text(row, row.fewer_and_lost), verdict_of(row)});
    if (row.may_while_lost()) {
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
                                     }},
                                arguments.format, look_of_output(arguments));
}

std::string replicas_json(const std::vector<ReplicaRow>& rows) {
  documents::JsonText list = documents::JsonText::array();
  for (const ReplicaRow& row : rows) {
    documents::JsonText one{{"service", row.service},
                            {"pods", row.pods},
                            {"busiest_rps", row.now},
                            {"fewer_rps", row.fewer},
                            {"fewer_and_lost_rps", row.fewer_and_lost}};
    if (row.capacity > 0.0) {
      one.add("capacity_rps", row.capacity);
      one.add("may_lose_a_pod_in_each_zone", row.may_while_lost());
    }
    list.push_back(one);
  }
  return std::move(list).text();
}

}  // namespace spillway::cli
