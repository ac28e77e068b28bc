#include <chrono>
#include <set>

#include "models/config/seconds.hpp"
#include "models/kuma/endpoint.hpp"
#include "reports/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/plot/topology_model.hpp"
#include "reports/text/json_text.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::html {
namespace {

constexpr std::size_t most_drawn_together = 9;  // clients
constexpr std::size_t most_drawn_alone = 24;
constexpr std::size_t most_boxes_drawn = 60;

class TopologyWriter {
 public:
  explicit TopologyWriter(const scenario::Scenario& scenario) : scenario_(scenario) {}

  [[nodiscard]] Data stretch(const plot::TopologyModel& model) const {
    Data clients = Data::array();
    for (const plot::ClientBox& box : model.clients) {
      const scenario::ClientEntry& client = scenario_.clients[box.client.value];
      clients.push_back(
          {{"name", client.name}, {"zone", zone_of(client.node)}, {"count", client.count}, {"no_host", box.no_host}});
    }
    Data proxies = Data::array();
    for (const plot::ProxyBox& box : model.proxies) {
      const scenario::Endpoint& proxy = scenario_.endpoints[box.proxy.value];
      proxies.push_back({{"name", proxy.id}, {"zone", zone_of(proxy.node)}});
    }
    Data boxes = json_array(model.endpoints, [&](const plot::EndpointBox& box) {
      return Data({{"name", name_of_box(box, model.detail)},
                   {"service", box.service},
                   {"zone", zone_of(box.node)},
                   {"endpoints", box.endpoints.size()},
                   {"healthy", box.healthy},
                   {"degraded", box.degraded},
                   {"unhealthy", box.unhealthy},
                   {"removed", box.removed},
                   {"down", box.down}});
    });
    Data arrows = json_array(model.arrows, [&](const plot::Arrow& arrow) {
      return Data::array(
          {arrow.from, arrow.to, arrow.priority.value, arrow.known ? Data(arrow.share) : Data(nullptr), arrow.about});
    });
    return {{"from", config::seconds(model.start)}, {"to", config::seconds(model.end)}, {"exact", model.exact},
            {"clients", std::move(clients)},        {"proxies", std::move(proxies)},    {"boxes", std::move(boxes)},
            {"arrows", std::move(arrows)}};
  }

 private:
  [[nodiscard]] const std::string& zone_of(config::NodeIndex node) const {
    return scenario_.zones[scenario_.nodes[node.value].zone.value].name;
  }

  [[nodiscard]] std::string name_of_box(const plot::EndpointBox& box, plot::Detail detail) const {
    switch (detail) {
      case plot::Detail::endpoint:
        return scenario_.endpoints[box.endpoints.front().value].id;
      case plot::Detail::node:
        return scenario_.nodes[box.node.value].name;
      case plot::Detail::zone:
        break;
    }
    return zone_of(box.node);
  }

  const scenario::Scenario& scenario_;
};

}  // namespace

Data topology_data(const RunInput& input) {
  const scenario::Scenario& scenario = input.report.scenario;
  std::set<config::ClientEntryIndex> clients;
  for (const run::Epoch& epoch : input.report.results.epochs) {
    clients.insert(epoch.client);
  }
  const TopologyWriter writer(scenario);
  Data views = Data::array();
  const auto add = [&](const std::string& client, const plot::TopologyView& view) {
    std::vector<plot::TopologyModel> models = plot::topology_models(scenario, input.report.results, view);
    Data stretches = Data::array();
    for (const plot::TopologyModel& model : models) {
      if (model.endpoints.size() <= most_boxes_drawn) {
        stretches.push_back(writer.stretch(model));
      }
    }
    if (!stretches.empty()) {
      views.push_back({{"client", client}, {"stretches", std::move(stretches)}});
    }
  };
  if (clients.size() <= most_drawn_together) {
    add("", {});
  } else {
    std::size_t drawn = 0;
    for (const config::ClientEntryIndex client : clients) {
      if (++drawn <= most_drawn_alone) {
        add(scenario.clients[client.value].name, {.client = client});
      }
    }
  }
  return {{"views", std::move(views)}, {"clients", clients.size()}};
}

}  // namespace spillway::reports::html
