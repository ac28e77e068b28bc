// The outcomes of a request.
#pragma once

#include <cstdint>

namespace spillway::scenario {

enum class Outcome : std::uint8_t {
  ok,
  no_healthy_upstream,
  upstream_error,
  timeout,
  overflow,
  queue_full,
  connect_failure,
  unfinished,    // no timeout, and no response by the end of the run
  drop_overload  // dropped by the load assignment's policy, before any pick
};

}  // namespace spillway::scenario
