// numeric::Remainder under the engine's name (models/numeric/remainder.hpp).
#pragma once

#include "models/numeric/remainder.hpp"

namespace spillway::engine {

using Remainder = numeric::Remainder;

}  // namespace spillway::engine
