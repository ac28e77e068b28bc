// Reads files of documents that a scenario names instead of containing them:
//
//   resources:
//     - kubernetes.yaml          # relative to the scenario's file; --- between documents, lists and `kind: List` too
//     - { kind: DestinationRule, ... }
//
// The documents replace the name, in file order.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// Replaces the names in `policies` and `resources`. Files are added to the sources; a file already there is used as it
// is. A name without documents is reported (SP693, or the reason why the file cannot be read) and removed. So are
// members with the value null of Istio's and Kubernetes' documents, where they mean nothing. Linear in the files.
void take_named_documents(documents::Node& root, Sources& sources, Diagnostics& problems);

}  // namespace spillway::scenario
