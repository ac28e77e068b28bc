// The number of a list that picks can come from (host_sources.hpp).
#pragma once

#include <cstdint>

#include "models/config/strong.hpp"

namespace spillway::envoy {

using SourceIndex = config::Strong<struct SourceIndexTag, std::uint32_t>;

}  // namespace spillway::envoy
