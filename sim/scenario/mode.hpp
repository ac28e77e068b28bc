// The modes of computing a scenario's results.
#pragma once

#include <cstdint>

namespace spillway::scenario {

enum class Mode : std::uint8_t { exact, requests, platform };

}  // namespace spillway::scenario
