#include "sim/engine/random_stream.hpp"

#define XXH_INLINE_ALL
#include <array>
#include <xxhash.h>

namespace spillway::engine {

RandomStream::RandomStream(const StreamIdentity& identity) : state_{} {
  const std::array<std::uint64_t, 4> words{identity.seed, static_cast<std::uint64_t>(identity.purpose), identity.entity,
                                           identity.replication};
  std::array<unsigned char, sizeof(words)> bytes{};
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    bytes[index] = static_cast<unsigned char>(words[index / 8] >> (8 * (index % 8)));
  }
  for (std::uint64_t word = 0; word < 4; ++word) {
    state_[word] = XXH64(bytes.data(), bytes.size(), word);
  }
}

}  // namespace spillway::engine
