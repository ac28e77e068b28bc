// Tests of many cases drawn alike do all of them in the ordinary build and some of them under the sanitizers, where
// each takes ten times as long: what the sanitizers find in such code shows in the first hundreds.
#pragma once

#include <cstddef>

namespace spillway::support {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_sanitizers = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool under_sanitizers = true;
#else
inline constexpr bool under_sanitizers = false;
#endif
#else
inline constexpr bool under_sanitizers = false;
#endif

// COUNT, or a sixth of it under the sanitizers.
constexpr std::size_t cases_of(std::size_t count) {
  return under_sanitizers ? count / 6 : count;
}

}  // namespace spillway::support
