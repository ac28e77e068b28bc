// Assumes a mesh for documents of Kuma.
#pragma once

#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

[[nodiscard]] World kuma_world(PastedDocuments& documents, const Question& question);

}  // namespace spillway::scenario::pasted
