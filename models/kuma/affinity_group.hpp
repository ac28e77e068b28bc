// A group of endpoints within its own zone that a client prefers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spillway::kuma {

struct AffinityGroup {
  std::size_t entry = 0;  // in affinityTags
  std::string key = {};
  std::string value = {};    // the client's
  std::uint32_t weight = 0;  // of the locality, which its endpoints share

  friend bool operator==(const AffinityGroup&, const AffinityGroup&) = default;
};

}  // namespace spillway::kuma
