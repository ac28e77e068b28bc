#include "reports/dump_check/kuma_dump.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

#include "models/documents/node.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/kuma/proxy/outbound_listener.hpp"
#include "reports/dump_check/hosts.hpp"
#include "reports/envoy/kuma_outbounds.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::held {
namespace {

using documents::Node;
using proxy::find_value;
using proxy::text_at;
using Fields = std::map<std::string, std::string>;

// False for fields of certificates, statistics, logs and other policies, and for sources of configuration.
bool is_compared(std::string_view key) {
  constexpr std::array<std::string_view, 12> others = {
      "@type",         "transport_socket",   "transport_socket_matches", "metadata", "access_log", "stat_prefix",
      "alt_stat_name", "eds_cluster_config", "traffic_direction",        "tracing",  "name",       "bind_to_port"};
  return std::find(others.begin(), others.end(), key) == others.end();
}

// Returns a scalar as one text for all of its spellings: 5, "5" and 5.0; 1s and 1.000s.
std::string scalar_text(const Node& node) {
  if (node.kind == documents::Kind::boolean) {
    return node.boolean ? "true" : "false";
  }
  const bool seconds = node.kind == documents::Kind::string && node.text.ends_with('s');
  const std::string_view digits = std::string_view(node.text).substr(0, node.text.size() - (seconds ? 1 : 0));
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool numeric = !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
  return numeric ? fmt::format("{:g}{}", number, seconds ? " s" : "") : node.text;
}

// Adds every field below a node by its path, such as "route.clusters[0].weight".
void add_fields(const Node& node, const std::string& path, Fields& into) {
  if (!node.members.empty()) {
    for (const documents::Member& member : node.members) {
      // Keys of Any and of maps are names, not fields.
      const std::string key = member.key.find('.') == std::string::npos ? proxy::in_snake_case(member.key) : member.key;
      if (is_compared(key)) {
        add_fields(member.value, path.empty() ? key : path + "." + key, into);
      }
    }
  } else if (!node.items.empty()) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      add_fields(node.items[i], fmt::format("{}[{}]", path, i), into);
    }
  } else {
    const bool is_block = node.kind == documents::Kind::object || node.kind == documents::Kind::array;
    into.emplace(path, is_block ? "there" : scalar_text(node));
  }
}

Fields fields_of(const Node& node) {
  Fields fields;
  add_fields(node, "", fields);
  return fields;
}

// Returns "127.0.0.1:9000".
std::string address_of(const Node& listener) {
  const Node* const address = find_value(listener, "address");
  const Node* const socket = address == nullptr ? nullptr : find_value(*address, "socket_address");
  const Node* const port = socket == nullptr ? nullptr : find_value(*socket, "port_value");
  return port == nullptr ? "" : fmt::format("{}:{}", text_at(*socket, "address"), port->magnitude);
}

class KumaComparer {
 public:
  KumaComparer(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
               const scenario::ProxyConfiguration& dump)
      : scenario_(scenario),
        client_(client),
        dump_(dump),
        compiled_(scenario::ProxyConfiguration::read(Sources{{"documents", bootstrap_of(scenario, client)}})) {}

  Beside compare(const std::optional<std::string>& only) {
    beside_.proxy = client_.name;
    for (const auto& [name, view] : envoy_export::kuma_cluster_names(client_)) {
      if (!only || name == *only) {
        compare_cluster(name, scenario_.services[view.value]);
      }
    }
    if (!only) {
      for (const Node* const listener : compiled_.listeners()) {
        compare_listener(*listener);
      }
    } else if (beside_.clusters == 0 && beside_.differences.empty()) {
      add(*only, "cluster", absent, dump_.cluster_document(*only) == nullptr ? absent : "there");
    }
    if (!dump_.has_load_assignments()) {
      beside_.notes.emplace_back(
          "the dump has no endpoints, which were not compared: config_dump?include_eds has them");
    }
    return std::move(beside_);
  }

 private:
  static std::string bootstrap_of(const scenario::Scenario& scenario, const scenario::ClientEntry& client) {
    const auto kuma = envoy_export::kuma_configuration(scenario, client);
    return envoy_export::Json{{"static_resources", {{"listeners", kuma.listeners}, {"clusters", kuma.clusters}}}}
        .text();
  }

