#include "reports/plot/topology_model.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "models/config/listed_health.hpp"
#include "reports/envoy/moment.hpp"
#include "reports/shares/host_places.hpp"
#include "reports/shares/measure.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::plot {
namespace {

constexpr std::size_t most_boxes = 9;
constexpr std::size_t most_arrows = 40;

using config::ClientEntryIndex;
using config::EndpointIndex;
using config::ServiceIndex;

// An endpoint with the service that it belongs to, by index.
struct Placed {
  EndpointIndex endpoint;
  ServiceIndex service;
  config::HostIndex host;
};

// A row of shares, and its joint share.
struct Met {
  run::ExactSum::Joint joint;
  run::ShareCell share;
};

// The sum of rows: their exact share, otherwise the counted one; nullopt if there is neither.
class PartOfRequests {
 public:
  void add(const Met& met) {
    exact_.add(met.joint, met.share);
    counted_ = counted_ && met.share.simulated ? std::optional(*counted_ + *met.share.simulated) : std::nullopt;
  }
  void add(const std::vector<Met>& all) {
    for (const Met& met : all) {
      add(met);
    }
  }
  [[nodiscard]] bool is_exact() const { return exact_.value().has_value(); }
  [[nodiscard]] std::optional<double> share() const { return is_exact() ? exact_.value() : counted_; }

 private:
  run::ExactSum exact_;
  std::optional<double> counted_ = 0.0;
};

class ModelBuilder {
 public:
  ModelBuilder(const scenario::Scenario& scenario, const run::Results& results, const TopologyView& view)
      : scenario_(scenario), results_(results) {
    for (const run::Epoch& epoch : results.epochs) {
      if (!view.client || epoch.client == *view.client) {
        epochs_.push_back(&epoch);
        looked_at_.insert(epoch.client);
      }
      drawn_.insert(epoch.client);
    }
    if (drawn_.size() > most_boxes) {
      drawn_ = looked_at_;
    }
    find_endpoints();
    detail_ = view.detail.value_or(finest_detail());
  }

  [[nodiscard]] std::vector<run::Nanoseconds> starts() const {
    std::set<run::Nanoseconds> starts;
    for (const run::Epoch* epoch : epochs_) {
      starts.insert(epoch->start);
    }
    return {starts.begin(), starts.end()};
  }

  [[nodiscard]] TopologyModel model(run::Nanoseconds start, run::Nanoseconds end) {
    TopologyModel model{.start = start, .end = end, .detail = detail_};
    for (const ClientEntryIndex client : drawn_) {
      client_box_[client] = model.clients.size();
      model.clients.push_back({client});
    }
    moments_.clear();
    for (const ClientEntryIndex client : looked_at_) {
      moments_.emplace(client, envoy_export::moment_of(scenario_, scenario_.clients[client.value], start));
    }
    fill_boxes(model);
    arrows_.clear();
    for (const run::Epoch* epoch : epochs_) {
      if (epoch->start <= start && start < epoch->end) {
        add_epoch(model, *epoch);
      }
    }
    add_arrows(model);
    return model;
  }

 private:
  // A path of requests: client, drawn zone proxies, endpoint.
  struct Route {
    std::vector<EndpointIndex> via;
    EndpointIndex endpoint;
    config::Priority priority;
    bool member = true;
  };

  using BoxKey = std::tuple<std::string, std::uint32_t, std::uint32_t>;  // service; zone or node; endpoint

  [[nodiscard]] std::vector<ServiceIndex> views_of(const run::Epoch& epoch) const {
    std::vector<ServiceIndex> views;
    for (const ServiceIndex service : scenario::services_of(scenario_, scenario_.clients[epoch.client.value])) {
      if (scenario::asked_for(scenario_, service) == epoch.service) {
        views.push_back(service);
      }
    }
    if (std::find(views.begin(), views.end(), epoch.view) == views.end()) {
      views.push_back(epoch.view);
    }
    return views;
  }

  // Finds every endpoint of the requested services, and all others that may be reached.
  void find_endpoints() {
    std::set<ServiceIndex> asked;
    std::set<EndpointIndex> reached;
    std::set<ServiceIndex> views;
    for (const run::Epoch* epoch : epochs_) {
      asked.insert(epoch->service);
      for (const ServiceIndex view : views_of(*epoch)) {
        views.insert(view);
      }
    }
    for (const ServiceIndex view : views) {
      const run::Targets& targets = targets_of(view);
      for (std::uint32_t index = 0; index < targets.size(); ++index) {
        if (!targets.at(index).ends_at_zone_proxy) {
          reached.insert(targets.at(index).endpoint);
        }
      }
    }
    std::set<EndpointIndex> known;
    for (std::uint32_t service = 0; service < scenario_.services.size(); ++service) {
      const scenario::Service& of = scenario_.services[service];
      if (of.as_view) {
        continue;
      }
      for (std::uint32_t host = 0; host < of.hosts.size(); ++host) {
        const EndpointIndex endpoint = of.hosts[host].endpoint;
        const bool wanted = asked.contains({service}) || reached.contains(endpoint);
        if (wanted && !of.hosts[host].forwards_to && known.insert(endpoint).second) {
          endpoints_.push_back({endpoint, {service}, {host}});
        }
      }
    }
  }

