// Fields of a cluster that say nothing of where requests go, but whose values Envoy checks.
#pragma once

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

void describe_checked_idle_fields(Fields& fields);

}  // namespace spillway::messages
