#include "models/envoy/proxy/runtime_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

bool is_number(const Node& node) {
  return (node.kind == documents::Kind::integer && !node.negative) ||
         (node.kind == documents::Kind::number && node.number >= 0.0);
}

// Converts a quoted whole number to a number.
Node as_number(Node value) {
  std::uint64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto parsed = std::from_chars(value.text.data(), end, number);
  if (value.kind == documents::Kind::string && parsed.ec == std::errc{} && parsed.ptr == end) {
    value.kind = documents::Kind::integer;
    value.magnitude = number;
    value.number = static_cast<double>(number);
  }
  return value;
}

// True for a FractionalPercent. A plain whole number counts out of 100.
bool is_fraction(const Node& node) {
  return node.kind == documents::Kind::object && find_value(node, "numerator") != nullptr;
}

// Truncates a number to a whole number of at most `most`.
Node whole(Node number, std::uint64_t most) {
  const bool is_integer = number.kind == documents::Kind::integer;
  const std::uint64_t value = is_integer ? number.magnitude : static_cast<std::uint64_t>(std::min(number.number, 1e15));
  number.kind = documents::Kind::integer;
  number.magnitude = std::min(value, most);
  number.number = static_cast<double>(number.magnitude);
  number.text = std::to_string(number.magnitude);
  return number;
}

Node hundredths(Node number) {
  if (number.kind == documents::Kind::number) {
    number = whole(std::move(number), 1'000'000'000);
  }
  Node fraction;
  fraction.kind = documents::Kind::object;
  fraction.span = number.span;
  fraction.members.push_back({"numerator", number.span, number});
  return fraction;
}

void put(Node& object, const char* key, Node value) {
  value.protobuf = object.protobuf;
  value.envoys_own = object.envoys_own;
  value.reported = object.reported;
  if (Node* const known = find_value(object, key)) {
    value.span = known->span;
    *known = std::move(value);
  } else {
    object.members.push_back({key, value.span, std::move(value)});
  }
}

// Returns a message within another one, adding it if it is missing.
Node& message_in(Node& object, const char* key) {
  if (find_value(std::as_const(object), key) == nullptr) {
    Node message;
    message.kind = documents::Kind::object;
    message.span = object.span;
    message.protobuf = object.protobuf;
    message.envoys_own = object.envoys_own;
    message.reported = object.reported;
    object.members.push_back({key, object.span, std::move(message)});
  }
  return *find_value(object, key);
}

// Returns "10.250s" for 10250.
Node duration(Node milliseconds) {
  constexpr std::uint64_t of_second = 1000;
  constexpr std::uint64_t longest = 315'576'000'000'000;
  milliseconds = whole(std::move(milliseconds), longest);
  const std::uint64_t rest = milliseconds.magnitude % of_second;
  std::string digits = std::to_string(rest);
  digits.insert(0, 3 - digits.size(), '0');
  milliseconds.text = std::to_string(milliseconds.magnitude / of_second) + "." + digits + "s";
  milliseconds.kind = documents::Kind::string;
  return milliseconds;
}

// The unit of a runtime value that overrides a field. Keys of times in milliseconds have the suffix `_ms`.
enum class Value : std::uint8_t { number, percentage, milliseconds };
struct Setting {
  const char* field;
  Value value;
};

constexpr std::array<Setting, 21> of_outlier_detection{
    {{"consecutive_5xx", Value::number},
     {"consecutive_gateway_failure", Value::number},
     {"consecutive_local_origin_failure", Value::number},
     {"interval", Value::milliseconds},
     {"base_ejection_time", Value::milliseconds},
     {"max_ejection_time", Value::milliseconds},
     {"max_ejection_time_jitter", Value::milliseconds},
     {"max_ejection_percent", Value::percentage},
     {"enforcing_consecutive_5xx", Value::percentage},
     {"enforcing_consecutive_gateway_failure", Value::percentage},
     {"enforcing_consecutive_local_origin_failure", Value::percentage},
     {"enforcing_success_rate", Value::percentage},
     {"enforcing_local_origin_success_rate", Value::percentage},
     {"success_rate_minimum_hosts", Value::number},
     {"success_rate_request_volume", Value::number},
     {"success_rate_stdev_factor", Value::number},
     {"enforcing_failure_percentage", Value::percentage},
     {"enforcing_failure_percentage_local_origin", Value::percentage},
     {"failure_percentage_threshold", Value::percentage},
     {"failure_percentage_minimum_hosts", Value::number},
     {"failure_percentage_request_volume", Value::number}}};

constexpr std::array of_thresholds{"max_connections", "max_pending_requests", "max_requests", "max_retries",
                                   "max_connection_pools"};

constexpr std::uint64_t largest_uint32 = UINT32_MAX;

// Returns the thresholds of a priority.
Node* thresholds_of(Node& breakers, std::string_view priority) {
  Node* const list = find_value(breakers, "thresholds");
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    if (api::MessageView(list->items[i]).is("priority", priority, priority == "HIGH" ? 1 : 0)) {
      return &list->items[i];
    }
  }
  return nullptr;
}

