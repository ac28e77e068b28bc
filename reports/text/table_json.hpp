// Documented tables in JSON, one object each, that `run` and `tables` share.
#pragma once

#include <vector>

#include "models/documents/json_writer.hpp"

namespace spillway::reports {

struct DocumentedTable;  // documented_table.hpp

[[nodiscard]] std::vector<documents::JsonText> tables_json(const std::vector<DocumentedTable>& tables);

}  // namespace spillway::reports
