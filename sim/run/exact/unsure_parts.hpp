// The targets of requests behind zone proxies that detect failing hosts by themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::run {

struct UnsureParts {
  // By target: 1 if its part of the zone proxy's requests is unknown. Empty if all parts are known.
  std::vector<std::uint8_t> targets = {};
  std::string why = {};
};

}  // namespace spillway::run
