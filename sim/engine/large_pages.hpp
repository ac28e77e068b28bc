// Memory that is about to be asked for, in pages of two megabytes.
//
//   expect_memory(200'000'000);   // what is allocated next, up to so many bytes
//
// State that every request looks up somewhere else is more than the processor keeps addresses of in small pages. Where
// the system knows no large ones, or gives none, nothing happens; results do not depend on it. Memory that is not used
// costs addresses alone.
#pragma once

#include <cstddef>

namespace spillway::engine {

void expect_memory(std::size_t bytes) noexcept;

}  // namespace spillway::engine
