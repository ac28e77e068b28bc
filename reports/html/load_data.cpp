#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "models/config/seconds.hpp"
#include "models/config/strong.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/text/json_text.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::html {
namespace {

constexpr std::size_t most_map_rows = 150;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Rounds to four decimals, more than a reader needs.
Data rounded_or_null(double value) {
  constexpr double digits = 1e4;
  return std::round(value * digits) / digits;
}

// Returns the larger value; NaN is less than any number.
double larger_of(double left, double right) {
  return std::isnan(left) || right > left ? right : left;
}

struct LoadedEndpoint {
  config::EndpointIndex endpoint;
  config::ServiceIndex service;
  std::vector<double> cells = {};  // by column
  double busy = 0.0;               // seconds
  double most = unknown;           // utilisation
  double most_at = 0.0;
  double requests = 0.0;
  double queue = unknown;
};

class LoadMap {
 public:
  LoadMap(const scenario::Scenario& scenario, const run::Results& results)
      : scenario_(scenario),
        exact_(results.mode == scenario::Mode::exact),
        rows_(results.samples.empty() ? results.endpoints : results.samples) {
    limited_ = std::any_of(rows_.begin(), rows_.end(),
                           [](const run::EndpointLoad& row) { return row.utilisation.has_value(); });
    find_columns();
    find_endpoints();
    for (const run::EndpointLoad& row : rows_) {
      add(row);
    }
  }

  [[nodiscard]] Data data() const {
    if (rows_.empty()) {
      return nullptr;
    }
    Data columns = json_array(starts_, [&](const run::Nanoseconds start) { return Data(config::seconds(start)); });
    return {{"unit", limited_ ? "utilisation" : "rps"},   {"exact", exact_}, {"columns", std::move(columns)},
            {"end", config::seconds(scenario_.duration)}, {"map", map()},    {"endpoints", endpoints()}};
  }

 private:
  void find_columns() {
    std::set<run::Nanoseconds> starts;
    for (const run::EndpointLoad& row : rows_) {
      starts.insert(row.start);
    }
    const std::size_t together = (starts.size() + most_stretches - 1) / most_stretches;
    std::size_t at = 0;
    for (const run::Nanoseconds start : starts) {
      if (at++ % together == 0) {
        starts_.push_back(start);
      }
    }
  }

  // Finds the endpoints of every service with any load: idle endpoints are as informative as busy ones.
  void find_endpoints() {
    std::set<config::ServiceIndex> services;
    for (const run::EndpointLoad& row : rows_) {
      services.insert(row.service);
    }
    for (const config::ServiceIndex service : services) {
      for (const scenario::Host& host : scenario_.services[service.value].hosts) {
        if (!host.forwards_to && places_.try_emplace(host.endpoint, endpoints_.size()).second) {
          endpoints_.push_back({host.endpoint, service, std::vector<double>(starts_.size(), 0.0)});
        }
      }
    }
  }

