#include "sim/run/exact/endpoint_likeness.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::run {

namespace {

using Words = std::vector<std::int64_t>;

std::int64_t word(double number) {
  return std::bit_cast<std::int64_t>(number);
}

void append(Words& words, const std::optional<scenario::Servers>& servers) {
  if (servers) {
    words.insert(words.end(), {1, servers->cores, servers->queue ? std::int64_t{*servers->queue} : -1,
                               static_cast<std::int64_t>(servers->discipline)});
  } else {
    words.push_back(0);
  }
}

void append(Words& words, const scenario::ServiceVariation* variation) {
  if (variation == nullptr) {
    words.push_back(-1);
    return;
  }
  words.insert(words.end(),
               {static_cast<std::int64_t>(variation->distribution), word(variation->coefficient_of_variation),
                static_cast<std::int64_t>(variation->measured.size())});
  for (const auto& measured : variation->measured) {
    words.insert(words.end(), {measured.time.count(), word(measured.weight)});
  }
}

// Returns the position of the first equal value in `known`; appends the value if there is none.
template <class Value>
std::int64_t place_among(std::vector<const Value*>& known, const Value& value) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const Value* one) { return *one == value; });
  const auto place = found - known.begin();
  if (found == known.end()) {
    known.push_back(&value);
  }
  return place;
}

// Returns the position of the first equal group of one locality at one priority: the number of lists that their
// endpoints are written in is irrelevant.
std::int64_t locality_among(std::vector<const config::LocalityLbEndpoints*>& known,
                            const config::LocalityLbEndpoints& group) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const config::LocalityLbEndpoints* one) {
    return one->locality == group.locality && one->priority == group.priority &&
           one->load_balancing_weight == group.load_balancing_weight;
  });
  const auto place = found - known.begin();
  if (found == known.end()) {
    known.push_back(&group);
  }
  return place;
}

void append_audience(Words& words, const std::vector<config::ZoneIndex>& audience) {
  words.push_back(static_cast<std::int64_t>(audience.size()));
  for (const config::ZoneIndex zone : audience) {
    words.push_back(zone.value);
  }
}

}  // namespace

EndpointLikeness::EndpointLikeness(const scenario::Scenario& scenario)
    : scenario_(&scenario), apart_(scenario.endpoints.size(), false) {}

void EndpointLikeness::extend(std::uint32_t& history, Words words) {
  words.push_back(history);
  history = number_of(words);
  classes_.clear();
  ++version_;
}

void EndpointLikeness::begin() {
  begun_ = true;
  std::vector<Words> said(scenario_->endpoints.size());
  for (std::size_t index = 0; index < said.size(); ++index) {
    const scenario::Endpoint& endpoint = scenario_->endpoints[index];
    // Enough for most endpoints.
    said[index].reserve(24);
    said[index].insert(said[index].end(),
                       {endpoint.service_time.count(), static_cast<std::int64_t>(endpoint.request_bytes),
                        static_cast<std::int64_t>(endpoint.response_bytes), endpoint.load_report ? 1 : 0});
    append(said[index], endpoint.variation.get());
    append(said[index], endpoint.servers);
  }
  std::vector<const config::Struct*> metadata;
  std::vector<const config::LocalityLbEndpoints*> localities;
  for (std::uint32_t number = 0; number < scenario_->services.size(); ++number) {
    const scenario::Service& service = scenario_->services[number];
    std::size_t position = 0;
    for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
      const std::int64_t locality = locality_among(localities, group);
      for (const config::LbEndpoint& host : group.lb_endpoints) {
        const scenario::Host& of = service.hosts[position];
        const bool absent =
            std::find(service.absent_at_start.begin(), service.absent_at_start.end(),
                      config::HostIndex{static_cast<std::uint32_t>(position)}) != service.absent_at_start.end();
        Words& words = said[of.endpoint.value];
        words.insert(words.end(),
                     {number, locality, host.load_balancing_weight, static_cast<std::int64_t>(host.health_status),
                      place_among(metadata, host.metadata), host.disable_active_health_check ? 1 : 0, absent ? 1 : 0,
                      of.forwards_to ? std::int64_t{of.forwards_to->value} : -1});
        ++position;
      }
    }
  }
  for (const Words& words : said) {
    endpoints_.push_back(number_of(words));
  }
  std::vector<const std::string*> sub_zones;
  for (const scenario::Node& node : scenario_->nodes) {
    Words words{node.zone.value, place_among(sub_zones, node.sub_zone)};
    append(words, node.servers);
    nodes_.push_back(number_of(words));
  }
}

