// The two 64-bit hashes that Envoy's balancing uses, the same on every machine.
//
//   xxhash64("foo")                       // 3728699739546630719
//   xxhash64_chain(values)                // of a header with several values: a chain of seeds, not a concatenation
//   murmur2_64("foo")                     // 9631199822919835226, what libstdc++'s std::hash gives on x86-64
//
// Linear in the length. Source: docs/behaviour/envoy-host-pick.md 1.1 and 1.2; Envoy's common/hash.cc, MurmurHash2.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace spillway::numeric {

[[nodiscard]] std::uint64_t xxhash64(std::string_view data, std::uint64_t seed = 0) noexcept;

// Hashes each value with the hash of the previous value as its seed. Without values the result is `seed`.
[[nodiscard]] std::uint64_t xxhash64_chain(std::span<const std::string> values, std::uint64_t seed = 0) noexcept;

constexpr std::uint64_t standard_murmur_seed = 0xc70f6907U;
[[nodiscard]] std::uint64_t murmur2_64(std::string_view data, std::uint64_t seed = standard_murmur_seed) noexcept;

}  // namespace spillway::numeric
