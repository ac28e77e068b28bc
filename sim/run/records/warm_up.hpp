// Removes the rows of a warm-up from results.
#pragma once

#include "sim/run/nanoseconds.hpp"

namespace spillway::run {

struct Results;  // results.hpp

// Drops rows of tables that began before this time. The remaining rows keep their epoch numbers. O(rows).
void drop_rows_before(Nanoseconds moment, Results& results);

}  // namespace spillway::run
