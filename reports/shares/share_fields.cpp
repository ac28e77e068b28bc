#include "reports/shares/share_fields.hpp"

#include <fmt/format.h>

namespace spillway::reports {

std::string shortest(double number) {
  return fmt::format("{}", number);
}

}  // namespace spillway::reports
