// Assumes a mesh for documents of Kubernetes and Istio.
#pragma once

#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

[[nodiscard]] World kubernetes_world(PastedDocuments& documents, const Question& question);

}  // namespace spillway::scenario::pasted