  // Returns the targets, cached because every epoch needs them.
  [[nodiscard]] const run::Targets& targets_of(ServiceIndex view) {
    return targets_.try_emplace(view, scenario_, view).first->second;
  }

  [[nodiscard]] config::NodeIndex node_of(EndpointIndex endpoint) const {
    return scenario_.endpoints[endpoint.value].node;
  }

  [[nodiscard]] BoxKey key_of(const Placed& placed, Detail detail) const {
    const config::NodeIndex node = node_of(placed.endpoint);
    const std::uint32_t place = detail == Detail::zone ? scenario_.nodes[node.value].zone.value : node.value;
    return {scenario_.services[placed.service.value].name, place,
            detail == Detail::endpoint ? placed.endpoint.value : 0};
  }

  [[nodiscard]] Detail finest_detail() const {
    for (const Detail detail : {Detail::endpoint, Detail::node}) {
      std::set<BoxKey> boxes;
      for (const Placed& placed : endpoints_) {
        boxes.insert(key_of(placed, detail));
      }
      if (boxes.size() <= most_boxes) {
        return detail;
      }
    }
    return Detail::zone;
  }

  void fill_boxes(TopologyModel& model) {
    std::map<BoxKey, std::size_t> boxes;
    box_of_endpoint_.clear();
    const envoy_export::Moment& moment = moments_.begin()->second;
    for (const Placed& placed : endpoints_) {
      const auto [found, is_new] = boxes.try_emplace(key_of(placed, detail_), model.endpoints.size());
      if (is_new) {
        model.endpoints.push_back({.service = scenario_.services[placed.service.value].name,
                                   .endpoints = {},
                                   .node = node_of(placed.endpoint)});
      }
      EndpointBox& box = model.endpoints[found->second];
      box_of_endpoint_[placed.endpoint] = found->second;
      box.endpoints.push_back(placed.endpoint);
      const envoy_export::HostAtMoment& host = moment.hosts[placed.service.value][placed.host.value];
      member_[placed.endpoint] = host.member;
      if (!host.member) {
        ++box.removed;
      } else if (config::is_listed_healthy(host.reported)) {
        ++box.healthy;
      } else if (host.reported == config::HealthStatus::degraded) {
        ++box.degraded;
      } else {
        ++box.unhealthy;
      }
      box.down += host.behaviour.gone ? 1 : 0;
    }
  }

  [[nodiscard]] Route route_to(const run::Target& target, ClientEntryIndex client) {
    Route route{.via = {}, .endpoint = target.endpoint, .priority = target.priority};
    for (const EndpointIndex proxy : target.via) {
      if (!scenario_.endpoints[proxy.value].assumed) {
        route.via.push_back(proxy);
      }
    }
    const envoy_export::Moment& moment = moments_.at(client);
    const auto member = member_.find(target.endpoint);
    route.member =
        (member == member_.end() || member->second) && moment.hosts[target.service.value][target.host.value].member;
    return route;
  }

  // The key of a target in a row of shares.
  using Name = std::tuple<std::string, config::Priority, std::string, std::string>;

  void add_epoch(TopologyModel& model, const run::Epoch& epoch) {
    std::map<Name, std::pair<Route, std::vector<Met>>> routes;
    for (const ServiceIndex view : views_of(epoch)) {
      const run::Targets& targets = targets_of(view);
      for (std::uint32_t index = 0; index < targets.size(); ++index) {
        const run::Target& target = targets.at(index);
        if (target.ends_at_zone_proxy) {
          continue;
        }
        std::string via;
        for (const EndpointIndex proxy : target.via) {
          via += (via.empty() ? "" : " > ") + scenario_.endpoints[proxy.value].id;
        }
        routes.try_emplace({scenario_.services[target.service.value].name, target.priority, via,
                            scenario_.endpoints[target.endpoint.value].id},
                           route_to(target, epoch.client), std::vector<Met>{});
      }
    }
    PartOfRequests reached;
    for_each_share(results_, epoch, [&](const run::SharePlace& place, const run::ShareCell& share) {
      const auto found = routes.find({place.cluster, place.priority, place.via, place.endpoint});
      // Behind zone proxies, the mean over connections counts as an exact share.
      const std::uint32_t joint = run::is_exact_over_connections(share) ? 0 : share.joint;
      const Met met{{epoch.client, epoch.service, epoch.index, joint}, share};
      reached.add(met);
      if (found != routes.end()) {
        found->second.second.push_back(met);
      }
    });
    ClientBox& box = model.clients[client_box_.at(epoch.client)];
    constexpr double rounding = 1e-9;
    if (reached.share() && 1.0 - *reached.share() > std::max(rounding, box.no_host)) {
      box.no_host = 1.0 - *reached.share();
    }
    for (const auto& [name, route] : routes) {
      add_route(epoch, route.first, route.second);
    }
  }

