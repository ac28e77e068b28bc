// Results without the rows of a warm-up.
#pragma once

#include "sim/run/nanoseconds.hpp"

namespace spillway::run {

struct Results;  // results.hpp

// Drops rows of tables that began before this moment. What is left keeps its epoch numbers. Linear in all rows.
void drop_rows_before(Nanoseconds moment, Results& results);

}  // namespace spillway::run
