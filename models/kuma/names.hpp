// Kuma's tags, labels and kinds that matter here, spelt as Kuma spells them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::kuma {

// The tags of an inbound or an endpoint, or the labels of a resource.
using Tags = std::map<std::string, std::string>;

inline constexpr std::string_view service_tag = "kuma.io/service";
inline constexpr std::string_view zone_tag = "kuma.io/zone";
inline constexpr std::string_view mesh_tag = "kuma.io/mesh";
inline constexpr std::string_view display_name_label = "kuma.io/display-name";
inline constexpr std::string_view origin_label = "kuma.io/origin";
inline constexpr std::string_view policy_role_label = "kuma.io/policy-role";
inline constexpr std::string_view effect_label = "kuma.io/effect";
inline constexpr std::string_view namespace_label = "k8s.kuma.io/namespace";

// Returns the value of a key, or "" if it is missing.
[[nodiscard]] inline std::string_view value_of(const Tags& tags, std::string_view key) {
  const auto found = tags.find(std::string(key));
  return found == tags.end() ? std::string_view() : std::string_view(found->second);
}

[[nodiscard]] inline std::string_view value_of(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

// True if `tags` have every pair of `wanted`. As in Kuma's selectors, "*" requires the key with any value.
[[nodiscard]] inline bool has_all(const Tags& tags, const Tags& wanted) {
  for (const auto& [key, value] : wanted) {
    const auto found = tags.find(key);
    if (found == tags.end() || (value != "*" && found->second != value)) {
      return false;
    }
  }
  return true;
}

}  // namespace spillway::kuma