Node& made_thresholds(Node& breakers, const char* priority) {
  Node& list = message_in(breakers, "thresholds");
  list.kind = documents::Kind::array;
  Node& made = list.items.emplace_back();
  made.kind = documents::Kind::object;
  made.span = breakers.span;
  made.protobuf = breakers.protobuf;
  made.envoys_own = breakers.envoys_own;
  made.reported = breakers.reported;
  Node name = made;
  name.kind = documents::Kind::string;
  name.text = priority;
  made.members.push_back({"priority", breakers.span, std::move(name)});
  return made;
}

}  // namespace

void RuntimeValues::add(const Node& values, const std::string& prefix) {
  for (const documents::Member& member : values.members) {
    const std::string key = prefix + member.key;
    if (member.value.kind == documents::Kind::object && !is_fraction(member.value)) {
      add(member.value, key + ".");
    } else {
      values_.insert_or_assign(key, as_number(member.value));
    }
  }
}

const Node* RuntimeValues::find(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

void RuntimeValues::put_default(Node& object) const {
  const Node* const value = find(text_at(object, "runtime_key"));
  const Node* const usual = find_value(std::as_const(object), "default_value");
  if (value == nullptr || usual == nullptr) {
    return;
  }
  if (usual->kind == documents::Kind::object && find_value(*usual, "value") == nullptr) {
    if (is_fraction(*value)) {
      put(object, "default_value", *value);
    } else if (is_number(*value)) {
      put(object, "default_value", hundredths(*value));
    }
  } else if (is_number(*usual) && is_number(*value)) {
    put(object, "default_value", *value);
  }
}

void RuntimeValues::put_weights(Node& object) const {
  const std::string prefix = text_at(object, "runtime_key_prefix");
  Node* const clusters = prefix.empty() ? nullptr : find_value(object, "clusters");
  for (std::size_t i = 0; clusters != nullptr && i < clusters->items.size(); ++i) {
    Node& cluster = clusters->items[i];
    const Node* const weight = find(prefix + "." + text_at(cluster, "name"));
    if (weight != nullptr && weight->kind == documents::Kind::integer && !weight->negative) {
      put(cluster, "weight", *weight);
    }
  }
}

void RuntimeValues::put_outlier_detection(Node& cluster) const {
  Node* const detection = find_value(cluster, "outlier_detection");
  if (detection == nullptr || detection->kind != documents::Kind::object) {
    return;
  }
  for (const Setting& setting : of_outlier_detection) {
    const bool is_time = setting.value == Value::milliseconds;
    const Node* const value = find(std::string("outlier_detection.") + setting.field + (is_time ? "_ms" : ""));
    if (value != nullptr && is_number(*value)) {
      put(*detection, setting.field,
          is_time ? duration(*value) : whole(*value, setting.value == Value::percentage ? 100 : largest_uint32));
    }
  }
}

void RuntimeValues::put_circuit_breakers(Node& cluster) const {
  for (const auto& [in_key, priority] : {std::pair{"default", "DEFAULT"}, std::pair{"high", "HIGH"}}) {
    const std::string prefix = "circuit_breakers." + text_at(cluster, "name") + "." + in_key + ".";
    const auto first = values_.lower_bound(prefix);
    if (first == values_.end() || !first->first.starts_with(prefix)) {
      continue;
    }
    Node& breakers = message_in(cluster, "circuit_breakers");
    Node* const written = thresholds_of(breakers, priority);
    Node& thresholds = written != nullptr ? *written : made_thresholds(breakers, priority);
    for (const char* const field : of_thresholds) {
      if (const Node* const value = find(prefix + field); value != nullptr && is_number(*value)) {
        put(thresholds, field, whole(*value, largest_uint32));
      }
    }
    if (const Node* const least = find(prefix + "retry_budget.min_retry_concurrency");
        least != nullptr && is_number(*least)) {
      put(message_in(thresholds, "retry_budget"), "min_retry_concurrency", whole(*least, largest_uint32));
    }
    if (const Node* const percent = find(prefix + "retry_budget.budget_percent");
        percent != nullptr && is_number(*percent)) {
      put(message_in(message_in(thresholds, "retry_budget"), "budget_percent"), "value", *percent);
    }
  }
}

void RuntimeValues::put_into(Node& tree, const std::set<const Node*>& clusters) const {
  if (values_.empty()) {
    return;
  }
  if (tree.kind == documents::Kind::object) {
    put_default(tree);
    put_weights(tree);
  }
  if (clusters.contains(&tree)) {
    put_outlier_detection(tree);
    put_circuit_breakers(tree);
  }
  for (documents::Member& member : tree.members) {
    if (member.key != "layered_runtime" && member.key != "layeredRuntime") {
      put_into(member.value, clusters);
    }
  }
  for (Node& item : tree.items) {
    put_into(item, clusters);
  }
}

void RuntimeValues::warn_of_others(Diagnostics& problems) const {
  for (const auto& [key, value] : values_) {
    const bool other = key == "upstream.use_retry" || key == "upstream.base_retry_backoff_ms" ||
                       key == "upstream.use_http2" || key.starts_with("upstream.maintenance_mode.") ||
                       key == "health_check.min_interval" || key == "health_check.max_interval" ||
                       key == "health_check.verify_cluster";
    if (other) {
      problems.warning("SP238", value.span, "a runtime key that is not simulated",
                       "Envoy reads `{}`; what follows is without it", {key});
    }
  }
}

}  // namespace spillway::proxy
