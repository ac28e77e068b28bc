// Resolves the type of a plain YAML scalar by the core schema.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::documents {

// Turns a text node that spells a boolean or a number into one, by YAML 1.2.2, 10.3.2. Reports numbers that are not
// finite (SP011) or do not fit into 64 bits (SP012).
void type_plain_scalar(Node& node, Diagnostics& problems);

}  // namespace spillway::documents
