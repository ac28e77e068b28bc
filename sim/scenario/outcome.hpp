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
  unfinished,    // has no timeout, and no answer by the end of the run
  drop_overload  // by the load assignment's policy, before anything is picked
};

}  // namespace spillway::scenario