void EndpointLikeness::apply(const scenario::Change& change) {
  if (!begun_) {
    begin();
  }
  const Words at{change.at.count(), static_cast<std::int64_t>(change.effect.index())};
  const auto extend_host = [&](config::ServiceIndex service, config::HostIndex host, const Words& more) {
    Words words = at;
    words.push_back(service.value);
    words.insert(words.end(), more.begin(), more.end());
    extend(endpoints_[scenario_->services[service.value].hosts[host.value].endpoint.value], std::move(words));
  };
  std::visit(
      [&](const auto& effect) {
        using Effect = std::decay_t<decltype(effect)>;
        if constexpr (std::is_same_v<Effect, scenario::EdsHealth> || std::is_same_v<Effect, scenario::EdsWeights>) {
          for (const auto& [host, value] : effect.hosts) {
            Words words{static_cast<std::int64_t>(value)};
            append_audience(words, effect.audience);
            extend_host(effect.service, host, words);
          }
        } else if constexpr (requires { effect.hosts; }) {
          Words words;
          if constexpr (std::is_same_v<Effect, scenario::EdsMembership>) {
            words.push_back(effect.member ? 1 : 0);
            append_audience(words, effect.audience);
          } else if constexpr (std::is_same_v<Effect, scenario::EdsPriority>) {
            words.push_back(effect.priority.value);
            append_audience(words, effect.audience);
          } else if constexpr (std::is_same_v<Effect, scenario::Existence>) {
            words.push_back(effect.exists ? 1 : 0);
          } else if constexpr (std::is_same_v<Effect, scenario::Fails>) {
            words = {word(effect.fraction), static_cast<std::int64_t>(effect.failure), effect.status, effect.every,
                     effect.checks ? 1 : 0};
          } else if constexpr (std::is_same_v<Effect, scenario::AnswersChecks>) {
            words = {static_cast<std::int64_t>(effect.answer), effect.status};
          } else {
            words.push_back(word(effect.slowness));
          }
          for (const config::HostIndex host : effect.hosts) {
            extend_host(effect.service, host, words);
          }
        } else if constexpr (std::is_same_v<Effect, scenario::NodeOutage>) {
          Words words = at;
          words.push_back(effect.on ? 1 : 0);
          extend(nodes_[effect.node.value], std::move(words));
        }
      },
      change.effect);
}

void EndpointLikeness::set_apart(config::EndpointIndex endpoint) {
  if (!apart_[endpoint.value]) {
    apart_[endpoint.value] = true;
    classes_.clear();
    ++version_;
  }
}

const std::vector<std::uint32_t>& EndpointLikeness::classes() {
  if (!begun_) {
    begin();
  }
  if (classes_.empty()) {
    classify();
  }
  return classes_;
}

// Refines classes until nothing changes: endpoints by their node, nodes with cores of their own by their sharers.
void EndpointLikeness::classify() {
  std::vector<std::uint32_t> endpoints = endpoints_;
  for (std::uint32_t index = 0; index < endpoints.size(); ++index) {
    if (apart_[index]) {
      endpoints[index] = number_of({-1, index, endpoints[index]});
    }
  }
  std::vector<std::uint32_t> nodes = nodes_;
  std::size_t known = 0;
  while (true) {
    std::vector<Words> on_node(nodes.size());
    for (std::size_t index = 0; index < endpoints.size(); ++index) {
      const std::uint32_t node = scenario_->endpoints[index].node.value;
      if (scenario_->nodes[node].servers) {
        on_node[node].push_back(endpoints[index]);
      }
    }
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      std::sort(on_node[node].begin(), on_node[node].end());
      on_node[node].push_back(nodes_[node]);
      nodes[node] = number_of(on_node[node]);
    }
    std::vector<std::uint32_t> seen;
    for (std::size_t index = 0; index < endpoints.size(); ++index) {
      endpoints[index] = number_of({endpoints[index], nodes[scenario_->endpoints[index].node.value]});
      seen.push_back(endpoints[index]);
    }
    std::sort(seen.begin(), seen.end());
    const auto classes = static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    if (classes == known) {
      break;
    }
    known = classes;
  }
  classes_ = std::move(endpoints);
}

}  // namespace spillway::run
