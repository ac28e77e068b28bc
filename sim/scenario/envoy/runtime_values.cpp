#include "sim/scenario/envoy/runtime_values.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "sim/scenario/envoy/kinds.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

using document::Node;

bool is_number(const Node& node) {
  return (node.kind == document::Kind::integer && !node.negative) ||
         (node.kind == document::Kind::number && node.number >= 0.0);
}

// Whole numbers may stand in quotes.
Node as_number(Node value) {
  std::uint64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto parsed = std::from_chars(value.text.data(), end, number);
  if (value.kind == document::Kind::string && parsed.ec == std::errc{} && parsed.ptr == end) {
    value.kind = document::Kind::integer;
    value.magnitude = number;
    value.number = static_cast<double>(number);
  }
  return value;
}

// A FractionalPercent; of a whole number, of hundred.
bool is_fraction(const Node& node) {
  return node.kind == document::Kind::object && find_value(node, "numerator") != nullptr;
}

Node hundredths(Node number) {
  if (number.kind == document::Kind::number) {
    number.kind = document::Kind::integer;
    number.magnitude = static_cast<std::uint64_t>(std::min(number.number, 1e9));
    number.text = std::to_string(number.magnitude);
  }
  Node fraction;
  fraction.kind = document::Kind::object;
  fraction.span = number.span;
  fraction.members.push_back({"numerator", number.span, number});
  return fraction;
}

void put(Node& object, const char* key, Node value) {
  if (Node* const known = find_value(object, key)) {
    value.span = known->span;
    value.protobuf = known->protobuf;
    value.envoys_own = known->envoys_own;
    value.told = known->told;
    *known = std::move(value);
  } else {
    object.members.push_back({key, value.span, std::move(value)});
  }
}

}  // namespace

void RuntimeValues::add(const Node& values, const std::string& prefix) {
  for (const document::Member& member : values.members) {
    const std::string key = prefix + member.key;
    if (member.value.kind == document::Kind::object && !is_fraction(member.value)) {
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
  if (usual->kind == document::Kind::object && find_value(*usual, "value") == nullptr) {
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
    if (weight != nullptr && weight->kind == document::Kind::integer && !weight->negative) {
      put(cluster, "weight", *weight);
    }
  }
}

void RuntimeValues::put_into(Node& tree) const {
  if (values_.empty()) {
    return;
  }
  if (tree.kind == document::Kind::object) {
    put_default(tree);
    put_weights(tree);
  }
  for (document::Member& member : tree.members) {
    if (member.key != "layered_runtime" && member.key != "layeredRuntime") {
      put_into(member.value);
    }
  }
  for (Node& item : tree.items) {
    put_into(item);
  }
}

}  // namespace spillway::scenario::envoy_documents