  void add(const std::string& of, std::string what, std::string documents, std::string proxy) {
    beside_.differences.push_back({of, std::move(what), std::move(documents), std::move(proxy), ""});
  }

  void compare_fields(const std::string& of, const Fields& made, const Fields& held) {
    for (const auto& [path, value] : made) {
      const auto found = held.find(path);
      if (found == held.end() || found->second != value) {
        add(of, path, value, found == held.end() ? absent : found->second);
      }
    }
    for (const auto& [path, value] : held) {
      if (!made.contains(path)) {
        add(of, path, absent, value);
      }
    }
  }

  void compare_cluster(const std::string& name, const scenario::Service& service) {
    const Node* const made = compiled_.cluster_document(name);
    const Node* const held = dump_.cluster_document(name);
    if (made == nullptr || held == nullptr) {
      if (made != nullptr) {
        add(name, "cluster", "there", absent);
      }
      return;
    }
    ++beside_.clusters;
    compare_fields(name, fields_of(*made), fields_of(*held));
    if (!dump_.has_load_assignments()) {
      return;
    }
    const auto reading = dump_.cluster(name);
    const auto reported = reading.scenario
                              ? std::find_if(reading.scenario->services.begin(), reading.scenario->services.end(),
                                             [&](const auto& one) { return one.cluster.name == name; })
                              : decltype(reading.scenario->services.begin()){};
    if (!reading.scenario || reported == reading.scenario->services.end()) {
      beside_.not_compared.push_back({name, "its load assignment cannot be read"});
      return;
    }
    const config::ClusterLoadAssignment& ours = service.load_assignment;
    const config::ClusterLoadAssignment& theirs = reported->load_assignment;
    if (ours.overprovisioning_factor != theirs.overprovisioning_factor) {
      add(name, "overprovisioning_factor", std::to_string(ours.overprovisioning_factor),
          std::to_string(theirs.overprovisioning_factor));
    }
    const Hosts hosts = hosts_of(ours);
    beside_.endpoints += hosts.size();
    compare_fields(name, words_of(hosts), words_of(hosts_of(theirs)));
    compare_fields(name, words_of(weights_of(ours)), words_of(weights_of(theirs)));
  }

  static Fields words_of(const Hosts& hosts) {
    Fields words;
    for (const auto& [address, host] : hosts) {
      words.emplace(address, host_words(host));
    }
    return words;
  }

  static Fields words_of(const std::map<Place, std::uint32_t>& weights) {
    Fields words;
    for (const auto& [place, weight] : weights) {
      words.emplace(fmt::format("{} at P{}: weight", locality_words(std::get<1>(place)), std::get<0>(place)),
                    std::to_string(weight));
    }
    return words;
  }

  void compare_listener(const Node& made) {
    const std::string address = address_of(made);
    const std::string of = "listener " + address;
    for (const Node* const held : dump_.listeners()) {
      if (address_of(*held) == address || text_at(*held, "name") == text_at(made, "name")) {
        const Fields fields = fields_of(made);
        beside_.routes += static_cast<std::size_t>(std::count_if(fields.begin(), fields.end(), [](const auto& field) {
          return field.first.ends_with("match.path") || field.first.ends_with("match.prefix") ||
                 field.first.ends_with("match.safe_regex.regex");
        }));
        compare_fields(of, fields, fields_of(*held));
        return;
      }
    }
    add(of, "listener", "there", absent);
  }

  const scenario::Scenario& scenario_;
  const scenario::ClientEntry& client_;
  const scenario::ProxyConfiguration& dump_;
  scenario::ProxyConfiguration compiled_;
  Beside beside_;
};

}  // namespace

Beside check_kuma_dump(const scenario::Scenario& scenario, const scenario::ClientEntry& client,
                       const scenario::ProxyConfiguration& dump, const std::optional<std::string>& cluster) {
  return KumaComparer(scenario, client, dump).compare(cluster);
}

}  // namespace spillway::reports::held
