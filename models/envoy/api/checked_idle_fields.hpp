// Reads cluster fields that do not affect routing but whose values Envoy checks.
#pragma once

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

void describe_checked_idle_fields(Fields& fields);

}  // namespace spillway::messages
