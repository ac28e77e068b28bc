#include "reports/dump_check/settings.hpp"

#include <charconv>
#include <fmt/format.h>
#include <string_view>

#include "models/documents/json_writer.hpp"
#include "models/documents/node_edit.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::reports::held {
namespace {

using documents::Kind;
using documents::Member;
using documents::Node;
using proxy::find_value;

constexpr const char* policy_prefix = "envoy.load_balancing_policies.";
constexpr double no_limit = 4294967295.0;

// Returns the value inside a wrapper message.
const Node& unwrapped(const Node& value) {
  for (const char* const key : {"value", "default_value"}) {
    const Member* const inner = value.find(key);
    if (inner != nullptr && (value.members.size() == 1 || value.find("runtime_key") != nullptr)) {
      return inner->value;
    }
  }
  return value;
}

std::string text_of(const Node& value) {
  if (value.kind == Kind::string) {
    return time_text(value.text);
  }
  if ((value.kind == Kind::integer && !value.negative && static_cast<double>(value.magnitude) == no_limit) ||
      (value.kind == Kind::number && value.number == no_limit)) {
    return "no limit";
  }
  return value.kind == Kind::number ? fmt::format("{:g}", value.number) : documents::JsonText::of(value).text();
}

void flatten(const std::string& name, const Node& written, Settings& into) {
  const Node& value = unwrapped(written);
  if (value.kind == Kind::object) {
    if (value.members.empty()) {
      into.emplace(name, "set");
    }
    for (const Member& member : value.members) {
      if (member.key != "@type" && member.key != "track_remaining") {
        flatten(name.empty() ? member.key : fmt::format("{}.{}", name, member.key), member.value, into);
      }
    }
  } else if (value.kind == Kind::array && !value.items.empty() && value.items.front().kind == Kind::object) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      flatten(fmt::format("{}[{}]", name, i), value.items[i], into);
    }
  } else {
    into.emplace(name, text_of(value));
  }
}

// Adds the policy by name, and its fields as fields of the cluster.
void add_policy(const Node& policy, Settings& into) {
  const Node& first = policy.find("policies")->value.items.front().find("typed_extension_config")->value;
  std::string name = first.find("name")->value.text;
  name.erase(0, name.starts_with(policy_prefix) ? std::string_view(policy_prefix).size() : 0);
  into.emplace("lb_policy", name);
  Node fields = first.find("typed_config")->value;
  erase(fields, "@type");
  if (const Member* const locality = fields.find("locality_lb_config")) {
    flatten("common_lb_config", locality->value, into);
    erase(fields, "locality_lb_config");
  }
  if (fields.find("locality_weighted_lb_config") != nullptr) {
    erase(fields, "locality_weighted_lb_config");
    into.emplace("common_lb_config.locality_weighted_lb_config", "set");
  }
  if (!fields.members.empty()) {
    flatten(name, fields, into);
  }
}

// Adds thresholds; names of the default priority omit the priority.
void add_breakers(const Node& breakers, Settings& into) {
  for (const Member& list : breakers.members) {
    for (const Node& thresholds : list.value.items) {
      const Member* const named = thresholds.find("priority");
      const std::string priority = named == nullptr ? "DEFAULT" : named->value.text;
      const std::string name = "circuit_breakers" + (list.key == "thresholds" ? "" : "." + list.key) +
                               (priority == "DEFAULT" ? "" : "." + priority);
      for (const Member& member : thresholds.members) {
        if (member.key != "priority" && member.key != "track_remaining") {
          flatten(fmt::format("{}.{}", name, member.key), member.value, into);
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
  Node message = messages::write_cluster(cluster);
  erase(message, "ignore_health_on_host_removal");  // not set by any control plane's document
  Settings settings;
  if (const Member* const policy = message.find("load_balancing_policy")) {
    add_policy(policy->value, settings);
    erase(message, "load_balancing_policy");
  } else {
    settings.emplace("lb_policy", cluster.original_dst ? "ORIGINAL_DST" : "CLUSTER_PROVIDED");
  }
  if (const Member* const breakers = message.find("circuit_breakers")) {
    add_breakers(breakers->value, settings);
    erase(message, "circuit_breakers");
  }
  flatten("", message, settings);
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