  void add(const run::EndpointLoad& row) {
    const auto found = places_.find(row.endpoint);
    if (found == places_.end()) {
      return;
    }
    LoadedEndpoint& endpoint = endpoints_[found->second];
    const double length = config::seconds(row.end - row.start);
    const double requests = exact_ ? row.expected.value_or(unknown) : static_cast<double>(row.requests);
    const double utilisation = row.utilisation.value_or(unknown);
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), row.start);
    double& cell = endpoint.cells[static_cast<std::size_t>(after - starts_.begin()) - 1];
    const double value = limited_ ? utilisation : requests / length;
    // A column that covers several samples shows the largest.
    cell = std::isnan(value) ? value : std::max(cell, value);
    endpoint.busy += utilisation * length;
    if (!std::isnan(utilisation) && !(utilisation <= endpoint.most)) {
      endpoint.most = utilisation;
      endpoint.most_at = config::seconds(row.start);
    }
    endpoint.requests += requests;
    if (row.queue_max) {
      endpoint.queue = larger_of(endpoint.queue, *row.queue_max);
    }
  }

  using BoxKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  enum class Boxes { endpoints, nodes, zones_of_services, zones };

  [[nodiscard]] BoxKey key_of(const LoadedEndpoint& of, Boxes boxes) const {
    const config::NodeIndex node = scenario_.endpoints[of.endpoint.value].node;
    const std::uint32_t zone = scenario_.nodes[node.value].zone.value;
    switch (boxes) {
      case Boxes::endpoints:
        return {0, 0, of.endpoint.value};
      case Boxes::nodes:
        return {of.service.value, node.value, 0};
      case Boxes::zones_of_services:
        return {of.service.value, zone, 0};
      case Boxes::zones:
        break;
    }
    return {0, zone, 0};
  }

  [[nodiscard]] Data map() const {
    std::map<BoxKey, std::vector<const LoadedEndpoint*>> boxes;
    Boxes chosen = Boxes::endpoints;
    for (const Boxes by : {Boxes::endpoints, Boxes::nodes, Boxes::zones_of_services, Boxes::zones}) {
      boxes.clear();
      chosen = by;
      for (const LoadedEndpoint& endpoint : endpoints_) {
        boxes[key_of(endpoint, by)].push_back(&endpoint);
      }
      if (boxes.size() <= most_map_rows) {
        break;
      }
    }
    constexpr const char* names[] = {"endpoint", "node", "zone", "zone"};
    std::vector<Data> rows;
    for (const auto& [key, members] : boxes) {
      if (rows.size() == most_map_rows) {
        break;
      }
      const LoadedEndpoint& first = *members.front();
      const scenario::Endpoint& endpoint = scenario_.endpoints[first.endpoint.value];
      const scenario::Node& node = scenario_.nodes[endpoint.node.value];
      const std::string& zone = scenario_.zones[node.zone.value].name;
      Data cells = Data::array();
      for (std::size_t column = 0; column < starts_.size(); ++column) {
        double most = unknown;
        for (const LoadedEndpoint* member : members) {
          most = larger_of(most, member->cells[column]);
        }
        cells.push_back(rounded_or_null(most));
      }
      const std::string& service = scenario_.services[first.service.value].name;
      rows.push_back({{"name", chosen == Boxes::endpoints ? endpoint.id
                               : chosen == Boxes::nodes   ? of_service(service, node.name)
                               : chosen == Boxes::zones   ? zone
                                                          : of_service(service, zone)},
                      {"service", service},
                      {"zone", zone},
                      {"endpoints", members.size()},
                      {"cells", std::move(cells)}});
    }
    return {{"by", names[static_cast<std::size_t>(chosen)]}, {"boxes", boxes.size()}, {"rows", rows}};
  }

  // Returns "cart zone-1", with the service if the map has several.
  [[nodiscard]] std::string of_service(const std::string& service, const std::string& place) const {
    const bool has_several = std::any_of(endpoints_.begin(), endpoints_.end(), [&](const LoadedEndpoint& of) {
      return of.service != endpoints_.front().service;
    });
    return has_several ? service + " " + place : place;
  }

  [[nodiscard]] Data endpoints() const {
    Data rows = Data::array();
    for (const LoadedEndpoint& of : endpoints_) {
      const scenario::Endpoint& endpoint = scenario_.endpoints[of.endpoint.value];
      const scenario::Node& node = scenario_.nodes[endpoint.node.value];
      const double mean = std::isnan(of.most) ? unknown : of.busy / config::seconds(scenario_.duration);
      rows.push_back(
          Data::array({endpoint.id, scenario_.services[of.service.value].name, scenario_.zones[node.zone.value].name,
                       node.name, rounded_or_null(of.most), of.most_at, rounded_or_null(mean),
                       rounded_or_null(of.requests), rounded_or_null(of.queue)}));
    }
    return rows;
  }

  const scenario::Scenario& scenario_;
  bool exact_;
  const std::vector<run::EndpointLoad>& rows_;
  bool limited_ = false;
  std::vector<run::Nanoseconds> starts_;
  std::vector<LoadedEndpoint> endpoints_;
  std::map<config::EndpointIndex, std::size_t> places_;
};

}  // namespace

Data loads_data(const RunInput& input) {
  return LoadMap(input.report.scenario, input.report.results).data();
}

}  // namespace spillway::reports::html
