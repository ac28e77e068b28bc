// Reads JSON objects field by field into optionals.
//
//   read_fields(object, "cookie", {{"name", into(cookie.name)}, {"ttl", into(cookie.ttl)}});
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

[[noreturn]] void refuse(const std::string& where, const json& value);

using FieldReaders = std::map<std::string, std::function<void(const json&)>>;

// Null counts as absent; an unknown field throws, unless they are dropped (kuma_documents.hpp).
void read_fields(const json& object, const char* what, const FieldReaders& readers);

inline void ignore(const json& /*value*/) {}

template <class Value>
std::function<void(const json&)> into(std::optional<Value>& field) {
  return [&field](const json& value) { field = value.get<Value>(); };
}

template <class Object>
std::function<void(const json&)> into(std::optional<Object>& field, Object (*read)(const json&)) {
  return [&field, read](const json& value) { field = read(value); };
}

template <class Object>
std::function<void(const json&)> into(std::optional<std::vector<Object>>& field, Object (*read)(const json&)) {
  return [&field, read](const json& value) {
    field.emplace();
    for (const json& entry : value) {
      field->push_back(read(entry));
    }
  };
}

}  // namespace spillway::conformance
