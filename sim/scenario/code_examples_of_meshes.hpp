// Those of documents of Kuma's.
#pragma once

#include <span>

#include "sim/scenario/code_examples.hpp"

namespace spillway::scenario {

[[nodiscard]] std::span<const CodeExample> code_examples_of_meshes() noexcept;

}  // namespace spillway::scenario
