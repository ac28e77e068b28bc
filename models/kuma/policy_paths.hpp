// Paths and kinds of target that both checks of a policy share: its schema and its validation.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace spillway::kuma {

// The kinds that profile head admits in the top-level targetRef, and in `to`.
inline constexpr std::array<std::string_view, 2> head_top_kinds = {"Mesh", "Dataplane"};
inline constexpr std::array<std::string_view, 5> head_to_kinds = {"Mesh", "MeshService", "MeshExternalService",
                                                                  "MeshMultiZoneService", "MeshHTTPRoute"};

// Returns the path of an item of a list: "spec.to[2]".
[[nodiscard]] inline std::string at(const std::string& path, const char* list, std::size_t index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

}  // namespace spillway::kuma
