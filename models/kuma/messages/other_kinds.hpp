// The kinds of Kuma that are not read: those that leave the shares alone, and those that may change them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spillway::messages {

struct OtherKind {
  const char* kind;
  const char* word;  // what it does, as far as it matters here
};

// Accepted with a warning. Null if the kind is none of them.
[[nodiscard]] const OtherKind* find_passed_over(std::string_view kind) noexcept;
[[nodiscard]] std::vector<std::string> passed_over_kinds();

// Refused: what they would change is not supported.
[[nodiscard]] const OtherKind* find_refused(std::string_view kind) noexcept;
[[nodiscard]] std::vector<std::string> refused_kinds();

}  // namespace spillway::messages
