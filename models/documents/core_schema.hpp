// The type of a plain scalar of YAML: the core schema.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::documents {

// Makes a boolean or a number of a text that is one, by YAML 1.2.2, 10.3.2. Numbers that are not finite (SP011) or do
// not fit into 64 bits (SP012) are reported.
void type_plain_scalar(Node& node, Diagnostics& problems);

}  // namespace spillway::documents
