// protobuf's JSON takes a null for a field that is not there.
#pragma once

#include "sim/scenario/document/node.hpp"

namespace spillway::scenario::document {

// Takes the members whose value is null out of every object.
void drop_nulls(Node& node);

}  // namespace spillway::scenario::document
