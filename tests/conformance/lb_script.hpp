// lb.script: one balancer, told of hosts step by step, with its draws given.
#pragma once

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

void replay_lb_script(const json& input, Check& check);

}  // namespace spillway::conformance
