// Finds the resources in whatever a document wraps them in: a /config_dump, discovery responses, snapshots, lists,
// what istioctl, egctl and kumactl print, ConfigMaps and other objects of Kubernetes.
#pragma once

#include <deque>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::proxy {

struct Documents;  // documents.hpp

// Trees that stay where they are: resources point into them.
using Trees = std::deque<documents::Node>;

// Adds what the document holds. Documents in texts of Kubernetes' objects become sources and trees of their own. What
// is recognised and not read is added to `problems` (SP149 as an error, where nothing else is in the document). Linear.
void unwrap(documents::Node& root, Documents& documents, Sources& sources, Trees& trees, Diagnostics& problems);

}  // namespace spillway::proxy
