// The shortest text of a number.
#pragma once

#include <string>

namespace spillway::reports {

// Formats with the fewest digits that read back as the same double: "0.7", "1e-9".
[[nodiscard]] std::string shortest(double number);

}  // namespace spillway::reports