  void add_route(const run::Epoch& epoch, const Route& route, const std::vector<Met>& met) {
    const auto box = box_of_endpoint_.find(route.endpoint);
    const bool used = std::any_of(met.begin(), met.end(), [](const Met& of) {
      return of.share.at_rest > 0.0 || of.share.joint != 0 || of.share.simulated.value_or(0.0) > 0.0;
    });
    if ((!route.member && !used) || box == box_of_endpoint_.end()) {
      return;
    }
    const scenario::ClientEntry& client = scenario_.clients[epoch.client.value];
    const bool several_services = std::any_of(epochs_.begin(), epochs_.end(), [&](const run::Epoch* other) {
      return other->client == epoch.client && other->service != epoch.service;
    });
    std::string about;
    if (!route.via.empty() && several_services) {
      about = scenario_.services[epoch.service.value].name;
    }
    End from{0, client_box_.at(epoch.client)};
    for (const EndpointIndex proxy : route.via) {
      const auto [found, is_new] = proxy_box_.try_emplace(proxy, proxy_box_.size());
      const End to{1, found->second};
      arrows_[{from, to, route.priority, about}].add(met);
      from = to;
      if (looked_at_.size() > 1) {
        about = client.name + (several_services ? ", " + scenario_.services[epoch.service.value].name : "");
      }
    }
    arrows_[{from, {2, box->second}, route.priority, about}].add(met);
  }

  void add_arrows(TopologyModel& model) {
    model.proxies.resize(proxy_box_.size());
    for (const auto& [proxy, box] : proxy_box_) {
      model.proxies[box] = {proxy};
    }
    const std::array<std::size_t, 3> first{0, model.clients.size(), model.clients.size() + model.proxies.size()};
    const bool crowded = arrows_.size() > most_arrows;
    for (const auto& [key, part] : arrows_) {
      const auto& [from, to, priority, about] = key;
      const std::optional<double> share = part.share();
      model.exact = model.exact && (part.is_exact() || !share);
      if (!share || *share > 0.0 || !crowded) {
        model.arrows.push_back({first[from.kind] + from.box, first[to.kind] + to.box, priority, about,
                                share.value_or(0.0), share.has_value()});
      }
    }
  }

  // An end of an arrow: a client, a proxy or an endpoint box, by its number.
  struct End {
    std::size_t kind = 0;
    std::size_t box = 0;
    friend auto operator<=>(const End&, const End&) = default;
  };

  const scenario::Scenario& scenario_;
  const run::Results& results_;
  std::vector<const run::Epoch*> epochs_;
  std::set<ClientEntryIndex> looked_at_;
  std::set<ClientEntryIndex> drawn_;
  std::map<ServiceIndex, run::Targets> targets_;
  std::vector<Placed> endpoints_;
  Detail detail_ = Detail::endpoint;
  std::map<ClientEntryIndex, envoy_export::Moment> moments_;
  std::map<ClientEntryIndex, std::size_t> client_box_;
  std::map<EndpointIndex, std::size_t> box_of_endpoint_;
  std::map<EndpointIndex, bool> member_;
  std::map<EndpointIndex, std::size_t> proxy_box_;
  std::map<std::tuple<End, End, config::Priority, std::string>, PartOfRequests> arrows_;
};

}  // namespace

std::vector<TopologyModel> topology_models(const scenario::Scenario& scenario, const run::Results& results,
                                           const TopologyView& view) {
  ModelBuilder builder(scenario, results, view);
  const std::vector<run::Nanoseconds> starts = builder.starts();
  std::vector<TopologyModel> models;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const run::Nanoseconds end = i + 1 < starts.size() ? starts[i + 1] : scenario.duration;
    if (!view.at || (starts[i] <= *view.at && *view.at < end)) {
      models.push_back(builder.model(starts[i], end));
    }
  }
  return models;
}

}  // namespace spillway::reports::plot
