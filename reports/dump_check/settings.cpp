#include "reports/dump_check/settings.hpp"

#include <charconv>
#include <fmt/format.h>
#include <string_view>

#include "models/envoy/cluster.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "reports/envoy/clusters.hpp"

namespace spillway::reports::held {
namespace {

using documents::Node;
using envoy_export::Json;
using proxy::find_value;

constexpr const char* policy_prefix = "envoy.load_balancing_policies.";
constexpr double no_limit = 4294967295.0;

// Returns the value inside a wrapper message.
const Json& unwrapped(const Json& value) {
  for (const char* const key : {"value", "default_value"}) {
    if (value.is_object() && value.contains(key) && (value.size() == 1 || value.contains("runtime_key"))) {
      return value.at(key);
    }
  }
  return value;
}

std::string text_of(const Json& value) {
  if (value.is_string()) {
    return time_text(value.get<std::string>());
  }
  if (value.is_number() && value.get<double>() == no_limit) {
    return "no limit";
  }
  return value.is_number_float() ? fmt::format("{:g}", value.get<double>()) : value.dump();
}

void flatten(const std::string& name, const Json& written, Settings& into) {
  const Json& value = unwrapped(written);
  if (value.is_object()) {
    if (value.empty()) {
      into.emplace(name, "set");
    }
    for (const auto& [key, member] : value.items()) {
      if (key != "@type" && key != "track_remaining") {
        flatten(name.empty() ? key : fmt::format("{}.{}", name, key), member, into);
      }
    }
  } else if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      flatten(fmt::format("{}[{}]", name, i), value[i], into);
    }
  } else {
    into.emplace(name, text_of(value));
  }
}

// Adds the policy by name, and its fields as fields of the cluster.
void add_policy(Json policy, Settings& into) {
  const Json& first = policy.at("policies").front().at("typed_extension_config");
  std::string name = first.at("name").get<std::string>();
  name.erase(0, name.starts_with(policy_prefix) ? std::string_view(policy_prefix).size() : 0);
  into.emplace("lb_policy", name);
  Json fields = first.at("typed_config");
  fields.erase("@type");
  if (const auto locality = fields.find("locality_lb_config"); locality != fields.end()) {
    flatten("common_lb_config", *locality, into);
    fields.erase(locality);
  }
  if (const auto weighted = fields.find("locality_weighted_lb_config"); weighted != fields.end()) {
    fields.erase("locality_weighted_lb_config");
    into.emplace("common_lb_config.locality_weighted_lb_config", "set");
  }
  if (!fields.empty()) {
    flatten(name, fields, into);
  }
}

// Adds thresholds; names of the default priority omit the priority.
void add_breakers(const Json& breakers, Settings& into) {
  for (const auto& [list, all] : breakers.items()) {
    for (Json thresholds : all) {
      const std::string priority = thresholds.value("priority", std::string("DEFAULT"));
      thresholds.erase("priority");
      const std::string name = "circuit_breakers" + std::string(list == "thresholds" ? "" : "." + list) +
                               (priority == "DEFAULT" ? "" : "." + priority);
      for (const auto& [key, value] : thresholds.items()) {
        if (key != "track_remaining") {
          flatten(fmt::format("{}.{}", name, key), value, into);
        }
      }
    }
  }
}

}  // namespace

std::string time_text(const std::string& written) {
  if (written.empty() || written.back() != 's') {
    return written;
  }
  double seconds = 0.0;
  const char* const end = written.data() + written.size() - 1;
  const auto [stopped, problem] = std::from_chars(written.data(), end, seconds);
  return problem == std::errc{} && stopped == end ? fmt::format("{:g} s", seconds) : written;
}

Settings settings_of(const envoy::Cluster& cluster) {
  Json json = envoy_export::cluster_settings_json(cluster);
  json.erase("ignore_health_on_host_removal");  // not set by any control plane's document
  Settings settings;
  if (const auto policy = json.find("load_balancing_policy"); policy != json.end()) {
    add_policy(*policy, settings);
    json.erase("load_balancing_policy");
  } else {
    settings.emplace("lb_policy", cluster.original_dst ? "ORIGINAL_DST" : "CLUSTER_PROVIDED");
  }
  if (const auto breakers = json.find("circuit_breakers"); breakers != json.end()) {
    add_breakers(*breakers, settings);
    json.erase("circuit_breakers");
  }
  flatten("", json, settings);
  return settings;
}

Settings connection_settings_of(const Node& cluster) {
  Settings settings;
  const auto add = [&](const Node* object, const char* key, const std::string& name) {
    const Node* const value = object == nullptr ? nullptr : find_value(*object, key);
    if (value != nullptr && !value->text.empty()) {
      settings.emplace(name, time_text(value->text));
    }
  };
  add(&cluster, "connect_timeout", "connect_timeout");
  const Node* common = find_value(cluster, "common_http_protocol_options");
  const Node* const extensions = find_value(cluster, "typed_extension_protocol_options");
  const Node* const http = extensions == nullptr
                               ? nullptr
                               : find_value(*extensions, "envoy.extensions.upstreams.http.v3.HttpProtocolOptions");
  if (common == nullptr && http != nullptr) {
    common = find_value(*http, "common_http_protocol_options");
  }
  for (const char* const key : {"idle_timeout", "max_connection_duration", "max_requests_per_connection"}) {
    add(common, key, std::string("common_http_protocol_options.") + key);
  }
  return settings;
}

}  // namespace spillway::reports::held
