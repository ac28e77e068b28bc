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

// How far apart those of a list are that are tried.
inline constexpr std::size_t stride_of_cases = under_sanitizers ? 6 : 1;

// Returns `count`, or a sixth of it under the sanitizers, but at least 1.
constexpr std::size_t cases_of(std::size_t count) {
  return count < stride_of_cases ? 1 : count / stride_of_cases;
}

}  // namespace spillway::support
