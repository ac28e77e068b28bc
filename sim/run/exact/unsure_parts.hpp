// Where requests may end behind zone proxies that find out by themselves which hosts fail.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spillway::run {

struct UnsureParts {
  // By target, 1 if its part of what the zone proxy gets is unknown; empty if all parts are known.
  std::vector<std::uint8_t> targets = {};
  std::string why = {};
};

}  // namespace spillway::run
