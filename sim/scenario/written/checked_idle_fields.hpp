// Fields of a cluster that say nothing of where requests go, but whose values Envoy checks.
#pragma once

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

void describe_checked_idle_fields(Fields& fields);

}  // namespace spillway::scenario::written
