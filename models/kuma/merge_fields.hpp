// Merges structs of optionals field by field as in RFC 7396: fields present in the patch win.
#pragma once

#include <optional>

namespace spillway::kuma {

// Replaces a scalar or a list whole.
template <class Value>
void replace(std::optional<Value>& value, const std::optional<Value>& patch) {
  if (patch) {
    value = patch;
  }
}

// Merges an object that both sides have; an empty object makes the field present and changes nothing in it.
template <class Object>
void merge(std::optional<Object>& field, const std::optional<Object>& patch,
           void (*merge_objects)(Object&, const Object&)) {
  if (!patch) {
    return;
  }
  if (!field) {
    field.emplace();
  }
  merge_objects(*field, *patch);
}

}  // namespace spillway::kuma
