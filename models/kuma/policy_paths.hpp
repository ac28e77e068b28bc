// What both checks of a policy, its schema and its validation, have in common: places in it and kinds of target.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace spillway::kuma {

// Kinds of profile head's targetRef at the top, and in `to`.
inline constexpr std::array<std::string_view, 2> head_top_kinds = {"Mesh", "Dataplane"};
inline constexpr std::array<std::string_view, 5> head_to_kinds = {"Mesh", "MeshService", "MeshExternalService",
                                                                  "MeshMultiZoneService", "MeshHTTPRoute"};

// "spec.to[2]": an item of a list.
[[nodiscard]] inline std::string at(const std::string& path, const char* list, std::size_t index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

}  // namespace spillway::kuma
