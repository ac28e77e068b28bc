// Files of documents that a scenario names instead of holding them:
//
//   resources:
//     - kubernetes.yaml          # relative to the scenario's file; --- between documents, lists and `kind: List` too
//     - { kind: DestinationRule, ... }
//
// The documents take the place of the name, in the order of the file.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// Of `policies` and `resources`. Files are added to the sources, unless one of that name is there already, which is
// then taken as it is. A name that leads to no documents is reported (SP693, or why the file cannot be read) and taken
// out. Linear in the files.
void take_named_documents(documents::Node& root, Sources& sources, Diagnostics& problems);

}  // namespace spillway::scenario
