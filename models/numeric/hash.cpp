#include "models/numeric/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway::numeric {

namespace {

// Reads byte by byte, independent of the machine's byte order.
std::uint64_t little_endian(std::string_view bytes) noexcept {
  std::uint64_t word = 0;
  for (std::size_t index = bytes.size(); index > 0; --index) {
    word = (word << 8U) | static_cast<unsigned char>(bytes[index - 1]);
  }
  return word;
}

std::uint64_t fold(std::uint64_t value) noexcept {
  return value ^ (value >> 47U);
}

}  // namespace

std::uint64_t xxhash64(std::string_view data, std::uint64_t seed) noexcept {
  return XXH64(data.data(), data.size(), seed);
}

std::uint64_t xxhash64_chain(std::span<const std::string> values, std::uint64_t seed) noexcept {
  for (const std::string& value : values) {
    seed = xxhash64(value, seed);
  }
  return seed;
}

std::uint64_t murmur2_64(std::string_view data, std::uint64_t seed) noexcept {
  constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995U;
  constexpr std::size_t word_bytes = 8;
  std::uint64_t hash = seed ^ (data.size() * multiplier);
  std::string_view rest = data;
  for (; rest.size() >= word_bytes; rest.remove_prefix(word_bytes)) {
    hash ^= fold(little_endian(rest.substr(0, word_bytes)) * multiplier) * multiplier;
    hash *= multiplier;
  }
  if (!rest.empty()) {
    hash ^= little_endian(rest);  // not folded, unlike whole words
    hash *= multiplier;
  }
  return fold(fold(hash) * multiplier);
}

}  // namespace spillway::numeric
