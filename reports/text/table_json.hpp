// Documented tables in JSON, without line breaks: the array that `run` and `tables` have in common.
#pragma once

#include <string>
#include <vector>

#include "reports/shares/documented_table.hpp"

namespace spillway::reports {

[[nodiscard]] std::string tables_json(const std::vector<DocumentedTable>& tables);

}  // namespace spillway::reports
