// Documented tables in JSON, without line breaks: the array that `run` and `tables` share.
#pragma once

#include <string>
#include <vector>

namespace spillway::reports {

struct DocumentedTable;  // documented_table.hpp

[[nodiscard]] std::string tables_json(const std::vector<DocumentedTable>& tables);

}  // namespace spillway::reports
