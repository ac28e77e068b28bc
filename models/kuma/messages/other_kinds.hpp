// Kuma's kinds that are not read: those that do not affect the shares, and those that may change them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::messages {

struct OtherKind {
  const char* kind;
  const char* word;  // its effect, as far as it matters here
};

// Returns a kind that is accepted with a warning, or null if it is none of them.
[[nodiscard]] const OtherKind* find_passed_over(std::string_view kind) noexcept;
[[nodiscard]] std::vector<std::string> passed_over_kinds();

// True for a kind that changes what a proxy does with the requests that it receives.
[[nodiscard]] bool is_inbound(std::string_view kind) noexcept;
// True for policies that may change any part of the proxies that they select.
[[nodiscard]] bool changes_proxies(std::string_view kind) noexcept;

// Returns a kind that is refused because its effect is not supported, or null if it is none of them.
[[nodiscard]] const OtherKind* find_refused(std::string_view kind) noexcept;
[[nodiscard]] std::vector<std::string> refused_kinds();

}  // namespace spillway::messages
