// How PlainSimulator knows that no circuit breaker is full: by a bound on the requests in flight, or by a calendar of
// their ends.
#pragma once

namespace spillway::run::plain {

enum class Way { bounded, calendar };

}  // namespace spillway::run::plain
