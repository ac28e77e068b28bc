// Finds resources inside any wrapping document: a /config_dump, discovery responses, snapshots, lists, output of
// istioctl, egctl and kumactl, ConfigMaps and other objects of Kubernetes.
#pragma once

#include <deque>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::proxy {

struct Documents;  // documents.hpp

// Trees with stable addresses, because resources point into them.
using Trees = std::deque<documents::Node>;

// Adds the contents of the document. Documents in texts of Kubernetes objects become sources and trees of their own.
// Adds recognised but unsupported contents to `problems` (SP149, as an error if the document contains nothing else).
// Linear.
void unwrap(documents::Node& root, Documents& documents, Sources& sources, Trees& trees, Diagnostics& problems);

}  // namespace spillway::proxy
