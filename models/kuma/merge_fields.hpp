// RFC 7396 field by field, for structs of optionals: what the patch has, wins.
#pragma once

#include <optional>

namespace spillway::kuma {

// A scalar or a list, which is replaced whole.
template <class Value>
void replace(std::optional<Value>& value, const std::optional<Value>& patch) {
  if (patch) {
    value = patch;
  }
}

// An object, which is merged where both have it; an empty one makes it present and changes nothing in it.
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
